//! One batch of tool runs as its card shows it, and the arguments of earlier calls of its tools.

use assent_conversation::{ApprovalBatch, Conversation, Millis};

/// One batch of tool runs that needs a decision, or was decided, as its card shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalView {
    /// The batch, as the core has it.
    pub batch: ApprovalBatch,
    /// For each tool of a pending batch, the arguments of the previous call of the same tool in
    /// this conversation; `None` for a first call. The list is empty once the batch is not pending,
    /// since nobody compares the arguments any more.
    pub before: Vec<Option<Arguments>>,
    /// The time at which the agent asked; `None` if that is not known.
    pub asked_at: Option<Millis>,
    /// The number of the batch in its message, from 1 on, and the number of the message's batches.
    pub place: (usize, usize),
}

/// The names and values of the arguments of one call, in the order in which they came.
pub type Arguments = Vec<(String, String)>;

impl ApprovalView {
    pub(super) fn new(
        batch: &ApprovalBatch,
        conversation: &Conversation,
        asked_at: Option<Millis>,
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
            asked_at,
            place,
        }
    }
}
