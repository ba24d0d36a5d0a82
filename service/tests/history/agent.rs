//! The agent of the trials: it does what the text says, waits where the trial wants it to, and
//! notes each run of a tool.

use std::sync::{Arc, Mutex};

use assent_protocol::{ApprovalRequest, ApprovalStatus, EventType, Timestamp};
use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput},
    profile::Profile,
    rules::approval::Question,
};
use tokio::sync::Semaphore;

use crate::{
    common::agents::profile,
    history::{Run, Work},
    mutant::Mutant,
};

pub const AGENT: &str = "history";
/// The notification before the agent waits; its text is the number of the gate.
pub const GATE: &str = "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS";

pub struct Worker {
    profile: Profile,
    work: Arc<Mutex<Work>>,
    gates: Mutex<Vec<Arc<Semaphore>>>,
    /// A fault that the trial is to find, or none.
    mutant: Mutant,
}

impl Worker {
    pub fn new(work: Arc<Mutex<Work>>, mutant: Mutant) -> Arc<Self> {
        Arc::new(Self {
            profile: profile(AGENT),
            work,
            gates: Mutex::default(),
            mutant,
        })
    }

    /// Lets the answer at this gate go on.
    pub fn open(&self, gate: usize) {
        self.gates.lock().unwrap()[gate].add_permits(1);
    }

    async fn wait(&self, answer: &mut dyn Answer) {
        let gate = Arc::new(Semaphore::new(0));
        let number = {
            let mut gates = self.gates.lock().unwrap();
            gates.push(gate.clone());
            gates.len() - 1
        };
        answer
            .notify(EventType::from(GATE), &number.to_string())
            .await;
        gate.acquire().await.unwrap().forget();
    }

    fn ask(&self, batches: &[usize], mark: &str) -> Ending {
        let id = || uuid::Uuid::new_v4().to_string();
        let memory_id = id();
        let mut requests = Vec::new();
        for tools in batches {
            let batch = id();
            for tool in 0..*tools {
                requests.push(ApprovalRequest {
                    tool_id: format!("tool {tool}"),
                    tool_name: format!("tool {tool}"),
                    tool_provider: "trials".to_owned(),
                    tool_category: "test".to_owned(),
                    tool_execution_id: id().as_str().into(),
                    tool_execution_batch_id: batch.as_str().into(),
                    tool_memory_id: memory_id.clone(),
                    // The trial lets it be over when it wants to.
                    expires_at: Some(Timestamp("2126-01-01T00:00:00.000Z".to_owned())),
                    tool_arguments: vec![("for".to_owned(), format!("{mark} {tool}"))],
                    ..ApprovalRequest::default()
                });
            }
        }
        let asked = requests.iter().map(run);
        self.work.lock().unwrap().asked.extend(asked);
        Ending::Asked {
            question: Question {
                requests,
                memory_id,
                memory: mark.to_owned(),
            },
            together: batches.len() > 2,
        }
    }
}

fn run(request: &ApprovalRequest) -> Run {
    Run {
        execution: request.tool_execution_id.as_str().to_owned(),
        arguments: request.tool_arguments.clone(),
    }
}

impl Agent for Worker {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            let outcome = match turn.input {
                TurnInput::Message(said) => {
                    let words: Vec<&str> = said.text.split_whitespace().collect();
                    let mark = words.first().copied().unwrap_or_default();
                    if words.contains(&"slow") {
                        self.wait(answer).await;
                    }
                    if words.contains(&"silent") {
                        return Ok(self.ask(&[1], mark));
                    }
                    answer.say(None, &format!("You said {mark}")).await?;
                    if words.contains(&"pause") {
                        self.wait(answer).await;
                    }
                    answer.say(None, ", and here is the rest.").await?;
                    return Ok(match () {
                        () if words.contains(&"fail") => Ending::Failed("No.".to_owned()),
                        () if words.contains(&"one") => self.ask(&[1], mark),
                        () if words.contains(&"three") => self.ask(&[3], mark),
                        () if words.contains(&"two") => self.ask(&[1, 2], mark),
                        () => Ending::Done,
                    });
                }
                TurnInput::Decided(outcome) => outcome,
            };
            if outcome.open > 0 {
                return Ok(Ending::Done);
            }
            let approved = outcome.approvals.iter().filter(|it| {
                let runs_ended = self.mutant == Mutant::RunsEnded && it.is_expired;
                it.status == ApprovalStatus::Approved || runs_ended
            });
            // Where there are several tools it takes its time before them; nobody listens to an end.
            let is_end = outcome.approvals.iter().any(|it| it.is_expired);
            if outcome.approvals.len() > 1 && !is_end {
                self.wait(answer).await;
            }
            let runs: Vec<Run> = approved.map(|it| run(&it.request)).collect();
            let count = runs.len();
            let mut work = runs.clone();
            if self.mutant == Mutant::RunsTwice {
                work.extend(runs);
            }
            self.work.lock().unwrap().ran.extend(work);
            let text = format!("{} {count} tools ran.", outcome.memory);
            answer.say(None, &text).await?;
            Ok(Ending::Done)
        })
    }
}
