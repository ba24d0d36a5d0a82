//! What is true of the inspection of every argument, and of the difference of every two texts.
//! Property tests and fuzzing call these functions.

use crate::{Text, TextPart, TextSize, ValueKind, difference, inspect};

/// Inspects an argument, and checks that its text is kept and its findings are in order.
///
/// # Errors
///
/// The name of the violated rule.
pub fn check_argument(name: &str, value: &str) -> Result<(), String> {
    let seen = inspect(name, value, &|_| None);
    check_text(&seen.name, name)?;
    check_text(&seen.value, value)?;
    let sorted = seen.findings.iter().zip(seen.findings.iter().skip(1));
    ensure(
        sorted.clone().all(|(one, next)| one < next),
        "findings are sorted, each once",
    )?;
    let warn = sorted
        .clone()
        .all(|(one, next)| one.severity() <= next.severity());
    ensure(warn, "warnings come first")?;
    ensure(
        seen.size.characters == value.chars().count(),
        "characters are counted",
    )?;
    ensure(
        (seen.kind == ValueKind::Empty) == value.is_empty(),
        "nothing is empty but nothing",
    )?;
    ensure(
        inspect(name, value, &|_| None) == seen,
        "the same gives the same",
    )?;
    if let ValueKind::Json(pretty) = &seen.kind {
        let pretty = joined_parts(pretty);
        ensure(
            compact_json(&pretty) == compact_json(value),
            "JSON keeps its tokens",
        )?;
        let again = inspect(name, &pretty, &|_| None);
        let same = matches!(&again.kind, ValueKind::Json(again) if joined_parts(again) == pretty);
        ensure(same, "indented JSON stays as it is")?;
    }
    Ok(())
}

/// Compares two texts, and checks that the parts of the difference make up both.
///
/// # Errors
///
/// The name of the violated rule.
pub fn check_difference(before: &str, after: &str) -> Result<(), String> {
    let Some(found) = difference(before, after) else {
        return ensure(before == after, "only equal texts have no difference");
    };
    let join = |middle| [found.start, middle, found.end].concat();
    ensure(
        join(found.removed) == before,
        "the pieces are the text before",
    )?;
    ensure(join(found.added) == after, "the pieces are the text after")?;
    ensure(
        found.removed != found.added,
        "what is the same is no difference",
    )?;
    let text = Text::new(after);
    let (start, rest) = text.cut(found.start.len());
    let (added, end) = rest.cut(found.added.len());
    let cuts = [(start, found.start), (added, found.added), (end, found.end)];
    ensure(
        cuts.iter()
            .all(|(text, expected)| joined_parts(text) == *expected),
        "parts are cut where the text is",
    )
}

fn check_text(text: &Text, source: &str) -> Result<(), String> {
    ensure(joined_parts(text) == source, "nothing of the text is lost")?;
    let parts = text.parts();
    let is_empty = |part: &TextPart| match part {
        TextPart::Plain(text) | TextPart::LookAlike { text, .. } => text.is_empty(),
        TextPart::Hidden { times, .. } => *times == 0,
    };
    ensure(!parts.iter().any(is_empty), "no part is empty")?;
    let plain = |part: &TextPart| matches!(part, TextPart::Plain(_));
    let pairs = parts.iter().zip(parts.iter().skip(1));
    ensure(
        !pairs
            .into_iter()
            .any(|(one, next)| plain(one) && plain(next)),
        "plain text is one part",
    )?;
    let at = source.len() / 2;
    let (before, after) = text.cut(at);
    ensure(
        [joined_parts(&before), joined_parts(&after)].concat() == source,
        "a cut loses nothing",
    )?;
    ensure(
        source.is_char_boundary(at) <= (joined_parts(&before).len() == at),
        "a cut is where it should be",
    )?;
    ensure(
        TextSize::new(source).lines <= source.len(),
        "no line is made up",
    )
}

/// Returns the text that was split into the parts of `text`.
fn joined_parts(text: &Text) -> String {
    let mut whole = String::new();
    for part in text.parts() {
        match part {
            TextPart::Plain(text) | TextPart::LookAlike { text, .. } => whole.push_str(text),
            TextPart::Hidden {
                character, times, ..
            } => whole.extend(std::iter::repeat_n(*character, *times)),
        }
    }
    whole
}

/// Returns JSON without the space between its tokens.
fn compact_json(json: &str) -> String {
    let (mut in_string, mut is_escaped) = (false, false);
    let mut keep = |character: char| {
        let keeps = in_string || !" \t\r\n".contains(character);
        in_string ^= character == '"' && !is_escaped;
        is_escaped = in_string && character == '\\' && !is_escaped;
        keeps
    };
    json.trim()
        .chars()
        .filter(|character| keep(*character))
        .collect()
}

fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}
