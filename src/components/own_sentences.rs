//! Answers with the page's texts in the place of sentences of the service.

use leptos::prelude::*;

use super::strings;
use crate::store::MessageText;

/// Returns a signal with the text of an answer, in which the page's texts stand in place of the
/// service's sentences; it follows `text`. Where the page has no such texts, that is `text` itself.
pub(super) fn signal_in_language_of_page(text: RwSignal<MessageText>) -> RwSignal<MessageText> {
    let texts = strings::texts();
    if !strings::has_own_sentences(texts) {
        return text;
    }
    let shown = RwSignal::new(MessageText::default());
    let effect = RenderEffect::new(move |_| {
        text.with(|text| {
            let own = strings::with_own_sentences(texts, &text.text, &text.words);
            shown.update(|shown| shown.follow(&own, &text.words, text.whole));
        });
    });
    on_cleanup(move || drop(effect));
    shown
}
