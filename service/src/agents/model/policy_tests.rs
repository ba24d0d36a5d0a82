//! Decisions of a policy, one by one and for any arguments.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Action, Effect, Policy, PolicyFile, rank};

fn policy(text: &str) -> Policy {
    let file: PolicyFile = toml::from_str(text).unwrap();
    file.compile(&["files", "crm"]).unwrap()
}

fn arguments(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

const RULES: &str = r#"
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
        // What cannot be evaluated asks.
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
        let (server, name) = tool.split_once('/').unwrap();
        let ruling = policy.decide(server, name, &arguments(&given), read_only);
        assert_eq!(ruling.action, action, "{tool} {given}");
    }
    let denied = policy.decide("files", "delete_all", &Map::new(), false);
    assert_eq!(denied.why, "Files are never deleted here.");
    let draft = arguments(&json!({ "path": "/srv/drafts/a" }));
    let ruling = policy.decide("files", "write", &draft, false);
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
        assert_eq!(policy.describe(server, tool, read_only), text);
    }
}

#[test]
fn a_policy_that_cannot_be_right_does_not_load() {
    for (text, fault) in [
        ("trust_read_only = [\"mail\"]", "no server"),
        ("rule = [{ tool = \"[\", do = \"auto\" }]", "unclosed"),
        (
            "rule = [{ tool = \"a/b\", when = { path = { equals = \"x\" } }, do = \"auto\" }]",
            "no JSON pointer",
        ),
    ] {
        let file: PolicyFile = toml::from_str(text).unwrap();
        let found = file.compile(&["files"]).unwrap_err();
        assert!(found.contains(fault), "{text}: {found}");
    }
    assert!(toml::from_str::<PolicyFile>("default = \"allow\"").is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        "/srv/drafts/(\\.\\./|[a-z]{1,3}/){0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..3)
                .prop_map(|map| Value::from(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn no_argument_gives_more_than_the_rules_allow(
        amount in any_json(),
        path in any_json(),
        tool in prop_oneof!["delete_[a-z/.]{0,9}", Just("write".to_owned()), Just("refund".to_owned())],
        read_only: bool,
    ) {
        let policy = policy(RULES);
        let given = arguments(&json!({ "amount": amount, "path": path }));
        let at_least = |server: &str, bound: Action| {
            let action = policy.decide(server, &tool, &given, read_only).action;
            rank(action) >= rank(bound)
        };
        if tool.starts_with("delete_") && !tool.contains('/') {
            prop_assert!(at_least("files", Action::Deny));
        }
        if tool == "refund" && amount.as_f64().is_none_or(|amount| amount > 100.0) {
            prop_assert!(at_least("crm", Action::Ask));
        }
        if tool == "write" && !read_only {
            let inside = path
                .as_str()
                .is_some_and(|path| path.starts_with("/srv/drafts/") && !path.contains(".."));
            prop_assert!(inside || at_least("files", Action::Ask));
        }
    }
}
