//! Approvals: one batch, one decision of a person, one answer.
//!
//! The rules are those of the specification, Batch rules.
//! An answer is a [`BatchAnswer`], which can only be made from a batch that is wholly decided or wholly stopped;
//! a part of a batch, or a mix of stopping and deciding, has no value that could stand for it.

mod answer;
mod feedback;

use assent_protocol::{
    ApprovalRequest, ApprovalStatus, BatchId, ExecutionId, RawApprovalRequest, StoredToolApproval,
};

use crate::Failure;

pub use answer::{BatchAnswer, Claim, Decision};
pub use feedback::{Attachment, AttachmentState, Feedback, FileRef};

/// Texts of more characters than this are shown folded, and are to be opened before their tool can be approved.
const LONG_CHARACTERS: usize = 600;
/// The same for texts of more lines than this.
const LONG_LINES: usize = 12;

/// What a person decides about one tool run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Run it.
    Approve,
    /// Skip it.
    Deny,
}

/// One tool run that asks for approval. The streamed and the stored shape become this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRun {
    /// The tool, for comparing one call of it with the next; may be empty.
    pub tool: String,
    /// This run.
    pub execution: ExecutionId,
    /// The tool's display name.
    pub name: String,
    /// Who provides it.
    pub provider: String,
    /// Its category.
    pub category: String,
    /// Argument names and values, in the order they came.
    pub arguments: Vec<(String, String)>,
    /// As the service says it.
    pub status: ApprovalStatus,
    /// What the person chose so far.
    pub choice: Option<Verdict>,
    /// The streamed request; `None` where only the stored half is known, which cannot be answered.
    pub request: Option<RawApprovalRequest>,
    /// The long arguments that the person opened, by place.
    pub opened: Vec<usize>,
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
        fate: Fate,
    },
    /// The service accepted an answer.
    Answered,
    /// Pending at the service, but this page never saw the streamed request, whose `toolMemoryId` the answer needs.
    Unanswerable,
}

/// What is known about an answer that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
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

impl ToolRun {
    /// A run out of a streamed request; `None` where it names no execution or batch.
    #[must_use]
    pub fn streamed(raw: RawApprovalRequest) -> Option<(BatchId, Self)> {
        let request: ApprovalRequest = raw.read()?;
        let run = Self {
            tool: request.tool_id,
            execution: request.tool_execution_id,
            name: request.tool_name,
            provider: request.tool_provider,
            category: request.tool_category,
            arguments: request.tool_arguments,
            status: request.approval_result,
            choice: None,
            request: Some(raw),
            opened: Vec::new(),
        };
        Some((request.tool_execution_batch_id, run))
    }

    /// A run out of a stored message.
    #[must_use]
    pub fn stored(stored: &StoredToolApproval) -> (BatchId, Self) {
        let run = Self {
            tool: stored.tool_id.clone(),
            execution: stored.tool_execution_id.clone(),
            name: stored.name.clone(),
            provider: stored.provider.clone(),
            category: stored.category.clone(),
            arguments: stored.tool_arguments.clone(),
            status: stored.status.clone(),
            choice: None,
            request: None,
            opened: Vec::new(),
        };
        (stored.execution_batch_id.clone(), run)
    }

    /// True where the argument at `place` is too long to be read at a glance, and was not opened.
    #[must_use]
    pub fn is_folded(&self, place: usize) -> bool {
        let argument = self.arguments.get(place);
        let long = argument.is_some_and(|(name, value)| is_long(name) || is_long(value));
        long && !self.opened.contains(&place)
    }

    /// True where everything that approving would allow can be read, and the answer can be given.
    #[must_use]
    pub fn can_be_approved(&self) -> bool {
        self.request.is_some() && !(0..self.arguments.len()).any(|place| self.is_folded(place))
    }

    /// Gives the run the verdict, unless it approves what was not read.
    pub(crate) fn decide(&mut self, verdict: Verdict) {
        if verdict == Verdict::Deny || self.can_be_approved() {
            self.choice = Some(verdict);
        }
    }

