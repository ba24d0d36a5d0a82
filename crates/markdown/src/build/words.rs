//! Adding of text and other inline content to the tree. What the parser was not shown, such as
//! formulas, takes its place again.

use std::ops::Range;

use super::Builder;
use crate::{
    Inline, autolink,
    mask::{INERT_BYTE, line_break_end},
    open::{OpenContainer, Span},
};

impl<'read> Builder<'read> {
    /// Adds a text that the parser found, with the formulas and line breaks that were masked in it.
    pub(super) fn add_words(&mut self, words: &str, range: Range<usize>) {
        let written = self.source_of(words, &range);
        if matches!(
            self.open.last(),
            Some(OpenContainer::Code(..) | OpenContainer::Html(_))
        ) {
            return self.push_text(written);
        }
        let mut at = range.start.max(self.shown);
        if at == range.start
            && words.as_bytes().first() == Some(&INERT_BYTE)
            && let Some(length) = line_break_end(written.as_bytes(), 0)
        {
            self.add_inline(Inline::Break);
            at += length;
        }
        while let Some((formula, inline)) = self.formulas.next_if(|it| it.0.start < range.end) {
            if let Some(before) = self.source.get(at..formula.start) {
                self.push_text(before);
                self.add_inline(inline);
                at = formula.end;
                self.shown = at;
            }
        }
        if let Some(rest) = written.get(at - range.start..) {
            self.push_text(rest);
        }
    }

    /// Returns a text as it was written, without masks, if the parser passed it on unchanged;
    /// otherwise `text`, as the parser returned it.
    pub(super) fn source_of<'a>(&self, text: &'a str, range: &Range<usize>) -> &'a str
    where
        'read: 'a,
    {
        let source: &'read str = self.source;
        match source.get(range.clone()) {
            Some(written) if self.masked.get(range.clone()) == Some(text) => written,
            _ => text,
        }
    }

    pub(super) fn is_after_break(&self) -> bool {
        let last = match self.open.last() {
            Some(OpenContainer::Inlines(_, content)) => content.last(),
            _ => None,
        };
        self.pending.is_empty() && matches!(last, Some(Inline::Break))
    }

    pub(super) fn push_text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(OpenContainer::Code(_, code) | OpenContainer::Html(code)) => code.push_str(text),
            _ => self.pending.push_str(text),
        }
    }

    pub(super) fn add_inline(&mut self, inline: Inline) {
        self.flush_text();
        self.push_inline(inline);
    }

    /// Adds the text that several events brought as inline content, with the addresses in it as
    /// links.
    pub(super) fn flush_text(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.pending);
        if self.links > 0 {
            return self.push_inline(Inline::Text(text));
        }
        for inline in autolink::split_addresses(&text) {
            self.push_inline(inline);
        }
    }

    pub(super) fn push_inline(&mut self, inline: Inline) {
        let Some(OpenContainer::Inlines(_, content)) = self.open.last_mut() else {
            return self
                .open
                .push(OpenContainer::Inlines(Span::Tight, vec![inline]));
        };
        match (content.last_mut(), inline) {
            (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
            (_, inline) => content.push(inline),
        }
    }
}
