//! Levels of headings as assistive technology is told them: without a gap, whatever levels the
//! agent wrote. How a heading looks follows from the written level.

use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::node::DomResult;

/// The level of the widget's own heading; those of an answer are below it.
const WIDGET_LEVEL: u32 = 2;

/// Sets `aria-level` of the headings in a block. `outline` has a bit for the written level of each
/// heading whose part of the answer is not over; each heading of the block changes it.
pub(crate) fn set_levels(block: &Element, outline: &mut u8) -> DomResult<()> {
    if block.has_attribute("data-level") {
        return set_level(block, outline);
    }
    let inner = block.query_selector_all("[data-level]")?;
    for index in 0..inner.length() {
        if let Some(heading) = inner.get(index).and_then(|it| it.dyn_into().ok()) {
            set_level(&heading, outline)?;
        }
    }
    Ok(())
}

fn set_level(heading: &Element, outline: &mut u8) -> DomResult<()> {
    let written = heading.get_attribute("data-level");
    let written: u32 = written.and_then(|it| it.parse().ok()).unwrap_or(1);
    let this = 1_u8 << written.min(7);
    *outline = *outline & (this - 1) | this;
    let level = WIDGET_LEVEL + outline.count_ones();
    heading.set_attribute("aria-level", &level.to_string())
}
