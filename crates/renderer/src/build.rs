//! Creation of the nodes of Markdown's blocks. Each block is one element, so that an index in a
//! list of blocks is an index among the children of their parent, too.

use assent_markdown::{Align, Block, Inline, ListItem};
use web_sys::Element;

use crate::{
    line::shown_parts,
    node::{DomResult, append_element, append_text, set_attributes},
    renderer::Renderer,
};

impl Renderer {
    pub(crate) fn block(&self, block: &Block) -> DomResult {
        match block {
            Block::Paragraph(content) => self.line("p", content),
            Block::Heading { level, content } => self.heading(*level, content),
            Block::Code { language, text } => {
                self.code(language.as_deref().unwrap_or_default(), text)
            }
            Block::Quote(inner) => {
                let quote = self.element("blockquote", "")?;
                self.append_blocks(&quote, inner)?;
                Ok(quote)
            }
            Block::List { start, items } => self.list(*start, items),
            Block::Table {
                alignment,
                head,
                rows,
            } => self.table(alignment, head, rows),
            Block::Rule => self.element("hr", ""),
            Block::Footnote { name, blocks } => self.footnote(name, blocks),
        }
    }

    fn append_blocks(&self, into: &Element, blocks: &[Block]) -> DomResult<()> {
        for block in blocks {
            append_element(into, &self.block(block)?)?;
        }
        Ok(())
    }

    /// Creates an element named `tag` with the inline `content`. Its direction is that of its own
    /// text.
    fn line(&self, tag: &str, content: &[Inline]) -> DomResult {
        let line = self.element(tag, "")?;
        self.inlines(&line, &shown_parts(content))?;
        // Last: the browser computes the direction again with each child.
        line.set_attribute("dir", "auto")?;
        Ok(line)
    }

    /// Creates a heading for the level that the agent wrote. The widget's own heading is an `h2`,
    /// so that those of an answer begin with `h3`.
    fn heading(&self, level: u8, content: &[Inline]) -> DomResult {
        let (tag, level) = match level {
            1 => ("h3", "1"),
            2 => ("h4", "2"),
            3 => ("h5", "3"),
            _ => ("h6", "4"),
        };
        let heading = self.line(tag, content)?;
        heading.set_attribute("data-level", level)?;
        Ok(heading)
    }

    /// Creates a list. Its direction, and with it the side of its markers, is that of the answer.
    fn list(&self, start: Option<u64>, items: &[ListItem]) -> DomResult {
        let list = match start {
            Some(start) => {
                let list = self.element("ol", "")?;
                list.set_attribute("start", &start.to_string())?;
                list
            }
            None => self.element("ul", "")?,
        };
        for item in items {
            append_element(&list, &self.item(item)?)?;
        }
        set_marker_digits(&list, start, 0, items.len())?;
        Ok(list)
    }

    pub(crate) fn item(&self, item: &ListItem) -> DomResult {
        let into = match item.task {
            Some(done) => {
                let into = self.element("li", "task")?;
                append_element(&into, &self.task_mark(done)?)?;
                into
            }
            None => self.element("li", "")?,
        };
        for (place, block) in item.blocks.iter().enumerate() {
            append_element(&into, &self.item_block(place, block)?)?;
        }
        Ok(into)
    }

    /// Creates the nodes of a block of a list's item. The first paragraph, at `place` 0, stands in
    /// the item's line, beside its marker; its direction is that of the list.
    pub(crate) fn item_block(&self, place: usize, block: &Block) -> DomResult {
        match block {
            Block::Paragraph(content) if place == 0 => {
                let line = self.element("span", "")?;
                self.inlines(&line, &shown_parts(content))?;
                Ok(line)
            }
            other => self.block(other),
        }
    }

    fn task_mark(&self, done: bool) -> DomResult {
        let mark = self.element("input", "")?;
        set_attributes(&mark, &[("type", "checkbox"), ("disabled", "")])?;
        if done {
            mark.set_attribute("checked", "")?;
        }
        let name = self.page.text(if done { "done" } else { "notDone" });
        mark.set_attribute("aria-label", &name)?;
        Ok(mark)
    }

