//! The data that the agent gets with a decision, and the notifications about it: the last column of
//! the status table of the specification.

use std::sync::{Arc, Mutex};

use assent_protocol::ApprovalRequest;
use assent_service::{
    agents::{Agent, Answer, AnswerFuture, DecidedQuestion, Ending, Turn, TurnInput},
    profile::Profile,
    rules::approval::Question,
};
use serde_json::{Value, json};

use crate::common::{
    self, Service, body, content, decided, requests, service_with, settings, types,
};

const PAY: [(&str, &str); 2] = [("amount", "0.10"), ("note", "Grüße\n\"x\"")];
const MAIL: [(&str, &str); 2] = [("to", "ann@example.org"), ("cc", "")];

/// An agent that asks for two tools at once, and records the data that it gets with the decision.
struct Recorder {
    profile: Profile,
    handed: Mutex<Vec<DecidedQuestion>>,
}

fn tool(name: &str, arguments: [(&str, &str); 2]) -> ApprovalRequest {
    let arguments = arguments.map(|(name, value)| (name.to_owned(), value.to_owned()));
    ApprovalRequest {
        tool_id: format!("id-{name}"),
        tool_name: name.to_owned(),
        tool_provider: "p".to_owned(),
        tool_category: "c".to_owned(),
        tool_execution_id: format!("run-{name}").as_str().into(),
        tool_execution_batch_id: "batch".into(),
        tool_memory_id: "memory".to_owned(),
        tool_arguments: arguments.to_vec(),
        ..ApprovalRequest::default()
    }
}

impl Agent for Recorder {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            match turn.input {
                TurnInput::Message(_) => Ok(Ending::Asked {
                    question: Question {
                        requests: vec![tool("pay", PAY), tool("mail", MAIL)],
                        memory_id: "memory".to_owned(),
                        memory: "what I was about to do".to_owned(),
                    },
                    together: true,
                }),
                TurnInput::Decided(outcome) => {
                    self.handed.lock().unwrap().push(outcome);
                    answer.say(None, "I go on.").await?;
                    Ok(Ending::Done)
                }
            }
        })
    }
}

/// Name, arguments and status of a tool.
type Tool<'a> = (&'a str, Vec<(&'a str, &'a str)>, &'a str);

struct Asked {
    service: Service,
    agent: Arc<Recorder>,
    thread: String,
    requests: Vec<Value>,
}

/// The results of an answer: the types of its events, and the data that the agent got.
struct Handed {
    types: Vec<String>,
    outcome: DecidedQuestion,
}

impl Asked {
    async fn new() -> Self {
        let agent = Arc::new(Recorder {
            profile: common::agents::profile("recorder"),
            handed: Mutex::default(),
        });
        let service = service_with(settings(), vec![agent.clone()]).await;
        let thread = service.thread("recorder").await;
        let requests = requests(&service.say(&thread, "go").await).concat();
        Self {
            service,
            agent,
            thread,
            requests,
        }
    }

    async fn answer(&self, items: &[Value]) -> Handed {
        let events = self.service.stream(&self.thread, &body(items)).await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "I go on.");
        let mut handed = self.agent.handed.lock().unwrap();
        assert_eq!(handed.len(), 1, "the agent goes on once");
        Handed {
            types: types(&events).into_iter().map(str::to_owned).collect(),
            outcome: handed.remove(0),
        }
    }

    async fn decide(&self, decisions: [&str; 2]) -> Handed {
        self.answer(&[decided(&self.requests, &decisions)]).await
    }
}

impl Handed {
    /// Returns the number of events of this type.
    fn count(&self, notification: &str) -> usize {
        let name = format!("NOTIFICATION_TOOL_EXECUTION_APPROVAL_{notification}");
        self.types.iter().filter(|known| **known == name).count()
    }

    fn tools(&self) -> Vec<Tool<'_>> {
        let tools = self.outcome.approvals.iter().map(|approval| {
            let arguments = approval.request.tool_arguments.iter();
            let arguments = arguments.map(|(name, value)| (name.as_str(), value.as_str()));
            (
                approval.request.tool_name.as_str(),
                arguments.collect(),
                approval.status.as_str(),
            )
        });
        tools.collect()
    }
}

#[tokio::test]
async fn approved_tools_run_with_the_arguments_that_were_shown() {
    let asked = Asked::new().await;
    assert_eq!(asked.requests[0]["toolArguments"]["amount"], "0.10");
    let handed = asked.decide(["APPROVED", "APPROVED"]).await;
    let expected = [
        ("pay", PAY.to_vec(), "APPROVED"),
        ("mail", MAIL.to_vec(), "APPROVED"),
    ];
    assert_eq!(handed.tools(), expected);
    assert_eq!(handed.count("ACCEPTED"), 2);
    assert_eq!(handed.count("DENIED") + handed.count("ABORTED"), 0);
    assert_eq!(handed.outcome.memory, "what I was about to do");
    assert_eq!(handed.outcome.open, 0);
}

