//! Arguments that a person changes before approving (extension `edited-arguments`): what may be changed,
//! what runs, and what is kept of both.

use std::sync::{Arc, Mutex};

use assent_service::rules::audit::{AuditLine, Decision};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::common::{
    Answer,
    asker::Asker,
    body, decided,
    desk::Desk,
    messages_of,
    model::{Reply, calls, says},
    requests, service_with, settings,
    tool_server::{Heard, said, tool_server},
};

const EDITABLE: &str = "[[policy.rule]]\ntool = \"mail/send\"\ndo = \"ask\"\n\
                        editable = [\"/body\", \"/copies\", \"/subject\"]\n";

/// A service whose agent has a tool that sends mail, and what was sent with it.
struct Office {
    desk: Desk,
    sent: Arc<Mutex<Vec<Value>>>,
    thread: String,
}

impl Office {
    async fn new(policy: &str, replies: Vec<Reply>) -> Self {
        let sent: Arc<Mutex<Vec<Value>>> = Arc::default();
        let calls = sent.clone();
        let url = tool_server(move |heard: Heard| {
            let answer = match heard.method.as_str() {
                "tools/list" => {
                    Some(json!({ "tools": [{ "name": "send", "inputSchema": schema() }] }))
                }
                "tools/call" => {
                    calls
                        .lock()
                        .unwrap()
                        .push(heard.params["arguments"].clone());
                    Some(said("It is sent."))
                }
                _ => None,
            };
            async move { answer }
        })
        .await;
        let desk = Desk::with(
            replies,
            &format!("[[mcp]]\nid = \"mail\"\nurl = {url:?}\n{policy}"),
        )
        .await;
        let thread = desk.service.thread("desk").await;
        Self { desk, sent, thread }
    }

    /// Returns the requests that the model's next reply leads to.
    async fn ask(&self) -> Vec<Value> {
        let events = self.desk.service.say(&self.thread, "go on").await;
        requests(&events).remove(0)
    }

    /// Approves one request with changed arguments.
    async fn approve(&self, asked: &[Value], edited: &Value) -> Answer {
        let answer = approval(asked, edited);
        self.desk
            .service
            .post(&messages_of(&self.thread), &answer)
            .await
    }

    fn sent(&self) -> Vec<Value> {
        self.sent.lock().unwrap().clone()
    }

    async fn audit(&self, decision: Decision) -> Vec<AuditLine> {
        let audit = self.desk.service.state.store().audit().await.unwrap();
        assert_eq!(audit.fault(None), None);
        let mut lines = audit.lines;
        lines.retain(|line| line.decision == decision);
        lines
    }

    /// Returns the stored request of the last message that has one.
    async fn stored(&self) -> Value {
        let messages = self.desk.service.messages(&self.thread).await;
        let asks = |it: &&Value| it["toolExecutionHumanApprovalRequest"].is_array();
        let message = messages.iter().rev().find(asks).unwrap();
        message["toolExecutionHumanApprovalRequest"][0].clone()
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "to": { "type": "string" },
            "subject": { "$ref": "#/$defs/line" },
            "body": { "type": "string", "maxLength": 20 },
            "copies": { "type": "integer", "minimum": 1 },
        },
        "$defs": { "line": { "type": "string", "pattern": "^[^\\n]*$" } },
    })
}

fn mail() -> (&'static str, Value) {
    (
        "mail__send",
        json!({ "to": "ann", "body": "Hello", "copies": 1 }),
    )
}

fn once() -> Vec<Reply> {
    vec![calls("", &[mail()]), says("Done.")]
}

fn approval(asked: &[Value], edited: &Value) -> Value {
    let mut item = decided(asked, &["APPROVED"]);
    item["toolApprovalResult"][0]["editedArguments"] = edited.clone();
    body(&[item])
}

