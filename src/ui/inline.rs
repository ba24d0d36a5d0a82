//! Parts of a line as nodes.

use assent_markdown::Inline;

use super::{
    element::{Element, el},
    icons, strings,
};

/// Puts the parts of a line at the end of `into`.
pub(super) fn inlines(into: Element, content: &[Inline]) -> Element {
    content.iter().fold(into, inline)
}

fn inline(into: Element, it: &Inline) -> Element {
    let within = |tag: &str, inner: &[Inline]| inlines(el(tag, ""), inner);
    let part = match it {
        Inline::Text(text) | Inline::FootnoteReference(text) => return into.text(text),
        Inline::Code(text) | Inline::Math { source: text, .. } => el("code", "").text(text),
        Inline::Emphasis(inner) => within("em", inner),
        Inline::Strong(inner) => within("strong", inner),
        Inline::Strikethrough(inner) => within("del", inner),
        Inline::Link { target, content } => within("a", content)
            .attr("href", target.as_str())
            .attr("title", target.as_str())
            .attr("target", "_blank")
            .attr("rel", "noopener noreferrer nofollow"),
        Inline::Image { source, alt } => {
            let origin = match &source.host {
                None => strings::IMAGE.to_owned(),
                Some(host) => [strings::IMAGE_FROM, " ", host].concat(),
            };
            let alt = el("span", "image-alt").attr("dir", "auto").text(alt);
            let origin = el("span", "image-host").attr("dir", "ltr").text(&origin);
            el("span", "image")
                .child(icons::image())
                .child(alt)
                .child(origin)
        }
        Inline::Break => el("br", ""),
    };
    into.child(part)
}