    /// True where both are calls of one tool.
    pub(crate) fn is_same_tool(&self, other: &Self) -> bool {
        if self.tool.is_empty() || other.tool.is_empty() {
            self.name == other.name && self.provider == other.provider
        } else {
            self.tool == other.tool
        }
    }
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
        }
    }

    /// The service asks for this run: as one more of the batch, or once again. True if it was not asked for before.
    pub(crate) fn ask_again(&mut self, run: ToolRun) -> bool {
        let mut tools = self.tools.iter_mut();
        let known = tools.find(|tool| tool.execution == run.execution);
        let is_new = known.as_ref().is_none_or(|tool| tool.request.is_none());
        match known {
            Some(tool) => {
                // A choice was made for what was shown; what differs is to be read and decided anew.
                if tool.request != run.request {
                    *tool = run;
                }
            }
            None => self.tools.push(run),
        }
        if !matches!(self.phase, BatchPhase::Deciding { .. }) {
            self.phase = BatchPhase::DECIDING;
        }
        self.forbid_what_cannot_be_echoed();
        is_new
    }

    /// A batch with a run whose request this page never saw cannot be answered, for only the whole can.
    pub(crate) fn forbid_what_cannot_be_echoed(&mut self) {
        if self.tools.iter().any(|tool| tool.request.is_none()) {
            self.phase = BatchPhase::Unanswerable;
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
        }
    }

    /// What is known about the answer that was sent changes; false where none was.
    pub(crate) fn set_fate(&mut self, to: Fate) -> bool {
        if let BatchPhase::Submitting { fate, .. } = &mut self.phase {
            *fate = to;
            return true;
        }
        false
    }

    /// Why the fate of the answer that was sent is unknown, if it is.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        match &self.phase {
            BatchPhase::Submitting {
                fate: Fate::Checking(doubt) | Fate::Unknown(doubt),
                ..
            } => Some(*doubt),
            _ => None,
        }
    }

    /// True while the stored messages are being read for what became of the answer.
    pub(crate) fn is_checked(&self) -> bool {
        let fate = match &self.phase {
            BatchPhase::Submitting { fate, .. } => Some(fate),
            _ => None,
        };
        matches!(fate, Some(Fate::Checking(_)))
    }

    /// The stored statuses say that the batch was decided, perhaps by somebody else.
    pub(crate) fn was_decided(&mut self) {
        let not_by_this = |answer: &BatchAnswer| {
            let mut tools = self.tools.iter().enumerate();
            tools.any(|(index, tool)| tool.status != answer.status_of(index))
        };
        self.elsewhere = match &self.phase {
            BatchPhase::Deciding { .. } => true,
            BatchPhase::Submitting { answer, .. } => {
                self.doubt() == Some(Doubt::OtherTab) || not_by_this(answer)
            }
            BatchPhase::Answered | BatchPhase::Unanswerable => self.elsewhere,
        };
        self.phase = BatchPhase::Answered;
    }

    /// The service did not take the answer that is under way: it is to be decided again.
    pub(crate) fn reopen(&mut self, failure: Failure) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            self.phase = BatchPhase::Deciding {
                feedback: answer.feedback().cloned(),
                failure: Some(failure),
            };
            self.forbid_what_cannot_be_echoed();
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

    /// True once every tool has a verdict and a request to echo.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.tools
            .iter()
            .all(|tool| tool.choice.is_some() && tool.request.is_some())
            && !self.tools.is_empty()
    }

    /// The answer that carries out the choices; `None` until every tool is decided.
    #[must_use]
    pub fn decided(&self) -> Option<BatchAnswer> {
        let each = self.tools.iter().map(|tool| {
            let unread = tool.choice == Some(Verdict::Approve) && !tool.can_be_approved();
            Some((tool.choice.filter(|_| !unread)?, tool.request.clone()?))
        });
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

/// True for a text that cannot be read at a glance.
fn is_long(text: &str) -> bool {
    text.chars().nth(LONG_CHARACTERS).is_some() || text.lines().nth(LONG_LINES).is_some()
}
