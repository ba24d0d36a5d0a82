//! The nodes of code blocks. Each 50 lines have an element of their own, a group, so that the
//! browser does not lay out thousands of lines again for a new one.

use wasm_bindgen::JsCast;
use web_sys::{Element, Node, Text};

use crate::{
    node::{DomResult, append_text, button, set_attributes},
    renderer::Renderer,
    text::patch_text,
};

/// Number of lines of code in one group, which is an element; only the last group of a block may
/// have fewer.
const LINES_PER_GROUP: usize = 50;

impl Renderer {
    pub(crate) fn code(&self, language: &str, text: &str) -> DomResult {
        let block = self.element("div", "code")?;
        let head = self.element("div", "code-head")?;
        let label = self.element("span", "code-language")?;
        label.set_attribute("dir", "auto")?;
        append_text(&self.document, &label, &self.code_label(language))?;
        let buttons = self.element("span", "code-buttons")?;
        let wrap = button(&self.document, "wrap", &self.page.text("wrap"))?;
        wrap.set_attribute("aria-pressed", "false")?;
        let copy = button(&self.document, "copy", &self.page.text("copy"))?;
        copy.set_attribute("aria-label", &self.page.text("copyCode"))?;
        buttons.append_child(&wrap)?;
        buttons.append_child(&copy)?;
        head.append_child(&label)?;
        head.append_child(&buttons)?;
        let frame = self.element("pre", "")?;
        set_attributes(&frame, &[("dir", "ltr"), ("tabindex", "0")])?;
        let code = self.element("code", "")?;
        code.set_attribute("translate", "no")?;
        self.append_groups(&code, text)?;
        frame.append_child(&code)?;
        block.append_child(&head)?;
        block.append_child(&frame)?;
        if !language.is_empty() {
            block.set_attribute("data-language", language)?;
        }
        Ok(block)
    }

    fn code_label(&self, language: &str) -> String {
        if language.is_empty() {
            self.page.text("code")
        } else {
            language.to_owned()
        }
    }

    fn append_groups(&self, code: &Node, text: &str) -> DomResult<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let lines = first_group(rest);
            let group = self.element("span", "lines")?;
            append_text(&self.document, &group, lines)?;
            code.append_child(&group)?;
            rest = text_from(rest, lines.len());
        }
        Ok(())
    }

    /// Changes the text of a code block, which was the first `same` bytes of `new` and then `gone`,
    /// into `new`. Returns false if the block's nodes are not as expected, so that it has to be
    /// replaced.
    pub(crate) fn patch_code(
        &self,
        block: &Node,
        new: &str,
        same: usize,
        gone: &str,
    ) -> DomResult<bool> {
        let Some(code) = block.last_child().and_then(|frame| frame.first_child()) else {
            return Ok(false);
        };
        let same_text = new.get(..same).unwrap_or_default();
        let mut gone = gone;
        let mut written = 0;
        while let Some(group) = code.last_child() {
            let Some(text) = group
                .first_child()
                .and_then(|it| it.dyn_into::<Text>().ok())
            else {
                return Ok(false);
            };
            let (left, of_gone) = last_units(gone, text.length() as usize);
            let (_, of_same) = last_units(same_text, left);
            if !of_same.is_empty() {
                let start = same - of_same.len();
                let lines = first_group(text_from(new, start));
                patch_text(&text, &[of_same, of_gone].concat(), lines)?;
                written = start + lines.len();
                break;
            }
            code.remove_child(&group)?;
            gone = gone.strip_suffix(of_gone).unwrap_or_default();
        }
        self.append_groups(&code, text_from(new, written))?;
        Ok(true)
    }

    /// Changes the label that names the language of a code block from `old` to `new`. Returns false
    /// if the block has no label, so that it has to be replaced.
    pub(crate) fn patch_language(&self, block: &Element, old: &str, new: &str) -> DomResult<bool> {
        let label = block.first_child().and_then(|head| head.first_child());
        let Some(label) = label.filter(|_| old != new) else {
            return Ok(old == new);
        };
        label.set_text_content(Some(&self.code_label(new)));
        if new.is_empty() {
            block.remove_attribute("data-language")?;
        } else {
            block.set_attribute("data-language", new)?;
        }
        Ok(true)
    }
}

/// Returns the beginning of a code block's `text` that goes into one element: at most
/// `LINES_PER_GROUP` lines.
fn first_group(text: &str) -> &str {
    let mut ends = text.match_indices('\n').map(|(place, _)| place + 1);
    let end = ends.nth(LINES_PER_GROUP - 1).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// Returns the last `units` UTF-16 units of `text` as the second value. The first is the number of
/// units that `text` has too few, or 0.
fn last_units(text: &str, units: usize) -> (usize, &str) {
    let mut left = units;
    let mut place = text.len();
    for character in text.chars().rev() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(character.len_utf16());
        place -= character.len_utf8();
    }
    (left, text_from(text, place))
}

fn text_from(text: &str, from: usize) -> &str {
    text.get(from..).unwrap_or_default()
}
