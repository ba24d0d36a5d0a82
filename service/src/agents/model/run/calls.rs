//! Calls of tools: each is claimed before it runs, and its result is stored after. Those that run
//! at the same time take turns in speaking to the reader.

use assent_protocol::{EventType, notification};

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use futures_util::{
    future::join,
    stream::{FuturesUnordered, StreamExt as _},
};
use tokio::{
    sync::{Mutex, mpsc},
    time::{Instant, sleep},
};
use tracing::Instrument as _;

use super::{ModelAgent, batch, made_images::MadeImages, measure, speech::Speech, turn::TurnState};
use crate::{
    Result,
    agents::{
        agent::{Journal, StepDetails},
        model::{
            mcp::{CallOutcome, Lease, ToolCall},
            tools::own::{OWN, OwnTools},
        },
    },
    rules::{
        arguments::Arguments,
        audit::{AuditEntry, Decision, DecisionSource},
    },
    sentence::Sentence,
    transcript::{Call, CallEnd, CallResult, Claim, Effect, Item, Transcript, UNKNOWN_OUTCOME},
};

/// The time after which the reader is told that a call still runs, if its server says nothing.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// The type of the event that tells that a call goes on, and what it has brought.
const IN_PROGRESS: EventType = notification::TOOL_EXECUTION_IN_PROGRESS;

/// The result of a call that may be made twice and had no answer.
const UNANSWERED_RESULT: &str = "There was no answer. It may be tried again.";

/// The result of a call whose grant ended before it ran.
const WITHDRAWN_RESULT: &str = "This did not run: the user's permission for it has ended.";

/// What the model is told with the first result of a process or a session that follows another one.
const NEW_STATE: &str = "This server was started anew: what earlier calls left in it is gone.\n";

/// Most reports of a server that wait to be told to the reader.
const MAX_REPORTS: usize = 4;

/// What all calls share that run at the same time in one answer.
struct CallEnvironment<'a, 'b> {
    journal: Arc<dyn Journal>,
    servers: &'a [Lease],
    /// The ids of the servers that have given results in this conversation.
    known: BTreeSet<String>,
    /// What the model wrote, by the id of the call: a person may have changed it.
    written: BTreeMap<String, String>,
    own: OwnTools<'a>,
    /// The version of the agent's policy.
    policy: &'a str,
    model_sees_images: bool,
    /// The text of the answer. The lock is held by the call that speaks, never while a call is
    /// claimed or its result is stored: a claim may wait for the others' ends.
    speech: Mutex<&'a mut Speech<'b>>,
}

/// A call that ended, with its result and the time that it took.
struct EndedCall {
    call: Call,
    /// Ids of the images that the call made.
    images: Vec<String>,
    result: CallResult,
    time: Duration,
}

/// Runs calls at the same time, and further ones that the core adds when one of them ends. Returns
/// the result of the last one, or `None` if the time of the turn was over before any call began.
///
/// # Errors
///
/// The first error of a call, once all calls that run have ended.
pub(super) async fn run_tools(
    agent: &ModelAgent,
    mut calls: Vec<(Call, Effect)>,
    turn: &mut TurnState<'_>,
) -> Result<Option<CallResult>> {
    let workplace = CallEnvironment {
        journal: turn.speech.answer.journal(),
        servers: &turn.servers,
        known: servers_with_results(&turn.run.transcript.items),
        written: written_arguments(&turn.run.transcript),
        own: agent.own_tools(),
        policy: agent.policy.version(),
        model_sees_images: agent.model.sees_images(),
        speech: Mutex::new(&mut turn.speech),
    };
    let mut running = FuturesUnordered::new();
    loop {
        for (call, effect) in calls {
            if Instant::now() < turn.deadline {
                let entries = turn.run.transcript.turn_entries();
                let progress = batch::progress_text(&call, running.len(), entries);
                let span = turn.meter.span(&call, &turn.tools);
                let workplace = &workplace;
                running.push(async move {
                    let ran = workplace.run(call, effect, progress);
                    let ran = ran.instrument(span.clone()).await;
                    ran.inspect(|ran| measure::record_call_end(&span, ran.result.end))
                });
            }
        }
        let Some(ended) = running.next().await else {
            return Ok(None);
        };
        let EndedCall {
            call,
            images,
            result,
            time,
        } = match ended {
            Ok(ran) => ran,
            Err(error) => {
                while running.next().await.is_some() {}
                return Err(error);
            }
        };
        if !images.is_empty() && workplace.model_sees_images {
            let call = call.id.clone();
            let images = Item::Images { call, images };
            turn.run.transcript.items.push(images);
        }
        turn.meter.count_call(&call, result.end, time, &turn.tools);
        if running.is_empty() {
            return Ok(Some(result));
        }
        calls = turn.run.end_parallel_call(result);
    }
}

