//! Quotes that begin with what they are, as `[!WARNING]`.

use crate::{Block, Inline};

/// Maximum length of the word.
const MAX_LENGTH: usize = 20;

/// Makes the word at the beginning of a quote a paragraph of its own, as words are written.
pub(crate) fn name(blocks: &mut Vec<Block>) {
    let Some(Block::Paragraph(content)) = blocks.first_mut() else {
        return;
    };
    let Some(Inline::Text(text)) = content.first_mut() else {
        return;
    };
    let Some((word, rest)) = split(text) else {
        return;
    };
    let (word, rest) = (word.to_owned(), rest.to_owned());
    if rest.is_empty() {
        content.remove(0);
        if content.first() == Some(&Inline::Break) {
            content.remove(0);
        }
    } else {
        *text = rest;
    }
    if content.is_empty() {
        blocks.remove(0);
    }
    let word = Inline::Strong(vec![Inline::Text(word)]);
    blocks.insert(0, Block::Paragraph(vec![word]));
}

/// Returns the word, and the text behind it.
fn split(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.strip_prefix("[!")?.split_once(']')?;
    let is_word = !name.is_empty()
        && name.len() <= MAX_LENGTH
        && name.chars().all(|c| c.is_alphabetic() || c == '-');
    // Obsidian writes a sign there, for a quote that can be folded.
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    if !is_word || !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
        return None;
    }
    let mut letters = name.chars();
    let word = letters
        .next()?
        .to_uppercase()
        .chain(letters.flat_map(char::to_lowercase));
    Some((word.collect(), rest.trim_start()))
}
