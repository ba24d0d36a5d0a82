//! Extension `executions`: what became of a run of a tool, for whoever asks later.

use assent_service::rules::audit::{AuditLine, Decision};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::common::{
    THREADS, body, decided,
    desk::{Desk, POLICY, add},
    messages_of,
    model::{calls, says},
    request, requests, service,
};

const EXECUTIONS: &str = "/api/assistants/executions";

fn path(id: &str) -> String {
    format!("{EXECUTIONS}/{id}")
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads what became of a run, and checks what holds of each: the hash of a text is that of the text,
/// and no step is before the one that it follows.
async fn read(desk: &Desk, id: &str) -> Value {
    let answer = desk.service.get(&path(id)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let run = answer.json();
    let document = desk.service.get("/openapi.json").await.json();
    crate::openapi::check(&document, "ToolExecution", &run);
    assert_eq!(run["toolExecutionId"], id);
    let steps = run["steps"].as_array().unwrap();
    for step in steps {
        for text in ["arguments", "text"].map(|name| &step[name]) {
            if let Some(text) = text.as_str() {
                assert_eq!(step["hash"], hash(text), "{step}");
            }
        }
    }
    let times: Vec<&str> = steps.iter().map(|it| it["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{steps:#?}");
    run
}

/// Returns the names of the steps, each with what was decided and by whom, and its outcome.
fn told(run: &Value) -> Vec<String> {
    let word = |step: &Value, name| step[name].as_str().map(str::to_owned);
    let told = |step: &Value| {
        ["step", "decision", "by", "rule", "outcome"]
            .iter()
            .filter_map(|name| word(step, name))
            .collect::<Vec<_>>()
            .join(" ")
    };
    run["steps"].as_array().unwrap().iter().map(told).collect()
}

/// Returns the only step with this name.
fn step<'a>(run: &'a Value, name: &str) -> &'a Value {
    let steps = run["steps"].as_array().unwrap();
    let mut found = steps.iter().filter(|step| step["step"] == name);
    let step = found.next().unwrap_or_else(|| panic!("{name}: {run:#}"));
    assert_eq!(found.next(), None, "{name}");
    step
}

/// Returns the lines of the audit with this decision.
async fn audited(desk: &Desk, decision: Decision) -> Vec<AuditLine> {
    let audit = desk.service.state.store().audit().await.unwrap();
    assert_eq!(audit.fault(None), None);
    let mut lines = audit.lines;
    lines.retain(|line| line.decision == decision);
    lines
}

/// Says something, and returns the requests that it leads to.
async fn ask(desk: &Desk, thread: &str) -> Vec<Value> {
    let events = desk.service.say(thread, "go on").await;
    requests(&events).remove(0)
}

fn id_of(request: &Value) -> String {
    request["toolExecutionId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn each_step_of_a_call_that_a_person_approved_is_told_and_nobody_else_reads_it() {
    let replies = vec![calls("", &[add("milk")]), says("Done.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let id = id_of(&asked[0]);
    assert_eq!(
        told(&read(&desk, &id).await),
        ["proposed", "shown rule default"],
        "nothing is decided yet"
    );
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    desk.service.stream(&thread, &answer).await;

    let run = read(&desk, &id).await;
    assert_eq!(
        told(&run),
        [
            "proposed",
            "shown rule default",
            "decided approved person",
            "effective",
            "run",
            "result succeeded",
        ]
    );
    assert_eq!(run["toolId"], "notes/add");
    assert_eq!(run["threadId"], thread.as_str());
    assert_eq!(run["agentId"], "desk");
    let exact = r#"{"text":"milk"}"#;
    for name in ["proposed", "shown", "effective"] {
        assert_eq!(step(&run, name)["arguments"], exact, "{name}");
    }
    for name in ["decided", "run"] {
        assert_eq!(step(&run, name)["hash"], hash(exact), "{name}");
        assert_eq!(step(&run, name).get("arguments"), None);
    }
    assert!(!step(&run, "result")["text"].as_str().unwrap().is_empty());
    let asking = desk.service.messages(&thread).await.remove(1);
    assert_eq!(step(&run, "shown")["at"], asking["timestamp"]);
    let line = audited(&desk, Decision::Approved).await.remove(0);
    assert_eq!(step(&run, "decided")["at"], line.at.as_str());
    assert_eq!(step(&run, "decided")["policy"], line.policy.as_str());
    assert_eq!(line.policy.len(), 12);

    let bob = request(Method::GET, &path(&id), "bob", None);
    let of_bob = desk.service.send(bob).await;
    assert_eq!(of_bob.status, StatusCode::NOT_FOUND);
    let unknown = desk.service.get(&path("unknown")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(
        of_bob.json(),
        unknown.json(),
        "it does not tell whether there is one"
    );
    desk.service.delete(&format!("{THREADS}/{thread}")).await;
    let deleted = desk.service.get(&path(&id)).await;
    assert_eq!(deleted.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_call_that_was_denied_or_stopped_has_no_arguments_that_run() {
    for (verdict, decision, outcome) in [
        ("DENIED", "denied", "denied"),
        ("ABORTED_WITH_FEEDBACK", "aborted", "skipped"),
    ] {
        let replies = vec![calls("", &[add("milk")]), says("All right.")];
        let desk = Desk::new(replies).await;
        let thread = desk.service.thread("desk").await;
        let asked = ask(&desk, &thread).await;
        let note = json!({ "type": "text", "text": "not now" });
        let answer = body(&[decided(&asked, &[verdict]), note]);
        desk.service.stream(&thread, &answer).await;
        let run = read(&desk, &id_of(&asked[0])).await;
        assert_eq!(
            told(&run),
            [
                "proposed".to_owned(),
                "shown rule default".to_owned(),
                format!("decided {decision} person"),
                format!("result {outcome}"),
            ]
        );
    }
}

#[tokio::test]
async fn calls_that_nobody_was_asked_about_have_steps_too() {
    let rules = "[policy]\ntrust_read_only = [\"notes\"]\n\
                 [[policy.rule]]\ntool = \"notes/add\"\ndo = \"deny\"\n\
                 when = { \"/text\" = { equals = \"jam\" } }\nwhy = \"No jam.\"\n\
                 [[policy.rule]]\ntool = \"notes/add\"\ndo = \"auto\"\n\
                 when = { \"/text\" = { equals = \"milk\" } }\n";
    let replies = vec![calls("", &[add("milk"), add("jam")]), says("Done.")];
    let desk = Desk::with(replies, rules).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "go on").await;
    let allowed = audited(&desk, Decision::Allowed).await.remove(0);
    let run = read(&desk, &allowed.execution_id).await;
    assert_eq!(
        told(&run),
        [
            "proposed",
            "decided allowed rule auto notes/add",
            "effective",
            "run",
            "result succeeded",
        ]
    );
    assert_eq!(step(&run, "decided")["policy"], allowed.policy.as_str());
    let refused = audited(&desk, Decision::Refused).await.remove(0);
    assert_eq!(refused.policy, allowed.policy);
    let run = read(&desk, &refused.execution_id).await;
    assert_eq!(
        told(&run),
        [
            "proposed",
            "decided refused rule deny notes/add",
            "result refused",
        ]
    );
    assert_eq!(step(&run, "proposed")["arguments"], r#"{"text":"jam"}"#);
    let text = step(&run, "result")["text"].as_str().unwrap();
    assert!(text.contains("No jam."), "{text}");
}

#[tokio::test]
async fn a_call_that_runs_by_a_grant_names_the_grant() {
    let adding = [calls("", &[add("milk")]), says("Done.")];
    let desk = Desk::new([adding.clone(), adding].concat()).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let mut item = decided(&asked, &["APPROVED"]);
    item["toolApprovalResult"][0]["grant"] = json!({ "scope": "thread" });
    desk.service.stream(&thread, &body(&[item])).await;
    let first = read(&desk, &id_of(&asked[0])).await;
    let given = step(&first, "decided");
    assert_eq!(given["by"], "person");
    desk.service.say(&thread, "go on").await;
    let allowed = audited(&desk, Decision::Allowed).await.remove(0);
    let run = read(&desk, &allowed.execution_id).await;
    let decided = step(&run, "decided");
    let grants = desk.service.get("/api/assistants/grants").await.json();
    assert_eq!(decided["by"], "grant");
    assert_eq!(decided["grantId"], grants[0]["id"]);
    assert_eq!(given["grantId"], grants[0]["id"], "it was given with that");
    assert_eq!(decided.get("rule"), None);
    step(&run, "run");
}

#[tokio::test]
async fn a_policy_that_changed_meanwhile_has_another_version_and_both_decisions_are_told() {
    let replies = vec![calls("", &[add("milk")]), says("All right.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let closed = format!("{POLICY}[[policy.rule]]\ntool = \"notes/add\"\ndo = \"deny\"\n");
    desk.change(POLICY, &closed);
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    desk.service.stream(&thread, &answer).await;
    let run = read(&desk, &id_of(&asked[0])).await;
    assert_eq!(
        told(&run),
        [
            "proposed",
            "shown rule default",
            "decided approved person",
            "decided refused rule deny notes/add",
            "result refused",
        ]
    );
    let version = |at: usize| run["steps"][at]["policy"].as_str().unwrap();
    assert_eq!(
        version(1),
        version(2),
        "the person saw what the first one asks"
    );
    assert_ne!(version(2), version(3));
    assert_eq!(desk.notes(), "");
}

#[tokio::test]
async fn what_is_shown_has_the_hash_of_the_arguments_that_its_texts_stand_for() {
    let mixed = json!({ "text": "1", "count": 1, "list": ["x"], "more": " x" });
    let replies = vec![calls("", &[("notes__add", mixed)]), says("Done.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let run = read(&desk, &id_of(&asked[0])).await;
    assert_eq!(step(&run, "shown")["hash"], step(&run, "proposed")["hash"]);
    let mut database = desk.service.folder.connect().await;
    let other = "UPDATE approvals SET request = REPLACE(request, ' x', ' y')";
    database.execute(other).await.unwrap();
    database.close().await;
    let run = read(&desk, &id_of(&asked[0])).await;
    assert_ne!(step(&run, "shown")["hash"], step(&run, "proposed")["hash"]);
}

#[tokio::test]
async fn an_agent_without_a_model_has_the_steps_that_it_has() {
    let service = service().await;
    let (thread, asked) = service.asked("approve one").await;
    let answer = body(&[decided(&asked[0], &["APPROVED"])]);
    service.post(&messages_of(&thread), &answer).await;
    let run = service.get(&path(&id_of(&asked[0][0]))).await.json();
    assert_eq!(
        told(&run),
        ["proposed", "shown", "decided approved person", "effective"]
    );
    for name in ["shown", "decided", "effective"] {
        assert_eq!(step(&run, name)["hash"], step(&run, "proposed")["hash"]);
    }
    assert_eq!(step(&run, "decided").get("policy"), None);
}

#[tokio::test]
async fn a_tool_that_a_model_made_up_is_audited_and_told_whatever_its_name_is() {
    let name = "x\u{0}\"executionId\":\"y\"";
    let replies = vec![calls("", &[(name, json!({}))]), says("Sorry.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "go on").await;
    let refused = audited(&desk, Decision::Refused).await.remove(0);
    let run = read(&desk, &refused.execution_id).await;
    assert_eq!(
        told(&run),
        [
            "proposed",
            "decided refused rule no such tool",
            "result refused"
        ]
    );
    assert_eq!(run["toolId"], refused.tool.as_str());
}