impl CallEnvironment<'_, '_> {
    /// Runs a call at most once: the store records its claim before, which it refuses the second
    /// time, and its result after.
    async fn run(&self, call: Call, effect: Effect, progress: String) -> Result<EndedCall> {
        let since = Instant::now();
        let claim = self.journal.claim(&call).await?;
        let CallOutcome {
            end,
            mut text,
            images,
            state_is_new,
        } = match &claim {
            Claim::Ours(grant) => {
                // Who speaks now keeps no call waiting.
                let grant = grant.clone().unwrap_or_default();
                let begun = self.report_begin(&call, &progress, grant);
                join(begun, self.call(&call)).await.1?
            }
            Claim::Refused => CallOutcome::new(CallEnd::Unknown, ""),
            Claim::Withdrawn(_) => CallOutcome::new(CallEnd::Refused, WITHDRAWN_RESULT),
        };
        if state_is_new && self.known.contains(server_of(&call)) {
            text.insert_str(0, NEW_STATE);
        }
        let made = MadeImages::keep(&call, images, self.model_sees_images, &*self.journal).await?;
        let text = text + &made.left_out;
        let (end, text) = match (end, text.as_str()) {
            (CallEnd::Unknown, said) if effect < Effect::Write => match said {
                "" => (CallEnd::Failed, UNANSWERED_RESULT.to_owned()),
                said => (CallEnd::Failed, said.to_owned()),
            },
            (CallEnd::Unknown, "") => (end, UNKNOWN_OUTCOME.to_owned()),
            (CallEnd::Unknown, said) => (end, format!("{UNKNOWN_OUTCOME} The server said: {said}")),
            _ => (end, text),
        };
        let result = CallResult {
            call: call.id.clone(),
            end,
            text: match claim {
                Claim::Ours(_) => self.changes_sentence(&call) + &text,
                _ => text,
            },
        };
        let decided = match claim {
            Claim::Withdrawn(grant) => Some((Decision::Refused, DecisionSource::Grant, grant)),
            _ if end == CallEnd::Unknown => {
                Some((Decision::Unknown, DecisionSource::Timeout, String::new()))
            }
            _ => None,
        };
        let decided = decided.map(|(decision, source, rule)| AuditEntry {
            call: call.clone(),
            edited: None,
            effect,
            decision,
            source,
            rule,
            policy: self.policy.to_owned(),
        });
        tracing::debug!(
            execution = call.id,
            ?end,
            "a tool ended; this is to be stored"
        );
        self.journal.finish(&result, decided.as_slice()).await?;
        if end == CallEnd::Unknown {
            let sentence = Sentence::UnknownOutcome(call.tool.clone());
            self.speech.lock().await.sentence(&sentence).await?;
        }
        let shown = made.to_tool_images(&call.tool);
        if !shown.is_empty() {
            let mut speech = self.speech.lock().await;
            let details = StepDetails {
                images: shown,
                ..StepDetails::default()
            };
            speech.show(IN_PROGRESS, &call_label(&call), details).await;
        }
        let time = since.elapsed();
        Ok(EndedCall {
            call,
            images: made.ids,
            result,
            time,
        })
    }

