//! An answer's Markdown as a tree of safe blocks.
//!
//! CommonMark with tables, strikethrough, task lists, footnotes, bare addresses and formulas,
//! parsed by pulldown-cmark, which does not see what would mislead it (`mask`). Answers are hostile
//! input: raw HTML but line breaks becomes text, a link exists only with an allowed scheme, and an
//! image is only a description and never a request. Nesting is bounded, so that no input can
//! exhaust the stack of code that walks the tree. The crate does not depend on a DOM.

mod alert;
mod autolink;
mod block;
mod build;
mod definitions;
mod document;
mod footnotes;
#[cfg(feature = "invariants")]
pub mod invariants;
mod line_ends;
mod mask;
mod open;
mod read;
mod scan;
mod side;
mod target;
mod top;

pub use block::{Align, Block, Inline, ListItem};
pub use build::MAX_DEPTH;
pub use document::{Document, Update};
pub use read::parse;
pub use side::{direction_balance, direction_balance_of_items, direction_balance_of_rows};
pub use target::{ImageSource, LinkTarget};
