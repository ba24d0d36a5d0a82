//! What a person signs: the kind of an argument's value, and the characters in it that deceive.
//!
//! Names and values of arguments are hostile text of any length.
//! [`inspect`] returns what to show of them: the whole text as parts, nothing lost ([`Text`]), what the value is
//! ([`Kind`]), and what to look at ([`Finding`]).
//! [`difference`] says what changed since another value.
//! Everything is total, deterministic and linear in the text. Nothing here knows a DOM, and no sentence for people is
//! written here; the names of characters and scripts are data.

mod address;
mod difference;
mod finding;
mod hidden;
mod host;
#[doc(hidden)]
pub mod invariants;
mod json;
mod kind;
mod looks;
mod number;
mod path;
mod punycode;
mod script;
mod text;
mod word;

pub use address::{Address, Host, Mailbox};
pub use difference::{Difference, difference};
pub use finding::{Finding, Weight};
pub use kind::Kind;
pub use text::{Part, Size, Text, code_point};

use finding::Findings;

/// What to show of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The argument's name, whole.
    pub name: Text,
    /// Its value, whole.
    pub value: Text,
    /// What the value is.
    pub kind: Kind,
    /// How much the value is.
    pub size: Size,
    /// What to look at in name and value, each once, warnings before notes.
    pub findings: Vec<Finding>,
}

/// Inspects an argument.
///
/// `resolve` reads an absolute URL as the browser does that would open it, see [`Host`]; `None` where it cannot.
/// It is called at most once.
#[must_use]
pub fn inspect(name: &str, value: &str, resolve: &dyn Fn(&str) -> Option<Host>) -> Inspection {
    let mut findings = Findings::default();
    let (shown_name, shown_value) = (Text::new(name), Text::new(value));
    shown_name.find(&mut findings);
    shown_value.find(&mut findings);
    let kind = Kind::new(name, value, resolve, &mut findings);
    Inspection {
        name: shown_name,
        value: shown_value,
        kind,
        size: Size::new(value),
        findings: findings.0,
    }
}
