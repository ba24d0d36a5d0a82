//! A call is claimed with exactly the arguments that a person saw or wrote, whatever its agent tries.

use std::sync::Arc;

use assent_protocol::ApprovalRequest;
use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput},
    profile::Profile,
    rules::{
        approval::Question,
        audit::{AuditEntry, Decision, DecisionSource},
    },
    transcript::{Call, CallEnd, CallResult, Claim, Effect},
};
use serde_json::json;

use crate::common::{
    agents::profile, body, decided, messages_of, requests, service_with, settings,
};

/// Asks about one call, and then tries to claim it with other arguments first.
struct Swapper(Profile);

fn call(id: &str, n: u32) -> Call {
    Call {
        id: id.to_owned(),
        tool: "counter/count".to_owned(),
        arguments: json!({ "n": n }).to_string(),
        definition: String::new(),
    }
}

impl Agent for Swapper {
    fn profile(&self) -> &Profile {
        &self.0
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let journal = answer.journal();
            if let TurnInput::Decided(outcome) = turn.input {
                let id = outcome.approvals[0].execution_id();
                for n in 1..4 {
                    if journal.claim(&call(id, n)).await? == Claim::Refused {
                        continue;
                    }
                    answer.say(None, &format!("It ran with {n}.")).await?;
                    let result = CallResult {
                        call: id.to_owned(),
                        end: CallEnd::Succeeded,
                        text: String::new(),
                    };
                    journal.finish(&result, &[]).await?;
                }
                return Ok(Ending::Done);
            }
            let request = ApprovalRequest {
                tool_name: "count".to_owned(),
                tool_provider: "counter".to_owned(),
                tool_execution_id: "call".into(),
                tool_execution_batch_id: "batch".into(),
                tool_memory_id: "memory".to_owned(),
                tool_arguments: vec![("n".to_owned(), "1".to_owned())],
                editable: vec!["/n".to_owned()],
                ..ApprovalRequest::default()
            };
            let asked = AuditEntry {
                call: call("call", 1),
                edited: None,
                effect: Effect::Write,
                decision: Decision::Asked,
                source: DecisionSource::Rule,
                rule: String::new(),
                policy: String::new(),
            };
            journal.append(&[], &[asked]).await?;
            Ok(Ending::Asked {
                question: Question {
                    requests: vec![request],
                    memory_id: "memory".to_owned(),
                    memory: String::new(),
                },
                together: false,
            })
        })
    }
}

/// Approves the call, with another `n` or as it is; returns what the agent then says.
async fn ran_with(n: &str) -> String {
    let swapper = Arc::new(Swapper(profile("swapper")));
    let service = service_with(settings(), vec![swapper]).await;
    let thread = service.thread("swapper").await;
    let asked = requests(&service.say(&thread, "go on").await).remove(0);
    let mut answer = decided(&asked, &["APPROVED"]);
    answer["toolApprovalResult"][0]["editedArguments"] = json!({ "n": n });
    service.post(&messages_of(&thread), &body(&[answer])).await;
    let messages = service.messages(&thread).await;
    messages.last().unwrap()["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_call_is_claimed_with_what_was_shown_or_written_and_nothing_else() {
    assert_eq!(ran_with("1").await, "It ran with 1.");
    assert_eq!(ran_with("2").await, "It ran with 2.");
}
