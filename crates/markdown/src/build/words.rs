//! Words and other inline content: what was masked takes its place again.

use std::ops::Range;

use super::Builder;
use crate::{
    Inline, autolink,
    open::{Open, Span},
};

impl<'read> Builder<'read> {
    /// Takes words, with what is masked in them.
    pub(super) fn words(&mut self, words: &str, range: Range<usize>) {
        let written = self.written(words, &range);
        if matches!(self.open.last(), Some(Open::Code(..) | Open::Html(_))) {
            return self.text(written);
        }
        let tokens = &self.masked.tokens;
        let first = tokens.partition_point(|(token, _)| token.end <= range.start);
        let mut at = range.start;
        for (token, inline) in tokens.iter().skip(first) {
            if token.start >= range.end {
                break;
            }
            if let Some(before) = self.source.get(at..token.start) {
                self.text(before);
                self.inline(inline.clone());
            }
            at = token.end.max(at);
        }
        if let Some(rest) = written.get(at - range.start..) {
            self.text(rest);
        }
    }

    /// Returns the source of a text, if it is not changed by the parser.
    pub(super) fn written<'a>(&self, text: &'a str, range: &Range<usize>) -> &'a str
    where
        'read: 'a,
    {
        let source: &'read str = self.source;
        match source.get(range.clone()) {
            Some(written) if self.masked.text.get(range.clone()) == Some(text) => written,
            _ => text,
        }
    }

    pub(super) fn is_masked(&self, place: usize) -> bool {
        let tokens = &self.masked.tokens;
        let next = tokens.partition_point(|(token, _)| token.end <= place);
        tokens
            .get(next)
            .is_some_and(|(token, _)| token.start < place)
    }

    pub(super) fn is_after_break(&self) -> bool {
        let last = match self.open.last() {
            Some(Open::Inlines(_, content)) => content.last(),
            _ => None,
        };
        self.pending.is_empty() && last == Some(&Inline::Break)
    }

    pub(super) fn text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(Open::Code(_, code) | Open::Html(code)) => code.push_str(text),
            _ => self.pending.push_str(text),
        }
    }

    pub(super) fn inline(&mut self, inline: Inline) {
        self.flush();
        self.add(inline);
    }

    /// Adds the pending text once it is complete: an address can be spread over several events.
    pub(super) fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.pending);
        if self.links > 0 {
            return self.add(Inline::Text(text));
        }
        for inline in autolink::split(&text) {
            self.add(inline);
        }
    }

    pub(super) fn add(&mut self, inline: Inline) {
        let Some(Open::Inlines(_, content)) = self.open.last_mut() else {
            return self.open.push(Open::Inlines(Span::Tight, vec![inline]));
        };
        match (content.last_mut(), inline) {
            (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
            (_, inline) => content.push(inline),
        }
    }
}
