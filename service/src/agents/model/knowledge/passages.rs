//! Files as passages that can be searched: Markdown by its headings, text by its paragraphs, HTML as
//! the text of its page. Pure.

use crate::transcript::knowledge::Passage;

/// Length of a passage, in bytes: some paragraphs have room. A longer paragraph is cut.
const PASSAGE_BYTES: usize = 1200;

/// The format that a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Markdown,
    Text,
    Html,
}

impl Format {
    /// Returns the format of a file by the end of its name; `None` for files that are not read.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        match end.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "txt" => Some(Self::Text),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// Returns the passages of a file.
pub(super) fn passages(file: &str, format: Format, text: &str) -> Vec<Passage> {
    let mut passages = PassageBuilder::new(file);
    match format {
        Format::Html => markdown(&crate::documents::html::as_text(text), &mut passages),
        Format::Markdown => markdown(text, &mut passages),
        Format::Text => paragraphs(text, &mut passages),
    }
    passages.end();
    passages.done
}

fn paragraphs(text: &str, passages: &mut PassageBuilder<'_>) {
    for line in text.lines() {
        passages.line(line);
    }
}

fn markdown(text: &str, passages: &mut PassageBuilder<'_>) {
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
        match trimmed.get(level..) {
            Some(title) if !fenced && (1..=6).contains(&level) && title.starts_with(' ') => {
                passages.heading(level, title.trim().trim_end_matches('#').trim());
            }
            _ => passages.line(line),
        }
    }
}

/// The passages of a file, while they are made.
struct PassageBuilder<'a> {
    file: &'a str,
    headings: Vec<(usize, String)>,
    text: String,
    done: Vec<Passage>,
}

impl<'a> PassageBuilder<'a> {
    fn new(file: &'a str) -> Self {
        Self {
            file,
            headings: Vec::new(),
            text: String::new(),
            done: Vec::new(),
        }
    }

    fn heading(&mut self, level: usize, title: &str) {
        self.end();
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, title.to_owned()));
    }

    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            if self.text.len() > PASSAGE_BYTES / 2 {
                self.end();
            } else if !self.text.is_empty() && !self.text.ends_with("\n\n") {
                self.text.push('\n');
            }
            return;
        }
        // A line stays whole where it can: what is cut is found less well, and read worse.
        let fits = self.text.len() + line.len() <= PASSAGE_BYTES;
        if !fits && self.text.len() > PASSAGE_BYTES / 2 {
            self.end();
        }
        let mut rest = line;
        while !rest.is_empty() {
            if self.text.len() >= PASSAGE_BYTES {
                self.end();
            }
            let room = PASSAGE_BYTES.saturating_sub(self.text.len()).max(4);
            let (part, left) = rest.split_at(find_cut(rest, room));
            self.text.push_str(part);
            rest = left;
        }
        self.text.push('\n');
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.trim().is_empty() {
            return;
        }
        let titles: Vec<&str> = self.headings.iter().map(|(_, t)| t.as_str()).collect();
        self.done.push(Passage {
            file: self.file.to_owned(),
            heading: titles.join(" › "),
            text: text.trim().to_owned(),
        });
    }
}

/// Returns where to cut a line so that the part before has at most `room` bytes: behind a sentence,
/// or else behind a word, if it can.
fn find_cut(line: &str, room: usize) -> usize {
    if line.len() <= room {
        return line.len();
    }
    let cut = line.floor_char_boundary(room);
    let before = line.get(..cut).unwrap_or_default();
    let sentence = before.rfind(". ").filter(|at| *at > room / 2);
    let word = || before.rfind(' ').map(|at| at + 1);
    sentence.map(|at| at + 2).or_else(word).unwrap_or(cut)
}

#[cfg(test)]
mod tests {
    use super::{Format, PASSAGE_BYTES, passages};

    #[test]
    fn markdown_is_cut_at_its_headings_and_each_piece_knows_them() {
        let text = "Before.\n# Refunds #\nWithin 14 days.\n\nBy post.\n## Who\nAda.\n```\n# no \
                    heading\n```\n# Travel\n\n";
        let found = passages("rules.md", Format::Markdown, text);
        let told: Vec<_> = found
            .iter()
            .map(|passage| (passage.heading.as_str(), passage.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("", "Before."),
                ("Refunds", "Within 14 days.\n\nBy post."),
                ("Refunds › Who", "Ada.\n```\n# no heading\n```"),
            ]
        );
    }

    #[test]
    fn nothing_is_lost_and_no_piece_is_long() {
        let line = "wörd ".repeat(2000);
        for text in [line.as_str(), &"x".repeat(5000), &"para\n\n".repeat(900)] {
            let found = passages("a.txt", Format::Text, text);
            assert!(
                found
                    .iter()
                    .all(|passage| passage.text.len() <= PASSAGE_BYTES + 8)
            );
            let squeeze = |text: &str| text.split_whitespace().collect::<String>();
            let whole: String = found.iter().map(|passage| squeeze(&passage.text)).collect();
            assert_eq!(whole, squeeze(text));
        }
    }

    #[test]
    fn a_line_stays_whole_and_a_longer_one_is_cut_behind_a_sentence() {
        let [first, second] = ["- one", "- two"].map(|line| line.to_owned() + &" word".repeat(180));
        let found = passages("a.md", Format::Markdown, &[&*first, &*second].join("\n"));
        let texts: Vec<&str> = found.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(texts, [&first, &second]);

        let sentence = "This sentence is one of many. ";
        let found = passages("a.txt", Format::Text, &sentence.repeat(60));
        assert!(found.len() > 1);
        assert!(found.iter().all(|passage| passage.text.ends_with("many.")));
    }

    #[test]
    fn html_is_its_text_with_headings() {
        let text = "<head><title>T</title><style>p{}</style></head><h2>Fees &amp; costs</h2>\
                    <p>Two<b>fold</b>.</p><script>alert(1)</script><!-- no --><ul><li>a<li>b</ul>";
        let found = passages("a.html", Format::of("A.HTML").unwrap(), text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].heading, "Fees & costs");
        assert_eq!(found[0].text, "Twofold.\n\na\n\nb");
        assert_eq!(Format::of("a.pdf"), None);
        assert_eq!(Format::of("README"), None);
    }
}
