//! Generates from bytes what a service asks for.

use assent_protocol::{ApprovalRequest, RawApprovalRequest};

use super::sequence::SequenceCheck;

/// A text that has to be opened before its tool can be approved.
const LONG_TEXT: &str = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

impl SequenceCheck<'_> {
    pub(super) fn any_requests(&mut self) -> Vec<RawApprovalRequest> {
        let count = self.next_byte() % 4;
        (0..count).map(|_| self.any_request()).collect()
    }

    pub(super) fn any_request(&mut self) -> RawApprovalRequest {
        RawApprovalRequest::from(&ApprovalRequest {
            tool_name: "mail".to_owned(),
            tool_arguments: vec![self.pick(&["short", LONG_TEXT], "short"), "x"]
                .into_iter()
                .map(|value| ("to".to_owned(), value.to_owned()))
                .collect(),
            tool_execution_id: self.pick(&["x0", "x1", "x2", ""], "").into(),
            tool_execution_batch_id: self.any_batch(),
            // No byte of its own: the sequences would all mean something else.
            definition: vec![("description".to_owned(), "Sends.".to_owned())],
            grant_scopes: vec!["thread".to_owned()],
            ..ApprovalRequest::default()
        })
    }
}
