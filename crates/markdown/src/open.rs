//! What the builder keeps of quotes, lists, links and so on that have not ended, and functions that
//! read the parser's tags.

use pulldown_cmark::{Alignment, CodeBlockKind, Tag, TagEnd};

use crate::{Align, Block, ImageSource, Inline, LinkTarget, ListItem};

pub(crate) enum OpenContainer {
    Blocks(Container, Vec<Block>),
    Inlines(Span, Vec<Inline>),
    List(Option<u64>, Vec<ListItem>),
    Table(Vec<Align>, Vec<Vec<Inline>>, Vec<Vec<Vec<Inline>>>),
    Row(Vec<Vec<Inline>>),
    Code(Option<String>, String),
    Html(String),
}

pub(crate) enum Container {
    Quote,
    Item(Option<bool>),
    Footnote(String),
}

pub(crate) enum Span {
    Paragraph,
    /// Text directly inside a list's item, for which the parser has no paragraph.
    Tight,
    Heading(u8),
    Cell,
    Emphasis,
    Strong,
    Strikethrough,
    Link(Option<LinkTarget>),
    Image(ImageSource),
}

impl OpenContainer {
    /// Returns true if containers of this kind can be inside each other without a limit, as quotes
    /// can, and tables cannot.
    pub(crate) fn can_nest(&self) -> bool {
        match self {
            Self::Blocks(..) | Self::List(..) => true,
            Self::Inlines(span, _) => matches!(
                span,
                Span::Emphasis
                    | Span::Strong
                    | Span::Strikethrough
                    | Span::Link(_)
                    | Span::Image(_)
            ),
            _ => false,
        }
    }
}

pub(crate) fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

pub(crate) fn ends_inline(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

pub(crate) fn fence_language(kind: &CodeBlockKind<'_>) -> Option<String> {
    let CodeBlockKind::Fenced(info) = kind else {
        return None;
    };
    info.split([' ', ',', '\t'])
        .find(|word| !word.is_empty())
        .map(str::to_owned)
}

pub(crate) fn align(alignment: Alignment) -> Align {
    match alignment {
        Alignment::None | Alignment::Left => Align::Start,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::End,
    }
}

pub(crate) fn plain_text(content: &[Inline]) -> String {
    let mut text = String::new();
    for inline in content {
        match inline {
            Inline::Text(part)
            | Inline::Code(part)
            | Inline::FootnoteReference(part)
            | Inline::Math { source: part, .. } => text.push_str(part),
            Inline::Emphasis(inner)
            | Inline::Strong(inner)
            | Inline::Strikethrough(inner)
            | Inline::Link { content: inner, .. } => text.push_str(&plain_text(inner)),
            Inline::Image { alt, .. } => text.push_str(alt),
            Inline::Break => text.push(' '),
        }
    }
    text
}