#[tokio::test]
async fn no_answer_changes_what_a_tool_runs_with() {
    let asked = Asked::new().await;
    let mut changed = decided(&asked.requests, &["APPROVED", "APPROVED"]);
    changed["toolApprovalResult"][0]["toolArguments"]["amount"] = json!("1000000");
    let path = common::messages_of(&asked.thread);
    let failure = asked.service.post(&path, &body(&[changed])).await;
    let failure = failure.failure(400);
    let issue = &failure["details"]["issues"][0];
    assert_eq!(issue["toolExecutionId"], "run-pay");
    assert!(asked.agent.handed.lock().unwrap().is_empty());

    let mut silent = decided(&asked.requests, &["APPROVED", "APPROVED"]);
    let first = silent["toolApprovalResult"][0].as_object_mut().unwrap();
    first.remove("toolArguments");
    let handed = asked.answer(&[silent]).await;
    assert_eq!(handed.tools()[0], ("pay", PAY.to_vec(), "APPROVED"));
}

#[tokio::test]
async fn denied_tools_are_skipped_and_the_workflow_continues() {
    let asked = Asked::new().await;
    let handed = asked.decide(["DENIED", "APPROVED"]).await;
    let expected = [
        ("pay", PAY.to_vec(), "DENIED"),
        ("mail", MAIL.to_vec(), "APPROVED"),
    ];
    assert_eq!(handed.tools(), expected);
    assert_eq!((handed.count("DENIED"), handed.count("ACCEPTED")), (1, 1));

    let asked = Asked::new().await;
    let handed = asked.decide(["DENIED", "DENIED"]).await;
    assert_eq!((handed.count("DENIED"), handed.count("ACCEPTED")), (2, 0));
    assert_eq!(asked.service.statuses(&asked.thread).await, ["DENIED"; 2]);
}

#[tokio::test]
async fn aborted_with_feedback_hands_on_text_images_and_documents() {
    let asked = Asked::new().await;
    let handed = asked
        .answer(&[
            json!({ "type": "image", "imageId": "photo-1" }),
            decided(&asked.requests, &["ABORTED_WITH_FEEDBACK"; 2]),
            json!({ "type": "text", "text": "Ask Ann\nfirst" }),
            json!({ "type": "document", "fileId": "plan-1" }),
            json!({ "type": "image", "imageId": "photo-2" }),
        ])
        .await;
    let statuses: Vec<_> = handed.tools().iter().map(|tool| tool.2).collect();
    assert_eq!(statuses, ["ABORTED_WITH_FEEDBACK"; 2]);
    assert_eq!(handed.count("ABORTED"), 2);
    let feedback = &handed.outcome.feedback;
    assert_eq!(feedback.text, "Ask Ann\nfirst");
    assert_eq!(feedback.images, ["photo-1", "photo-2"]);
    assert_eq!(feedback.documents, ["plan-1"]);
}

#[tokio::test]
async fn files_beside_verdicts_are_not_handed_on() {
    for decisions in [
        ["APPROVED", "APPROVED"],
        ["DENIED", "DENIED"],
        ["APPROVED", "DENIED"],
    ] {
        let asked = Asked::new().await;
        let handed = asked
            .answer(&[
                decided(&asked.requests, &decisions),
                json!({ "type": "image", "imageId": "photo-1" }),
                json!({ "type": "document", "fileId": "plan-1" }),
            ])
            .await;
        let feedback = &handed.outcome.feedback;
        assert!(feedback.images.is_empty() && feedback.documents.is_empty());
    }
}

#[tokio::test]
async fn what_is_pending_stays_pending_until_it_is_answered() {
    let asked = Asked::new().await;
    let path = common::messages_of(&asked.thread);
    for refused in [
        decided(&asked.requests[..1], &["APPROVED"]),
        decided(&asked.requests, &["APPROVED", "ABORTED_WITH_FEEDBACK"]),
        decided(&asked.requests, &["PENDING_HUMAN_APPROVAL"; 2]),
        json!({ "type": "text", "text": "hello" }),
    ] {
        let answer = asked.service.post(&path, &body(&[refused])).await;
        answer.failure(400);
        let statuses = asked.service.statuses(&asked.thread).await;
        assert_eq!(statuses, ["PENDING_HUMAN_APPROVAL"; 2]);
        assert!(asked.agent.handed.lock().unwrap().is_empty());
    }
}
