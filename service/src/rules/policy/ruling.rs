//! What was decided about a call, and what is told of a tool that is new or was changed.

use jiff::SignedDuration;

use super::{Action, EditableArgument, MAX_ARGUMENT_BYTES, ToldEffect, Tool};
use crate::{
    rules::{
        audit::DecisionSource,
        grant::{DefinitionFields, GrantOffer},
    },
    transcript::Effect,
};

/// The decision about one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    /// The action: the call runs by itself, a person is asked, or it never runs.
    pub(crate) action: Action,
    /// The effect of the call.
    pub(crate) effect: Effect,
    /// The reason for a person or the model; may be empty.
    pub(crate) why: String,
    /// The source of the decision: a rule, a grant or a limit.
    pub(crate) source: DecisionSource,
    /// The name of the rule, the limit or the grant that decided.
    pub(crate) rule: String,
    /// What a person is told of the effect; `None` if neither the policy nor the server says what
    /// it is.
    pub(crate) told: Option<ToldEffect>,
    /// What is said of a tool that is new or was changed since it was last accepted; `None` for any
    /// other tool.
    pub(crate) change: Option<DefinitionChange>,
    /// The grants that a person who is asked may give with the decision; `None` for any other call.
    pub(crate) grants: Option<GrantOffer>,
    /// The time for which a person who is asked may decide; `None` for ever, and for any other call.
    pub(crate) expires: Option<SignedDuration>,
    /// The arguments that a person who is asked may change before approving.
    pub(crate) editable: Vec<EditableArgument>,
}

/// What is said of a tool whose definition is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DefinitionChange {
    /// What the server says of the tool now; empty if that is too long for anybody to read, so that
    /// the definition cannot be accepted.
    pub(crate) now: DefinitionFields,
    /// What the server said when the tool was last accepted; empty if that is not known, or too
    /// long.
    pub(crate) formerly: DefinitionFields,
}

/// Text for a person about a tool whose definition was not accepted yet.
const CHANGED_DEFINITION: &str = "This tool is new, or was changed since it was last accepted.";

/// Text for a person about a tool whose definition cannot be shown.
const UNREADABLE_DEFINITION: &str = "What its server says of it is too long to be shown: \
                                     only single calls can be approved.";

impl DefinitionChange {
    pub(super) fn new(tool: &Tool, formerly: &DefinitionFields) -> Self {
        let length =
            |said: &DefinitionFields| said.iter().map(|(_, text)| text.len()).sum::<usize>();
        let now = tool.definition_fields();
        let readable = length(&now) + length(formerly) <= MAX_ARGUMENT_BYTES;
        Self {
            now: if readable {
                now
            } else {
                DefinitionFields::new()
            },
            formerly: if readable {
                formerly.clone()
            } else {
                DefinitionFields::new()
            },
        }
    }

    /// Returns the reason why a person is asked: `otherwise`, and behind it what is said of the
    /// definition.
    pub(super) fn reason(&self, otherwise: &str) -> String {
        let unreadable = if self.now.is_empty() {
            UNREADABLE_DEFINITION
        } else {
            ""
        };
        let why = format!("{otherwise} {CHANGED_DEFINITION} {unreadable}");
        why.trim().to_owned()
    }
}