    /// Returns what the model is told of arguments that a person changed, before the result; nothing if
    /// the call ran as the model wrote it.
    fn changes_sentence(&self, call: &Call) -> String {
        let written = self.written.get(&call.id).map_or("", String::as_str);
        if written == call.arguments {
            return String::new();
        }
        let parse = |text| Arguments::parse(text).unwrap_or_default();
        let changed = parse(&call.arguments).changed_from(&parse(written));
        format!("The person changed arguments before approving. It ran with {changed}.\n")
    }

    /// Sends a call to its tool's server, or runs a tool of the agent itself. The reader is told of
    /// its progress meanwhile.
    async fn call(&self, call: &Call) -> Result<CallOutcome> {
        let (id, tool) = call.tool.split_once('/').unwrap_or_default();
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        if id == OWN {
            // It speaks while it works: the agent's own tools run one after another.
            let mut speech = self.speech.lock().await;
            return self.own.call(tool, &arguments, &mut speech).await;
        }
        let Some(server) = self.servers.iter().find(|server| server.id() == id) else {
            return Ok(CallOutcome::new(CallEnd::Failed, "There is no such tool."));
        };
        let name = call_label(call);
        let mut was_reported = false;
        let (sender, mut reports) = mpsc::channel(MAX_REPORTS);
        let request = ToolCall {
            tool,
            arguments,
            execution_id: &call.id,
            stopped: self.journal.stopped(),
        };
        let mut called = pin!(server.call(request, &sender));
        loop {
            let (outcome, report) = tokio::select! {
                outcome = &mut called => (Some(outcome), name.clone()),
                Some(report) = reports.recv() => (None, format!("{name}: {report}")),
                () = sleep(REPORT_INTERVAL) => (None, name.clone()),
            };
            // No event says that a tool has ended: what was said last is what stays to be read.
            let is_to_be_said = outcome.is_none() || was_reported;
            if is_to_be_said && let Ok(mut speech) = self.speech.try_lock() {
                speech.notify(IN_PROGRESS, &report).await;
                was_reported = true;
            }
            if let Some(outcome) = outcome {
                return Ok(outcome);
            }
        }
    }

    /// Tells the reader that a call begins, and by which grant it does.
    async fn report_begin(&self, call: &Call, progress: &str, grant_id: String) {
        let mut speech = self.speech.lock().await;
        let event = notification::PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS;
        speech.tell(event, progress).await;
        let event = notification::TOOL_EXECUTION_INITIATED;
        let details = StepDetails {
            grant_id,
            ..StepDetails::default()
        };
        speech.show(event, &call_label(call), details).await;
    }
}

/// Returns the tool and what it is called for, such as `files/write_file (packing.md)`.
fn call_label(call: &Call) -> String {
    let arguments = Arguments::parse(&call.arguments).unwrap_or_default();
    match arguments.first_short_text() {
        Some(text) => format!("{} ({text})", call.tool),
        None => call.tool.clone(),
    }
}

/// Returns the arguments of the calls of the model's last answer, by the id of the call.
fn written_arguments(transcript: &Transcript) -> BTreeMap<String, String> {
    let calls = transcript.open_calls().into_iter();
    calls.map(|call| (call.id, call.arguments)).collect()
}

/// Returns the id of the server that a call goes to.
fn server_of(call: &Call) -> &str {
    call.tool.split_once('/').unwrap_or_default().0
}

/// Returns the ids of the servers whose calls have results.
fn servers_with_results(items: &[Item]) -> BTreeSet<String> {
    let ended: BTreeSet<&str> = items
        .iter()
        .filter_map(|item| match item {
            Item::Result(result) => Some(result.call.as_str()),
            _ => None,
        })
        .collect();
    let calls = items.iter().filter_map(|item| match item {
        Item::Model { calls, .. } => Some(calls),
        _ => None,
    });
    let ended = calls
        .flatten()
        .filter(|call| ended.contains(call.id.as_str()));
    ended.map(|call| server_of(call).to_owned()).collect()
}
