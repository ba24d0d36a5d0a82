//! The agent of the trials: it does what the text says, waits where the trial wants it to, and
//! notes each run of a tool.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use assent_protocol::{ApprovalRequest, ApprovalStatus, EventType, Timestamp};
use assent_service::{
    Result,
    agents::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput},
    profile::Profile,
    rules::{
        approval::{Approval, Question},
        audit::{AuditEntry, Decision, DecisionSource},
    },
    transcript::{Call, CallEnd, CallResult, Claim, Effect},
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

    /// Asks about tools, and records their calls.
    async fn ask(&self, answer: &mut dyn Answer, batches: &[usize], mark: &str) -> Result<Ending> {
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
                    editable: vec!["/for".to_owned()],
                    ..ApprovalRequest::default()
                });
            }
        }
        let asked = requests.iter().map(asked_run);
        self.work.lock().unwrap().asked.extend(asked);
        let calls: Vec<AuditEntry> = requests.iter().map(asked_call).collect();
        answer.journal().append(&[], &calls).await?;
        Ok(Ending::Asked {
            question: Question {
                requests,
                memory_id,
                memory: mark.to_owned(),
            },
            together: batches.len() > 2,
        })
    }

    /// Runs what may run of these tools, as the person approved it.
    async fn run(&self, answer: &mut dyn Answer, approvals: &[Approval]) -> Result<usize> {
        let journal = answer.journal();
        let mut ran = Vec::new();
        for approval in approvals {
            let run = match self.mutant {
                Mutant::ForgetsEdits => asked_run(&approval.request),
                _ => approved_run(approval),
            };
            let call = call(&run, &approval.request);
            let is_ours = journal.claim(&call).await? == Claim::Ours(None);
            let is_wrong = matches!(self.mutant, Mutant::RunsEnded | Mutant::ForgetsEdits);
            if !is_ours && !is_wrong {
                continue;
            }
            ran.push(run);
            let result = CallResult {
                call: call.id,
                end: CallEnd::Succeeded,
                text: "Done.".to_owned(),
            };
            journal.finish(&result, &[]).await?;
        }
        let count = ran.len();
        if self.mutant == Mutant::RunsTwice {
            ran.extend_from_within(..);
        }
        self.work.lock().unwrap().ran.extend(ran);
        Ok(count)
    }
}

fn asked_run(request: &ApprovalRequest) -> Run {
    Run {
        execution: request.tool_execution_id.as_str().to_owned(),
        arguments: request.tool_arguments.clone(),
    }
}

/// Returns the run of an approved tool, with what the person changed.
fn approved_run(approval: &Approval) -> Run {
    let run = asked_run(&approval.request);
    let Some(edited) = &approval.edited else {
        return run;
    };
    let edited: BTreeMap<String, String> = serde_json::from_str(edited).unwrap();
    Run {
        arguments: edited.into_iter().collect(),
        ..run
    }
}

/// Returns the record of a call that is asked about.
fn asked_call(request: &ApprovalRequest) -> AuditEntry {
    AuditEntry {
        call: call(&asked_run(request), request),
        edited: None,
        effect: Effect::Write,
        decision: Decision::Asked,
        source: DecisionSource::Rule,
        rule: String::new(),
        policy: String::new(),
    }
}

fn call(run: &Run, request: &ApprovalRequest) -> Call {
    let arguments: BTreeMap<_, _> = run.arguments.iter().cloned().collect();
    Call {
        id: run.execution.clone(),
        tool: format!("{}/{}", request.tool_provider, request.tool_name),
        arguments: serde_json::to_string(&arguments).unwrap(),
        definition: String::new(),
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
                        return self.ask(answer, &[1], mark).await;
                    }
                    answer.say(None, &format!("You said {mark}")).await?;
                    if words.contains(&"pause") {
                        self.wait(answer).await;
                    }
                    answer.say(None, ", and here is the rest.").await?;
                    let batches: &[usize] = match () {
                        () if words.contains(&"fail") => {
                            return Ok(Ending::Failed("No.".to_owned()));
                        }
                        () if words.contains(&"one") => &[1],
                        () if words.contains(&"three") => &[3],
                        () if words.contains(&"two") => &[1, 2],
                        () => return Ok(Ending::Done),
                    };
                    return self.ask(answer, batches, mark).await;
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
            let approved: Vec<Approval> = approved.cloned().collect();
            let count = self.run(answer, &approved).await?;
            let text = format!("{} {count} tools ran.", outcome.memory);
            answer.say(None, &text).await?;
            Ok(Ending::Done)
        })
    }
}
