//! Tables of characters that can deceive a reader, and of the places where ordinary texts have
//! them.
//!
//! A character may be invisible or do more than it shows ([`effect_in_text`]), and letters of one
//! script look like letters of another one ([`Script`]). What follows from that is decided by the
//! users of the tables: `assent-inspect` explains arguments, `assent-markdown` compares the text of
//! a link with its host, and the widget escapes names where there is no renderer. Hosts and labels
//! are compared by their [`lower_case`]. No dependencies, no allocation, no `std`.

#![no_std]

mod hidden;
mod lower_case;
mod script;

pub use hidden::{CharacterEffect, effect, effect_in_text, is_invisible, name};
pub use lower_case::lower_case;
pub use script::{Script, digit_system, is_in, is_right_to_left, script};
