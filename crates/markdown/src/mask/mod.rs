//! Masks: bytes without a meaning in place of what would mislead the parser. These are formulas,
//! line breaks written as HTML, and characters beside emphasis in languages without spaces.
//!
//! A masked text has the length of its source, byte for byte, and the same lines. The parser's
//! positions therefore lead back to the source, and whatever turns out to be code or HTML is the
//! source again. A mask depends on nothing outside of its top-level block, except that a formula
//! over several lines is one block with all that it touches ([`FormulaRegions`]).

mod delimiter;
mod emphasis;
mod formulas;
mod html;
mod leaves;
mod lines;
mod money;
mod wide;

use std::ops::Range;

use crate::Inline;
pub(crate) use delimiter::OpenFormula;
use emphasis::MaskSpot;
pub(crate) use html::line_break_end;
pub(crate) use leaves::Leaves;
pub(crate) use lines::FormulaRegions;
pub(crate) use wide::{ends_address, is_wide_letter as is_spaceless};

/// The byte that stands in place of a masked one: the parser takes it for a part of a word.
pub(crate) const INERT_BYTE: u8 = 1;

/// A formula: its range in the text, and the inline content for the tree.
pub(crate) type Formula = (Range<usize>, Inline);

/// A text in which what would mislead the parser is replaced, and the formulas that were found in
/// it.
pub(crate) struct Masked {
    pub(crate) text: String,
    /// The formulas that were found in the text, in the order of their positions.
    pub(crate) formulas: Vec<Formula>,
    /// The formula that has begun and has no end at the end of the text; `None` if there is none.
    pub(crate) open: Option<OpenFormula>,
    regions: FormulaRegions,
    spots: Vec<MaskSpot>,
    has_formulas: bool,
}

/// Masks what would mislead the parser and can be found before it has run.
pub(crate) fn mask(source: &str) -> Masked {
    let mut bytes = MaskedBytes::new(source);
    Masked {
        regions: lines::mask_line_starts(source.as_bytes(), &mut bytes),
        text: bytes.text(),
        formulas: Vec::new(),
        open: None,
        spots: emphasis::find_spots(source),
        has_formulas: delimiter::may_be_in(source.as_bytes()),
    }
}

/// Returns where `source` has formulas that stand at the beginning of a line and may have several
/// lines.
pub(crate) fn formula_regions(source: &str) -> FormulaRegions {
    lines::mask_line_starts(source.as_bytes(), &mut MaskedBytes::new(source))
}

impl Masked {
    /// Returns true if the text may have more to mask, for which the parser has to tell which parts
    /// are words.
    pub(crate) fn needs_words(&self) -> bool {
        self.has_formulas || !self.spots.is_empty()
    }

    /// Masks what can be found only among the words of the text, which are in `leaves`.
    pub(crate) fn mask_words(&mut self, source: &str, leaves: &Leaves) {
        let mut bytes = MaskedBytes::new(&self.text);
        if self.has_formulas {
            formulas::mask_formulas(source, &leaves.all, &mut bytes, self);
        }
        emphasis::mask_emphasis(&self.spots, &leaves.all, &mut bytes);
        self.text = bytes.text();
    }
}

/// The bytes of a text while some of them are replaced by masks.
struct MaskedBytes(Vec<u8>);

impl MaskedBytes {
    fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }

    /// Replaces the byte at `place` by `value`. The caller has to replace all bytes of a character.
    fn set_byte(&mut self, place: usize, value: u8) {
        if let Some(byte) = self.0.get_mut(place) {
            *byte = value;
        }
    }

    fn mask_range(&mut self, places: Range<usize>) {
        if let Some(bytes) = self.0.get_mut(places) {
            bytes.fill(INERT_BYTE);
        }
    }

    /// Returns true if the byte at `place` is masked. In the source it is the first of a character
    /// of several bytes.
    fn is_masked(&self, place: usize) -> bool {
        self.0.get(place).is_some_and(u8::is_ascii)
    }

    fn text(self) -> String {
        String::from_utf8(self.0).unwrap_or_default()
    }
}
