//! A text as parts: what is drawn as it is, and what would deceive if it were.

use crate::{
    Finding, Weight,
    hidden::{finding, hidden},
    word::{Context, marks},
};

/// A whole text as parts in their order. Their characters, one after the other, are the text: nothing is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<Part>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing to remark. A line break is `\n` or `\r\n` in here.
    Plain(String),
    /// A character that cannot be seen, or that does more than it shows.
    Hidden {
        /// The character.
        character: char,
        /// What it is called, in small letters: `right-to-left override`.
        name: &'static str,
        /// A note for what ordinary texts have, such as a no-break space; a warning for everything else.
        weight: Weight,
        /// How often it stands here in a row, at least once.
        times: usize,
    },
    /// Letters of another script than the rest of their word, which look like letters of the word's own.
    LookAlike {
        /// The letters.
        text: String,
        /// The name of their script: `Cyrillic`.
        script: &'static str,
    },
}

/// How much a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Unicode code points.
    pub characters: usize,
    /// Lines; a line break at the very end begins no new one, and the empty text has none.
    pub lines: usize,
}

impl Text {
    /// Reads a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let context = Context::new(text);
        let mut marks = marks(text, &context).into_iter().peekable();
        let mut parts = Vec::new();
        let mut plain = 0;
        for (at, character) in text.char_indices() {
            let (before, after) = text.split_at(at);
            let end = at + character.len_utf8();
            let part = if let Some(mark) = marks.next_if(|mark| mark.start == at) {
                Part::LookAlike {
                    text: character.to_string(),
                    script: mark.script,
                }
            } else if let Some(hidden) = hidden(before, after, context.runs_left) {
                Part::Hidden {
                    character,
                    name: hidden.name,
                    weight: hidden.weight,
                    times: 1,
                }
            } else {
                continue;
            };
            push_plain(&mut parts, text.get(plain..at));
            plain = end;
            push(&mut parts, part);
        }
        push_plain(&mut parts, text.get(plain..));
        Self(parts)
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Whether there is nothing to remark.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Plain(_)))
    }

    /// The text before and from the byte `at` on, for [`Difference`](crate::Difference). Between two characters the
    /// cut is where the first one ends, and behind the end everything is before.
    #[must_use]
    pub fn cut(&self, at: usize) -> (Self, Self) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut start = 0;
        for part in &self.0 {
            let (left, right) = part.cut(at.saturating_sub(start));
            before.extend(left);
            after.extend(right);
            start += part.len();
        }
        (Self(before), Self(after))
    }

    /// Adds what the parts give to look at.
    pub(crate) fn find(&self, findings: &mut Vec<Finding>) {
        findings.extend(self.0.iter().filter_map(|part| match part {
            Part::Plain(_) => None,
            Part::Hidden {
                weight: Weight::Note,
                ..
            } => None,
            Part::Hidden { character, .. } => finding(*character),
            Part::LookAlike { script, .. } => Some(Finding::LookAlike(script)),
        }));
    }
}

fn push_plain(parts: &mut Vec<Part>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        parts.push(Part::Plain(text.to_owned()));
    }
}

/// Adds a part, or lets the last one grow where it is of the same kind.
fn push(parts: &mut Vec<Part>, part: Part) {
    match (parts.last_mut(), &part) {
        (
            Some(Part::Hidden {
                character,
                name,
                times,
                ..
            }),
            Part::Hidden {
                character: next,
                name: called,
                ..
            },
        ) if character == next && name == called => *times += 1,
        (
            Some(Part::LookAlike { text, script }),
            Part::LookAlike {
                text: more,
                script: other,
            },
        ) if script == other => text.push_str(more),
        _ => parts.push(part),
    }
}

impl Part {
    /// Its length in bytes.
    fn len(&self) -> usize {
        match self {
            Self::Plain(text) | Self::LookAlike { text, .. } => text.len(),
            Self::Hidden {
                character, times, ..
            } => character.len_utf8() * times,
        }
    }

    /// What of it is before and from the byte `at` on.
    fn cut(&self, at: usize) -> (Option<Self>, Option<Self>) {
        let at = match self {
            Self::Plain(text) | Self::LookAlike { text, .. } => text.ceil_char_boundary(at),
            Self::Hidden { character, .. } => at.next_multiple_of(character.len_utf8()),
        };
        if at == 0 {
            return (None, Some(self.clone()));
        }
        if at >= self.len() {
            return (Some(self.clone()), None);
        }
        let (mut before, mut after) = (self.clone(), self.clone());
        match (&mut before, &mut after) {
            (Self::Plain(head), Self::Plain(tail))
            | (Self::LookAlike { text: head, .. }, Self::LookAlike { text: tail, .. }) => {
                *tail = head.split_off(at);
            }
            (
                Self::Hidden {
                    character,
                    times: head,
                    ..
                },
                Self::Hidden { times: tail, .. },
            ) => {
                *head = at / character.len_utf8();
                *tail -= *head;
            }
            _ => {}
        }
        (Some(before), Some(after))
    }
}

impl Size {
    /// Counts a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            characters: text.chars().count(),
            lines: text.lines().count(),
        }
    }
}

/// The usual spelling of a code point: `U+202E`.
#[must_use]
pub fn code_point(character: char) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let code = u32::from(character);
    let mut spelled = String::from("U+");
    for place in (0..6).rev() {
        let digit = (code >> (4 * place)) & 15;
        if place < 4 || code >> (4 * place) > 0 {
            let digit = DIGITS.get(digit as usize).copied().unwrap_or(b'0');
            spelled.push(char::from(digit));
        }
    }
    spelled
}
