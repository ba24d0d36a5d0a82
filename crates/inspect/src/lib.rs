//! What a person signs: the kind of an argument's value, and the characters in it that deceive.
//!
//! Names and values of arguments are hostile text of any length.
//! [`inspect`] returns what to show of them: the whole text as parts, nothing lost ([`Text`]), what the value is
//! ([`Kind`]), and what to look at ([`Finding`]).
//! [`difference`] says what changed since another value.
//! Everything is total, deterministic and linear in the text, but for sorting the names of JSON members.
//! Nothing here knows a DOM, and no sentence for people is written here; the names of characters and scripts are data.
//!
//! # What is left alone
//!
//! Marks that are everywhere are read nowhere, so that ordinary texts of all languages give no finding: what a script or
//! an emoji needs is plain (the list is in `hidden.rs`), unusual spaces and the marks of direction in text that runs to
//! the left are notes, as are characters for private use and ordinary space that looks like nothing (`space.rs`), and
//! letters of two scripts in one word are marked only where the word would read the same in one of them (`word.rs`).
//! A word all in another alphabet is marked only beside Latin ones, and never one of Cyrillic capitals, because acronyms
//! are written so; words of the special letters of mathematics and phonetics are marked always.
//! Single letters, ASCII letters that resemble each other, letters that are bold, slanted or wide, and code points
//! without a character are not marked.
//! Four combining marks on a letter are left, and columns and indentation of texts with lines.
//! The other way around, a phonetic spelling such as `ɡɪv` gives a warning, and a Roman number of several special letters.
//! A URL inside of a longer text or of JSON is part of that text, and its host is not looked up.
//!
//! # Size
//!
//! The tables of Unicode are too big for a page: measured as a part of a WebAssembly module with the widget's core
//! (`opt-level = "z"`, fat LTO, aborting panics), after Brotli at quality 11, `unicode-script` adds 7 kB and 9 kB with
//! its extensions, the restriction levels of `unicode-security` add 12 kB and its skeletons 78 kB.
//! The scripts and pairs that matter here are ranges of their own, and this whole crate adds 10 kB.
//! The Punycode of `idna` adds 1 kB, no more than ours, but brings a dozen crates into the build.

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
mod space;
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
/// It is called at most once, but for each address where there are several.
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
