//! What is not as it was when the same tool was last called in this conversation.

use assent_inspect::{Text, difference};
use leptos::prelude::*;

use super::inspected::inspected;
use crate::{ui::strings, view::Arguments};

/// Texts of more characters than this are not quoted.
const SHORT: usize = 80;

/// An argument, beside the last call.
pub(super) enum Since<'a> {
    /// There was no last call, or it had the same.
    Nothing,
    /// The last call did not have it.
    New,
    /// The last call had this value.
    Changed(&'a str),
}

/// Compares the argument at `place` with the last call. Should a name come twice, so it is with its values.
pub(super) fn since<'a>(
    before: Option<&'a Arguments>,
    now: &[(String, String)],
    place: usize,
) -> Since<'a> {
    let (Some(before), Some((name, value))) = (before, now.get(place)) else {
        return Since::Nothing;
    };
    let is_named = |(other, _): &&(String, String)| other == name;
    let earlier = now.iter().take(place).filter(is_named).count();
    match before.iter().filter(is_named).nth(earlier) {
        None => Since::New,
        Some((_, was)) if was == value => Since::Nothing,
        Some((_, was)) => Since::Changed(was),
    }
}

/// The word behind the name of an argument.
pub(super) fn badge(since: &Since) -> Option<AnyView> {
    let word = match since {
        Since::Nothing => return None,
        Since::New => strings::NEW_ARGUMENT,
        Since::Changed(_) => strings::CHANGED_ARGUMENT,
    };
    Some(view! { class="a", " " <span class="argument-badge">{word}</span> }.into_any())
}

/// What the value was.
pub(super) fn was(since: &Since, now: &str) -> Option<AnyView> {
    let Since::Changed(before) = since else {
        return None;
    };
    let change = difference(before, now)?;
    let (was, is) = (Text::new(before), Text::new(now));
    let start = change.start.len();
    let removed = was.cut(start).1.cut(change.removed.len());
    let added = is.cut(start).1.cut(change.added.len()).0;
    let note = if before.is_empty() {
        view! { class="a", {strings::LAST_TIME} " " {strings::EMPTY} }.into_any()
    } else if is_short(before) {
        view! { class="a",
            {strings::LAST_TIME} " "
            <bdi>
                {inspected(&was.cut(start).0)}
                {(!change.removed.is_empty()).then(|| del(&removed.0))}
                {inspected(&removed.1)}
            </bdi>
        }
        .into_any()
    } else if is_short(change.removed) && is_short(change.added) {
        view! { class="a",
            {strings::LAST_TIME} " " {quoted(&removed.0, del)} " " {strings::BECAME} " " {quoted(&added, ins)}
        }
        .into_any()
    } else {
        let count = |text: &str| text.chars().count();
        strings::replaced(count(change.removed), count(change.added)).into_any()
    };
    Some(view! { class="a", <dd class="argument-was">{note}</dd> }.into_any())
}

/// The arguments of the last call that are not there any more.
pub(super) fn gone(before: Option<&Arguments>, now: &[(String, String)]) -> Option<AnyView> {
    let is_gone = |(name, _): &&(String, String)| now.iter().all(|(other, _)| other != name);
    let gone = before?.iter().filter(is_gone).map(|(name, value)| {
        let value = is_short(value).then(|| {
            view! { class="a", " (" <bdi>{inspected(&Text::new(value))}</bdi> ")" }.into_any()
        });
        let name = inspected(&Text::new(name));
        view! { class="a", <li><bdi class="argument-name">{name}</bdi> {value}</li> }.into_any()
    });
    let gone: Vec<AnyView> = gone.collect();
    (!gone.is_empty()).then(|| {
        view! { class="a",
            <div class="gone">
                <p>{strings::NOT_GIVEN_ANY_MORE}</p>
                <ul>{gone}</ul>
            </div>
        }
        .into_any()
    })
}

fn quoted(text: &Text, mark: fn(&Text) -> AnyView) -> AnyView {
    if text.parts().is_empty() {
        view! { class="a", <em>{strings::NOTHING}</em> }.into_any()
    } else {
        mark(text)
    }
}

fn del(text: &Text) -> AnyView {
    view! { class="a", <del><bdi>{inspected(text)}</bdi></del> }.into_any()
}

fn ins(text: &Text) -> AnyView {
    view! { class="a", <ins><bdi>{inspected(text)}</bdi></ins> }.into_any()
}

fn is_short(text: &str) -> bool {
    text.chars().nth(SHORT).is_none() && !text.contains('\n')
}
