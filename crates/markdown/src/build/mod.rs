//! Builds the tree of blocks from the events of the parser, pulldown-cmark.

mod words;

use std::{iter::Peekable, ops::Range, vec::IntoIter};

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use crate::{
    Block, ImageSource, Inline, LinkTarget, ListItem, alert,
    definitions::{Definitions, Expansion},
    mask::{Formula, line_break_end},
    open::{
        Container, OpenContainer, Span, align, ends_inline, fence_language, is_inline, plain_text,
    },
    top::{BlockKind, Leaf, TopBlock},
};

/// Maximum depth of quotes, lists and emphasis inside each other. The content of a deeper one
/// becomes content of the one around it.
pub const MAX_DEPTH: usize = 48;

/// Builds the tree of blocks. It keeps the quotes, lists, links and so on that have begun and not
/// ended at the current event, the outermost first.
pub(crate) struct Builder<'read> {
    source: &'read str,
    /// The source as the parser sees it: formulas are masked, which means replaced byte by byte.
    masked: &'read str,
    /// The masked formulas that do not have their place in the tree yet, in the order of the text.
    formulas: Peekable<IntoIter<Formula>>,
    /// The position in the source at which the last formula in the tree ends.
    shown: usize,
    known: &'read Definitions,
    open: Vec<OpenContainer>,
    growing: bool,
    root: Vec<TopBlock>,
    /// One entry for each tag of the parser that has not ended: true if `open` has an entry for it.
    pushed: Vec<bool>,
    /// Text that was not searched for addresses yet, because more of it may come.
    pending: String,
    /// Number of links that have not ended; addresses inside of a link become no links.
    links: usize,
    /// The range in the source of the current block that is in no other one.
    top: Range<usize>,
    kind: BlockKind,
    item: usize,
    notes: Vec<(String, usize)>,
    pub(crate) leaf: Option<Leaf>,
    pub(crate) expansion: Expansion,
}

impl<'read> Builder<'read> {
    pub(crate) fn new(
        source: &'read str,
        masked: &'read str,
        formulas: Vec<Formula>,
        known: &'read Definitions,
        growing: bool,
        expansion: Expansion,
    ) -> Self {
        Self {
            source,
            masked,
            formulas: formulas.into_iter().peekable(),
            shown: 0,
            known,
            growing,
            open: Vec::new(),
            root: Vec::new(),
            pushed: Vec::new(),
            pending: String::new(),
            links: 0,
            top: 0..0,
            kind: BlockKind::Other,
            item: 0,
            notes: Vec::new(),
            leaf: None,
            expansion,
        }
    }

