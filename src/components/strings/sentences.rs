//! Sentences that the service itself writes into answers, in the page's own words (extension
//! `words`).

use std::borrow::Cow;

use assent_conversation::Words;
use assent_i18n::Texts;

/// Prefix of the keys under which a page gives its own texts for sentences of the service. The
/// service sends these in English, and the widget has no texts for them.
pub(super) const SERVICE_KEY_PREFIX: &str = "service.";

/// Returns true if the page has own texts for sentences of the service.
pub(in crate::components) fn has_own_sentences(texts: Texts) -> bool {
    let mut given = texts.page_texts().iter();
    given.any(|(key, _)| key.starts_with(SERVICE_KEY_PREFIX))
}

/// Returns the Markdown of an answer with the page's own texts in place of the service's sentences
/// `words`, where a paragraph is such a sentence.
pub(in crate::components) fn with_own_sentences<'a>(
    texts: Texts,
    answer: &'a str,
    words: &[Words],
) -> Cow<'a, str> {
    let mut shown = Cow::Borrowed(answer);
    for said in words.iter().filter(|said| !said.text.is_empty()) {
        if let Some(own) = own_sentence(texts, said) {
            shown = Cow::Owned(replace_paragraphs(&shown, &said.text, &own));
        }
    }
    shown
}

/// Returns the page's own text for a sentence of the service; `None` if the page has none. The text
/// is emphasised Markdown, in which no character of the text is a mark.
fn own_sentence(texts: Texts, said: &Words) -> Option<String> {
    if !said.key.starts_with(SERVICE_KEY_PREFIX) {
        return None;
    }
    let values = said.values.0.iter();
    let values: Vec<_> = values.map(|(name, it)| (&**name, &**it)).collect();
    let text = texts.fill_page_text(&said.key, &values)?;
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let mut markdown = String::from("*");
    for letter in text.chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '&' | '$'
        ) {
            markdown.push('\\');
        }
        markdown.push(if letter.is_control() { ' ' } else { letter });
    }
    markdown.push('*');
    Some(markdown)
}

/// Returns the Markdown `answer` with `own` in place of each paragraph that consists of `sentence`
/// alone.
fn replace_paragraphs(answer: &str, sentence: &str, own: &str) -> String {
    let mut shown = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some((before, after)) = rest.split_once(sentence) {
        shown.push_str(before);
        let begins = shown.is_empty() || shown.ends_with("\n\n");
        let ends = after.is_empty() || after.starts_with("\n\n");
        shown.push_str(if begins && ends { own } else { sentence });
        rest = after;
    }
    shown.push_str(rest);
    shown
}
