//! The next stage of a turn. Pure: the notes of the transcript say what was done, so that a turn
//! goes on in the same place after a decision or a restart.

use serde::Deserialize;

use crate::transcript::{AnswerRest, CallEnd, ColleagueTask, Item, Note, PlanStep, RequestKind};

/// What an agent does in a turn besides answering and calling tools, as its file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    pub(crate) memories: bool,
    pub(crate) route: bool,
    pub(crate) knowledge: bool,
    pub(crate) plan: bool,
    pub(crate) review: bool,
    pub(crate) colleagues: bool,
    pub(crate) reflect: ReflectMode,
}

/// When an answer is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReflectMode {
    /// No answer is checked.
    #[default]
    Never,
    /// When tools were used for the answer, or a person stopped the work.
    AfterTools,
    /// Each answer is checked.
    Always,
}

/// The next thing that an agent is to do in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Look up the memories of the user.
    Recall,
    /// Decide what kind of request this is.
    Route,
    /// Search the folders of knowledge.
    Consult,
    /// Make a plan.
    Plan,
    /// Begin a step of the plan; `number` counts from 1, and `of` is the number of all steps.
    Step {
        number: usize,
        of: usize,
        step: PlanStep,
    },
    /// Let the model judge the results of the plan's steps.
    Review,
    /// End the plan; `steps` is the number of its steps, 0 if no plan was made.
    EndPlan { steps: usize },
    /// Decide which colleagues are asked.
    Choose,
    /// Give a colleague its task; `first` is true if it is the first one of the collaboration.
    Ask { task: ColleagueTask, first: bool },
    /// Tell the reader that all colleagues are done; the value is what the agent itself has still
    /// to say.
    Join(AnswerRest),
    /// End the collaboration, after the agent has brought its colleagues' answers together.
    EndJoint,
    /// Ask the model for its next answer.
    Answer,
    /// Check the answer; the check is left out if a person `stopped` the work.
    Reflect { stopped: bool },
    /// The turn is over.
    Done,
}

/// Returns what comes next after these entries of the present turn.
pub(super) fn next(abilities: &Abilities, turn: &[Item]) -> Stage {
    let seen = TurnProgress::of(turn);
    if !seen.began {
        if abilities.memories && !seen.recalled {
            return Stage::Recall;
        }
        if abilities.route && seen.way.is_none() {
            return Stage::Route;
        }
        match seen.way {
            Some(RequestKind::KnowledgeBase) if abilities.knowledge && !seen.consulted => {
                return Stage::Consult;
            }
            Some(RequestKind::Complex) if abilities.plan && seen.steps.is_none() => {
                return Stage::Plan;
            }
            Some(RequestKind::Collaboration) if abilities.colleagues && seen.tasks.is_none() => {
                return Stage::Choose;
            }
            _ => {}
        }
    }
    if let Some(stage) = seen.next_colleague_stage() {
        return stage;
    }
    if let Some(stage) = seen.next_plan_stage(abilities) {
        return stage;
    }
    if seen.rest == Some(AnswerRest::Nothing) {
        return Stage::Done;
    }
    if !seen.answered {
        return Stage::Answer;
    }
    if seen.rest == Some(AnswerRest::Joint) && !seen.joined {
        return Stage::EndJoint;
    }
    if seen.is_due(abilities) {
        return Stage::Reflect {
            stopped: seen.stopped,
        };
    }
    Stage::Done
}

/// Returns true if the answer of this turn is to be checked and was not checked yet.
pub(super) fn reflection_is_due(abilities: &Abilities, turn: &[Item]) -> bool {
    TurnProgress::of(turn).is_due(abilities)
}

/// The state of a turn as its entries tell it.
#[derive(Default)]
struct TurnProgress<'a> {
    /// True if the model has answered something in this turn.
    began: bool,
    /// True if the model has done what it was last told, because its last answer has no calls.
    answered: bool,
    recalled: bool,
    way: Option<RequestKind>,
    consulted: bool,
    steps: Option<Vec<&'a PlanStep>>,
    /// The number of the step of the plan that was begun last; 0 before the first one.
    begun: usize,
    reviewed: bool,
    plan_ended: bool,
    tasks: Option<&'a [ColleagueTask]>,
    /// The ids of the colleagues' runs that are done, and whether the colleague said something.
    replies: Vec<(&'a str, bool)>,
    rest: Option<AnswerRest>,
    joined: bool,
    /// The number of calls that ran in this turn.
    results: usize,
    /// True if a person stopped the work.
    stopped: bool,
    reflected: bool,
}

