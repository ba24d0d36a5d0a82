//! A text as parts: plain ones, and characters that would deceive a person if they were drawn as
//! they are.

use assent_characters::Script;

use crate::{
    Finding, Severity,
    finding::Findings,
    hidden::{hidden_finding, misplaced_character},
    host::is_sign,
    space::Spaces,
    word::{TextContext, look_alikes},
};

/// A whole text as a list of parts in order. The characters of all parts together are the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<TextPart>);

/// A part of a text: plain, or one that could deceive and is shown with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Plain text. A line break is `\n` or `\r\n` in here, unless the whole text is white space.
    Plain(String),
    /// A character that is invisible at its place, or that does more than it shows.
    Hidden {
        /// The hidden character.
        character: char,
        /// The name of the character, in lowercase: `right-to-left override`.
        name: &'static str,
        /// The severity: a note if ordinary texts have the character, such as a no-break space, or
        /// a space at the end; otherwise a warning.
        severity: Severity,
        /// How many times in a row the character stands there, at least once.
        times: usize,
    },
    /// Letters of another script than the rest of their word or text, which look like letters of
    /// that one; or digits of another system than the rest of their number.
    LookAlike {
        /// The letters or digits.
        text: String,
        /// The name of the script of the letters, such as `Cyrillic` or `Special Latin`; for digits
        /// a name such as `Arabic digits`.
        script: &'static str,
    },
}

/// The number of characters and lines of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextSize {
    /// Number of Unicode code points.
    pub characters: usize,
    /// Number of lines; a trailing line break begins no new one, and the empty text has none.
    pub lines: usize,
}

impl Text {
    /// Splits a text into plain parts and those that could deceive.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::split(text, |_| false)
    }

    /// Splits the name of a host into parts. Signs that could pass for a slash, colon or dot are
    /// hidden characters here, too.
    pub(crate) fn of_host(text: &str) -> Self {
        Self::split(text, is_sign)
    }

    fn split(text: &str, is_sign: fn(char) -> bool) -> Self {
        let context = TextContext::new(text);
        let look_alikes = look_alikes(text, &context);
        let mut spaces = Spaces::new(text);
        let mut parts = Vec::new();
        let mut plain = 0;
        for (at, character) in text.char_indices() {
            let script = look_alikes.get(at).copied().unwrap_or(Script::COMMON);
            let part = if script != Script::COMMON {
                TextPart::LookAlike {
                    text: String::from(character),
                    script: script.name(),
                }
            } else if let Some(hidden) = misplaced_character(text, at, character, context.runs_left)
            {
                TextPart::Hidden {
                    character,
                    name: hidden.name,
                    severity: hidden.severity,
                    times: 1,
                }
            } else if let Some(name) = spaces.name_if_unnoticed(at, character) {
                TextPart::Hidden {
                    character,
                    name,
                    severity: Severity::Note,
                    times: 1,
                }
            } else if is_sign(character) {
                TextPart::Hidden {
                    character,
                    name: "sign",
                    severity: Severity::Warning,
                    times: 1,
                }
            } else {
                continue;
            };
            push_plain(&mut parts, text.get(plain..at));
            plain = at + character.len_utf8();
            push(&mut parts, part);
        }
        push_plain(&mut parts, text.get(plain..));
        Self(parts)
    }

    /// Returns the parts in the order of the text.
    #[must_use]
    pub fn parts(&self) -> &[TextPart] {
        &self.0
    }

    /// Returns the text before and the text after the byte position `at`, such as one of a
    /// [`Difference`](crate::Difference). A position inside of a character is moved to the
    /// character's end, and one beyond the text to the text's end.
    #[must_use]
    pub fn cut(&self, at: usize) -> (Self, Self) {
        (self.range(0, at), self.range(at, usize::MAX))
    }

    /// Returns the part of the text between two byte positions. A position inside of a character is
    /// moved to the character's end.
    fn range(&self, mut start: usize, mut end: usize) -> Self {
        let mut parts = Vec::new();
        for part in &self.0 {
            let length = match part {
                TextPart::Plain(text) | TextPart::LookAlike { text, .. } => {
                    let between =
                        text.get(text.ceil_char_boundary(start)..text.ceil_char_boundary(end));
                    let between = between.unwrap_or_default().to_owned();
                    if !between.is_empty() {
                        parts.push(match part {
                            TextPart::LookAlike { script, .. } => TextPart::LookAlike {
                                text: between,
                                script,
                            },
                            _ => TextPart::Plain(between),
                        });
                    }
                    text.len()
                }
                TextPart::Hidden {
                    character,
                    name,
                    severity,
                    times,
                } => {
                    let width = character.len_utf8();
                    let first = start.div_ceil(width).min(*times);
                    let times_before = end.div_ceil(width).min(*times);
                    if first < times_before {
                        parts.push(TextPart::Hidden {
                            character: *character,
                            name,
                            severity: *severity,
                            times: times_before - first,
                        });
                    }
                    width * times
                }
            };
            start = start.saturating_sub(length);
            end = end.saturating_sub(length);
        }
        Self(parts)
    }

    /// Adds a finding for each part that could deceive to `findings`.
    pub(crate) fn add_findings(&self, findings: &mut Findings) {
        for part in &self.0 {
            match part {
                TextPart::Hidden {
                    severity: Severity::Warning,
                    character,
                    ..
                } => {
                    if let Some(finding) = hidden_finding(*character) {
                        findings.add(finding);
                    }
                }
                TextPart::LookAlike { script, .. } => findings.add(Finding::LookAlike(script)),
                _ => {}
            }
        }
    }
}

fn push_plain(parts: &mut Vec<TextPart>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        parts.push(TextPart::Plain(text.to_owned()));
    }
}

/// Adds a part to `parts`, or extends the last one: with the same hidden character, or look-alikes
/// of the same script.
fn push(parts: &mut Vec<TextPart>, part: TextPart) {
    match (parts.last_mut(), &part) {
        (
            Some(TextPart::Hidden {
                character,
                name,
                times,
                ..
            }),
            TextPart::Hidden {
                character: next,
                name: called,
                ..
            },
        ) if character == next && name == called => *times += 1,
        (
            Some(TextPart::LookAlike { text, script }),
            TextPart::LookAlike {
                text: more,
                script: other,
            },
        ) if script == other => text.push_str(more),
        _ => parts.push(part),
    }
}

impl TextSize {
    /// Counts the characters and lines of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut size = Self::default();
        let mut is_ended = true;
        for byte in text.bytes() {
            // All bytes of a character except the first have the form 10xxxxxx.
            size.characters += usize::from(byte & 0xC0 != 0x80);
            size.lines += usize::from(is_ended);
            is_ended = byte == b'\n';
        }
        size
    }
}

/// Returns the usual notation of a code point: `U+202E`.
#[must_use]
pub fn code_point_notation(character: char) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let code = u32::from(character);
    let mut notation = String::from("U+");
    for place in (0..6).rev() {
        let digit = (code >> (4 * place)) & 15;
        if place < 4 || code >> (4 * place) > 0 {
            let digit = DIGITS.get(digit as usize).copied().unwrap_or(b'0');
            notation.push(char::from(digit));
        }
    }
    notation
}
