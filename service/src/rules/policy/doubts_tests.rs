//! Rules whose conditions cannot be checked, and conditions that reach into lists.

use serde_json::{Map, Value, json};

use super::{
    Action, ServiceRules,
    tests::{arguments, decide, policy},
};
use crate::transcript::Effect;

/// Rules over one tool, `crm/refund`, and what they say of these arguments.
fn said(rules: &str, given: &Value) -> (Action, String) {
    let ruling = decide(&policy(rules), "crm/refund", &arguments(given), false);
    (ruling.action, ruling.why)
}

#[test]
fn a_deny_that_cannot_be_checked_denies_and_an_auto_lets_nothing_run() {
    let service = "[[deny]]\ntool = \"crm/refund\"\nwhen = { \"/amount\" = { over = 1000 } }";
    let service = ServiceRules::read(service).unwrap();
    let open = policy("rule = [{ tool = \"crm/*\", do = \"auto\" }]").with_service_rules(&service);
    for (amount, action) in [
        (json!(999), Action::Auto),
        (json!(1001), Action::Deny),
        (json!("5000"), Action::Deny),
        (json!("5e3"), Action::Deny),
        (json!([5000]), Action::Deny),
        (json!(null), Action::Deny),
    ] {
        let given = arguments(&json!({ "amount": amount }));
        let ruling = decide(&open, "crm/refund", &given, false);
        assert_eq!(ruling.action, action, "{amount}");
        let is_unclear = !amount.is_number();
        assert_eq!(ruling.why == "Could not be checked: /amount.", is_unclear);
    }
    let closed = r#"
        default = "deny"
        rule = [{ tool = "crm/refund", when = { "/path" = { path = { under = "/srv/d" } } }, do = "auto" }]
    "#;
    for (given, action) in [
        (json!({ "path": "/srv/d/a" }), Action::Auto),
        (json!({ "path": "/srv/d/../../etc/x" }), Action::Deny),
        (json!({ "path": 5 }), Action::Deny),
        (json!({}), Action::Deny),
    ] {
        assert_eq!(said(closed, &given).0, action, "{given}");
    }
}

#[test]
fn a_condition_reaches_into_lists() {
    let deny = "default = \"auto\"\nrule = [{ tool = \"crm/*\", do = \"deny\", when = { \"/items/*/amount\" = { over = 9 } } }]";
    let auto = deny
        .replace("\"auto\"\n", "\"ask\"\n")
        .replace("do = \"deny\"", "do = \"auto\"");
    for (items, denied, allowed) in [
        (
            json!([{ "amount": 1 }, { "amount": 10 }]),
            Action::Deny,
            Action::Ask,
        ),
        (
            json!([{ "amount": 10 }, { "amount": 11 }]),
            Action::Deny,
            Action::Auto,
        ),
        (json!([{ "amount": 1 }]), Action::Auto, Action::Ask),
        (json!([{ "amount": 10 }, {}]), Action::Deny, Action::Ask),
        (
            json!([{ "amount": 1 }, { "amount": "10" }]),
            Action::Deny,
            Action::Ask,
        ),
        // None of no items is over it, and nothing says that all are.
        (json!([]), Action::Auto, Action::Ask),
        (json!({ "amount": 10 }), Action::Deny, Action::Ask),
    ] {
        let given = json!({ "items": items });
        assert_eq!(said(deny, &given).0, denied, "{given}");
        assert_eq!(said(&auto, &given).0, allowed, "{given}");
    }
    let second = "default = \"auto\"\nrule = [{ tool = \"crm/*\", do = \"deny\", when = { \"/a~1b/1\" = { equals = \"x\" } } }]";
    assert_eq!(said(second, &json!({ "a/b": ["", "x"] })).0, Action::Deny);
    assert_eq!(said(second, &json!({ "a/b": ["x", ""] })).0, Action::Auto);
}

#[test]
fn the_effect_is_that_of_the_rule_that_decided() {
    let asked = "{ tool = \"crm/refund\", do = \"ask\", effect = \"write\" }";
    let wide = "{ tool = \"crm/*\", do = \"auto\", effect = \"read\" }";
    let plain = "{ tool = \"crm/refund\", do = \"ask\" }";
    let once = "{ tool = \"crm/refund\", do = \"auto\", effect = \"idempotent\" }";
    for (rules, effect) in [
        (vec![asked, wide], Effect::Write),
        (vec![wide, asked], Effect::Write),
        (vec![wide], Effect::Read),
        // It says nothing of the effect: the most cautious that is said of the tool.
        (vec![plain, wide, once], Effect::Idempotent),
        (vec![plain], Effect::Write),
    ] {
        let text = format!("rule = [{}]", rules.join(", "));
        let ruling = decide(&policy(&text), "crm/refund", &Map::new(), false);
        assert_eq!(ruling.effect, effect, "{text}");
    }
    // What is said of some calls says nothing of others.
    let some = r#"rule = [{ tool = "crm/refund", do = "auto", effect = "read", when = { "/dry" = { equals = "yes" } } }]"#;
    let effect =
        |given: Value| decide(&policy(some), "crm/refund", &arguments(&given), false).effect;
    assert_eq!(effect(json!({ "dry": "yes" })), Effect::Read);
    assert_eq!(effect(json!({ "dry": "no" })), Effect::Write);
}
