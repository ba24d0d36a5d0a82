//! The activity of an agent while it answers: notification events folded into steps.

use assent_protocol::{
    EventGroup, EventPhase, EventType, EventTypeInfo, SseEventMessage, ToolImage, notification,
};

use crate::Millis;

/// What agents do for one answer: the steps, in the order they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The steps; empty if nothing was reported.
    pub steps: Vec<ActivityStep>,
}

/// One step of an activity: a line above the answer that tells what an agent does or did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityStep {
    /// The type of the last event of the step; it also says what the table of event types has of
    /// it, if the service's name is in that table.
    pub event_type: EventType,
    /// The service's own description of the step. If it is empty, the default text for `event_type`
    /// is shown.
    pub content: String,
    /// The name of the agent whose step it is; `None` if the event does not say.
    pub agent: Option<String>,
    /// The images that the tool of the step made.
    pub images: Vec<ToolImage>,
    /// True if a tool runs because the user allowed it beforehand.
    pub is_allowed: bool,
    /// The state of the step.
    pub state: StepState,
    /// The time at which the first event of the step was seen.
    pub began: Millis,
    /// The time at which the step ended; `None` while it runs.
    pub ended: Option<Millis>,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepState {
    /// The step has begun and not ended.
    Running,
    /// The step ended well, or is a remark that has no end.
    Done,
    /// The step failed.
    Failed,
}

impl ActivityStep {
    /// Returns the group of the step's events; `None` for an event type that is not declared.
    #[must_use]
    pub fn group(&self) -> Option<EventGroup> {
        self.event_type.info().map(|info| info.group)
    }

    /// Returns the English default text for the step's last event; `None` for a type that is not
    /// declared.
    #[must_use]
    pub fn default_text(&self) -> Option<&'static str> {
        self.event_type.info().map(|info| info.text)
    }

    /// Returns true if the step is a remark on how the service passes a request on, or lets agents
    /// work together: a person need not read it.
    #[must_use]
    pub fn is_routing(&self) -> bool {
        self.event_type.info().is_some_and(|info| {
            let is_about = matches!(
                info.group,
                EventGroup::RequestOrchestration | EventGroup::Collaboration
            );
            is_about && info.phase == EventPhase::Other
        })
    }

    /// Returns true if the step is done, but no event said so: the end of the answer ended it.
    #[must_use]
    pub fn ended_without_event(&self) -> bool {
        let is_open = |info: &EventTypeInfo| {
            matches!(info.phase, EventPhase::Started | EventPhase::InProgress)
        };
        self.state == StepState::Done && self.event_type.info().is_some_and(is_open)
    }

    /// Returns the service's name and the English default text of the event type that reports the
    /// end of such a step. `None` if there is no such type, as for the execution of a tool.
    #[must_use]
    pub fn completion_event(&self) -> Option<(&'static str, &'static str)> {
        let completion = self.event_type.info()?.completion()?;
        Some((completion.name, completion.text))
    }
}

impl Activity {
    /// Returns the step that stands for the whole activity in the one-line summary of an answer
    /// that is being written. Among the steps for which `is_shown` is true, this is the last one
    /// that runs, or else the last one.
    #[must_use]
    pub fn current_step(&self, is_shown: impl Fn(&ActivityStep) -> bool) -> Option<&ActivityStep> {
        let mut shown = self.steps.iter().rev().filter(|step| is_shown(step));
        let last = shown.clone().next();
        shown.find(|step| step.state == StepState::Running).or(last)
    }

    /// Returns true while a tool runs.
    #[must_use]
    pub fn runs_tool(&self) -> bool {
        self.steps.iter().any(|step| {
            step.state == StepState::Running && step.group() == Some(EventGroup::ToolExecution)
        })
    }

