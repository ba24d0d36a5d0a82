//! One batch of tool runs, and the arguments of earlier calls of its tools.

use assent_conversation::{ApprovalBatch, Conversation};

/// One batch of tool runs that needs a decision, or was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalView {
    /// The batch.
    pub batch: ApprovalBatch,
    /// The arguments of the last call of the same tool in this conversation, for each tool of a
    /// pending batch; `None` for a first call. Empty once nobody has to compare any more.
    pub before: Vec<Option<Arguments>>,
    /// The number of this request, from 1, and of all requests of its message.
    pub place: (usize, usize),
}

/// Names and values of arguments.
pub type Arguments = Vec<(String, String)>;

impl ApprovalView {
    pub(super) fn new(
        batch: &ApprovalBatch,
        conversation: &Conversation,
        place: (usize, usize),
    ) -> Self {
        let tools = batch.tools.iter().filter(|_| batch.is_pending());
        let before = tools.map(|tool| {
            let call = conversation.last_call(&batch.id, tool);
            call.map(|call| call.arguments.clone())
        });
        Self {
            before: before.collect(),
            batch: batch.clone(),
            place,
        }
    }
}
