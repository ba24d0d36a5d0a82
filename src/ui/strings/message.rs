//! The texts of messages: their days, what can be done with them, and who contributed to them.

use assent_conversation::ContributionState;

pub(in crate::ui) const TODAY: &str = "Today";
pub(in crate::ui) const YESTERDAY: &str = "Yesterday";
pub(in crate::ui) const COPY: &str = "Copy";
pub(in crate::ui) const COPIED: &str = "Copied";
pub(in crate::ui) const COPY_ANSWER: &str = "Copy answer";
pub(in crate::ui) const COPY_AS_MARKDOWN: &str = "Copy as Markdown";

pub(in crate::ui) fn contribution_of(agent: &str) -> String {
    ["Contribution of ", agent].concat()
}

pub(in crate::ui) fn contribution_state(state: ContributionState) -> &'static str {
    match state {
        ContributionState::Writing => "writing…",
        ContributionState::Whole => "",
        ContributionState::Short => "cut short",
    }
}
