//! What holds of a policy for any rules and any arguments.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::tool::PENDING;
use super::{
    Action, Grants, Policy, ServiceRules, Tool,
    tests::{RULES, arguments, grants, policy, tool},
};
use crate::rules::audit::DecisionSource;

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

/// Conditions, as they follow a rule.
const WHEN: &[&str] = &[
    "",
    ", when = { \"/path\" = { glob = \"/srv/drafts/**\" } }",
    ", when = { \"/path\" = { path = { under = \"/srv/drafts\" } } }",
    ", when = { \"/path\" = { path = { glob = \"/srv/**\", base = \"/srv\" } } }",
    ", when = { \"/amount\" = { over = 100 } }",
    ", when = { \"/amount\" = { under = 10 } }",
];

fn any_rules() -> impl Strategy<Value = String> {
    let action = || prop::sample::select(vec!["auto", "ask", "deny"]);
    let tools = vec!["files/write", "files/*", "*/write", "crm/*", "files/wr?te"];
    let tool = prop::sample::select(tools);
    let when = prop::sample::select(WHEN);
    let rule = (tool, action(), when).prop_map(|(tool, action, when)| {
        format!("{{ tool = \"{tool}\", do = \"{action}\"{when} }}")
    });
    let trust = any::<bool>().prop_map(|trust| if trust { "\"files\"" } else { "" });
    let rules = prop::collection::vec(rule, 0..5);
    (action(), trust, rules).prop_map(|(default, trust, rules)| {
        let rules = rules.join(", ");
        format!("default = \"{default}\"\ntrust_read_only = [{trust}]\nrule = [{rules}]")
    })
}

proptest! {
    /// Whatever the rules, the arguments, the server's hints and the grants are: each step of the
    /// order only tightens what comes after it.
    #[test]
    fn nothing_gives_more_than_the_order_of_the_rules_allows(
        rules in any_rules(),
        path in any_json(),
        amount in any_json(),
        read_only: bool,
        accepted: bool,
        granted in prop::sample::select(vec!["{}", r#"{ "/path": { "glob": "/srv/**" } }"#]),
    ) {
        let of_agent = policy(&rules);
        let mut tool = tool("files", "write", read_only).unwrap();
        if !accepted {
            tool.acceptance = PENDING;
        }
        let given = arguments(&json!({ "amount": amount, "path": path }));
        let with = of_agent.decide(&tool, &given, &grants(&tool, granted));
        let without = of_agent.decide(&tool, &given, &Grants::default());
        // A person may allow beforehand what is asked about by default, and nothing else.
        let by_default = without.action == Action::Ask && without.rule == "default";
        prop_assert_eq!(without.grants.is_some(), by_default);
        prop_assert!(with.grants.is_none() || with == without);
        // A grant changes only what is asked about by default.
        if with != without {
            prop_assert_eq!((without.action, without.rule.as_str()), (Action::Ask, "default"));
            prop_assert_eq!((with.action, with.source), (Action::Auto, DecisionSource::Grant));
        }
        // What the server says of itself raises nothing unless it is trusted.
        let hinting = Tool { read_only: true, ..tool.clone() };
        let hinted = of_agent.decide(&hinting, &given, &Grants::default());
        if hinted.action < without.action {
            prop_assert!(rules.contains("[\"files\"]"));
        }
        // A definition that nobody accepted never runs by itself.
        prop_assert!(accepted || with.action != Action::Auto);
        // Nor does anything that the service denies.
        let service = ServiceRules::read("[[deny]]\ntool = \"files/write\"").unwrap();
        let stricter = of_agent.with_service_rules(&service);
        let denied = stricter.decide(&tool, &given, &grants(&tool, granted));
        prop_assert_eq!(denied.action, Action::Deny);
    }

    /// A rule that denies takes away and gives nothing, whatever it says and wherever it stands.
    #[test]
    fn one_deny_more_permits_nothing_more(
        rules in any_rules(),
        when in prop::sample::select(WHEN),
        path in any_json(),
        amount in any_json(),
        read_only: bool,
    ) {
        let deny = format!("[[deny]]\ntool = \"files/write\"{}", when.replace(", when", "\nwhen"));
        let before = policy(&rules);
        let after = before.clone().with_service_rules(&ServiceRules::read(&deny).unwrap());
        let tool = tool("files", "write", read_only).unwrap();
        let given = arguments(&json!({ "amount": amount, "path": path }));
        let decide = |policy: &Policy| policy.decide(&tool, &given, &grants(&tool, "{}"));
        let of = |policy: &Policy| decide(policy).action;
        prop_assert!(of(&after) >= of(&before));
    }

    /// No spelling of an argument is permitted more than the plain one.
    #[test]
    fn no_spelling_is_permitted_more_than_the_plain_one(
        rules in any_rules(),
        path in "(/srv|/etc|/srv/drafts)(/[a-z]{1,3}){0,2}",
        amount in 0..200_i32,
        spelled in 0..9_usize,
        read_only: bool,
    ) {
        // Globs compare letters, and are warned of.
        prop_assume!(!rules.contains("glob"));
        let policy = policy(&rules);
        let tool = tool("files", "write", read_only).unwrap();
        let of = |path: Value, amount: Value| {
            let given = arguments(&json!({ "amount": amount, "path": path }));
            policy.decide(&tool, &given, &grants(&tool, "{}")).action
        };
        let plain = of(json!(path), json!(amount));
        let other = match spelled {
            0 => of(json!(path.replace('/', "//")), json!(amount)),
            1 => of(json!(format!("{path}/.")), json!(amount)),
            2 => of(json!(format!("/var/..{path}")), json!(amount)),
            3 => of(json!(format!("file://{path}")), json!(amount)),
            4 => of(json!(path.replacen('/', "/%2e/", 1)), json!(amount)),
            5 => of(json!(format!(" {path}")), json!(amount)),
            6 => of(json!(path), json!(amount.to_string())),
            7 => of(json!([path]), json!(amount)),
            _ => of(json!(path), json!(f64::from(amount))),
        };
        prop_assert!(other >= plain);
    }

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
            let tool = self::tool(server, &tool, read_only);
            tool.is_none_or(|tool| {
                let action = policy.decide(&tool, &given, &Grants::default()).action;
                action >= bound
            })
        };
        if tool.starts_with("delete_") {
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
