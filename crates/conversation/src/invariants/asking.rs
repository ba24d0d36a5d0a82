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
}
