//! Shows what changed in the arguments since the previous call of the same tool in this
//! conversation, and in the tool's definition since it was accepted.

use assent_inspect::{Difference, Inspection, Text, TextPart, difference, inspect};
use web_sys::Element;

use super::{
    data::{Arguments, Comparison, Rows},
    marks::shown_text,
    node_builder::NodeBuilder,
    texts,
};
use crate::node::{DomResult, append_element};

/// Maximum number of characters of a value of the previous call that is quoted whole below the new
/// one.
const SHORT_CHARACTERS: usize = 80;

/// What became of an argument since the previous call of the tool in this conversation.
pub(super) enum ArgumentChange {
    /// The previous call had another value of this argument.
    Changed(ChangedValue),
    /// The previous call did not have this argument.
    New,
    /// There was no previous call, or it had the same value of this argument.
    Nothing,
}

/// The value that an argument had in the previous call of the tool, and its value now.
pub(super) struct ChangedValue {
    before: String,
    now: String,
    /// True if both values are here as they are shown, JSON with a line for each member; false if
    /// they are here as they were received, because they would look the same.
    is_shown: bool,
}

impl ChangedValue {
    fn new(name: &str, before: &str, now: &str, inspection: &Inspection) -> Self {
        // JSON is compared as it is shown, with a line for each member.
        let shown = |inspection: &Inspection| plain_text(shown_text(inspection));
        let pair = [shown(&inspect(name, before, &|_| None)), shown(inspection)];
        let is_shown = pair[0] != pair[1];
        let [before, now] = if is_shown {
            pair
        } else {
            [before.to_owned(), now.to_owned()]
        };
        Self {
            before,
            now,
            is_shown,
        }
    }

    fn difference(&self) -> Option<Difference<'_>> {
        difference(&self.before, &self.now)
    }

    /// Returns the start and the end, in bytes, of what the shown value has and the previous value
    /// did not have; `None` if there is nothing to mark.
    pub(super) fn added_bytes(&self) -> Option<(usize, usize)> {
        let change = self.difference().filter(|_| self.is_shown)?;
        let start = change.start.len();
        Some((start, start + change.added.len())).filter(|_| !change.added.is_empty())
    }
}

impl ArgumentChange {
    /// Sets `data-change` of the argument's row, by which the style sheet marks a changed or new
    /// argument.
    pub(super) fn mark(&self, row: &Element) -> DomResult<()> {
        match self {
            Self::Changed(_) => row.set_attribute("data-change", "changed"),
            Self::New => row.set_attribute("data-change", "new"),
            Self::Nothing => Ok(()),
        }
    }
}

/// Returns what became of the argument with the index `place` since the previous call of the tool.
pub(super) fn compare_argument(
    rows: &Rows,
    place: usize,
    inspection: &Inspection,
) -> ArgumentChange {
    let (Some(before), Some((name, value))) = (&rows.before, rows.now.get(place)) else {
        return ArgumentChange::Nothing;
    };
    match previous_value(before, &rows.now, place) {
        None => ArgumentChange::New,
        Some(was) if was == value => ArgumentChange::Nothing,
        Some(was) => ArgumentChange::Changed(ChangedValue::new(name, was, value, inspection)),
    }
}

/// Returns the value that the argument with the index `place` had in the previous call; `None` if
/// that call did not have it. Of several arguments with the same name, the first belongs to the
/// first, and so on.
fn previous_value<'a>(before: &'a Arguments, now: &Arguments, place: usize) -> Option<&'a str> {
    let (name, _) = now.get(place)?;
    let is_named = |(other, _): &&(String, String)| other == name;
    let earlier = now.iter().take(place).filter(is_named).count();
    let (_, value) = before.iter().filter(is_named).nth(earlier)?;
    Some(value)
}

/// Returns the indices of `rows` in the order in which they are shown: arguments that changed since
/// the previous call, new ones, and the rest. Rows of a definition keep their order.
pub(super) fn display_order(rows: &Rows) -> Vec<usize> {
    let rank = |place: &usize| match (&rows.before, rows.now.get(*place), rows.comparison) {
        (Some(before), Some((_, value)), Comparison::LastCall) => {
            match previous_value(before, &rows.now, *place) {
                Some(was) if was == value => 2,
                Some(_) => 0,
                None => 1,
            }
        }
        _ => 0,
    };
    let mut places: Vec<usize> = (0..rows.now.len()).collect();
    places.sort_by_key(rank);
    places
}

/// Returns true if the previous call had the argument with the index `place` with the same value,
/// and a person approved that call.
pub(super) fn is_known(rows: &Rows, place: usize) -> bool {
    let (Some(before), Some((_, value))) = (&rows.before, rows.now.get(place)) else {
        return false;
    };
    let is_same = previous_value(before, &rows.now, place) == Some(value);
    is_same && rows.known.get(place) == Some(&true)
}

/// Returns `text` as it was received, without the marks for deceptive characters.
fn plain_text(text: &Text) -> String {
    let mut plain = String::new();
    for part in text.parts() {
        match part {
            TextPart::Plain(text) | TextPart::LookAlike { text, .. } => plain.push_str(text),
            TextPart::Hidden {
                character, times, ..
            } => plain.extend(std::iter::repeat_n(*character, *times)),
        }
    }
    plain
}

