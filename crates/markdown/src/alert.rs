//! Alerts: quotes whose first line says what they are, such as `[!WARNING]`.

use crate::{Block, Inline};

/// Maximum length of the word in `[!WORD]`, in bytes.
const MAX_WORD_BYTES: usize = 20;

/// Replaces `[!WORD]` at the beginning of a quote by a paragraph with the word in bold, of which
/// only the first letter is a capital. A quote without it stays as it is.
pub(crate) fn format_alert(blocks: &mut Vec<Block>) {
    let Some(Block::Paragraph(content)) = blocks.first_mut() else {
        return;
    };
    let Some(Inline::Text(text)) = content.first_mut() else {
        return;
    };
    let Some((word, rest)) = split_alert(text) else {
        return;
    };
    if rest.is_empty() {
        content.remove(0);
        if let Some(Inline::Break) = content.first() {
            content.remove(0);
        }
    } else {
        *text = rest.to_owned();
    }
    let word = vec![Inline::Strong(vec![Inline::Text(word)])];
    if content.is_empty() {
        *content = word;
    } else {
        blocks.insert(0, Block::Paragraph(word));
    }
}

/// Returns the word of `[!WORD]` at the beginning of a text, with only its first letter as a
/// capital, and the text behind it; `None` if the text begins otherwise.
fn split_alert(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.strip_prefix("[!")?.split_once(']')?;
    // Obsidian writes a sign there, for a quote that can be folded.
    let rest = match rest.as_bytes() {
        [b'+' | b'-', ..] => rest.get(1..)?,
        _ => rest,
    };
    let text = rest.trim_start();
    if name.is_empty() || !is_word(name) || rest.len() == text.len() && !text.is_empty() {
        return None;
    }
    let mut word = name.to_ascii_lowercase();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Some((word, text))
}

/// Returns true if `name`, which stands after `[!`, can be the word of an alert, or the beginning
/// of one: letters and hyphens, not too many.
pub(crate) fn is_word(name: &str) -> bool {
    name.len() <= MAX_WORD_BYTES && name.chars().all(|c| c.is_alphabetic() || c == '-')
}
