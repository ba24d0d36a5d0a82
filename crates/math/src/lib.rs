//! Formulas as a separate WebAssembly module: TeX in, MathML out.
//!
//! Most conversations have no formula, so the page fetches this module when an answer first has
//! one. Unreadable TeX gives `None`, and the page shows the TeX itself.
//!
//! The markup is MathML Core, well nested, with only the elements and attributes of `markup.rs`: no
//! link, no address, no class, no identifier. `b`, `i`, `em`, `code`, `s`, `u` and `span` inside
//! `mtext` are elements of HTML. `style` holds declarations; under a strict policy they are set one
//! by one through `CSSStyleDeclaration`.
//!
//! # Why `math-core`
//!
//! Measured with the profile `wasm-release` and brotli at quality 11, with this module's interface
//! alone:
//!
//! | crate | wasm | brotli | findings |
//! |---|---:|---:|---|
//! | `math-core` 0.7.0 | 147,836 | 53,419 | MathML Core without a style sheet of its own; errors are values; no macros can be defined |
//! | `pulldown-latex` 0.8.0 | 193,876 | 65,510 | wants its style sheet; writes errors into the formula, `<` unescaped; macros, and an open report of one that overflows the stack |
//! | `latex2mathml` 0.2.3 | 93,202 | 30,251 | not maintained; many commands are missing |
//!
//! 0.7.0 is the last version that the toolchain of this workspace compiles. It writes the argument
//! of `\operatorname` unescaped, and it recurses for each argument: `markup.rs` and `depth.rs` do
//! not rely on it for either.

mod depth;
mod markup;

use math_core::{LatexToMathML, MathDisplay};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// Maximum length of a formula's TeX in bytes. It also limits recursion of the parser that `depth`
/// does not find.
const MAX_TEX_BYTES: usize = 2_000;

/// Returns the MathML of a formula; `None` if its TeX cannot be parsed, or is too long or too deep.
/// `display` is true for a formula on a line of its own, as in `$$…$$`.
#[wasm_bindgen]
#[must_use]
pub fn mathml(tex: &str, display: bool) -> Option<String> {
    let tex = without_comments(tex);
    if tex.trim().is_empty() || tex.len() > MAX_TEX_BYTES || !depth::has_bounded_depth(&tex) {
        return None;
    }
    let style = if display {
        MathDisplay::Block
    } else {
        MathDisplay::Inline
    };
    let converter = LatexToMathML::default();
    let result = converter.convert_with_local_state(&tex, style).ok()?;
    markup::check_markup(&result.mathml)
}

/// Returns the TeX without its comments, which go from a `%` to the end of the line.
fn without_comments(tex: &str) -> Cow<'_, str> {
    if !tex.contains('%') {
        return Cow::Borrowed(tex);
    }
    let mut kept = String::with_capacity(tex.len());
    let mut characters = tex.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => {
                characters.find(|character| *character == '\n');
            }
            '\\' => {
                kept.push(character);
                kept.extend(characters.next());
            }
            _ => kept.push(character),
        }
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests;
