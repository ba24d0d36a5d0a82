//! Approvals: one batch, one decision of a person, one answer.
//!
//! The rules are those of the specification, Batch rules.
//! An answer is a [`BatchAnswer`], which can only be made from a batch that is wholly decided or wholly stopped;
//! a part of a batch, or a mix of stopping and deciding, has no value that could stand for it.

mod answer;
mod feedback;
mod tool_run;

use assent_protocol::{ApprovalStatus, BatchId};

use crate::{Failure, FailureKind, UploadId};

pub use answer::{BatchAnswer, Claim, Decision};
pub use feedback::Feedback;
pub use tool_run::ToolRun;

/// What a person decides about one tool run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Run it.
    Approve,
    /// Skip it.
    Deny,
}

/// The tool runs that share a `toolExecutionBatchId`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalBatch {
    /// `toolExecutionBatchId`.
    pub id: BatchId,
    /// At least one.
    pub tools: Vec<ToolRun>,
    /// Where its answer stands.
    pub phase: BatchPhase,
    /// Feedback that was begun before the person went back to deciding.
    pub begun: Feedback,
    /// Somebody else decided: another tab, another device, or before the answer given here arrived.
    pub elsewhere: bool,
    /// Whether these are all of its runs.
    pub completeness: BatchCompleteness,
    /// The last answer that was given up as not delivered. It may arrive late; then it stays until that is told.
    pub given_up: Option<BatchAnswer>,
}

/// Whether all runs of a batch are known: only the whole batch can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchCompleteness {
    /// The service listed these, and no others.
    Whole,
    /// The stream that asked was broken off, or something in it could not be read: there may be more.
    Doubtful {
        /// The stored messages are being read for them.
        checking: bool,
    },
}

/// Why a batch that waits cannot be answered on this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unanswerable {
    /// A request of it was never seen here, or was forgotten.
    NeverSeen,
    /// The service has a part of the decisions.
    DecidedInPart,
    /// There may be more runs than are shown.
    Unread {
        /// The stored messages are being read for them; otherwise the person may ask for that.
        checking: bool,
    },
}

/// Where the answer to a batch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchPhase {
    /// A person decides.
    Deciding {
        /// `Some` in the exclusive mode of stopping the whole batch: the feedback so far.
        feedback: Option<Feedback>,
        /// Why the last attempt was refused.
        failure: Option<Failure>,
    },
    /// The answer was sent; it is not known yet whether it was accepted.
    Submitting {
        /// What was sent. It is never sent again by itself.
        answer: BatchAnswer,
        /// What is known about it.
        delivery: DeliveryStatus,
    },
    /// The service accepted an answer.
    Answered,
    /// Pending at the service, but not to be answered here: [`ApprovalBatch::why_unanswerable`].
    Unanswerable,
}

/// What is known about an answer that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// It is on its way.
    Sent,
    /// The stored messages are being read for what became of it.
    Checking(Doubt),
    /// They did not say; the person may have them read again.
    Unknown(Doubt),
}

/// Why nobody here knows what became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// The connection broke before acceptance was seen.
    Lost,
    /// Another tab was answering, and nothing was sent from here.
    OtherTab,
}

