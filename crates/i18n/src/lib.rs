//! The widget's texts, each with a key: the page's own text if it gave one (property `strings`),
//! otherwise the English one.
//!
//! Names and numbers stand in braces, `{name}`; a text with a count has a form for each plural
//! category of the language, `newMessages.one`, `newMessages.few` (Unicode CLDR, Plural Rules).
//! Numbers are formatted for the language, by the browser's `Intl`.

mod catalog;
mod fill;
pub mod intl;
mod table;

pub use catalog::Texts;
pub use table::{Table, TextRow};

/// A text with one form, of which build scripts make a constant (`../locales/constants.rs`).
#[derive(Clone, Copy)]
pub struct Text(#[doc(hidden)] pub TextRow);

/// A text with a form for each plural category, in which `{count}` stands for the number.
#[derive(Clone, Copy)]
pub struct Plural(#[doc(hidden)] pub TextRow);
