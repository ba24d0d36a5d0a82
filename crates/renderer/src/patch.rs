//! Changes of the nodes of a block that is still being written: nodes that stay the same are not
//! touched, and text grows in its node, so that a person's selection stays.

use assent_markdown::{Align, Block, Inline, ListItem};
use wasm_bindgen::JsCast;
use web_sys::{CharacterData, Element, Node};

use crate::{
    build::set_marker_digits,
    inline::disguised_host,
    line::shown_parts,
    node::{DomResult, child_from_end},
    renderer::Renderer,
    text::{common_prefix_len, patch_text},
};

/// Maximum number of new children that a line gets while it has the attribute `dir`. For more,
/// `dir` is removed until all are added: the browser computes the direction again with each child.
const MAX_CHILDREN_WITH_DIR: usize = 32;

impl Renderer {
    /// Changes the element of a block from showing `old` to showing `new`; returns false if the
    /// element has to be replaced.
    pub(crate) fn patch(&self, node: &Element, old: &Block, new: &Block) -> DomResult<bool> {
        match (old, new) {
            (Block::Paragraph(old), Block::Paragraph(new)) => self.patch_line(node, old, new),
            (
                Block::Heading { level, content },
                Block::Heading {
                    level: new_level,
                    content: new,
                },
            ) if level == new_level => self.patch_line(node, content, new),
            (
                Block::Code { language, text },
                Block::Code {
                    language: new_language,
                    text: new,
                },
            ) => {
                let language = language.as_deref().unwrap_or_default();
                let new_language = new_language.as_deref().unwrap_or_default();
                let same = common_prefix_len(text, new);
                let gone = text.get(same..).unwrap_or_default();
                Ok(self.patch_language(node, language, new_language)?
                    && self.patch_code(node, new, same, gone)?)
            }
            (Block::Quote(old), Block::Quote(new)) => self.patch_blocks(node, old, new),
            (
                Block::List { start, items },
                Block::List {
                    start: new_start,
                    items: new,
                },
            ) if start == new_start => {
                set_marker_digits(node, *start, items.len(), new.len())?;
                self.patch_items(node, items, new)
            }
            (
                Block::Table {
                    alignment,
                    head,
                    rows,
                },
                Block::Table {
                    alignment: new_alignment,
                    head: new_head,
                    rows: new,
                },
            ) if alignment == new_alignment => Ok(self
                .patch_head(node, alignment, head, new_head)?
                && self.patch_rows(node, alignment, rows, new)?),
            (
                Block::Footnote { name, blocks },
                Block::Footnote {
                    name: new_name,
                    blocks: new,
                },
            ) if name == new_name => match node.last_element_child() {
                Some(text) => self.patch_blocks(&text, blocks, new),
                None => Ok(false),
            },
            _ => Ok(old == new),
        }
    }

    fn patch_blocks(&self, parent: &Node, old: &[Block], new: &[Block]) -> DomResult<bool> {
        patch_children(
            parent,
            old,
            new,
            |node, old, new| self.patch_node(node, old, new),
            |_, block| Ok(self.block(block)?.into()),
        )
    }

    fn patch_node(&self, node: &Node, old: &Block, new: &Block) -> DomResult<bool> {
        match node.dyn_ref::<Element>() {
            Some(element) => self.patch(element, old, new),
            None => Ok(false),
        }
    }

    /// Changes the items at the end of a list from showing `old` to showing `new`; returns false if
    /// the list has to be replaced.
    pub(crate) fn patch_items(
        &self,
        list: &Node,
        old: &[ListItem],
        new: &[ListItem],
    ) -> DomResult<bool> {
        patch_children(
            list,
            old,
            new,
            |node, old, new| {
                let is_same_kind = old.task == new.task;
                Ok(is_same_kind && self.patch_item(node, &old.blocks, &new.blocks)?)
            },
            |_, item| Ok(self.item(item)?.into()),
        )
    }

    fn patch_item(&self, item: &Node, old: &[Block], new: &[Block]) -> DomResult<bool> {
        patch_children(
            item,
            old,
            new,
            |node, old, new| self.patch_node(node, old, new),
            |place, block| Ok(self.item_block(place, block)?.into()),
        )
    }

    fn patch_head(
        &self,
        frame: &Element,
        alignment: &[Align],
        old: &[Vec<Inline>],
        new: &[Vec<Inline>],
    ) -> DomResult<bool> {
        match frame.query_selector("thead > tr")? {
            Some(row) => self.patch_cells(&row, "th", alignment, old, new),
            None => Ok(false),
        }
    }

