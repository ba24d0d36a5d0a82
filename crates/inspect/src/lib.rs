//! Inspection of arguments before approval: the kind of a value, and the characters in it that
//! deceive.
//!
//! Names and values of arguments are hostile text of any length. [`inspect`] returns what to show
//! of them: the whole text as parts, nothing lost ([`Text`]), the kind of the value
//! ([`ValueKind`]), and the findings ([`Finding`]). [`difference`] compares with another value.
//! Everything is total, deterministic and linear in the text, except for sorting the names of JSON
//! members. The crate does not depend on a DOM and has no texts for the user; the names of
//! characters and scripts are data.
//!
//! # Exceptions
//!
//! People ignore warnings that are everywhere, so ordinary texts give no finding in any language.
//! Characters that a script or an emoji needs are plain (`assent-characters` lists them). Unusual
//! spaces and direction marks in right-to-left text are notes, as are characters for private use
//! and ordinary space that is invisible (`space.rs`). Letters of two scripts in one word are marked
//! only if the word would look the same in one of them (`word.rs`). A word all in another alphabet
//! is marked only beside Latin ones, and never one of Cyrillic capitals, because acronyms are
//! written so; words of the special letters of mathematics and phonetics are always marked. Single
//! letters, ASCII letters that resemble each other, letters that are bold, slanted or wide, and
//! code points without a character are not marked. Up to four combining marks on a letter are
//! accepted, and so are columns and indentation of texts with lines. On the other hand, a phonetic
//! spelling such as `ɡɪv` gives a warning, and so does a Roman number of several special letters. A
//! URL inside a longer text or JSON is part of that text, and its host is not resolved.
//!
//! # Size
//!
//! The tables of Unicode are too big for a page. They were measured as a part of a WebAssembly
//! module with the widget's core (`opt-level = "z"`, fat LTO, aborting panics), after Brotli at
//! quality 11. `unicode-script` adds 7 kB and 9 kB with its extensions, the restriction levels of
//! `unicode-security` add 12 kB and its skeletons 78 kB. The relevant scripts and pairs are ranges
//! of `assent-characters` and this crate, which add 10 kB in total. The Punycode of `idna` adds 1
//! kB, no more than ours, but brings a dozen crates into the build.

mod address;
mod among;
mod difference;
mod finding;
mod hidden;
mod host;
#[cfg(feature = "invariants")]
pub mod invariants;
mod json;
mod kind;
mod look_alikes;
mod number;
mod path;
mod punycode;
mod space;
mod text;
mod word;

pub use address::{Address, Mailbox, ParsedUrl};
pub use difference::{Difference, difference};
pub use finding::{Finding, Severity};
pub use hidden::hidden_finding as finding_of;
pub use kind::ValueKind;
pub use text::{Text, TextPart, TextSize, code_point_notation};

use finding::Findings;

/// What is to be shown of one argument: its name and value in parts, its kind, and the findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The argument's name, whole.
    pub name: Text,
    /// The argument's value, whole.
    pub value: Text,
    /// The kind of the value, such as a path or an address.
    pub kind: ValueKind,
    /// The number of characters and lines of the value.
    pub size: TextSize,
    /// Findings in name and value, each once, warnings before notes.
    pub findings: Vec<Finding>,
}

impl Inspection {
    /// Adds the finding that another argument of the call has the same name, so that only the tool
    /// knows which one counts.
    pub fn mark_repeated(&mut self) {
        let mut findings = Findings(std::mem::take(&mut self.findings));
        findings.add(Finding::RepeatedMember);
        self.findings = findings.0;
    }
}

/// Returns what is to be shown of an argument with this name and value, before a person decides
/// about the call.
///
/// `resolve` parses an absolute URL as the browser that would open it does, see [`ParsedUrl`]; it
/// returns `None` if the browser cannot open the URL. It is called at most once, or once for each
/// of several addresses.
#[must_use]
pub fn inspect(name: &str, value: &str, resolve: &dyn Fn(&str) -> Option<ParsedUrl>) -> Inspection {
    let mut findings = Findings::default();
    let (shown_name, shown_value) = (Text::new(name), Text::new(value));
    shown_name.add_findings(&mut findings);
    shown_value.add_findings(&mut findings);
    let kind = ValueKind::new(name, value, resolve, &mut findings);
    Inspection {
        name: shown_name,
        value: shown_value,
        kind,
        size: TextSize::new(value),
        findings: findings.0,
    }
}
