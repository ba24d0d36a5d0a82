use serde_json::{Value, json};

use super::{
    Choice, plan, queries, read_correction, read_plan, read_queries, read_review, read_route,
    read_tasks, reflection, review, route, tasks,
};
use crate::transcript::RequestKind;

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn billing() -> Vec<Choice> {
    vec![Choice {
        agent: "billing".to_owned(),
        when: "invoices".to_owned(),
    }]
}

/// Strict servers refuse a schema with an object that is open or has optional properties.
fn is_strict(schema: &Value) -> bool {
    let here = schema["type"] != "object"
        || (schema["additionalProperties"] == false
            && schema["required"].as_array().unwrap().len()
                == schema["properties"].as_object().unwrap().len());
    let inside = schema["properties"].as_object();
    here && inside
        .into_iter()
        .flatten()
        .all(|(_, part)| is_strict(part))
        && schema.get("items").is_none_or(is_strict)
}

#[test]
fn all_schemas_are_strict() {
    for inquiry in [
        route(&[RequestKind::Simple, RequestKind::Complex], &billing()),
        queries(&["handbook"]),
        plan(),
        review(&["one"]),
        tasks(&billing()),
        reflection(),
    ] {
        assert!(is_strict(&inquiry.schema), "{}", inquiry.name);
    }
}

#[test]
fn only_what_the_agent_can_do_is_a_kind_of_request() {
    let possible = [RequestKind::Simple, RequestKind::KnowledgeBase];
    let asked = route(&possible, &[]);
    assert_eq!(
        asked.schema["properties"]["kind"]["enum"],
        json!(["simple", "knowledge-base"])
    );
    let answer = |kind: &str| read(json!({ "kind": kind }));
    assert_eq!(
        read_route(&answer("knowledge-base"), &possible),
        Some(RequestKind::KnowledgeBase)
    );
    assert_eq!(read_route(&answer("collaboration"), &possible), None);
}

#[test]
fn answers_are_bounded_and_what_they_invent_is_left_out() {
    let many = vec!["  refund\nrules "; 9];
    let queries = read_queries(Some(read(json!({ "queries": many }))), "my words");
    assert_eq!(queries, ["refund rules"]);
    assert_eq!(read_queries(None, "my words"), ["my words"]);
    let step = json!({ "task": "look", "search": "" });
    let steps = read_plan(Some(read(json!({ "steps": vec![step; 20] }))));
    assert_eq!(steps.len(), 6);
    let empty = json!({ "steps": [{ "task": " ", "search": "x" }] });
    assert!(read_plan(Some(read(empty))).is_empty());
    let wanted = json!({ "tasks": [
        { "agent": "root", "task": "everything" },
        { "agent": "billing", "task": "the invoice" },
        { "agent": "billing", "task": "once more" },
    ] });
    let tasks = read_tasks(Some(read(wanted)), &billing());
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0].task, "the invoice");
}

#[test]
fn a_review_says_of_each_step_whether_it_is_done() {
    let answer = json!({
        "verdicts": [
            { "number": 2, "done": false, "why": "no total" },
            { "number": 1, "done": true, "why": "" },
            { "number": 7, "done": true, "why": "" },
        ],
        "more": [{ "task": "add it up", "search": "" }],
    });
    let (lines, more) = read_review(read(answer), &["read", "compare"]);
    assert_eq!(
        lines,
        ["1 of 2 is done: read", "2 of 2 is not done: no total"]
    );
    assert_eq!(more.len(), 1);
}

#[test]
fn an_answer_is_corrected_only_with_a_reason() {
    let verdict = |keep: bool, advice: &str| {
        read_correction(&read(json!({ "keep": keep, "advice": advice })))
    };
    assert_eq!(verdict(false, "wrong sum"), Some("wrong sum".to_owned()));
    assert_eq!(verdict(false, " "), None);
    assert_eq!(verdict(true, "nice"), None);
}
