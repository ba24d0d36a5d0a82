//! What is not as it was when the same tool was last called in this conversation.

use assent_inspect::{Text, difference};
use leptos::prelude::*;

use super::inspected::inspected;
use crate::{
    ui::{
        element::{Element, el},
        strings,
    },
    view::Arguments,
};

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
    Some(el("span", "argument-badge").text(word).view())
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
    let note = el("dd", "argument-was").attr("dir", "auto");
    let note = if before.is_empty() {
        note.text(strings::LAST_TIME).text(" ").text(strings::EMPTY)
    } else if is_short(before) {
        let mut value = el("bdi", "").child(inspected(&was.cut(start).0));
        if !change.removed.is_empty() {
            value = value.child(marked("del", &removed.0));
        }
        let value = value.child(inspected(&removed.1));
        note.text(strings::LAST_TIME).text(" ").child(value)
    } else if is_short(change.removed) && is_short(change.added) {
        note.text(strings::LAST_TIME)
            .text(" ")
            .child(marked("del", &removed.0))
            .text(" ")
            .text(strings::BECAME)
            .text(" ")
            .child(marked("ins", &added))
    } else {
        let count = |text: &str| text.chars().count();
        note.text(&strings::replaced(
            count(change.removed),
            count(change.added),
        ))
    };
    Some(note.view())
}

/// The arguments of the last call that are not there any more.
pub(super) fn gone(before: Option<&Arguments>, now: &[(String, String)]) -> Option<AnyView> {
    let is_gone = |(name, _): &&(String, String)| now.iter().all(|(other, _)| other != name);
    let row = |(name, value): &(String, String)| {
        let name = el("bdi", "argument-name").child(inspected(&Text::new(name)));
        let row = el("li", "").child(name);
        if !is_short(value) {
            return row.view();
        }
        let value = el("bdi", "").child(inspected(&Text::new(value)));
        row.text(" (").child(value).text(")").view()
    };
    let gone: Vec<AnyView> = before?.iter().filter(is_gone).map(row).collect();
    (!gone.is_empty()).then(|| {
        el("div", "gone")
            .child(el("p", "").text(strings::NOT_GIVEN_ANY_MORE))
            .child(el("ul", "").children(gone))
            .view()
    })
}

/// A piece that was taken out or put in.
fn marked(tag: &str, text: &Text) -> Element {
    if text.parts().is_empty() {
        el("em", "").text(strings::NOTHING)
    } else {
        el(tag, "").child(el("bdi", "").child(inspected(text)))
    }
}

fn is_short(text: &str) -> bool {
    text.chars().nth(SHORT).is_none() && !text.contains('\n')
}