impl ApprovalBatch {
    /// True while the agent waits for this batch, whether or not it can be answered here.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        !matches!(self.phase, BatchPhase::Answered)
    }

    /// A batch that the service asks for with this run.
    pub(crate) fn asking(id: BatchId, run: ToolRun) -> Self {
        Self {
            id,
            tools: vec![run],
            phase: BatchPhase::DECIDING,
            begun: Feedback::default(),
            elsewhere: false,
            completeness: BatchCompleteness::Whole,
            given_up: None,
        }
    }

    /// Why it cannot be answered here; `None` where it can, or was.
    #[must_use]
    pub fn why_unanswerable(&self) -> Option<Unanswerable> {
        let pending = |tool: &ToolRun| tool.status == ApprovalStatus::Pending;
        let why = match self.completeness {
            _ if !self.tools.iter().all(pending) => Unanswerable::DecidedInPart,
            BatchCompleteness::Doubtful { checking } => Unanswerable::Unread { checking },
            BatchCompleteness::Whole => Unanswerable::NeverSeen,
        };
        (self.phase == BatchPhase::Unanswerable).then_some(why)
    }

    /// There may be more runs than arrived: until the stored messages list them, nothing is answered.
    pub(crate) fn doubt_listing(&mut self) {
        self.completeness = BatchCompleteness::Doubtful { checking: true };
        self.forbid_what_cannot_be_answered();
    }

    /// The service asks for this run: as one more of the batch, or once again. True if it was not asked for before, or
    /// not like this.
    pub(crate) fn ask_again(&mut self, run: ToolRun) -> bool {
        let mut tools = self.tools.iter_mut();
        let known = tools.find(|tool| tool.execution == run.execution);
        let is_new = known
            .as_ref()
            .is_none_or(|tool| tool.request != run.request);
        match known {
            // A choice was made for what was shown; what differs is to be read and decided anew.
            Some(tool) if is_new => *tool = run,
            Some(tool) => tool.status = ApprovalStatus::Pending,
            None => self.tools.push(run),
        }
        if is_new {
            self.given_up = None;
        }
        if !self.is_deciding() {
            self.put_feedback_aside();
            self.phase = BatchPhase::DECIDING;
        }
        self.forbid_what_cannot_be_answered();
        is_new
    }

    /// Only the whole batch can be answered: not one with a run whose request this page never saw, not one of which the
    /// service has a part of the decisions, and not one that may have more runs.
    pub(crate) fn forbid_what_cannot_be_answered(&mut self) {
        if !self.can_be_answered() {
            self.put_feedback_aside();
            self.phase = BatchPhase::Unanswerable;
        }
    }

    /// True where an answer to the whole batch could be taken.
    pub(crate) fn can_be_answered(&self) -> bool {
        self.completeness == BatchCompleteness::Whole
            && self.tools.iter().all(ToolRun::can_be_answered)
    }

    /// What was typed or sent to stop the batch is there again when the person comes back to stopping.
    fn put_feedback_aside(&mut self) {
        let feedback = match &mut self.phase {
            BatchPhase::Deciding { feedback, .. } => feedback.take(),
            BatchPhase::Submitting { answer, .. } => answer.feedback().cloned(),
            BatchPhase::Answered | BatchPhase::Unanswerable => None,
        };
        if let Some(feedback) = feedback {
            self.begun = feedback;
        }
    }

    /// The files that are on their way, or could be tried again.
    pub(crate) fn uploads(&self) -> Vec<UploadId> {
        let shown = match &self.phase {
            BatchPhase::Deciding { feedback, .. } => feedback.as_ref(),
            _ => None,
        };
        let files = shown.into_iter().flat_map(|feedback| &feedback.files);
        let files = self.begun.files.iter().chain(files);
        let unfinished = files.filter(|file| !file.is_there());
        unfinished.map(|file| file.upload).collect()
    }

    /// A batch that is being decided is being stopped from now on, with the feedback that was begun before.
    pub(crate) fn begin_feedback(&mut self) {
        if let BatchPhase::Deciding { feedback, .. } = &mut self.phase
            && feedback.is_none()
        {
            *feedback = Some(std::mem::take(&mut self.begun));
        }
    }

    /// The feedback of a batch that is being stopped.
    pub(crate) fn feedback_mut(&mut self) -> Option<&mut Feedback> {
        match &mut self.phase {
            BatchPhase::Deciding { feedback, .. } => feedback.as_mut(),
            _ => None,
        }
    }

    /// The service accepted the answer that is under way.
    pub(crate) fn accept(&mut self) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            for (index, tool) in self.tools.iter_mut().enumerate() {
                tool.status = answer.status_of(index);
            }
            self.phase = BatchPhase::Answered;
            self.begun = Feedback::default();
            self.given_up = None;
        }
    }

    /// What is known about the answer that was sent changes; false where none was.
    pub(crate) fn set_fate(&mut self, to: DeliveryStatus) -> bool {
        if let BatchPhase::Submitting { delivery, .. } = &mut self.phase {
            *delivery = to;
            return true;
        }
        false
    }

    /// Why the fate of the answer that was sent is unknown, if it is.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        match &self.phase {
            BatchPhase::Submitting {
                delivery: DeliveryStatus::Checking(doubt) | DeliveryStatus::Unknown(doubt),
                ..
            } => Some(*doubt),
            _ => None,
        }
    }

    /// True while the stored messages are being read for what became of the answer, or for more runs.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.is_checked() || self.completeness == BatchCompleteness::Doubtful { checking: true }
    }

    /// True while the stored messages are being read for what became of the answer.
    pub(crate) fn is_checked(&self) -> bool {
        let delivery = match &self.phase {
            BatchPhase::Submitting { delivery, .. } => Some(delivery),
            _ => None,
        };
        matches!(delivery, Some(DeliveryStatus::Checking(_)))
    }

    /// Other statuses of its tools may have ended it, or allow or forbid an answer here.
    pub(crate) fn take_statuses(&mut self) {
        let mut tools = self.tools.iter();
        let is_decided = tools.all(|tool| tool.status != ApprovalStatus::Pending);
        match self.phase {
            _ if is_decided => self.was_decided(),
            BatchPhase::Deciding { .. } => self.forbid_what_cannot_be_answered(),
            BatchPhase::Unanswerable if self.can_be_answered() => self.phase = BatchPhase::DECIDING,
            _ => {}
        }
    }

    /// The statuses say that the batch was decided, perhaps by somebody else. What was typed to stop it, and did
    /// not, is left in `begun`; an answer of this page that did it, in `given_up`.
    pub(crate) fn was_decided(&mut self) {
        let arrived = self.arrived().cloned();
        let as_sent = match &self.phase {
            BatchPhase::Submitting { answer, .. } => arrived.as_ref() == Some(answer),
            _ => false,
        };
        self.elsewhere = match &self.phase {
            BatchPhase::Deciding { .. } | BatchPhase::Submitting { .. } => arrived.is_none(),
            BatchPhase::Answered | BatchPhase::Unanswerable => self.elsewhere,
        };
        self.put_feedback_aside();
        let words = arrived.as_ref().map(|it| it.words().unwrap_or_default());
        if as_sent || words == Some(self.begun.text.trim()) {
            self.begun = Feedback::default();
        }
        self.given_up = arrived;
        self.phase = BatchPhase::Answered;
        self.completeness = BatchCompleteness::Whole;
    }

    /// The answer of this page that the statuses carry out: the one that was sent, or the one that was given up.
    fn arrived(&self) -> Option<&BatchAnswer> {
        let sent = match &self.phase {
            BatchPhase::Submitting { answer, .. } => Some(answer),
            _ => None,
        };
        let sent = sent.filter(|_| self.doubt() != Some(Doubt::OtherTab));
        let same = |answer: &&BatchAnswer| {
            let mut tools = self.tools.iter().enumerate();
            tools.all(|(index, tool)| tool.status == answer.status_of(index))
        };
        sent.into_iter().chain(&self.given_up).find(same)
    }

    /// The service did not take the answer that is under way: it is to be decided again.
    pub(crate) fn reopen(&mut self, failure: Failure) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            if failure.kind == FailureKind::NotDelivered {
                self.given_up = Some(answer.clone());
            }
            self.phase = BatchPhase::Deciding {
                feedback: answer.feedback().cloned(),
                failure: Some(failure),
            };
            self.forbid_what_cannot_be_answered();
        }
    }

    /// True while a person can decide it on this page.
    #[must_use]
    pub fn is_deciding(&self) -> bool {
        matches!(self.phase, BatchPhase::Deciding { .. })
    }

    /// True where "approve" is a choice for every tool.
    #[must_use]
    pub fn can_be_approved(&self) -> bool {
        self.tools.iter().all(ToolRun::can_be_approved)
    }

    /// True once every tool has a verdict that can be sent.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let mut tools = self.tools.iter();
        !self.tools.is_empty() && tools.all(|tool| tool.decided().is_some())
    }

    /// The answer that carries out the choices; `None` until every tool is decided.
    #[must_use]
    pub fn decided(&self) -> Option<BatchAnswer> {
        let decided = self.tools.iter().map(ToolRun::decided);
        let each = decided.map(|decided| decided.map(|(verdict, raw)| (verdict, raw.clone())));
        BatchAnswer::decided(each.collect::<Option<_>>()?)
    }

    /// The answer that stops all tools with `feedback`; `None` where a request to echo is missing, or where a file of
    /// the feedback has not arrived.
    #[must_use]
    pub fn aborted(&self, feedback: &Feedback) -> Option<BatchAnswer> {
        let requests = self.tools.iter().map(|tool| tool.request.clone());
        BatchAnswer::aborted(requests.collect::<Option<_>>()?, feedback)
    }
}

impl BatchPhase {
    /// Nothing typed, nothing refused.
    pub(crate) const DECIDING: Self = Self::Deciding {
        feedback: None,
        failure: None,
    };
}

impl Verdict {
    /// The status it is answered with.
    #[must_use]
    pub fn status(self) -> ApprovalStatus {
        match self {
            Self::Approve => ApprovalStatus::Approved,
            Self::Deny => ApprovalStatus::Denied,
        }
    }
}
