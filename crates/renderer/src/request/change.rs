//! Changes since the last call of the same tool in this conversation.

use assent_inspect::{Text, difference};
use web_sys::Element;

use super::{data::Arguments, pen::Pen, texts};
use crate::node::{Made, add};

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
pub(super) fn badge(pen: &Pen, title: &Element, since: &Since) -> Made<()> {
    let word = match since {
        Since::Nothing => return Ok(()),
        Since::New => pen.texts.get(texts::NEW_ARGUMENT),
        Since::Changed(_) => pen.texts.get(texts::CHANGED_ARGUMENT),
    };
    pen.say(title, " ")?;
    pen.append(title, "span", "argument-badge", word)?;
    Ok(())
}

/// Appends the previous value.
pub(super) fn was(pen: &Pen, row: &Element, since: &Since, now: &str) -> Made<()> {
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
    let note = pen.element("dd", "argument-was")?;
    note.set_attribute("dir", "auto")?;
    let last_time = || {
        pen.say(&note, pen.texts.get(texts::LAST_TIME))?;
        pen.say(&note, " ")
    };
    if before.is_empty() {
        last_time()?;
        pen.say(&note, pen.texts.get(texts::EMPTY))?;
    } else if is_short(before) {
        last_time()?;
        let value = pen.element("bdi", "")?;
        pen.inspected(&value, &was.cut(start).0)?;
        if !change.removed.is_empty() {
            marked(pen, &value, "del", &removed.0)?;
        }
        pen.inspected(&value, &removed.1)?;
        add(&note, &value)?;
    } else if is_short(change.removed) && is_short(change.added) {
        last_time()?;
        marked(pen, &note, "del", &removed.0)?;
        pen.say(&note, " ")?;
        pen.say(&note, pen.texts.get(texts::BECAME))?;
        pen.say(&note, " ")?;
        marked(pen, &note, "ins", &added)?;
    } else {
        let count = |text: &str| text.chars().count();
        let replaced = texts::replaced(pen.texts, count(change.removed), count(change.added));
        pen.say(&note, &replaced)?;
    }
    add(row, &note)
}

/// Appends the arguments of the last call that are missing now.
pub(super) fn gone(
    pen: &Pen,
    root: &Element,
    before: &Arguments,
    now: &[(String, String)],
) -> Made<()> {
    let is_gone = |(name, _): &&(String, String)| now.iter().all(|(other, _)| other != name);
    let mut gone = before.iter().filter(is_gone).peekable();
    if gone.peek().is_none() {
        return Ok(());
    }
    let part = pen.element("div", "gone")?;
    pen.append(&part, "p", "", pen.texts.get(texts::NOT_GIVEN_ANY_MORE))?;
    let list = pen.element("ul", "")?;
    for (name, value) in gone {
        let row = pen.element("li", "")?;
        isolated(pen, &row, "argument-name", name)?;
        if is_short(value) {
            pen.say(&row, " (")?;
            isolated(pen, &row, "", value)?;
            pen.say(&row, ")")?;
        }
        add(&list, &row)?;
    }
    add(&part, &list)?;
    add(root, &part)
}

fn isolated(pen: &Pen, into: &Element, class: &str, text: &str) -> Made<()> {
    let isolated = pen.element("bdi", class)?;
    pen.inspected(&isolated, &Text::new(text))?;
    add(into, &isolated)
}

/// Appends a removed or added piece.
fn marked(pen: &Pen, into: &Element, tag: &str, text: &Text) -> Made<()> {
    if text.parts().is_empty() {
        pen.append(into, "em", "", pen.texts.get(texts::NOTHING))?;
        return Ok(());
    }
    let marked = pen.element(tag, "")?;
    let isolated = pen.element("bdi", "")?;
    pen.inspected(&isolated, text)?;
    add(&marked, &isolated)?;
    add(into, &marked)
}

fn is_short(text: &str) -> bool {
    text.chars().nth(SHORT).is_none() && !text.contains('\n')
}
