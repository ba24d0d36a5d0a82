//! What a value is, judged by its text and, where that leaves it open, by the last word of the argument's name.

use crate::{Address, Finding, Host, Mailbox, Text};

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing at all.
    Empty,
    /// One line.
    Text,
    /// More than one line.
    Lines,
    /// A decimal number.
    Number,
    /// A number with a currency's sign or code, or under a name such as `amount`.
    Amount,
    /// A URL.
    Address(Address),
    /// An e-mail address.
    Email(Mailbox),
    /// A path of files.
    Path,
    /// A JSON object or array, as indented text: each value and key is spelled as it was, in its order.
    Json(Text),
}

impl Kind {
    pub(crate) fn new(
        _name: &str,
        value: &str,
        _resolve: &dyn Fn(&str) -> Option<Host>,
        _findings: &mut Vec<Finding>,
    ) -> Self {
        if value.is_empty() {
            Self::Empty
        } else if value.contains('\n') {
            Self::Lines
        } else {
            Self::Text
        }
    }
}
