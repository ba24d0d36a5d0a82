//! The texts of messages of several agents: what is said of a contribution.

use assent_conversation::ContributionState;
use assent_i18n::Text;

use super::english::*;

/// Returns the text of a contribution's state; `None` if nothing is shown of that state.
pub(in crate::components) fn contribution_state_text(state: ContributionState) -> Option<Text> {
    match state {
        ContributionState::Writing => Some(CONTRIBUTION_WRITING),
        ContributionState::Whole => None,
        ContributionState::Short => Some(CONTRIBUTION_SHORT),
    }
}