    /// Adds a notification, which came at `now`: it continues or ends the running step of the same
    /// group and agent, or becomes a new step.
    pub(crate) fn add_event(&mut self, event_type: EventType, event: SseEventMessage, now: Millis) {
        let agent = event.agent.map(|agent| agent.name);
        let mut images: Vec<ToolImage> = Vec::new();
        for image in event.tool_images {
            let is_same = |known: &ToolImage| known.image_id == image.image_id;
            if !self.images().any(is_same) && !images.iter().any(is_same) {
                images.push(image);
            }
        }
        let info = event_type.info();
        let phase = info.map_or(EventPhase::Other, |info| info.phase);
        let step = ActivityStep {
            event_type,
            content: event.content,
            agent: agent.filter(|name| !name.is_empty()),
            images,
            is_allowed: !event.grant_id.is_empty(),
            state: match phase {
                EventPhase::Started | EventPhase::InProgress => StepState::Running,
                EventPhase::Completed | EventPhase::Other => StepState::Done,
                EventPhase::Failed => StepState::Failed,
            },
            began: now,
            ended: match phase {
                EventPhase::Started | EventPhase::InProgress => None,
                EventPhase::Completed | EventPhase::Failed | EventPhase::Other => Some(now),
            },
        };
        let goes_on = matches!(
            phase,
            EventPhase::InProgress | EventPhase::Completed | EventPhase::Failed
        );
        let made_by = step.images.first().map_or("", |image| &image.tool);
        let running = self.steps.iter_mut().rev().filter(|running| {
            running.state == StepState::Running
                && running.group() == step.group()
                && running.agent == step.agent
        });
        // Several tools may run; the last one of these is the one with the images, if it is named.
        let running = running.min_by_key(|running| !running.content.contains(made_by));
        match running {
            Some(running) if goes_on => {
                let mut images = std::mem::take(&mut running.images);
                images.extend(step.images);
                *running = ActivityStep {
                    began: running.began,
                    images,
                    is_allowed: running.is_allowed || step.is_allowed,
                    ..step
                };
            }
            _ => self.steps.push(step),
        }
    }

    /// Adds a step for a frame that could not be read as an event. Several such frames in a row are
    /// one step: nothing tells them apart.
    pub(crate) fn add_garbled(&mut self, now: Millis) {
        let garbled = |step: &ActivityStep| step.event_type == EventType::default();
        if !self.steps.last().is_some_and(garbled) {
            self.add_event(EventType::default(), SseEventMessage::default(), now);
        }
    }

    /// Returns the images of all steps.
    pub(crate) fn images(&self) -> impl Iterator<Item = &ToolImage> {
        self.steps.iter().flat_map(|step| &step.images)
    }

    /// Returns true if this page saw no event of the activity: every step was made for images of a
    /// stored message.
    pub(crate) fn is_of_stored_images(&self) -> bool {
        let is_made = |step: &ActivityStep| {
            let first = step.images.first();
            first.is_some_and(|image| image.tool == step.content)
        };
        self.steps.iter().all(is_made)
    }

    /// Adds steps for those images of a stored message that no step has yet, as done at `at`.
    /// Images of one tool in a row become one step.
    pub(crate) fn add_images(&mut self, images: Vec<ToolImage>, at: Millis) {
        for image in images {
            if self.images().any(|it| it.image_id == image.image_id) {
                continue;
            }
            match self.steps.last_mut() {
                Some(step) if step.content == image.tool && !step.images.is_empty() => {
                    step.images.push(image);
                }
                _ => self.steps.push(ActivityStep {
                    is_allowed: false,
                    event_type: notification::TOOL_EXECUTION_IN_PROGRESS,
                    content: image.tool.clone(),
                    agent: None,
                    images: vec![image],
                    state: StepState::Done,
                    began: at,
                    ended: Some(at),
                }),
            }
        }
    }

    /// Ends the steps that still run, with this state.
    pub(crate) fn end_steps(&mut self, state: StepState, now: Millis) {
        for step in &mut self.steps {
            if step.state == StepState::Running {
                step.state = state;
                step.ended = Some(now);
            }
        }
    }
}
