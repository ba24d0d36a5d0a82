//! Builds the tree from pulldown-cmark's events.

mod words;

use std::{iter::Peekable, ops::Range, vec::IntoIter};

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use crate::{
    Block, ImageSource, Inline, LinkTarget, ListItem, alert,
    definitions::{Definitions, Expansion},
    mask::{Formula, line_break},
    open::{Container, Open, Span, align, ends_inline, is_inline, language, plain_text},
    top::{Kind, Leaf, Top},
};

/// Maximum depth of nested containers; a deeper one is flattened into the one around it.
pub const MAX_DEPTH: usize = 48;

/// The builder of the tree, with the containers that are open at the current event, outermost
/// first.
pub(crate) struct Builder<'read> {
    source: &'read str,
    /// The source as the parser sees it.
    masked: &'read str,
    /// The formulas that are still to come.
    formulas: Peekable<IntoIter<Formula>>,
    /// The end of the last formula that was added, as a position in the source.
    shown: usize,
    known: &'read Definitions,
    open: Vec<Open>,
    growing: bool,
    root: Vec<Top>,
    /// One entry for each open tag: true if a container was pushed for it.
    pushed: Vec<bool>,
    /// Text that may still contain bare addresses.
    pending: String,
    /// Number of open links; a link cannot contain another.
    links: usize,
    /// Range of the current top-level block in the source.
    top: Range<usize>,
    kind: Kind,
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
            kind: Kind::Other,
            item: 0,
            notes: Vec::new(),
            leaf: None,
            expansion,
        }
    }

    pub(crate) fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.pushed.is_empty() {
            self.top = range.clone();
            self.kind = Kind::of(&event);
        } else if self.pushed.len() == 1 && matches!(event, Event::Start(Tag::Item)) {
            self.item = range.start;
        }
        self.note_leaf(&event, &range);
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.words(&text, range),
            Event::Code(code) => self.inline(Inline::Code(code.into_string())),
            // Raw HTML is text: markup of an answer cannot get into the page.
            Event::Html(html) => {
                let html = self.written(&html, &range);
                self.text(html);
            }
            Event::InlineHtml(html) => {
                let html = self.written(&html, &range);
                self.inline(match line_break(html.as_bytes(), 0) {
                    Some(_) => Inline::Break,
                    None => Inline::Text(html.to_owned()),
                });
            }
            Event::SoftBreak if range.start < self.shown || self.is_after_break() => {}
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            Event::TaskListMarker(done) => self.mark_task(done),
            Event::FootnoteReference(name) => {
                self.inline(Inline::FootnoteReference(name.into_string()));
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
        let verbatim = matches!(self.open.last(), Some(Open::Code(..) | Open::Html(_)));
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
                && !matches!(self.open.last(), Some(Open::Inlines(..))) =>
            {
                self.leaf = leaf(false);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, place: usize) {
        self.flush();
        if !is_inline(&tag) {
            self.close_tight();
        }
        let open = match tag {
            Tag::Paragraph => Some(Open::Inlines(Span::Paragraph, Vec::new())),
            Tag::Heading { level, .. } => {
                Some(Open::Inlines(Span::Heading(level as u8), Vec::new()))
            }
            Tag::BlockQuote(_) => Some(Open::Blocks(Container::Quote, Vec::new())),
            Tag::CodeBlock(kind) => {
                let rest = self.source.get(place..).unwrap_or_default();
                let known = !self.growing || rest.contains('\n');
                let language = language(&kind).filter(|_| known);
                Some(Open::Code(language, String::new()))
            }
            Tag::FootnoteDefinition(name) => {
                self.notes.push((name.to_string(), place));
                let container = Container::Footnote(name.into_string());
                Some(Open::Blocks(container, Vec::new()))
            }
            Tag::HtmlBlock => Some(Open::Html(String::new())),
            Tag::List(start) => Some(Open::List(start, Vec::new())),
            Tag::Item => Some(Open::Blocks(Container::Item(None), Vec::new())),
            Tag::Table(alignment) => {
                let alignment = alignment.into_iter().map(align).collect();
                Some(Open::Table(alignment, Vec::new(), Vec::new()))
            }
            Tag::TableHead | Tag::TableRow => Some(Open::Row(Vec::new())),
            Tag::TableCell => Some(Open::Inlines(Span::Cell, Vec::new())),
            Tag::Emphasis => Some(Open::Inlines(Span::Emphasis, Vec::new())),
            Tag::Strong => Some(Open::Inlines(Span::Strong, Vec::new())),
            Tag::Strikethrough => Some(Open::Inlines(Span::Strikethrough, Vec::new())),
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
                Some(Open::Inlines(Span::Link(target), Vec::new()))
            }
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => {
                let source = ImageSource::new(self.address(link_type, &dest_url, &title, &id));
                Some(Open::Inlines(Span::Image(source), Vec::new()))
            }
            // Not enabled; their content still arrives and is kept.
            _ => None,
        };
        // Too deep: only what could nest without bound is flattened.
        let nests = open.as_ref().is_some_and(Open::nests);
        let open = open.filter(|_| !nests || self.open.len() < MAX_DEPTH);
        self.pushed.push(open.is_some());
        self.open.extend(open);
    }

    /// Returns the address of a link or image; an earlier definition wins over one that the parser
    /// saw. The address is empty once references have expanded too much.
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
        if self.expansion.spend(size) {
            address
        } else {
            ""
        }
    }

    fn end(&mut self, tag: TagEnd) {
        self.flush();
        if tag == TagEnd::Link {
            self.links = self.links.saturating_sub(1);
        }
        if !ends_inline(tag) {
            self.close_tight();
        }
        if self.pushed.pop() == Some(true)
            && let Some(open) = self.open.pop()
        {
            self.close(open);
        }
    }

    fn close(&mut self, open: Open) {
        match open {
            Open::Blocks(Container::Quote, mut blocks) => {
                // The word is one level deeper.
                if self.open.len() + 1 < MAX_DEPTH {
                    alert::name(&mut blocks);
                }
                self.block(Block::Quote(blocks));
            }
            Open::Blocks(Container::Item(task), blocks) => match self.open.last_mut() {
                Some(Open::List(_, items)) => items.push(ListItem { task, blocks }),
                // Its list was too deep.
                _ => blocks.into_iter().for_each(|block| self.block(block)),
            },
            Open::Blocks(Container::Footnote(name), blocks) => {
                self.block(Block::Footnote { name, blocks });
            }
            Open::List(start, items) => self.block(Block::List { start, items }),
            Open::Table(alignment, head, rows) => self.block(Block::Table {
                alignment,
                head,
                rows,
            }),
            Open::Row(cells) => {
                if let Some(Open::Table(_, head, rows)) = self.open.last_mut() {
                    if head.is_empty() {
                        *head = cells;
                    } else {
                        rows.push(cells);
                    }
                }
            }
            Open::Code(language, text) => self.block(Block::Code { language, text }),
            Open::Html(text) => {
                let text = text.trim_end();
                self.block(Block::Paragraph(match line_break(text.as_bytes(), 0) {
                    Some(length) if length == text.len() => vec![Inline::Break],
                    _ => vec![Inline::Text(text.to_owned())],
                }));
            }
            Open::Inlines(span, content) => self.close_span(span, content),
        }
    }

    fn close_span(&mut self, span: Span, content: Vec<Inline>) {
        match span {
            Span::Paragraph | Span::Tight => self.block(Block::Paragraph(content)),
            Span::Heading(level) => self.block(Block::Heading { level, content }),
            Span::Cell => {
                if let Some(Open::Row(cells)) = self.open.last_mut() {
                    cells.push(content);
                }
            }
            Span::Emphasis => self.inline(Inline::Emphasis(content)),
            Span::Strong => self.inline(Inline::Strong(content)),
            Span::Strikethrough => self.inline(Inline::Strikethrough(content)),
            Span::Link(Some(target)) => self.inline(Inline::Link { target, content }),
            Span::Link(None) => content.into_iter().for_each(|inline| self.inline(inline)),
            Span::Image(source) => {
                let alt = plain_text(&content);
                self.inline(Inline::Image { source, alt });
            }
        }
    }

    fn block(&mut self, block: Block) {
        self.flush();
        self.close_tight();
        match self.open.last_mut() {
            Some(Open::Blocks(_, blocks)) => blocks.push(block),
            Some(Open::List(_, items)) => items.push(ListItem {
                task: None,
                blocks: vec![block],
            }),
            _ => self.root.push(Top {
                block,
                kind: self.kind,
                range: self.top.clone(),
                item: self.item,
            }),
        }
    }

    fn close_tight(&mut self) {
        if matches!(self.open.last(), Some(Open::Inlines(Span::Tight, _)))
            && let Some(open) = self.open.pop()
        {
            self.close(open);
        }
    }

    fn mark_task(&mut self, done: bool) {
        let item = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Blocks(Container::Item(task), _) => Some(task),
            _ => None,
        });
        if let Some(task) = item {
            *task = Some(done);
        }
    }

    /// Returns the top-level blocks, and the footnotes with their positions.
    pub(crate) fn finish(mut self) -> (Vec<Top>, Vec<(String, usize)>) {
        self.flush();
        while let Some(open) = self.open.pop() {
            self.close(open);
        }
        (self.root, self.notes)
    }
}
