//! An agent that asks: many batches at once, or one question after the other.

use std::sync::Arc;

use assent_protocol::ApprovalRequest;
use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput},
    profile::Profile,
    rules::approval::Question,
};

/// Asks for `batches` batches of one tool each; asks again while some of them are open; fails over
/// the first question and is done with the second one.
pub struct Asker {
    profile: Profile,
    batches: usize,
}

impl Asker {
    pub fn new(batches: usize) -> Arc<Self> {
        Arc::new(Self {
            profile: super::agents::profile("asker"),
            batches,
        })
    }
}

fn question(memory: &str, batches: usize) -> Ending {
    let id = || uuid::Uuid::new_v4().to_string();
    let memory_id = id();
    let requests = (0..batches).map(|_| ApprovalRequest {
        tool_id: "t".to_owned(),
        tool_name: "tool".to_owned(),
        tool_provider: "p".to_owned(),
        tool_category: "c".to_owned(),
        tool_execution_id: id().as_str().into(),
        tool_execution_batch_id: id().as_str().into(),
        tool_memory_id: memory_id.clone(),
        tool_arguments: vec![("n".to_owned(), "1".to_owned())],
        editable: vec!["/n".to_owned()],
        ..ApprovalRequest::default()
    });
    Ending::Asked {
        question: Question {
            requests: requests.collect(),
            memory_id,
            memory: memory.to_owned(),
        },
        together: false,
    }
}

impl Agent for Asker {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let outcome = match turn.input {
                TurnInput::Message(_) => {
                    answer.say(None, "May I?").await?;
                    return Ok(question("first", self.batches));
                }
                TurnInput::Decided(outcome) => outcome,
            };
            if outcome.open > 0 {
                return Ok(question("second", 1));
            }
            if outcome.memory == "first" {
                return Ok(Ending::Failed("It did not work.".to_owned()));
            }
            answer.say(None, "The second one is done.").await?;
            Ok(Ending::Done)
        })
    }
}