    /// Changes the rows at the end of a table's body from showing `old` to showing `new`; returns
    /// false if the table has to be replaced.
    pub(crate) fn patch_rows(
        &self,
        frame: &Element,
        alignment: &[Align],
        old: &[Vec<Vec<Inline>>],
        new: &[Vec<Vec<Inline>>],
    ) -> DomResult<bool> {
        let table = frame.first_element_child();
        let Some(body) = table.and_then(|table| table.last_element_child()) else {
            return Ok(false);
        };
        patch_children(
            &body,
            old,
            new,
            |row, old, new| self.patch_cells(row, "td", alignment, old, new),
            |_, row| Ok(self.row("td", alignment, row)?.into()),
        )
    }

    fn patch_cells(
        &self,
        row: &Node,
        tag: &str,
        alignment: &[Align],
        old: &[Vec<Inline>],
        new: &[Vec<Inline>],
    ) -> DomResult<bool> {
        patch_children(
            row,
            old,
            new,
            |cell, old, new| self.patch_line(cell, old, new),
            |column, cell| Ok(self.cell(tag, alignment.get(column), cell)?.into()),
        )
    }

    fn patch_line(&self, line: &Node, old: &[Inline], new: &[Inline]) -> DomResult<bool> {
        self.patch_inlines(line, &shown_parts(old), &shown_parts(new))
    }

    fn patch_inlines(&self, parent: &Node, old: &[Inline], new: &[Inline]) -> DomResult<bool> {
        let directed = parent
            .dyn_ref::<Element>()
            .filter(|it| new.len() > old.len() + MAX_CHILDREN_WITH_DIR && it.has_attribute("dir"));
        if let Some(line) = directed {
            line.remove_attribute("dir")?;
        }
        let done = patch_children(
            parent,
            old,
            new,
            |node, old, new| self.patch_inline(node, old, new),
            |_, part| self.inline(part),
        )?;
        if let Some(line) = directed {
            line.set_attribute("dir", "auto")?;
        }
        Ok(done)
    }

    fn patch_inline(&self, node: &Node, old: &Inline, new: &Inline) -> DomResult<bool> {
        match (old, new) {
            (Inline::Text(old), Inline::Text(new)) => patch_if_text(node, old, new),
            (Inline::Code(old), Inline::Code(new)) => match node.first_child() {
                Some(text) => patch_if_text(&text, old, new),
                None => Ok(false),
            },
            (Inline::Emphasis(old), Inline::Emphasis(new))
            | (Inline::Strong(old), Inline::Strong(new))
            | (Inline::Strikethrough(old), Inline::Strikethrough(new)) => {
                self.patch_inlines(node, old, new)
            }
            (
                Inline::Link { target, content },
                Inline::Link {
                    target: new_target,
                    content: new,
                },
            ) if target == new_target => {
                // The mark after the text would be in the way.
                let is_plain = disguised_host(target, content).is_none()
                    && disguised_host(target, new).is_none();
                Ok(is_plain && self.patch_inlines(node, content, new)?)
            }
            _ => Ok(false),
        }
    }
}

/// Changes the last children of `parent`, one for each of `old`, so that they show `new`. `patch`
/// changes a child, or returns false to have it replaced by what `make` creates. Returns false if
/// `parent` has too few children.
fn patch_children<T: PartialEq>(
    parent: &Node,
    old: &[T],
    new: &[T],
    patch: impl Fn(&Node, &T, &T) -> DomResult<bool>,
    make: impl Fn(usize, &T) -> DomResult<Node>,
) -> DomResult<bool> {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let mut child = child_from_end(parent, old.len() - same);
    if child.is_none() && same < old.len() {
        // Another script has changed the nodes.
        return Ok(false);
    }
    for (place, it) in new.iter().enumerate().skip(same) {
        let Some(node) = child else {
            parent.append_child(&make(place, it)?)?;
            continue;
        };
        child = node.next_sibling();
        let Some(before) = old.get(place) else {
            return Ok(false);
        };
        if before != it && !patch(&node, before, it)? {
            parent.replace_child(&make(place, it)?, &node)?;
        }
    }
    while let Some(node) = child {
        child = node.next_sibling();
        parent.remove_child(&node)?;
    }
    Ok(true)
}

fn patch_if_text(node: &Node, old: &str, new: &str) -> DomResult<bool> {
    match node.dyn_ref::<CharacterData>() {
        Some(text) => patch_text(text, old, new).map(|()| true),
        None => Ok(false),
    }
}
