//! What an agent did on its way to an answer: notification events folded into steps.

use assent_protocol::EventGroup;

use crate::Millis;

/// The steps of one answer, in the order they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Empty where nothing was reported.
    pub steps: Vec<ActivityStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityStep {
    /// What it is about; `None` for an event type that is not declared.
    pub group: Option<EventGroup>,
    /// Service spelling of the last event type of this step.
    pub event_type: String,
    /// The service's own description, which may be empty; then the table's text for `event_type` is shown.
    pub content: String,
    /// Name of the agent it belongs to, where the event says.
    pub agent: Option<String>,
    /// Where it stands.
    pub state: StepState,
    /// When its first event was seen.
    pub began: Millis,
    /// When it ended; `None` while it runs.
    pub ended: Option<Millis>,
}

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepState {
    /// Begun, not ended.
    Running,
    /// Ended well, or a remark that has no end.
    Done,
    /// Ended badly.
    Failed,
}

impl Activity {
    /// The step to name on the one-line summary: the last one that runs, else the last one.
    #[must_use]
    pub fn current(&self) -> Option<&ActivityStep> {
        let running = self
            .steps
            .iter()
            .rev()
            .find(|step| step.state == StepState::Running);
        running.or(self.steps.last())
    }
}
