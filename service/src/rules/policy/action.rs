//! What is done about a call.

use serde::Deserialize;

use super::conditions::Extent;

/// What a rule or the default decides about a call; a stricter action is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Action {
    /// The call runs without a person being asked.
    Auto,
    /// A person is asked about the call.
    #[default]
    Ask,
    /// The call never runs.
    Deny,
}

impl Action {
    pub(super) fn extent(self) -> Extent {
        match self {
            Self::Auto => Extent::All,
            Self::Ask | Self::Deny => Extent::Any,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}
