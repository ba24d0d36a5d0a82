//! Inline content of Markdown before it is drawn: a bounded number of its parts, and its plain
//! text.

use std::borrow::Cow;

use assent_markdown::Inline;

/// Maximum number of elements in one line, such as a paragraph or a cell; parts beyond it are shown
/// as plain text. No readable line comes near, but `*[` 50,000 times is 25,000 elements, and
/// browsers' layout time of a line grows faster than their number: they hang for a minute.
const MAX_ELEMENTS: usize = 1000;

/// Returns the parts of a line as they are drawn: all of `content`, or, if it has more than
/// `MAX_ELEMENTS`, with plain text in place of those beyond. They depend on `content` alone.
pub(crate) fn shown_parts(content: &[Inline]) -> Cow<'_, [Inline]> {
    if takes_all(content, &mut MAX_ELEMENTS.clone()) {
        Cow::Borrowed(content)
    } else {
        Cow::Owned(cut_parts(content, &mut MAX_ELEMENTS.clone()))
    }
}

/// Returns true if a line that may still have `left` elements can have all those of `content`.
/// Their number is subtracted from `left`.
fn takes_all(content: &[Inline], left: &mut usize) -> bool {
    content.iter().all(|part| match part {
        Inline::Text(_) => true,
        other => take_element(left) && takes_all(inner_parts(other), left),
    })
}

fn take_element(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

fn inner_parts(part: &Inline) -> &[Inline] {
    match part {
        Inline::Emphasis(inner)
        | Inline::Strong(inner)
        | Inline::Strikethrough(inner)
        | Inline::Link { content: inner, .. } => inner,
        _ => &[],
    }
}

/// Returns the parts of `content`, with plain text in place of those beyond the `left` elements
/// that the line may still have. Adjacent texts become one, as each node takes time, too.
fn cut_parts(content: &[Inline], left: &mut usize) -> Vec<Inline> {
    let mut parts = Vec::new();
    for part in content {
        let is_text = matches!(part, Inline::Text(_)) || !take_element(left);
        match (part, parts.last_mut()) {
            (part, Some(Inline::Text(text))) if is_text => plain_part(part, text),
            (part, _) if is_text => {
                let mut text = String::new();
                plain_part(part, &mut text);
                parts.push(Inline::Text(text));
            }
            (Inline::Emphasis(inner), _) => parts.push(Inline::Emphasis(cut_parts(inner, left))),
            (Inline::Strong(inner), _) => parts.push(Inline::Strong(cut_parts(inner, left))),
            (Inline::Strikethrough(inner), _) => {
                parts.push(Inline::Strikethrough(cut_parts(inner, left)));
            }
            (Inline::Link { target, content }, _) => parts.push(Inline::Link {
                target: target.clone(),
                content: cut_parts(content, left),
            }),
            (part, _) => parts.push(part.clone()),
        }
    }
    parts
}

/// Appends the plain text of the parts in `content` to `text`.
pub(crate) fn plain_text(content: &[Inline], text: &mut String) {
    for part in content {
        plain_part(part, text);
    }
}

fn plain_part(part: &Inline, text: &mut String) {
    match part {
        Inline::Text(part)
        | Inline::Code(part)
        | Inline::Math { source: part, .. }
        | Inline::FootnoteReference(part)
        | Inline::Image { alt: part, .. } => text.push_str(part),
        Inline::Emphasis(_)
        | Inline::Strong(_)
        | Inline::Strikethrough(_)
        | Inline::Link { .. } => plain_text(inner_parts(part), text),
        Inline::Break => text.push('\n'),
    }
}
