//! Measurements of a run for the operator's counters: times and tokens of the model, and its calls
//! of tools.

use std::{collections::BTreeSet, time::Duration};

use assent_protocol::ApprovalStatus;
use tokio::time::Instant;
use tracing::Span;

use crate::{
    agents::{
        agent::TurnInput,
        model::{
            provider::completion::{Completion, Usage},
            tools::offered::OfferedTool,
        },
    },
    telemetry::{
        metrics::{DecidedBy, Metrics, ToolEnd},
        spans,
    },
    transcript::{Call, CallEnd, Item, Transcript},
};

/// Counts for the operator what one run does: its requests to the model, their tokens, and its
/// calls.
pub(in crate::agents::model) struct Meter {
    metrics: Metrics,
    /// The id of the agent.
    pub(super) agent: String,
    /// Ids of the calls that a person decided about with this turn's input.
    decided: BTreeSet<String>,
}

impl Meter {
    pub(super) fn new(metrics: &Metrics, agent: &str, input: &TurnInput) -> Self {
        let decided = match input {
            TurnInput::Decided(outcome) => outcome
                .approvals
                .iter()
                .filter(|approval| approval.status != ApprovalStatus::Pending)
                // Where no decision came in time the policy decides.
                .filter(|approval| !approval.is_expired)
                .map(|approval| approval.execution_id().to_owned())
                .collect(),
            TurnInput::Message(_) => BTreeSet::new(),
        };
        Self {
            metrics: metrics.clone(),
            agent: agent.to_owned(),
            decided,
        }
    }

    /// Begins to measure a request to the model.
    pub(super) fn begin_model_time(&self) -> ModelTime<'_> {
        ModelTime {
            meter: self,
            since: Instant::now(),
            begun: false,
        }
    }

    /// Counts the tokens of a request and its answer.
    pub(in crate::agents::model) fn count_tokens(&self, usage: Usage) {
        let Usage {
            input,
            output,
            cached,
        } = usage;
        self.metrics.tokens(&self.agent, input, output, cached);
    }

    /// Counts the calls that ended without having run, by their results among new entries of the
    /// transcript.
    pub(super) fn count_unrun_calls(
        &self,
        items: &[Item],
        transcript: &Transcript,
        tools: &[OfferedTool],
    ) {
        let results = items.iter().filter_map(|item| match item {
            Item::Result(result) => Some(result),
            _ => None,
        });
        for result in results {
            if let Some(call) = find(transcript, &result.call) {
                self.count_call_end(call, result.end, tools);
            }
        }
    }

    /// Makes the span of a call that is about to run.
    pub(super) fn span(&self, call: &Call, tools: &[OfferedTool]) -> Span {
        spans::tool_span(label(call, tools), &call.id, self.decided_by(call))
    }

    /// Counts a call that ran, and the time that it took.
    pub(super) fn count_call(
        &self,
        call: &Call,
        end: CallEnd,
        time: Duration,
        tools: &[OfferedTool],
    ) {
        self.count_call_end(call, end, tools);
        self.metrics.tool_ran(label(call, tools), time);
    }

    fn count_call_end(&self, call: &Call, end: CallEnd, tools: &[OfferedTool]) {
        let decision = self.decided_by(call);
        let label = label(call, tools);
        self.metrics.call_ended(label, decision, tool_end(end));
    }

    fn decided_by(&self, call: &Call) -> DecidedBy {
        if self.decided.contains(&call.id) {
            DecidedBy::Person
        } else {
            DecidedBy::Policy
        }
    }
}

/// Records in the trace's span of a call how the call ended.
pub(super) fn record_call_end(span: &Span, end: CallEnd) {
    spans::record_tool_end(span, tool_end(end));
}

fn tool_end(end: CallEnd) -> ToolEnd {
    match end {
        CallEnd::Succeeded => ToolEnd::Succeeded,
        CallEnd::Failed => ToolEnd::Failed,
        CallEnd::Unknown => ToolEnd::Unknown,
        CallEnd::Refused => ToolEnd::Refused,
        CallEnd::Denied => ToolEnd::Denied,
        CallEnd::Skipped => ToolEnd::Skipped,
    }
}

/// Returns the name of a call's tool for the counters; it is empty if there is no such tool, as a
/// model may write any name.
fn label<'a>(call: &'a Call, tools: &[OfferedTool]) -> &'a str {
    let exists = tools.iter().any(|it| it.tool.id() == call.tool);
    if exists { &call.tool } else { "" }
}

fn find<'a>(transcript: &'a Transcript, id: &str) -> Option<&'a Call> {
    let mut turns = transcript.items.iter().rev();
    turns.find_map(|item| match item {
        Item::Model { calls, .. } => calls.iter().find(|call| call.id == id),
        _ => None,
    })
}

/// Measures the time that one request to the model takes.
pub(super) struct ModelTime<'a> {
    meter: &'a Meter,
    since: Instant,
    begun: bool,
}

impl ModelTime<'_> {
    /// Counts the time until the first piece of the answer came; further pieces count nothing.
    pub(super) fn note_piece(&mut self) {
        if !self.begun {
            let metrics = &self.meter.metrics;
            metrics.model_began(&self.meter.agent, self.since.elapsed());
        }
        self.begun = true;
    }

    /// Counts the time, the end and the tokens of an answer that has come whole.
    pub(super) fn count_completion(self, completion: &Completion) {
        let Meter { metrics, agent, .. } = self.meter;
        let end = completion.end.unwrap_or_default();
        metrics.model_ended(agent, end.label(), self.since.elapsed());
        if let Some(usage) = completion.usage {
            self.meter.count_tokens(usage);
        }
    }
}
