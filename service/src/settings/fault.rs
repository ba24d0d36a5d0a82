//! Faults of a file that the operator wrote, and their places: a place is found again in the text, so
//! that the message has the line.

use std::fmt;

use toml::de::{DeTable, DeValue};

/// A fault that was found after the file was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The place, from the outermost key on.
    place: Vec<PathStep>,
    reason: String,
}

/// One step on the way from the top of a file to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    /// The step into the value that a table has under this key.
    Name(String),
    /// The step into the value at this position of a list, counted from 0.
    Index(usize),
}

impl From<&str> for PathStep {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for PathStep {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<T: Into<String>> From<T> for Fault {
    fn from(reason: T) -> Self {
        Self {
            place: Vec::new(),
            reason: reason.into(),
        }
    }
}

/// For results whose error is a fault in a file: tells the fault which value of the file it is
/// about.
pub(crate) trait AtPlace<T> {
    /// Returns the same result; the place of a fault in it gets `key` as its new outermost step.
    fn at(self, key: impl Into<PathStep>) -> Result<T, Fault>;
}

impl<T, F: Into<Fault>> AtPlace<T> for Result<T, F> {
    fn at(self, key: impl Into<PathStep>) -> Result<T, Fault> {
        self.map_err(|fault| {
            let mut fault = fault.into();
            fault.place.insert(0, key.into());
            fault
        })
    }
}

impl fmt::Display for Fault {
    /// Writes the place of the fault, and the reason.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, key) in self.place.iter().enumerate() {
            match key {
                PathStep::Name(name) if at == 0 => write!(to, "{name}")?,
                PathStep::Name(name) => write!(to, ".{name}")?,
                PathStep::Index(index) => write!(to, "[{index}]")?,
            }
        }
        let gap = if self.place.is_empty() { "" } else { ": " };
        write!(to, "{gap}{}", self.reason)
    }
}

impl Fault {
    /// Returns the fault as a sentence about `text`, with the line and the names on the way.
    pub(crate) fn say(&self, text: &str) -> String {
        format!("line {}: {self}", line_of_place(text, &self.place))
    }
}

/// Returns the error of a parser, with the line. The parser's own text is not used: it quotes the
/// line, which may hold a key.
pub(crate) fn describe_parse_error(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    format!("line {line}: {}", error.message())
}

/// Returns the line of a byte, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// Returns the line of the place in a TOML file, counted from 1, or of the last table on the way to
/// it that is there.
fn line_of_place(text: &str, place: &[PathStep]) -> usize {
    let Ok(table) = DeTable::parse(text) else {
        return 1;
    };
    let mut place = place.iter();
    let Some(PathStep::Name(first)) = place.next() else {
        return 1;
    };
    let Some((key, mut value)) = table.get_ref().get_key_value(first.as_str()) else {
        return 1;
    };
    let mut start = key.span().start;
    for key in place {
        let next = match (key, value.get_ref()) {
            (PathStep::Name(name), DeValue::Table(table)) => table
                .get_key_value(name.as_str())
                .map(|(key, value)| (key.span().start, value)),
            (PathStep::Index(index), DeValue::Array(values)) => {
                let value = values.get(*index);
                value.map(|value| (value.span().start, value))
            }
            _ => None,
        };
        let Some((next_start, next)) = next else {
            break;
        };
        start = next_start;
        value = next;
    }
    line_of(text, start)
}

#[cfg(test)]
mod tests {
    use super::{AtPlace as _, Fault};

    const TEXT: &str = "a = 1\n\n[model]\nname = \"m\"\n[model.headers]\nx = 1\n\n\
                        [[mcp]]\nid = \"a\"\n\n[[mcp]]\nid = \"b\"\nurl = \"x\"\n";

    #[test]
    fn a_fault_has_the_line_of_its_place_or_of_what_is_around_it() {
        let fault = || Err::<(), &str>("it is wrong");
        for (found, said) in [
            (fault().at("a"), "line 1: a: it is wrong"),
            (
                fault().at("name").at("model"),
                "line 4: model.name: it is wrong",
            ),
            (
                fault().at("x").at("headers").at("model"),
                "line 6: model.headers.x: it is wrong",
            ),
            (
                fault().at("id").at(0).at("mcp"),
                "line 9: mcp[0].id: it is wrong",
            ),
            (
                fault().at("url").at(1).at("mcp"),
                "line 13: mcp[1].url: it is wrong",
            ),
            (fault().at(1).at("mcp"), "line 11: mcp[1]: it is wrong"),
            (
                fault().at("none").at("model"),
                "line 3: model.none: it is wrong",
            ),
            (fault().at("none"), "line 1: none: it is wrong"),
        ] {
            assert_eq!(found.unwrap_err().say(TEXT), said);
        }
        assert_eq!(Fault::from("it is wrong").say(TEXT), "line 1: it is wrong");
    }
}