#[tokio::test]
async fn what_a_person_changed_is_what_runs_and_the_model_is_told() {
    let office = Office::new(EDITABLE, once()).await;
    let asked = office.ask().await;
    // The call has no subject: what is not there cannot be changed.
    assert_eq!(asked[0]["editable"], json!(["/body", "/copies"]));
    let of_body: Value =
        serde_json::from_str(asked[0]["editableSchemas"]["/body"].as_str().unwrap()).unwrap();
    assert_eq!(of_body, json!({ "type": "string", "maxLength": 20 }));

    let edited = json!({ "to": "ann", "body": "Hello Ann", "copies": "2" });
    let answered = office.approve(&asked, &edited).await;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    let effective = json!({ "to": "ann", "body": "Hello Ann", "copies": 2 });
    assert_eq!(office.sent(), [effective]);
    let told = office.desk.results();
    let changed = "The person changed arguments before approving. \
                   It ran with {\"body\":\"Hello Ann\",\"copies\":2}.\nIt is sent.";
    assert_eq!(told, [changed]);
    // What the model wrote stays what it wrote.
    let request = office.desk.model.requests().pop().unwrap().to_string();
    assert!(request.contains(r#"\"body\":\"Hello\""#), "{request}");

    let stored = office.stored().await;
    assert_eq!(stored["toolArguments"], asked[0]["toolArguments"]);
    assert_eq!(
        stored["editedArguments"],
        json!({ "to": "ann", "body": "Hello Ann", "copies": "2" })
    );
    let lines = office.audit(Decision::Approved).await;
    let hash = |text: &str| {
        use sha2::Digest as _;
        let digest = sha2::Sha256::digest(text);
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let proposed = r#"{"body":"Hello","copies":1,"to":"ann"}"#;
    let ran = r#"{"body":"Hello Ann","copies":2,"to":"ann"}"#;
    assert_eq!(lines[0].arguments_hash, hash(proposed));
    assert_eq!(lines[0].edited_hash, hash(ran));

    // Whoever asks later is told both.
    let id = asked[0]["toolExecutionId"].as_str().unwrap();
    let path = format!("/api/assistants/executions/{id}");
    let told = office.desk.service.get(&path).await.json();
    let step = |name: &str| {
        let steps = told["steps"].as_array().unwrap();
        let step = steps.iter().find(|step| step["step"] == name).unwrap();
        (step["arguments"].clone(), step["hash"].clone())
    };
    for name in ["proposed", "shown"] {
        assert_eq!(
            step(name),
            (json!(proposed), json!(hash(proposed))),
            "{name}"
        );
    }
    assert_eq!(step("effective"), (json!(ran), json!(hash(ran))));
    assert_eq!(step("decided").1, hash(ran));
    assert_eq!(step("run").1, hash(ran));
}

#[tokio::test]
async fn arguments_that_are_sent_back_unchanged_are_no_edit() {
    let office = Office::new(EDITABLE, once()).await;
    let asked = office.ask().await;
    let same = json!({ "to": "ann", "body": "Hello", "copies": 1 });
    let answered = office.approve(&asked, &same).await;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    assert_eq!(office.sent(), [same]);
    assert_eq!(office.desk.results(), ["It is sent."]);
    assert_eq!(office.stored().await.get("editedArguments"), None);
    assert_eq!(office.audit(Decision::Approved).await[0].edited_hash, "");
}

#[tokio::test]
async fn an_edit_that_is_not_allowed_is_refused_and_the_request_still_waits() {
    let policy = format!(
        "{EDITABLE}[[policy.rule]]\ntool = \"mail/send\"\ndo = \"deny\"\n\
         when = {{ \"/body\" = {{ glob = \"*secret*\" }} }}\nwhy = \"No secrets.\"\n"
    );
    let office = Office::new(&policy, once()).await;
    let asked = office.ask().await;
    for (edited, part) in [
        (
            json!({ "to": "bob", "body": "Hello", "copies": 1 }),
            "lets nobody change",
        ),
        (json!({ "body": "Hi", "copies": 1 }), "lacks"),
        (
            json!({ "to": "ann", "body": "Hi", "copies": 1, "cc": "bob" }),
            "no argument of this request",
        ),
        (
            json!({ "to": "ann", "body": "longer than twenty characters", "copies": 1 }),
            "is not what the tool takes",
        ),
        (
            json!({ "to": "ann", "body": "Hello", "copies": "none" }),
            "is not what the tool takes",
        ),
        (
            json!({ "to": "ann", "body": "a secret", "copies": 1 }),
            "What was changed is not allowed. No secrets.",
        ),
        (json!("Hello"), "must be an object"),
    ] {
        let refused = office.approve(&asked, &edited).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{edited}");
        assert!(refused.text.contains(part), "{edited}: {}", refused.text);
    }
    for verdict in ["DENIED", "ABORTED_WITH_FEEDBACK"] {
        let mut item = decided(&asked, &[verdict]);
        item["toolApprovalResult"][0]["editedArguments"] =
            json!({ "to": "ann", "body": "Hi", "copies": 1 });
        let path = messages_of(&office.thread);
        let refused = office.desk.service.post(&path, &body(&[item])).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{verdict}");
        assert!(
            refused.text.contains("goes with APPROVED alone"),
            "{}",
            refused.text
        );
    }
    assert_eq!(office.sent(), Vec::<Value>::new());
    assert_eq!(office.stored().await["status"], "PENDING_HUMAN_APPROVAL");
    let allowed = json!({ "to": "ann", "body": "Hi", "copies": 1 });
    let answered = office.approve(&asked, &allowed).await;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    assert_eq!(office.sent(), [allowed]);
}

#[tokio::test]
async fn nothing_can_be_changed_where_the_policy_does_not_say_so() {
    let office = Office::new("", once()).await;
    let asked = office.ask().await;
    assert_eq!(asked[0].get("editable"), None);
    let edited = json!({ "to": "ann", "body": "Hi", "copies": 1 });
    let refused = office.approve(&asked, &edited).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused.text.contains("lets nobody change"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn an_edit_is_kept_over_a_restart() {
    let office = Office::new(EDITABLE, once()).await;
    let asked = office.ask().await;
    let edited = json!({ "to": "ann", "body": "Hi", "copies": 1 });
    let answered = office.approve(&asked, &edited).await;
    assert_eq!(answered.status, StatusCode::OK, "{}", answered.text);
    let Office { desk, sent, thread } = office;
    let office = Office {
        desk: desk.restarted().await,
        sent,
        thread,
    };
    assert_eq!(office.stored().await["editedArguments"]["body"], "Hi");
}

#[tokio::test]
async fn nothing_is_changed_where_the_agent_keeps_no_record_of_calls() {
    let service = service_with(settings(), vec![Asker::new(1)]).await;
    let thread = service.thread("asker").await;
    let asked = requests(&service.say(&thread, "go on").await).remove(0);
    let path = messages_of(&thread);
    let refused = service
        .post(&path, &approval(&asked, &json!({ "n": "2" })))
        .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text.contains("keeps no record of calls"));
    // It waits, and can be approved as it is.
    let same = service
        .post(&path, &approval(&asked, &json!({ "n": "1" })))
        .await;
    assert_eq!(same.status, StatusCode::OK, "{}", same.text);
}
