//! Thoughts in tags: what stands between a leading `<think>` and its end is not said to anybody.
//! The text may come in any pieces.

/// The tags that begin and end thoughts.
const TAGS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
];

/// The end of thoughts whose beginning the model's template has written.
const LONE_END: &str = "</think>";

/// Takes the model's thoughts out of its text while that comes.
#[derive(Debug)]
pub(in crate::agents::model) struct ThoughtFilter {
    state: Position,
    /// Text that has come and may be thoughts or words.
    held: String,
    /// True if the text has had thoughts so far.
    thought: bool,
    /// True while the first words may be thoughts that were never begun: they are kept back, up to the
    /// tag that ends thoughts.
    waits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// Nothing was said yet: thoughts may begin.
    Leading,
    /// Thoughts, until this tag comes.
    Inside(&'static str),
    /// Text without a tag that begins thoughts: words, or thoughts if a lone `</think>` follows.
    Open,
    /// Words: in the rest of the text no thoughts are looked for.
    Words,
}

impl ThoughtFilter {
    /// Makes a filter; `thinks_first` is true if a text begins with thoughts without the tag that
    /// begins them.
    pub(in crate::agents::model) fn new(thinks_first: bool) -> Self {
        Self {
            state: Position::Leading,
            held: String::new(),
            thought: false,
            waits: thinks_first,
        }
    }

    /// Returns true if the text has had thoughts so far.
    pub(in crate::agents::model) fn has_thought(&self) -> bool {
        self.thought
    }

    /// Stops keeping words back until a lone `</think>` comes, since the server sends thoughts
    /// apart from the text.
    pub(in crate::agents::model) fn note_separate_thoughts(&mut self) {
        self.waits = false;
    }

    /// Adds the next part of the text; returns the words that are certainly no thoughts.
    pub(in crate::agents::model) fn push(&mut self, part: &str) -> String {
        self.held.push_str(part);
        loop {
            match self.state {
                Position::Words => return std::mem::take(&mut self.held),
                Position::Leading => match self.begin() {
                    Some(state) => self.state = state,
                    None => return String::new(),
                },
                Position::Inside(end) => {
                    self.thought = true;
                    if !self.drop_up_to(end) {
                        return String::new();
                    }
                    self.waits = false;
                    self.state = Position::Leading;
                }
                Position::Open if !self.waits => self.state = Position::Words,
                Position::Open => {
                    if !self.drop_up_to(LONE_END) {
                        return String::new();
                    }
                    self.thought = true;
                    self.waits = false;
                    self.state = Position::Leading;
                }
            }
        }
    }

    /// Returns the words that were kept back, at the end of the text; thoughts without an end are
    /// left out.
    pub(in crate::agents::model) fn end(&mut self) -> String {
        match self.state {
            Position::Inside(_) => String::new(),
            Position::Leading if self.thought && self.held.trim().is_empty() => String::new(),
            Position::Leading | Position::Open | Position::Words => std::mem::take(&mut self.held),
        }
    }

    /// Decides what the text begins with; `None` if more of it has to come.
    fn begin(&mut self) -> Option<Position> {
        let said = self.held.trim_start();
        if said.is_empty() {
            return None;
        }
        if let Some((begin, end)) = TAGS.iter().find(|(begin, _)| said.starts_with(begin)) {
            let rest = said.get(begin.len()..).unwrap_or_default().to_owned();
            self.held = rest;
            return Some(Position::Inside(end));
        }
        if TAGS.iter().any(|(begin, _)| begin.starts_with(said)) {
            return None;
        }
        if self.thought {
            self.held = said.to_owned();
        }
        Some(Position::Open)
    }

    /// Drops the text up to the tag `end`, that included; returns false if the tag has not come.
    fn drop_up_to(&mut self, end: &str) -> bool {
        let Some((_, rest)) = self.held.split_once(end) else {
            return false;
        };
        self.held = rest.to_owned();
        true
    }
}

/// Returns what follows a lone `</think>` in a whole text, if the tag is on a line of its own and
/// outside of code. `None` if there is no such tag, as in a text that only mentions it.
pub(in crate::agents::model) fn after_lone_end(text: &str) -> Option<&str> {
    let mut code = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            code = !code;
        }
        if line == LONE_END && !code {
            return text.get(at..).map(str::trim_start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{ThoughtFilter, after_lone_end};

    /// Returns the words of a text that comes in parts of this many bytes.
    fn words(text: &str, length: usize, thinks_first: bool) -> String {
        let mut filter = ThoughtFilter::new(thinks_first);
        let mut said = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (part, more) = rest.split_at(rest.ceil_char_boundary(length.min(rest.len())));
            said.push_str(&filter.push(part));
            rest = more;
        }
        said + &filter.end()
    }

    #[test]
    fn leading_thoughts_are_not_said_however_they_are_cut() {
        for (text, said) in [
            ("<think>Hm. <b> ü</think>\n\nYes.", "Yes."),
            ("\n<think>\n</think>\n<think>More.</think>Yes.", "Yes."),
            ("[THINK]Hm.[/THINK]Yes.", "Yes."),
            ("<thinking>Hm.</think></thinking> Yes.", "Yes."),
            ("<thought>Hm.</thought>", ""),
            ("<think>It never ends.", ""),
        ] {
            for length in 1..=text.len() {
                assert_eq!(words(text, length, false), said, "{text} {length}");
            }
        }
    }

    #[test]
    fn a_text_that_mentions_the_tag_is_left_alone() {
        for text in [
            "The tag `<think>` begins thoughts, `</think>` ends them.",
            " <b>Bold</b> <think>no</think>",
            "<thin>",
            "<",
            "Use it:\n```\n<think>\n</think>\n```\nDone.",
            "\n  Indented.",
        ] {
            for length in 1..=text.len() {
                assert_eq!(words(text, length, false), text, "{length}");
            }
            assert_eq!(after_lone_end(text), None);
        }
    }

    #[test]
    fn a_lone_end_is_waited_for_where_thoughts_come_first() {
        let text = "Hm.\n</think>\n\nYes, </think> is a tag.";
        for length in 1..=text.len() {
            assert_eq!(words(text, length, true), "Yes, </think> is a tag.");
        }
        assert_eq!(words("No thoughts.", 3, true), "No thoughts.");
        assert_eq!(after_lone_end(text), Some("Yes, </think> is a tag."));
        let mut filter = ThoughtFilter::new(true);
        filter.note_separate_thoughts();
        assert_eq!(filter.push("Yes."), "Yes.");
    }
}