impl<'a> TurnProgress<'a> {
    fn of(turn: &'a [Item]) -> Self {
        let mut seen = Self::default();
        for item in turn {
            match item {
                Item::User { .. } | Item::Feedback { .. } => {}
                Item::Model { calls, .. } => {
                    seen.began = true;
                    seen.answered = calls.is_empty();
                }
                Item::Result(result) => {
                    seen.stopped |= result.end == CallEnd::Skipped;
                    let ran = [CallEnd::Succeeded, CallEnd::Failed, CallEnd::Unknown];
                    seen.results += usize::from(ran.contains(&result.end));
                }
                Item::Note(note) => seen.take(note),
                Item::Images { .. } => {}
            }
        }
        seen
    }

    fn take(&mut self, note: &'a Note) {
        match note {
            Note::Memories { .. } => self.recalled = true,
            Note::Route { way } => self.way = Some(*way),
            Note::Abilities { .. }
            | Note::Passages { .. }
            | Note::Inquiry { .. }
            | Note::Summary { .. }
            | Note::Kept { .. } => {}
            Note::Consulted => self.consulted = true,
            Note::Plan { steps } => self.steps = Some(steps.iter().collect()),
            Note::Step { number, .. } => {
                self.begun = *number;
                self.answered = false;
            }
            Note::Review { more } => {
                self.reviewed = true;
                self.steps.get_or_insert_default().extend(more);
            }
            Note::PlanEnded { steps } => {
                self.plan_ended = true;
                self.answered &= *steps == 0;
            }
            Note::Colleagues { tasks } => self.tasks = Some(tasks),
            Note::Reply { run, text, .. } => self.replies.push((run, text.is_some())),
            Note::Replied { rest } => self.rest = Some(*rest),
            Note::JointlyAnswered => self.joined = true,
            Note::Reflection { advice } => {
                self.reflected = true;
                self.answered &= advice.is_none();
            }
        }
    }

    fn is_due(&self, abilities: &Abilities) -> bool {
        let wanted = match abilities.reflect {
            ReflectMode::Never => false,
            ReflectMode::AfterTools => self.results > 0 || self.stopped,
            ReflectMode::Always => true,
        };
        wanted && !self.reflected
    }

    /// Returns the next stage of the collaboration with colleagues; `None` if nothing of it is
    /// left.
    fn next_colleague_stage(&self) -> Option<Stage> {
        let tasks = self.tasks.filter(|tasks| !tasks.is_empty())?;
        let done = |task: &&ColleagueTask| self.replies.iter().any(|(run, _)| *run == task.run);
        if let Some(task) = tasks.iter().find(|task| !done(task)) {
            return Some(Stage::Ask {
                task: task.clone(),
                first: self.replies.is_empty(),
            });
        }
        if self.rest.is_some() {
            return None;
        }
        let said = self.replies.iter().filter(|(_, said)| *said).count();
        Some(Stage::Join(match (tasks.len(), said) {
            (_, 0) => AnswerRest::Everything,
            (1, _) => AnswerRest::Nothing,
            _ => AnswerRest::Joint,
        }))
    }

    /// Returns the next stage of the plan; `None` if there is no plan, or if it has ended.
    fn next_plan_stage(&self, abilities: &Abilities) -> Option<Stage> {
        let steps = self.steps.as_ref().filter(|_| !self.plan_ended)?;
        if self.begun > 0 && !self.answered {
            return Some(Stage::Answer);
        }
        if let Some(step) = steps.get(self.begun) {
            return Some(Stage::Step {
                number: self.begun + 1,
                of: steps.len(),
                step: (*step).clone(),
            });
        }
        if abilities.review && !self.reviewed && !steps.is_empty() {
            return Some(Stage::Review);
        }
        Some(Stage::EndPlan { steps: steps.len() })
    }
}

#[cfg(test)]
#[path = "next_stage_tests.rs"]
mod tests;
