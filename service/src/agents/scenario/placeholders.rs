//! Placeholders in the texts of agent files: `{quote}`, `{outcome}`, `{feedback}`, `{scenarios}`
//! and `{n}`.
//!
//! Other braces are left as they are: texts show code.

use assent_protocol::ApprovalStatus;
use serde::{Deserialize, Serialize};

use super::super::agent::DecidedQuestion;
use crate::rules::content::UserContent;

/// Values that the placeholders stand for in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Values {
    /// The user's message as a Markdown quote.
    pub(super) quote: String,
    /// A list of the tools and what was decided about each.
    pub(super) outcome: String,
    /// The user's text with the decision, on one line.
    pub(super) feedback: String,
}

impl Values {
    /// Returns the values of the placeholders in a turn that answers this message.
    pub(super) fn of(content: &UserContent) -> Self {
        let text = content.stored_text();
        let lines = text.trim().lines().map(|line| format!("> {line}"));
        Self {
            quote: lines.collect::<Vec<_>>().join("\n"),
            ..Self::default()
        }
    }

    /// Sets the values of the placeholders that tell a person's decision.
    pub(super) fn set_decision(&mut self, outcome: &DecidedQuestion) {
        let lines = outcome.approvals.iter().map(|approval| {
            let word = match approval.status {
                ApprovalStatus::Approved => "approved, done",
                ApprovalStatus::Denied => "denied, skipped",
                ApprovalStatus::Aborted => "stopped",
                ApprovalStatus::Pending | ApprovalStatus::Other(_) => "not decided",
            };
            format!("- `{}` – {word}", approval.request.tool_name)
        });
        self.outcome = lines.collect::<Vec<_>>().join("\n");
        let feedback = &outcome.feedback;
        let images = feedback.images.iter().map(|id| format!("image {id}"));
        let documents = feedback.documents.iter().map(|id| format!("document {id}"));
        let text = feedback
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let text = Some(text).filter(|text| !text.is_empty());
        let said: Vec<_> = text.into_iter().chain(images).chain(documents).collect();
        self.feedback = if said.is_empty() {
            "(no feedback)".to_owned()
        } else {
            said.join(", ")
        };
    }
}

/// Returns `text` with its placeholders filled in; what is filled in is not searched again. `n` is
/// the number of the repetition of a text that is repeated; in any other, `{n}` is no placeholder
/// but, say, the limit of a sum.
pub(super) fn fill(text: &str, values: &Values, scenarios: &str, n: Option<usize>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (before, from_brace) = rest.split_at(start);
        filled.push_str(before);
        let number = n.map(|n| n.to_string());
        let known = [
            ("{quote}", Some(values.quote.as_str())),
            ("{outcome}", Some(&values.outcome)),
            ("{feedback}", Some(&values.feedback)),
            ("{scenarios}", Some(scenarios)),
            ("{n}", number.as_deref()),
        ];
        let found = known
            .iter()
            .find_map(|(name, value)| Some((from_brace.strip_prefix(name)?, (*value)?)));
        rest = if let Some((after, value)) = found {
            filled.push_str(value);
            after
        } else {
            filled.push('{');
            from_brace.get(1..).unwrap_or_default()
        };
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{Values, fill};

    #[test]
    fn placeholders_are_filled_once_and_other_braces_stay() {
        let values = Values {
            quote: "{n} and {feedback}".to_owned(),
            feedback: "no".to_owned(),
            ..Values::default()
        };
        let filled = fill("fn main() { {quote} } {n} {", &values, "", Some(3));
        assert_eq!(filled, "fn main() { {n} and {feedback} } 3 {");
    }

    #[test]
    fn what_is_not_repeated_keeps_its_n() {
        let filled = fill(r"\sum_{i=1}^{n} i", &Values::default(), "", None);
        assert_eq!(filled, r"\sum_{i=1}^{n} i");
    }
}