    pub(crate) fn take_event(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.pushed.is_empty() {
            self.top = range.clone();
            self.kind = BlockKind::of(&event);
        } else if self.pushed.len() == 1 && matches!(event, Event::Start(Tag::Item)) {
            self.item = range.start;
        }
        self.note_leaf(&event, &range);
        match event {
            Event::Start(tag) => self.start_container(tag, range.start),
            Event::End(tag) => self.end_container(tag),
            Event::Text(text) => self.add_words(&text, range),
            Event::Code(code) => self.add_inline(Inline::Code(code.into_string())),
            // Raw HTML is text: markup of an answer cannot get into the page.
            Event::Html(html) => {
                let html = self.source_of(&html, &range);
                self.push_text(html);
            }
            Event::InlineHtml(html) => {
                let html = self.source_of(&html, &range);
                self.add_inline(match line_break_end(html.as_bytes(), 0) {
                    Some(_) => Inline::Break,
                    None => Inline::Text(html.to_owned()),
                });
            }
            Event::SoftBreak if range.start < self.shown || self.is_after_break() => {}
            Event::SoftBreak => self.push_text("\n"),
            Event::HardBreak => self.add_inline(Inline::Break),
            Event::Rule => self.add_block(Block::Rule),
            Event::TaskListMarker(done) => self.mark_task(done),
            Event::FootnoteReference(name) => {
                self.add_inline(Inline::FootnoteReference(name.into_string()));
            }
            // Not enabled: formulas are masked.
            Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn note_leaf(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let leaf = |line| {
            Some(Leaf {
                start: range.start,
                line,
            })
        };
        let verbatim = matches!(
            self.open.last(),
            Some(OpenContainer::Code(..) | OpenContainer::Html(_))
        );
        match event {
            Event::Start(Tag::Paragraph) => self.leaf = leaf(false),
            Event::Start(Tag::Heading { .. }) => self.leaf = leaf(true),
            // An empty cell was only added to fill the row.
            Event::Start(Tag::TableCell) if !range.is_empty() => self.leaf = leaf(true),
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) | Event::Rule => self.leaf = None,
            Event::Start(tag) if !is_inline(tag) => {}
            Event::End(_) | Event::SoftBreak | Event::HardBreak | Event::TaskListMarker(_) => {}
            // Text directly inside an item.
            _ if self.pending.is_empty()
                && !verbatim
                && !matches!(self.open.last(), Some(OpenContainer::Inlines(..))) =>
            {
                self.leaf = leaf(false);
            }
            _ => {}
        }
    }

    fn start_container(&mut self, tag: Tag<'_>, place: usize) {
        self.flush_text();
        if !is_inline(&tag) {
            self.close_tight_paragraph();
        }
        let open = match tag {
            Tag::Paragraph => Some(OpenContainer::Inlines(Span::Paragraph, Vec::new())),
            Tag::Heading { level, .. } => Some(OpenContainer::Inlines(
                Span::Heading(level as u8),
                Vec::new(),
            )),
            Tag::BlockQuote(_) => Some(OpenContainer::Blocks(Container::Quote, Vec::new())),
            Tag::CodeBlock(kind) => {
                let rest = self.source.get(place..).unwrap_or_default();
                let known = !self.growing || rest.contains('\n');
                let language = fence_language(&kind).filter(|_| known);
                Some(OpenContainer::Code(language, String::new()))
            }
            Tag::FootnoteDefinition(name) => {
                self.notes.push((name.to_string(), place));
                let container = Container::Footnote(name.into_string());
                Some(OpenContainer::Blocks(container, Vec::new()))
            }
            Tag::HtmlBlock => Some(OpenContainer::Html(String::new())),
            Tag::List(start) => Some(OpenContainer::List(start, Vec::new())),
            Tag::Item => Some(OpenContainer::Blocks(Container::Item(None), Vec::new())),
            Tag::Table(alignment) => {
                let alignment = alignment.into_iter().map(align).collect();
                Some(OpenContainer::Table(alignment, Vec::new(), Vec::new()))
            }
            Tag::TableHead | Tag::TableRow => Some(OpenContainer::Row(Vec::new())),
            Tag::TableCell => Some(OpenContainer::Inlines(Span::Cell, Vec::new())),
            Tag::Emphasis => Some(OpenContainer::Inlines(Span::Emphasis, Vec::new())),
            Tag::Strong => Some(OpenContainer::Inlines(Span::Strong, Vec::new())),
            Tag::Strikethrough => Some(OpenContainer::Inlines(Span::Strikethrough, Vec::new())),
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } => {
                self.links += 1;
                let target = match link_type {
                    LinkType::Email => LinkTarget::new(&format!("mailto:{dest_url}")),
                    _ => LinkTarget::new(self.address(link_type, &dest_url, &title, &id)),
                };
                Some(OpenContainer::Inlines(Span::Link(target), Vec::new()))
            }
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => {
                let source = ImageSource::new(self.address(link_type, &dest_url, &title, &id));
                Some(OpenContainer::Inlines(Span::Image(source), Vec::new()))
            }
            // Not enabled; their content still arrives and is kept.
            _ => None,
        };
        // Too deep: only what could nest without bound is flattened.
        let nests = open.as_ref().is_some_and(OpenContainer::can_nest);
        let open = open.filter(|_| !nests || self.open.len() < MAX_DEPTH);
        self.pushed.push(open.is_some());
        self.open.extend(open);
    }

