//! An answer in the page: the blocks of its Markdown, and the element that shows each of them.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use assent_markdown::{
    Block, Document, Update, direction_balance, direction_balance_of_items,
    direction_balance_of_rows,
};
use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

use crate::{
    build::set_marker_digits, events::AnswerListeners, headings, highlight::Painter, images, math,
    node::DomResult, page::Page, renderer::Renderer,
};

thread_local! {
    static NEXT_ANSWER_NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// Number of blocks of an answer that share one wrapping `<div>`. When the last child of an element
/// grows, browsers visit all its children, so that one element with all blocks would be slow.
const BLOCKS_PER_GROUP: usize = 8;

/// The nodes of one answer, which may still grow, and the blocks that they show.
pub(crate) struct RenderedAnswer {
    root: HtmlElement,
    groups: Vec<Element>,
    renderer: Renderer,
    text: Document,
    shown: Vec<ShownBlock>,
    /// The paragraphs that get `lang="en"` where the answer has them, whatever the language of the
    /// page is.
    english: Vec<Block>,
    /// The number of right-to-left letters that are shown, less the number of all other letters.
    balance: i64,
    /// The direction (`dir`) of most letters of the answer; `None` if there is no majority.
    direction: Option<&'static str>,
    painter: Rc<Painter>,
    _events: AnswerListeners,
}

struct ShownBlock {
    block: Block,
    element: Element,
    /// True if no later text can change the block, and what waits for that was done
    /// (`RenderedAnswer::settle_blocks`).
    is_settled: bool,
    /// The levels of the headings, as written, that the text after this block is a part of: a bit
    /// for each level. It is 0 until the block is settled.
    outline: u8,
}

impl RenderedAnswer {
    pub(crate) fn new(root: HtmlElement, page: &JsValue) -> DomResult<Self> {
        let page = Rc::new(Page::new(page));
        let document = root.owner_document().ok_or(JsValue::UNDEFINED)?;
        let events = AnswerListeners::new(&root, &page)?;
        images::register_answer(&root, &page);
        let painter = Painter::new(&page);
        let number = NEXT_ANSWER_NUMBER.replace(NEXT_ANSWER_NUMBER.get().wrapping_add(1));
        Ok(Self {
            root,
            groups: Vec::new(),
            renderer: Renderer {
                document,
                page,
                number,
                footnotes: RefCell::default(),
            },
            text: Document::new(),
            shown: Vec::new(),
            english: Vec::new(),
            balance: 0,
            direction: None,
            painter,
            _events: events,
        })
    }

    pub(crate) fn push(&mut self, text: &str) -> DomResult<()> {
        let update = self.text.push(text);
        self.apply(update)
    }

    pub(crate) fn finish(&mut self) -> DomResult<()> {
        let update = self.text.finish();
        self.apply(update)
    }

    pub(crate) fn reset(&mut self, text: &str, whole: bool) -> DomResult<()> {
        self.text = Document::new();
        self.renderer.footnotes.take();
        let update = self.text.push(text);
        let mut finished = update.finished;
        let mut blocks = Vec::new();
        update.apply(&mut blocks);
        if whole {
            let update = self.text.finish();
            finished = update.finished;
            update.apply(&mut blocks);
        }
        self.replace_from(0, blocks)?;
        self.set_direction()?;
        self.settle_blocks(0, finished)
    }

    /// Marks each paragraph whose Markdown is one of `sentences` as English, now and as the answer
    /// grows.
    pub(crate) fn mark_english(&mut self, sentences: &Array) -> DomResult<()> {
        let sentences = sentences.iter().filter_map(|it| it.as_string());
        self.english = sentences.filter_map(|it| only_block(&it)).collect();
        let mut settled = self.shown.iter().filter(|shown| shown.is_settled);
        settled.try_for_each(|it| it.mark_english(&self.english))
    }

    fn apply(&mut self, update: Update) -> DomResult<()> {
        let mut lowest = update.kept;
        for (place, block) in update.changed {
            lowest = lowest.min(place);
            self.show_block(place, block)?;
        }
        let mut blocks = update.blocks;
        let mut from = update.kept;
        if update.kept_within > 0 && !blocks.is_empty() {
            self.grow_block(update.kept, update.kept_within, blocks.remove(0))?;
            from += 1;
        }
        self.replace_from(from, blocks)?;
        self.set_direction()?;
        // Unsettled blocks are at the end.
        let unsettled = self.shown.iter().rev().take_while(|it| !it.is_settled);
        let lowest = lowest.min(self.shown.len() - unsettled.count());
        self.settle_blocks(lowest, update.finished)
    }

    /// Shows `blocks` in place of all blocks of the answer from the index `from` on.
    fn replace_from(&mut self, from: usize, blocks: Vec<Block>) -> DomResult<()> {
        let end = from + blocks.len();
        for (place, block) in (from..).zip(blocks) {
            self.show_block(place, block)?;
        }
        for gone in self.shown.drain(end.min(self.shown.len())..) {
            self.balance -= direction_balance(&gone.block);
            self.painter.forget(&gone.element);
            gone.element.remove();
        }
        let groups = self.shown.len().div_ceil(BLOCKS_PER_GROUP);
        for empty in self.groups.drain(groups.min(self.groups.len())..) {
            empty.remove();
        }
        Ok(())
    }

    /// Returns the wrapping element that the next block is appended to; adds one if the last is
    /// full.
    fn open_group(&mut self) -> DomResult<&Element> {
        if self.shown.len().is_multiple_of(BLOCKS_PER_GROUP) {
            let group = self.renderer.element("div", "blocks")?;
            if let Some(direction) = self.direction {
                group.set_attribute("dir", direction)?;
            }
            self.root.append_child(&group)?;
            self.groups.push(group);
        }
        self.groups.last().ok_or(JsValue::UNDEFINED)
    }

    /// Sets the direction of the answer to that of most letters. Lists, quotes and tables inherit
    /// it; lines of text have a direction of their own.
    fn set_direction(&mut self) -> DomResult<()> {
        let direction = direction(self.balance);
        if direction == self.direction {
            return Ok(());
        }
        self.direction = direction;
        for group in &self.groups {
            match direction {
                Some(direction) => group.set_attribute("dir", direction)?,
                None => group.remove_attribute("dir")?,
            }
        }
        Ok(())
    }

    fn show_block(&mut self, place: usize, block: Block) -> DomResult<()> {
        let Some(shown) = self.shown.get_mut(place) else {
            self.balance += direction_balance(&block);
            let element = self.renderer.block(&block)?;
            element.set_attribute("data-growing", "")?;
            self.open_group()?.append_child(&element)?;
            self.shown.push(ShownBlock {
                block,
                element,
                is_settled: false,
                outline: 0,
            });
            return Ok(());
        };
        if shown.block == block {
            return Ok(());
        }
        self.balance += direction_balance(&block) - direction_balance(&shown.block);
        shown.reopen(&self.painter)?;
        if !self.renderer.patch(&shown.element, &shown.block, &block)? {
            shown.replace(self.renderer.block(&block)?)?;
        }
        shown.block = block;
        Ok(())
    }

    /// Grows the block at the index `place`: keeps the first `kept` bytes of its code, or that many
    /// of its items or rows, and replaces the rest by those of `more`.
    fn grow_block(&mut self, place: usize, kept: usize, more: Block) -> DomResult<()> {
        let Some(shown) = self.shown.get_mut(place) else {
            return Ok(());
        };
        shown.reopen(&self.painter)?;
        let ShownBlock { block, element, .. } = shown;
        let renderer = &self.renderer;
        let done = match (&mut *block, more) {
            (Block::Code { text, .. }, Block::Code { text: more, .. }) => {
                let gone = text.split_off(floor_char_boundary(text, kept));
                let same = text.len();
                text.push_str(&more);
                renderer.patch_code(element, text, same, &gone)?
            }
            (Block::List { start, items }, Block::List { items: more, .. }) => {
                let count = items.len();
                let old = items.split_off(kept.min(count));
                self.balance +=
                    direction_balance_of_items(&more) - direction_balance_of_items(&old);
                let done = renderer.patch_items(element, &old, &more)?;
                items.extend(more);
                set_marker_digits(element, *start, count, items.len())?;
                done
            }
            (
                Block::Table {
                    rows, alignment, ..
                },
                Block::Table { rows: more, .. },
            ) => {
                let old = rows.split_off(kept.min(rows.len()));
                self.balance += direction_balance_of_rows(&more) - direction_balance_of_rows(&old);
                let done = renderer.patch_rows(element, alignment, &old, &more)?;
                rows.extend(more);
                done
            }
            (block, more) => {
                self.balance += direction_balance(&more) - direction_balance(block);
                *block = more;
                false
            }
        };
        if !done {
            let made = renderer.block(block)?;
            shown.replace(made)?;
        }
        Ok(())
    }

    /// Does what waits until a block is finished, for the blocks from the index `from` to
    /// `finished`: levels of headings, images, formulas and colours. No address in them can be
    /// incomplete any more.
    fn settle_blocks(&mut self, from: usize, finished: usize) -> DomResult<()> {
        let before = from.checked_sub(1).and_then(|it| self.shown.get(it));
        let mut outline = before.map_or(0, |before| before.outline);
        for (place, shown) in self.shown.iter_mut().enumerate().skip(from) {
            if place < finished && !shown.is_settled {
                shown.is_settled = true;
                headings::set_levels(&shown.element, &mut outline)?;
                shown.outline = outline;
                shown.element.remove_attribute("data-growing")?;
                let page = &self.renderer.page;
                images::load_allowed(&shown.element, page)?;
                math::set_formulas(&shown.element, page)?;
                self.painter.observe(&shown.element)?;
                shown.mark_english(&self.english)?;
            }
            outline = shown.outline;
        }
        Ok(())
    }
}

impl ShownBlock {
    /// Makes a settled block one that may change again: the colours of its code and its attribute
    /// `lang` are removed.
    fn reopen(&mut self, painter: &Painter) -> DomResult<()> {
        if self.is_settled {
            painter.forget(&self.element);
            self.is_settled = false;
            self.element.set_attribute("data-growing", "")?;
            self.element.remove_attribute("lang")?;
        }
        Ok(())
    }

    fn mark_english(&self, english: &[Block]) -> DomResult<()> {
        match english.contains(&self.block) {
            true => self.element.set_attribute("lang", "en"),
            false => Ok(()),
        }
    }

    fn replace(&mut self, element: Element) -> DomResult<()> {
        element.set_attribute("data-growing", "")?;
        self.element.replace_with_with_node_1(&element)?;
        self.element = element;
        Ok(())
    }
}

impl Drop for RenderedAnswer {
    fn drop(&mut self) {
        images::unregister_answer(&self.renderer.page);
    }
}

/// Returns the one block that the Markdown `text` consists of; `None` if it consists of several or
/// none.
fn only_block(text: &str) -> Option<Block> {
    let mut document = Document::new();
    let mut blocks = Vec::new();
    document.push(text).apply(&mut blocks);
    document.finish().apply(&mut blocks);
    blocks.pop().filter(|_| blocks.is_empty())
}

/// Returns the value of `dir` that most letters of an answer ask for; `None` if there is no
/// majority. `balance` is the number of its right-to-left letters, less that of the others.
fn direction(balance: i64) -> Option<&'static str> {
    match balance {
        0 => None,
        1.. => Some("rtl"),
        _ => Some("ltr"),
    }
}

/// Returns the last position between two characters of `text` that is not behind the byte position
/// `place`.
fn floor_char_boundary(text: &str, place: usize) -> usize {
    let mut place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}
