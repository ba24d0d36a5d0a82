//! Generates from bytes what a service asks for.

use assent_protocol::{ApprovalRequest, RawApprovalRequest, StoredToolApproval};

use super::sequence::SequenceCheck;

/// A text that has to be opened before its tool can be approved.
const LONG_TEXT: &str = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

impl SequenceCheck<'_> {
    pub(super) fn any_requests(&mut self) -> Vec<RawApprovalRequest> {
        let count = self.next_byte() % 4;
        (0..count).map(|_| self.any_request()).collect()
    }

    pub(super) fn any_request(&mut self) -> RawApprovalRequest {
        let text = self.pick(&["short", LONG_TEXT], "short");
        let execution = self.pick(&["x0", "x1", "x2", ""], "");
        // No bytes of their own: the sequences would all mean something else.
        let is_known = matches!(execution, "x1" | "x2");
        let names = ["to", if is_known { "cc" } else { "to" }];
        let definition = ("description".to_owned(), "Sends.".to_owned());
        RawApprovalRequest::from(&ApprovalRequest {
            tool_id: if is_known { "post/mail" } else { "" }.to_owned(),
            tool_name: "mail".to_owned(),
            tool_arguments: std::iter::zip(names, [text, "x"])
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            tool_execution_id: execution.into(),
            tool_execution_batch_id: self.any_batch(),
            definition: if is_known { vec![] } else { vec![definition] },
            grant_scopes: vec!["thread".to_owned()],
            ..ApprovalRequest::default()
        })
    }

    /// Generates a stored request; some have all that the streamed request has.
    pub(super) fn any_stored_approval(&mut self) -> StoredToolApproval {
        let statuses = ["PENDING_HUMAN_APPROVAL", "APPROVED", "NEVER_SEEN"];
        let stored = StoredToolApproval {
            tool_execution_id: self.any_execution(),
            execution_batch_id: self.any_batch(),
            status: self.pick(&statuses, "").into(),
            tool_arguments: self.next_byte().is_multiple_of(2).then(Vec::new),
            ..StoredToolApproval::default()
        };
        if self.next_byte().is_multiple_of(2) {
            with_streamed_members(stored)
        } else {
            stored
        }
    }
}

/// Returns a stored request with all that the streamed request has.
pub(super) fn with_streamed_members(stored: StoredToolApproval) -> StoredToolApproval {
    let request = ApprovalRequest {
        tool_id: stored.tool_id.clone(),
        tool_name: stored.name.clone(),
        tool_provider: stored.provider.clone(),
        tool_category: stored.category.clone(),
        tool_execution_id: stored.tool_execution_id.clone(),
        tool_execution_batch_id: stored.execution_batch_id.clone(),
        tool_arguments: stored.tool_arguments.clone().unwrap_or_default(),
        ..ApprovalRequest::default()
    };
    StoredToolApproval {
        request: stored.tool_arguments.is_some().then(|| (&request).into()),
        ..stored
    }
}
