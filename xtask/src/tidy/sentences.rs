//! The rule that no sentence of a Markdown document has more than 40 words, so that it is
//! understood when it is read once.

use super::sources::{SourceFile, Violation, numbered_lines};

const MAX_WORDS: usize = 40;
/// A file that is not checked, because it consists of the licences of others.
const NOTICE: &str = "NOTICE";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let documents = sources
        .iter()
        .filter(|source| source.extension() == "md" && source.path != NOTICE);
    documents.flat_map(long_sentences).collect()
}

fn long_sentences(document: &SourceFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (line, text) in paragraphs(&document.text) {
        for sentence in as_read_aloud(&text).split_inclusive(". ") {
            let words = sentence.split_whitespace();
            let words = words.filter(|word| word.contains(char::is_alphanumeric));
            let count = words.count();
            if count > MAX_WORDS {
                let begin: String = sentence.chars().take(50).collect();
                let message =
                    format!("a sentence of {count} words, {MAX_WORDS} are the most: {begin}…");
                violations.push(document.violation(line, message));
            }
        }
    }
    violations
}

/// Returns the paragraphs, entries of lists and cells of tables in a Markdown document, each with
/// the number of its first line. Headings and code are left out.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_code = false;
    // Whether the next line goes on with the last paragraph.
    let mut goes_on = false;
    for (number, line) in numbered_lines(text) {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
            goes_on = false;
        } else if is_code || line.is_empty() || line.starts_with('#') {
            goes_on = false;
        } else if line.starts_with('|') {
            found.extend(line.split('|').map(|cell| (number, cell.to_owned())));
            goes_on = false;
        } else {
            match found.last_mut().filter(|_| goes_on && !is_entry(line)) {
                Some((_, paragraph)) => *paragraph += &format!(" {line}"),
                None => found.push((number, line.to_owned())),
            }
            goes_on = true;
        }
    }
    found
}

fn is_entry(line: &str) -> bool {
    let marker = line.split(' ').next().unwrap_or_default();
    let number = marker.strip_suffix('.').unwrap_or_default();
    marker == "-" || marker == "*" || number.parse::<u32>().is_ok()
}

/// Returns a text in a form in which words and sentences can be counted: code is one word, a link
/// is its text, and each sentence ends with a full stop and a space.
fn as_read_aloud(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        plain += if index % 2 == 0 { part } else { "code" };
    }
    let mut parts = plain.split("](");
    let mut without_links = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without_links += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    let mut text = without_links;
    for end in ["?", "!", ".)", ".\"", ".*", ".”"] {
        text = text.replace(&format!("{end} "), ". ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    fn words(count: usize) -> String {
        vec!["word"; count].join(" ")
    }

    fn check_text(text: &str, expected: usize) {
        let said = messages_of(check, "docs/A.md", text);
        assert_eq!(said.len(), expected, "{said:?}");
    }

    #[test]
    fn a_sentence_of_41_words_is_found_and_one_of_40_is_not() {
        check_text(&format!("{}.\n", words(40)), 0);
        check_text(&format!("A heading\n\n{}.\n", words(41)), 1);
        // Two lines of one sentence, a cell, and an entry of a list.
        check_text(&format!("{}\n{}.\n", words(21), words(20)), 1);
        check_text(&format!("| a | {} |\n", words(41)), 1);
        check_text(&format!("- {}\n- {}\n", words(40), words(40)), 0);
        check_text(&format!("12. {}\n", words(41)), 1);
    }

    #[test]
    fn ends_of_sentences_code_and_links_are_read_as_such() {
        check_text(
            &format!(
                "{}. {}? {}! (And {}.) {}\n",
                words(30),
                words(30),
                words(30),
                words(30),
                words(30)
            ),
            0,
        );
        check_text(&format!("{} `{}`\n", words(39), words(9)), 0);
        check_text(
            &format!("{} [{}](https://a.example/b)\n", words(20), words(20)),
            0,
        );
        check_text(&format!("```\n{}\n```\n", words(41)), 0);
        assert!(messages_of(check, "a.rs", &words(50)).is_empty());
    }
}