    /// Creates a table, which scrolls sideways inside its frame; the keyboard can focus it for
    /// that.
    fn table(
        &self,
        alignment: &[Align],
        head: &[Vec<Inline>],
        rows: &[Vec<Vec<Inline>>],
    ) -> DomResult {
        let frame = self.element("div", "table")?;
        let name = self.page.text("table");
        set_attributes(&frame, &[("role", "group"), ("aria-label", &name)])?;
        let table = self.element("table", "")?;
        table.set_attribute("tabindex", "0")?;
        let thead = self.element("thead", "")?;
        append_element(&thead, &self.row("th", alignment, head)?)?;
        let body = self.element("tbody", "")?;
        for row in rows {
            append_element(&body, &self.row("td", alignment, row)?)?;
        }
        table.append_child(&thead)?;
        table.append_child(&body)?;
        frame.append_child(&table)?;
        Ok(frame)
    }

    pub(crate) fn row(&self, tag: &str, alignment: &[Align], cells: &[Vec<Inline>]) -> DomResult {
        let row = self.element("tr", "")?;
        for (column, cell) in cells.iter().enumerate() {
            append_element(&row, &self.cell(tag, alignment.get(column), cell)?)?;
        }
        Ok(row)
    }

    pub(crate) fn cell(&self, tag: &str, align: Option<&Align>, content: &[Inline]) -> DomResult {
        let cell = self.line(tag, content)?;
        let align = match align {
            Some(Align::Center) => "center",
            Some(Align::End) => "end",
            Some(Align::Start) | None => "start",
        };
        cell.set_attribute("data-align", align)?;
        if tag == "th" {
            cell.set_attribute("scope", "col")?;
        }
        Ok(cell)
    }

    /// Creates the element of a footnote at its place in the answer. The references to it name its
    /// text as their description for screen readers.
    fn footnote(&self, name: &str, blocks: &[Block]) -> DomResult {
        let note = self.element("div", "footnote")?;
        let number = self.footnote_number(name);
        let label = self.page.text_with("footnote", "{name}", &number);
        set_attributes(&note, &[("role", "note"), ("aria-label", &label)])?;
        let mark = self.element("span", "footnote-name")?;
        mark.set_attribute("aria-hidden", "true")?;
        append_text(&self.document, &mark, &number)?;
        note.append_child(&mark)?;
        let text = self.element("div", "footnote-text")?;
        // Not on the note: its label would be the description.
        text.set_attribute("id", &self.footnote_id(name))?;
        self.append_blocks(&text, blocks)?;
        note.append_child(&text)?;
        Ok(note)
    }
}

/// Number of digits for which the style sheet leaves room before the items of every numbered list.
const USUAL_DIGITS: u32 = 2;

/// Sets `data-digits` of a list that had `old` items and has `new` ones: the number of digits of
/// its last item's number, if it is more than usual. The style sheet makes room for so many.
pub(crate) fn set_marker_digits(
    list: &Element,
    start: Option<u64>,
    old: usize,
    new: usize,
) -> DomResult<()> {
    let digits = unusual_digits(start, new);
    if digits == self::unusual_digits(start, old) {
        return Ok(());
    }
    match digits {
        Some(digits) => list.set_attribute("data-digits", &digits.to_string()),
        None => list.remove_attribute("data-digits"),
    }
}

/// Returns the number of digits of the number of a list's last item; `None` if it is at most
/// `USUAL_DIGITS`, or if the list has no numbers. The first of its `count` items has the number
/// `start`.
fn unusual_digits(start: Option<u64>, count: usize) -> Option<u32> {
    let last = start?.saturating_add(u64::try_from(count.checked_sub(1)?).ok()?);
    Some(last.checked_ilog10()? + 1).filter(|digits| *digits > USUAL_DIGITS)
}
