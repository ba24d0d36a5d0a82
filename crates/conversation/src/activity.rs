//! What an agent did on its way to an answer: notification events folded into steps.

use assent_protocol::{EventGroup, EventType, Phase};

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

impl ActivityStep {
    /// The table's English text for the step's last event; `None` for a type that is not declared.
    #[must_use]
    pub fn default_text(&self) -> Option<&'static str> {
        EventType::from(self.event_type.as_str())
            .info()
            .map(|info| info.text)
    }
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

    /// Takes one event, which was seen at `now`.
    pub(crate) fn note(
        &mut self,
        event_type: &EventType,
        content: String,
        agent: Option<String>,
        now: Millis,
    ) {
        let info = event_type.info();
        let phase = info.map_or(Phase::Other, |info| info.phase);
        let step = ActivityStep {
            group: info.map(|info| info.group),
            event_type: event_type.name().to_owned(),
            content,
            agent,
            state: match phase {
                Phase::Started | Phase::InProgress => StepState::Running,
                Phase::Completed | Phase::Other => StepState::Done,
                Phase::Failed => StepState::Failed,
            },
            began: now,
            ended: match phase {
                Phase::Started | Phase::InProgress => None,
                Phase::Completed | Phase::Failed | Phase::Other => Some(now),
            },
        };
        let goes_on = matches!(phase, Phase::InProgress | Phase::Completed | Phase::Failed);
        let running = self.steps.iter_mut().rev().find(|running| {
            running.state == StepState::Running
                && running.group == step.group
                && running.agent == step.agent
        });
        match running {
            Some(running) if goes_on => {
                *running = ActivityStep {
                    began: running.began,
                    ..step
                };
            }
            _ => self.steps.push(step),
        }
    }

    /// A frame that is no event. Several in a row are one remark: there is nothing to tell them apart.
    pub(crate) fn note_garbled(&mut self, now: Millis) {
        let garbled = |step: &ActivityStep| step.group.is_none() && step.event_type.is_empty();
        if !self.steps.last().is_some_and(garbled) {
            let nameless = EventType::Unknown(String::new());
            self.note(&nameless, String::new(), None, now);
        }
    }

    /// Ends what still runs.
    pub(crate) fn end(&mut self, state: StepState, now: Millis) {
        for step in &mut self.steps {
            if step.state == StepState::Running {
                step.state = state;
                step.ended = Some(now);
            }
        }
    }
}
