//! Texts by key: the page's own text if it gave one (property `strings`), else English.
//!
//! Names and numbers stand in braces, `{name}`; a text with a count has a form for each plural
//! category of the language, `newMessages.one`, `newMessages.few` (Unicode CLDR, Plural Rules).
//! Numbers are formatted for the language, by the browser's `Intl`.

mod catalog;
mod fill;
pub mod intl;
mod table;

pub use catalog::Texts;
pub use table::{Row, Table};

/// A text with one form.
#[derive(Clone, Copy)]
pub struct Text(#[doc(hidden)] pub Row);

/// A text with plural forms, with the count in `{count}`.
#[derive(Clone, Copy)]
pub struct Plural(#[doc(hidden)] pub Row);

/// Defines the constants of a table, and `TABLE` itself.
///
/// It begins with their visibility. A row of a text is `NAME, "key", "English";`, and one of a text
/// with plural forms `NAME, "key", "English of one", "English of {count}";`.
#[macro_export]
macro_rules! texts {
    (@one $vis:vis, $name:ident) => {
        $vis const $name: $crate::Text = $crate::Text(TABLE.row(Place::$name as u16));
    };
    (@one $vis:vis, $name:ident, $other:literal) => {
        $vis const $name: $crate::Plural = $crate::Plural(TABLE.row(Place::$name as u16));
    };
    ($vis:vis, $($name:ident, $key:literal, $english:literal $(, $other:literal)?;)*) => {
        /// The texts of this file.
        $vis static TABLE: $crate::Table =
            $crate::Table::new(concat!($($key, "\n", $english, "\n", $($other,)? "\n"),*));
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the constants are")]
        enum Place { $($name),* }
        $($crate::texts!(@one $vis, $name $(, $other)?);)*
    };
}
