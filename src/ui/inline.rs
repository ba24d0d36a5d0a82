//! Parts of a line as nodes.

use assent_markdown::Inline;
use leptos::prelude::*;

use super::{icons, strings};

pub(super) fn inlines(content: &[Inline]) -> AnyView {
    content.iter().map(inline).collect::<Vec<_>>().into_any()
}

fn inline(it: &Inline) -> AnyView {
    match it {
        Inline::Text(text) => text.clone().into_any(),
        Inline::Code(text) => view! { class="a", <code>{text.clone()}</code> }.into_any(),
        Inline::Emphasis(inner) => view! { class="a", <em>{inlines(inner)}</em> }.into_any(),
        Inline::Strong(inner) => view! { class="a", <strong>{inlines(inner)}</strong> }.into_any(),
        Inline::Strikethrough(inner) => view! { class="a", <del>{inlines(inner)}</del> }.into_any(),
        Inline::Link { target, content } => view! { class="a",
            <a
                href=target.as_str().to_owned()
                title=target.as_str().to_owned()
                target="_blank"
                rel="noopener noreferrer nofollow"
            >
                {inlines(content)}
            </a>
        }
        .into_any(),
        Inline::Image { source, alt } => {
            let origin = source.host.as_ref().map_or_else(
                || strings::IMAGE.to_owned(),
                |host| format!("{} {host}", strings::IMAGE_FROM),
            );
            view! { class="a",
                <span class="image">
                    {icons::image()}
                    <span class="image-alt" dir="auto">{alt.clone()}</span>
                    <span class="image-host" dir="ltr">{origin}</span>
                </span>
            }
            .into_any()
        }
        Inline::Break => view! { class="a", <br/> }.into_any(),
    }
}
