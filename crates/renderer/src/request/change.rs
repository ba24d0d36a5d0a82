//! Changes since the last call of the same tool in this conversation, and of its definition since it
//! was accepted.

use assent_inspect::{Text, difference};
use web_sys::Element;

use super::{
    data::{Arguments, Comparison},
    node_builder::NodeBuilder,
    texts,
};
use crate::node::{DomResult, add};

/// Maximum number of characters of a quoted text.
const SHORT: usize = 80;

/// An argument, compared with the last call.
pub(super) enum Since<'a> {
    /// There was no last call, or it had the same value.
    Nothing,
    /// The last call did not have it.
    New,
    /// The last call had this value.
    Changed(&'a str),
}

/// Compares the argument at `place` with the last call. Repeated names are matched in order.
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

/// Appends the badge after the name of an argument.
pub(super) fn badge(nodes: &NodeBuilder, title: &Element, since: &Since) -> DomResult<()> {
    let word = match since {
        Since::Nothing => return Ok(()),
        Since::New => nodes.texts.get(texts::NEW_ARGUMENT),
        Since::Changed(_) => nodes.texts.get(texts::CHANGED_ARGUMENT),
    };
    nodes.append_text(title, " ")?;
    nodes.append(title, "span", "argument-badge", word)?;
    Ok(())
}

/// Appends the previous value.
pub(super) fn was(
    nodes: &NodeBuilder,
    row: &Element,
    since: &Since,
    now: &str,
    comparison: Comparison,
) -> DomResult<()> {
    let Since::Changed(before) = since else {
        return Ok(());
    };
    let Some(change) = difference(before, now) else {
        return Ok(());
    };
    let (was, is) = (Text::new(before), Text::new(now));
    let start = change.start.len();
    let removed = was.cut(start).1.cut(change.removed.len());
    let added = is.cut(start).1.cut(change.added.len()).0;
    let note = nodes.element("dd", "argument-was")?;
    note.set_attribute("dir", "auto")?;
    let label = match comparison {
        Comparison::LastCall => texts::LAST_TIME,
        Comparison::AcceptedDefinition => texts::ACCEPTED_BEFORE,
    };
    let last_time = || {
        nodes.append_text(&note, nodes.texts.get(label))?;
        nodes.append_text(&note, " ")
    };
    if before.is_empty() {
        last_time()?;
        nodes.append_text(&note, nodes.texts.get(texts::EMPTY))?;
    } else if is_short(before) {
        last_time()?;
        let value = nodes.element("bdi", "")?;
        nodes.inspected(&value, &was.cut(start).0)?;
        if !change.removed.is_empty() {
            marked(nodes, &value, "del", &removed.0)?;
        }
        nodes.inspected(&value, &removed.1)?;
        add(&note, &value)?;
    } else if is_short(change.removed) && is_short(change.added) {
        last_time()?;
        marked(nodes, &note, "del", &removed.0)?;
        nodes.append_text(&note, " ")?;
        nodes.append_text(&note, nodes.texts.get(texts::BECAME))?;
        nodes.append_text(&note, " ")?;
        marked(nodes, &note, "ins", &added)?;
    } else if comparison == Comparison::AcceptedDefinition {
        let label = nodes.texts.get(texts::WHAT_CHANGED);
        nodes.append_text(&note, label)?;
        let whole = nodes.scrolling(label)?;
        nodes.inspected(&whole, &was.cut(start).0)?;
        for (tag, text) in [("del", &removed.0), ("ins", &added)] {
            if !text.parts().is_empty() {
                marked(nodes, &whole, tag, text)?;
            }
        }
        nodes.inspected(&whole, &removed.1)?;
        add(&note, &whole)?;
    } else {
        let count = |text: &str| text.chars().count();
        let replaced = texts::replaced(nodes.texts, count(change.removed), count(change.added));
        nodes.append_text(&note, &replaced)?;
    }
    add(row, &note)
}

/// Appends the arguments of the last call that are missing now.
pub(super) fn gone(
    nodes: &NodeBuilder,
    root: &Element,
    before: &Arguments,
    now: &[(String, String)],
) -> DomResult<()> {
    let is_gone = |(name, _): &&(String, String)| now.iter().all(|(other, _)| other != name);
    let mut gone = before.iter().filter(is_gone).peekable();
    if gone.peek().is_none() {
        return Ok(());
    }
    let part = nodes.element("div", "gone")?;
    nodes.append(&part, "p", "", nodes.texts.get(texts::NOT_GIVEN_ANY_MORE))?;
    let list = nodes.element("ul", "")?;
    for (name, value) in gone {
        let row = nodes.element("li", "")?;
        isolated(nodes, &row, "argument-name", name)?;
        if is_short(value) {
            nodes.append_text(&row, " (")?;
            isolated(nodes, &row, "", value)?;
            nodes.append_text(&row, ")")?;
        }
        add(&list, &row)?;
    }
    add(&part, &list)?;
    add(root, &part)
}

fn isolated(nodes: &NodeBuilder, into: &Element, class: &str, text: &str) -> DomResult<()> {
    let isolated = nodes.element("bdi", class)?;
    nodes.inspected(&isolated, &Text::new(text))?;
    add(into, &isolated)
}

/// Appends a removed or added piece.
fn marked(nodes: &NodeBuilder, into: &Element, tag: &str, text: &Text) -> DomResult<()> {
    if text.parts().is_empty() {
        nodes.append(into, "em", "", nodes.texts.get(texts::NOTHING))?;
        return Ok(());
    }
    let marked = nodes.element(tag, "")?;
    let isolated = nodes.element("bdi", "")?;
    nodes.inspected(&isolated, text)?;
    add(&marked, &isolated)?;
    add(into, &marked)
}

fn is_short(text: &str) -> bool {
    text.chars().nth(SHORT).is_none() && !text.contains('\n')
}
