//! Decisions of a policy, one by one.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::{Action, Grants, Policy, PolicyConfig, Ruling, ServiceRules, Tool, tool::PENDING};
use crate::{
    rules::{
        audit::DecisionSource,
        grant::{Grant, GrantScope},
    },
    transcript::Effect,
};

pub(super) fn policy(text: &str) -> Policy {
    let file: PolicyConfig = toml::from_str(text).unwrap();
    file.compile(&["files", "crm"]).unwrap()
}

pub(super) fn tool(server: &str, name: &str, read_only: bool) -> Option<Tool> {
    Tool::new(server, name, "A tool.", json!({}), read_only)
}

pub(super) fn decide(
    policy: &Policy,
    name: &str,
    given: &Map<String, Value>,
    read_only: bool,
) -> Ruling {
    let (server, name) = name.split_once('/').unwrap();
    let tool = tool(server, name, read_only).unwrap();
    policy.decide(&tool, given, &Grants::default())
}

pub(super) fn arguments(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

pub(super) const RULES: &str = r#"
    trust_read_only = ["files"]
    rule = [
      { tool = "files/delete_*", do = "deny", why = "Files are never deleted here." },
      { tool = "crm/refund", do = "auto" },
      { tool = "crm/refund", when = { "/amount" = { over = 100 } }, do = "ask" },
      { tool = "files/write", when = { "/path" = { glob = "/srv/drafts/**" } }, do = "auto", effect = "idempotent" },
    ]
"#;

#[test]
fn rules_decide_and_the_strictest_one_counts() {
    let policy = policy(RULES);
    for (tool, given, read_only, action) in [
        ("files/delete_all", json!({}), true, Action::Deny),
        ("files/read", json!({}), true, Action::Auto),
        ("files/read", json!({}), false, Action::Ask),
        // The hint of a server that is not trusted is no authority.
        ("crm/search", json!({}), true, Action::Ask),
        ("crm/refund", json!({ "amount": 99 }), false, Action::Auto),
        ("crm/refund", json!({ "amount": 101 }), false, Action::Ask),
        // A rule that asks and cannot be evaluated asks, and one that lets run lets nothing run.
        ("crm/refund", json!({ "amount": "99" }), false, Action::Ask),
        ("crm/refund", json!({}), false, Action::Ask),
        (
            "files/write",
            json!({ "path": "/srv/drafts/a/b" }),
            false,
            Action::Auto,
        ),
        (
            "files/write",
            json!({ "path": "/srv/drafts/../keys" }),
            false,
            Action::Ask,
        ),
        (
            "files/write",
            json!({ "path": "/srv/keys" }),
            false,
            Action::Ask,
        ),
        (
            "files/write",
            json!({ "path": ["/srv/drafts/a"] }),
            false,
            Action::Ask,
        ),
    ] {
        let ruling = decide(&policy, tool, &arguments(&given), read_only);
        assert_eq!(ruling.action, action, "{tool} {given}");
    }
    let denied = decide(&policy, "files/delete_all", &Map::new(), false);
    assert_eq!(denied.why, "Files are never deleted here.");
    let draft = arguments(&json!({ "path": "/srv/drafts/a" }));
    let ruling = decide(&policy, "files/write", &draft, false);
    assert_eq!(ruling.effect, Effect::Idempotent);
}

#[test]
fn a_decision_is_described_with_its_reason() {
    let policy = policy(RULES);
    for (server, tool, read_only, text) in [
        (
            "files",
            "delete_all",
            true,
            "deny, by a rule (Files are never deleted here.)",
        ),
        ("files", "list", false, "ask, by default"),
        (
            "files",
            "list",
            true,
            "auto, the server says that it changes nothing, and is trusted in that",
        ),
        (
            "crm",
            "refund",
            false,
            "auto, by a rule; ask for some values of /amount",
        ),
    ] {
        let tool = self::tool(server, tool, read_only).unwrap();
        assert_eq!(policy.describe(&tool), text);
    }
}

#[test]
fn a_policy_that_cannot_be_right_does_not_load() {
    for (text, fault) in [
        (
            "trust_read_only = [\"mail\"]",
            "line 1: trust_read_only[0]: \"mail\" is no server",
        ),
        (
            "\nrule = [\n{ tool = \"files/b\", do = \"auto\" },\n{ tool = \"*/[\", do = \"auto\" }]",
            "line 4: rule[1].tool: error parsing glob '*/[': unclosed",
        ),
        (
            "[[rule]]\ntool = \"refund\"\ndo = \"deny\"",
            "line 2: rule[0].tool: \"refund\" names no tool: they are written SERVER/TOOL",
        ),
        (
            "[[rule]]\ntool = \"file/delete\"\ndo = \"deny\"",
            "line 2: rule[0].tool: there is no server \"file\"; did you mean \"files\"?",
        ),
        (
            "[[rule]]\ntool = \"files/b\"\ndo = \"deny\"\nwhen = { \"/p\" = { path = { under = \"b\" } } }",
            "line 4: rule[0].when./p.path.under: this has to be an absolute path",
        ),
        (
            "[[rule]]\ntool = \"files/b\"\ndo = \"auto\"\n[rule.when]\npath = { equals = \"x\" }",
            "line 5: rule[0].when.path: this is no JSON pointer",
        ),
        (
            "[[rule]]\ntool = \"files/b\"\ndo = \"auto\"\nwhen = { \"/path\" = { glob = \"[\" } }",
            "line 4: rule[0].when./path: error parsing glob",
        ),
    ] {
        let file: PolicyConfig = toml::from_str(text).unwrap();
        let found = file.compile(&["files"]).unwrap_err().say(text);
        assert!(found.contains(fault), "{text}: {found}");
    }
    assert!(toml::from_str::<PolicyConfig>("default = \"allow\"").is_err());
}

#[test]
fn what_the_service_denies_no_agent_and_no_grant_allows() {
    let service =
        ServiceRules::read("[[deny]]\ntool = \"*/delete_*\"\nwhy = \"Nothing is deleted.\"");
    let open = "default = \"auto\"\nrule = [{ tool = \"crm/*\", do = \"auto\" }]";
    let policy = policy(open).with_service_rules(&service.unwrap());
    let tool = tool("crm", "delete_all", true).unwrap();
    let ruling = policy.decide(&tool, &Map::new(), &grants(&tool, "{}"));
    assert_eq!(ruling.action, Action::Deny);
    assert_eq!(ruling.why, "Nothing is deleted.");
    assert_eq!(ruling.rule, "service: deny */delete_*");
    assert_eq!(
        decide(&policy, "crm/add", &Map::new(), false).action,
        Action::Auto
    );
    for (text, fault) in [
        ("\n[[allow]]\ntool = \"a/b\"", "line 2: unknown field"),
        (
            "[[deny]]\ntool = \"a/b\"\n\n[[deny]]\ntool = \"*/[\"",
            "line 5: deny[1].tool: error parsing glob",
        ),
    ] {
        let found = ServiceRules::read(text).unwrap_err();
        assert!(found.starts_with(fault), "{found}");
    }
}

pub(super) fn grants(tool: &Tool, arguments: &str) -> Grants {
    Grants::new(vec![Grant {
        id: "g".to_owned(),
        tool: tool.id(),
        arguments: arguments.to_owned(),
        definition: tool.definition.clone(),
        names: None,
    }])
}

#[test]
fn a_grant_of_a_person_allows_no_argument_that_the_person_did_not_see() {
    let tool = tool("crm", "send", false).unwrap();
    let grants = Grants::new(vec![Grant {
        id: "g".to_owned(),
        tool: tool.id(),
        arguments: r#"{ "/to": { "same": ["ada", 1, null] } }"#.to_owned(),
        definition: tool.definition.clone(),
        names: Some(vec!["to".to_owned(), "text".to_owned()]),
    }]);
    let never = policy("grants = \"never\"");
    let policy = policy("");
    let action = |given: Value| policy.decide(&tool, &arguments(&given), &grants).action;
    let to = json!(["ada", 1, null]);
    let known = arguments(&json!({ "to": to }));
    assert_eq!(never.decide(&tool, &known, &grants).action, Action::Ask);
    assert_eq!(action(json!({ "to": to, "text": "a" })), Action::Auto);
    assert_eq!(
        action(json!({ "to": to, "text": { "any": 1 } })),
        Action::Auto
    );
    assert_eq!(action(json!({ "to": to })), Action::Auto);
    assert_eq!(
        action(json!({ "to": to, "text": "a", "force": true })),
        Action::Ask
    );
    assert_eq!(action(json!({ "to": ["ada", "1", null] })), Action::Ask);
    assert_eq!(action(json!({ "text": "a" })), Action::Ask);
}

#[test]
fn a_policy_says_which_grants_a_person_may_give() {
    let tool = tool("crm", "send", false).unwrap();
    let offer = |text: &str| {
        let ruling = policy(text).decide(&tool, &Map::new(), &Grants::default());
        ruling.grants.map(|it| (it.scopes, it.max.as_hours()))
    };
    let thread = vec![GrantScope::Thread];
    let both = vec![GrantScope::Thread, GrantScope::Agent];
    assert_eq!(offer(""), Some((thread.clone(), 8)));
    assert_eq!(offer("grants = \"never\""), None);
    assert_eq!(offer("grants = { scopes = [] }"), None);
    assert_eq!(offer("grants = { max = \"7d\" }"), Some((thread, 168)));
    let text = "grants = { scopes = [\"thread\", \"agent\"], max = \"90m\" }";
    assert_eq!(offer(text), Some((both, 1)));
    assert_eq!(
        offer("rule = [{ tool = \"crm/send\", do = \"ask\" }]"),
        None
    );
    for (text, fault) in [
        ("grants = \"always\"", "\"never\", or a table"),
        ("grants = { scope = [] }", "unknown field `scope`"),
        ("grants = { scopes = [\"user\"] }", "unknown variant `user`"),
        ("grants = { max = \"8\" }", "no time such as"),
        ("grants = { max = \"0s\" }", "no time such as"),
        ("grants = { max = \"2y\" }", "no time such as"),
    ] {
        let found = toml::from_str::<PolicyConfig>(text)
            .unwrap_err()
            .to_string();
        assert!(found.contains(fault), "{found}");
    }
}

#[test]
fn a_grant_lifts_the_question_of_the_default_and_nothing_else() {
    let plain = tool("crm", "send", false).unwrap();
    let changed = Tool::new("crm", "send", "Sends all.", json!({}), false).unwrap();
    let unknown = Tool {
        acceptance: PENDING,
        ..plain.clone()
    };
    let to = json!({ "to": "/team/ann" });
    let team = r#"{ "/to": { "glob": "/team/*" } }"#;
    let asks = "rule = [{ tool = \"crm/send\", do = \"ask\" }]";
    let denies = "rule = [{ tool = \"crm/*\", do = \"deny\" }]";
    let closed = "default = \"deny\"";
    for (rules, tool, granted, given, action) in [
        ("", &plain, "{}", json!({}), Action::Auto),
        ("", &plain, team, to, Action::Auto),
        ("", &plain, team, json!({ "to": "/boss/eve" }), Action::Ask),
        (
            "",
            &plain,
            team,
            json!({ "to": "/team/../eve" }),
            Action::Ask,
        ),
        ("", &plain, team, json!({}), Action::Ask),
        ("", &plain, "no JSON", json!({}), Action::Ask),
        // A grant is for the tool as it was.
        ("", &changed, "{}", json!({}), Action::Ask),
        ("", &unknown, "{}", json!({}), Action::Ask),
        (closed, &plain, "{}", json!({}), Action::Deny),
        (asks, &plain, "{}", json!({}), Action::Ask),
        (denies, &plain, "{}", json!({}), Action::Deny),
    ] {
        let ruling = policy(rules).decide(tool, &arguments(&given), &grants(&plain, granted));
        assert_eq!(ruling.action, action, "{rules} {granted} {given}");
        assert_eq!(
            ruling.source == DecisionSource::Grant,
            action == Action::Auto
        );
    }
}

#[test]
fn a_tool_that_is_new_or_changed_is_asked_about_whatever_allows_it_unless_it_is_denied() {
    for (rules, action) in [
        ("default = \"auto\"", Action::Ask),
        (
            "rule = [{ tool = \"files/*\", do = \"auto\" }]",
            Action::Ask,
        ),
        ("trust_read_only = [\"files\"]", Action::Ask),
        (
            "rule = [{ tool = \"files/*\", do = \"ask\", why = \"Care.\" }]",
            Action::Ask,
        ),
        (
            "rule = [{ tool = \"files/*\", do = \"deny\" }]",
            Action::Deny,
        ),
    ] {
        let tool = Tool {
            acceptance: PENDING,
            ..tool("files", "list", true).unwrap()
        };
        let ruling = policy(rules).decide(&tool, &Map::new(), &Grants::default());
        assert_eq!(ruling.action, action, "{rules}");
        assert_eq!(ruling.change.is_some(), action == Action::Ask);
        let told = ruling
            .why
            .contains("was changed since it was last accepted");
        assert_eq!(told, action == Action::Ask);
        assert_eq!(ruling.why.contains("Care."), rules.contains("Care"));
    }
}

#[test]
fn a_question_ends_with_the_time_of_its_rule_or_else_of_the_policy() {
    let hours = |hours| Some(SignedDuration::from_hours(hours));
    let policy = policy(
        r#"
        expires = "24h"
        rule = [
          { tool = "crm/refund", do = "ask", expires = "7d" },
          { tool = "crm/mail", do = "ask" },
          { tool = "crm/read", do = "auto" },
          { tool = "crm/drop", do = "deny" },
        ]
        "#,
    );
    let expires = |name: &str| decide(&policy, name, &Map::new(), false).expires;
    assert_eq!(expires("crm/refund"), hours(7 * 24));
    assert_eq!(expires("crm/mail"), hours(24));
    assert_eq!(expires("crm/other"), hours(24));
    assert_eq!(expires("crm/read"), None);
    assert_eq!(expires("crm/drop"), None);
    let without = super::tests::policy("");
    assert_eq!(
        decide(&without, "crm/other", &Map::new(), false).expires,
        None
    );
}

#[test]
fn an_end_that_cannot_be_is_a_fault() {
    for (text, fault) in [
        (r#"expires = "soon""#, "is no time such as"),
        (r#"expires = "0s""#, "is no time such as"),
        ("expires = 24", "string"),
    ] {
        let error = toml::from_str::<PolicyConfig>(text).unwrap_err();
        assert!(error.to_string().contains(fault), "{error}");
    }
    let text = r#"rule = [{ tool = "crm/refund", do = "auto", expires = "1h" }]"#;
    let file: PolicyConfig = toml::from_str(text).unwrap();
    let fault = file.compile(&["crm"]).unwrap_err().say(text);
    assert!(fault.contains("only with do = \"ask\""), "{fault}");
}
