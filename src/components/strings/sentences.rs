//! Sentences of the service in answers, as the page words them (extension `words`).

use std::borrow::Cow;

use assent_conversation::Words;
use assent_i18n::Texts;

/// Prefix of the keys of the service's sentences, which the service sends in English: the widget
/// has no texts of its own for them.
pub(super) const SERVICE_KEY_PREFIX: &str = "service.";

/// Returns true if the page has own texts for sentences of the service.
pub(in crate::components) fn has_own_sentences(texts: Texts) -> bool {
    let mut given = texts.page_texts().iter();
    given.any(|(key, _)| key.starts_with(SERVICE_KEY_PREFIX))
}

/// Returns an answer with the page's texts in the place of the service's sentences, where those are
/// paragraphs of it.
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

/// Returns the page's text for a sentence of the service; `None` if the page has none. It is
/// Markdown that shows the text as it is, emphasised like the English sentence.
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

/// Returns the answer with `own` in place of each paragraph that is `sentence`.
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