/// Appends the badge "new" or "changed" to the name of an argument; nothing if the argument is
/// neither.
pub(super) fn append_badge(
    nodes: &NodeBuilder,
    title: &Element,
    since: &ArgumentChange,
) -> DomResult<()> {
    let word = match since {
        ArgumentChange::Nothing => return Ok(()),
        ArgumentChange::New => texts::NEW_ARGUMENT,
        ArgumentChange::Changed(_) => texts::CHANGED_ARGUMENT,
    };
    nodes.append_text(title, " ")?;
    nodes.append_own_text(title, "span", "argument-badge", word)?;
    Ok(())
}

/// Appends to an argument's row the value that it had before, or what was replaced in a long one;
/// nothing if the argument did not change.
pub(super) fn append_previous_value(
    nodes: &NodeBuilder,
    row: &Element,
    since: &ArgumentChange,
    comparison: Comparison,
) -> DomResult<()> {
    let ArgumentChange::Changed(pair) = since else {
        return Ok(());
    };
    let Some(change) = pair.difference() else {
        return Ok(());
    };
    let before = &pair.before;
    let (was, is) = (Text::new(before), Text::new(&pair.now));
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
        nodes.append_inspected(&value, &was.cut(start).0)?;
        if !change.removed.is_empty() {
            append_marked(nodes, &value, "del", &removed.0)?;
        }
        nodes.append_inspected(&value, &removed.1)?;
        append_element(&note, &value)?;
    } else if is_short(change.removed) && is_short(change.added) {
        last_time()?;
        append_marked(nodes, &note, "del", &removed.0)?;
        nodes.append_text(&note, " ")?;
        nodes.append_text(&note, nodes.texts.get(texts::BECAME))?;
        nodes.append_text(&note, " ")?;
        append_marked(nodes, &note, "ins", &added)?;
    } else if comparison == Comparison::AcceptedDefinition {
        let label = nodes.texts.get(texts::WHAT_CHANGED);
        nodes.append_text(&note, label)?;
        let whole = nodes.scrolling_box(label)?;
        nodes.append_inspected(&whole, &was.cut(start).0)?;
        for (tag, text) in [("del", &removed.0), ("ins", &added)] {
            if !text.parts().is_empty() {
                append_marked(nodes, &whole, tag, text)?;
            }
        }
        nodes.append_inspected(&whole, &removed.1)?;
        append_element(&note, &whole)?;
    } else {
        let count = |text: &str| text.chars().count();
        let replaced =
            texts::replacement_text(nodes.texts, count(change.removed), count(change.added));
        nodes.append_text(&note, &replaced)?;
    }
    append_element(row, &note)
}

/// Returns true if the previous call had an argument that this one does not have.
pub(super) fn has_removed_arguments(rows: &Rows) -> bool {
    removed_arguments(rows).next().is_some()
}

fn removed_arguments(rows: &Rows) -> impl Iterator<Item = &(String, String)> {
    let is_gone = |(name, _): &&(String, String)| rows.now.iter().all(|(other, _)| other != name);
    rows.before.iter().flatten().filter(is_gone)
}

/// Appends a list of the arguments that the previous call had and this one does not have.
pub(super) fn append_removed(nodes: &NodeBuilder, root: &Element, rows: &Rows) -> DomResult<()> {
    if !has_removed_arguments(rows) {
        return Ok(());
    }
    let part = nodes.element("div", "gone")?;
    nodes.append_own_text(&part, "p", "", texts::NOT_GIVEN_ANY_MORE)?;
    let list = nodes.element("ul", "")?;
    for (name, value) in removed_arguments(rows) {
        let row = nodes.element("li", "")?;
        append_isolated(nodes, &row, "argument-name", name)?;
        if is_short(value) {
            nodes.append_text(&row, " (")?;
            append_isolated(nodes, &row, "", value)?;
            nodes.append_text(&row, ")")?;
        }
        append_element(&list, &row)?;
    }
    append_element(&part, &list)?;
    append_element(root, &part)
}

fn append_isolated(nodes: &NodeBuilder, into: &Element, class: &str, text: &str) -> DomResult<()> {
    let isolated = nodes.element("bdi", class)?;
    nodes.append_inspected(&isolated, &Text::new(text))?;
    append_element(into, &isolated)
}

/// Appends what was removed from a value or added to it, in an element named `tag`; a word for
/// "nothing" if `text` is empty.
fn append_marked(nodes: &NodeBuilder, into: &Element, tag: &str, text: &Text) -> DomResult<()> {
    if text.parts().is_empty() {
        nodes.append_own_text(into, "em", "", texts::NOTHING)?;
        return Ok(());
    }
    let marked = nodes.element(tag, "")?;
    let isolated = nodes.element("bdi", "")?;
    nodes.append_inspected(&isolated, text)?;
    append_element(&marked, &isolated)?;
    append_element(into, &marked)
}

fn is_short(text: &str) -> bool {
    text.chars().nth(SHORT_CHARACTERS).is_none() && !text.contains('\n')
}