    /// Returns the address of a link or image. One that refers to a label uses the label's first
    /// definition in the whole answer; its address is empty once such references have expanded too
    /// much.
    fn address<'a>(
        &mut self,
        link_type: LinkType,
        address: &'a str,
        title: &str,
        label: &str,
    ) -> &'a str
    where
        'read: 'a,
    {
        if matches!(link_type, LinkType::Inline | LinkType::Autolink) {
            return address;
        }
        let known: &'read Definitions = self.known;
        let (address, size) = match known.get(label) {
            Some(definition) => (definition.address.as_str(), definition.size),
            None => (address, address.len() + title.len()),
        };
        if self.expansion.try_spend(size) {
            address
        } else {
            ""
        }
    }

    fn end_container(&mut self, tag: TagEnd) {
        self.flush_text();
        if tag == TagEnd::Link {
            self.links = self.links.saturating_sub(1);
        }
        if !ends_inline(tag) {
            self.close_tight_paragraph();
        }
        if self.pushed.pop() == Some(true)
            && let Some(open) = self.open.pop()
        {
            self.close_container(open);
        }
    }

    fn close_container(&mut self, open: OpenContainer) {
        match open {
            OpenContainer::Blocks(Container::Quote, mut blocks) => {
                // The word is one level deeper.
                if self.open.len() + 1 < MAX_DEPTH {
                    alert::format_alert(&mut blocks);
                }
                self.add_block(Block::Quote(blocks));
            }
            OpenContainer::Blocks(Container::Item(task), blocks) => match self.open.last_mut() {
                Some(OpenContainer::List(_, items)) => items.push(ListItem { task, blocks }),
                // Its list was too deep.
                _ => blocks.into_iter().for_each(|block| self.add_block(block)),
            },
            OpenContainer::Blocks(Container::Footnote(name), blocks) => {
                self.add_block(Block::Footnote { name, blocks });
            }
            OpenContainer::List(start, items) => self.add_block(Block::List { start, items }),
            OpenContainer::Table(alignment, head, rows) => self.add_block(Block::Table {
                alignment,
                head,
                rows,
            }),
            OpenContainer::Row(cells) => {
                if let Some(OpenContainer::Table(_, head, rows)) = self.open.last_mut() {
                    if head.is_empty() {
                        *head = cells;
                    } else {
                        rows.push(cells);
                    }
                }
            }
            OpenContainer::Code(language, text) => self.add_block(Block::Code { language, text }),
            OpenContainer::Html(text) => {
                let text = text.trim_end();
                self.add_block(Block::Paragraph(match line_break_end(text.as_bytes(), 0) {
                    Some(length) if length == text.len() => vec![Inline::Break],
                    _ => vec![Inline::Text(text.to_owned())],
                }));
            }
            OpenContainer::Inlines(span, content) => self.close_span(span, content),
        }
    }

    fn close_span(&mut self, span: Span, content: Vec<Inline>) {
        match span {
            Span::Paragraph | Span::Tight => self.add_block(Block::Paragraph(content)),
            Span::Heading(level) => self.add_block(Block::Heading { level, content }),
            Span::Cell => {
                if let Some(OpenContainer::Row(cells)) = self.open.last_mut() {
                    cells.push(content);
                }
            }
            Span::Emphasis => self.add_inline(Inline::Emphasis(content)),
            Span::Strong => self.add_inline(Inline::Strong(content)),
            Span::Strikethrough => self.add_inline(Inline::Strikethrough(content)),
            Span::Link(Some(target)) => self.add_inline(Inline::Link { target, content }),
            Span::Link(None) => content
                .into_iter()
                .for_each(|inline| self.add_inline(inline)),
            Span::Image(source) => {
                let alt = plain_text(&content);
                self.add_inline(Inline::Image { source, alt });
            }
        }
    }

    fn add_block(&mut self, block: Block) {
        self.flush_text();
        self.close_tight_paragraph();
        match self.open.last_mut() {
            Some(OpenContainer::Blocks(_, blocks)) => blocks.push(block),
            Some(OpenContainer::List(_, items)) => items.push(ListItem {
                task: None,
                blocks: vec![block],
            }),
            _ => self.root.push(TopBlock {
                block,
                kind: self.kind,
                range: self.top.clone(),
                item: self.item,
            }),
        }
    }

    fn close_tight_paragraph(&mut self) {
        if matches!(
            self.open.last(),
            Some(OpenContainer::Inlines(Span::Tight, _))
        ) && let Some(open) = self.open.pop()
        {
            self.close_container(open);
        }
    }

    fn mark_task(&mut self, done: bool) {
        let item = self.open.iter_mut().rev().find_map(|open| match open {
            OpenContainer::Blocks(Container::Item(task), _) => Some(task),
            _ => None,
        });
        if let Some(task) = item {
            *task = Some(done);
        }
    }

    /// Closes what is still open. Returns the top-level blocks, and the names of the footnotes with
    /// the positions of their definitions.
    pub(crate) fn finish(mut self) -> (Vec<TopBlock>, Vec<(String, usize)>) {
        self.flush_text();
        while let Some(open) = self.open.pop() {
            self.close_container(open);
        }
        (self.root, self.notes)
    }
}
