//! Helpers shared by the tests of this crate.
#![allow(dead_code, reason = "no test uses all of it")]

use assent_inspect::{Inspection, ParsedUrl, Severity, Text, TextPart, inspect};

/// Parses an address by the URL standard, as the browser does.
pub(crate) fn resolve(text: &str) -> Option<ParsedUrl> {
    let url = url::Url::parse(text).ok()?;
    Some(ParsedUrl {
        scheme: url.scheme().to_owned(),
        name: url.host_str().unwrap_or_default().to_owned(),
        port: url.port(),
        has_user: !url.username().is_empty() || url.password().is_some_and(|word| !word.is_empty()),
    })
}

pub(crate) fn look(name: &str, value: &str) -> Inspection {
    inspect(name, value, &resolve)
}

/// Returns the text that the parts represent.
pub(crate) fn whole(text: &Text) -> String {
    text.parts()
        .iter()
        .map(|part| match part {
            TextPart::Plain(text) | TextPart::LookAlike { text, .. } => text.clone(),
            TextPart::Hidden {
                character, times, ..
            } => character.to_string().repeat(*times),
        })
        .collect()
}

/// Writes a short notation: `[name]` for a warning, `(name)` for a note, `<script:letters>` for
/// look-alikes.
pub(crate) fn notation(text: &Text) -> String {
    text.parts()
        .iter()
        .map(|part| match part {
            TextPart::Plain(text) => text.clone(),
            TextPart::LookAlike { text, script } => format!("<{script}:{text}>"),
            TextPart::Hidden {
                name,
                severity,
                times,
                ..
            } => {
                let times = if *times > 1 {
                    format!(" {times}")
                } else {
                    String::new()
                };
                match severity {
                    Severity::Warning => format!("[{name}{times}]"),
                    Severity::Note => format!("({name}{times})"),
                }
            }
        })
        .collect()
}
