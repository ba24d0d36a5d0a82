//! An answer's Markdown as a tree of safe blocks.
//!
//! CommonMark with tables, strikethrough, task lists, footnotes, bare addresses and formulas, parsed by pulldown-cmark.
//! Answers are hostile input: raw HTML becomes text, a link exists only with an allowed scheme, an image is never a
//! request but a description of one, and nesting is bounded, so that no input can exhaust the stack of who walks the tree.
//! Nothing here knows a DOM.

mod autolink;
mod block;
mod build;
mod definitions;
mod document;
mod footnotes;
pub mod invariants;
mod open;
mod read;
mod target;

pub use block::{Align, Block, Inline, ListItem};
pub use build::MAX_DEPTH;
pub use document::{Document, Update};
pub use read::parse;
pub use target::{ImageSource, LinkTarget};
