//! An answer: drawn by the renderer if it is loaded, else as plain paragraphs.

use assent_conversation::ConversationKey;
use js_sys::Array;
use leptos::{prelude::*, wasm_bindgen::JsValue, web_sys};

use super::{
    paragraphs::Paragraphs,
    remount::remount,
    renderer::{DrawnAnswer, Renderer, give_up_renderer, renderer, track_renderer},
    strings,
};
use crate::store::{AnswerSettings, MessageText, Settings};

/// The text of an answer. It is drawn anew, in another element, when the renderer is loaded or
/// fails, and when the page's address policies change.
#[component]
pub(super) fn Answer(text: RwSignal<MessageText>, conversation: ConversationKey) -> impl IntoView {
    let settings = expect_context::<Settings>().answers;
    remount(move || {
        track_renderer();
        settings.policies.track();
        view! { <Drawing text conversation settings/> }
    })
}

/// The element in which an answer is drawn: when the element is made, and then with each change of
/// the text.
#[component]
fn Drawing(
    text: RwSignal<MessageText>,
    conversation: ConversationKey,
    settings: AnswerSettings,
) -> impl IntoView {
    let draw = move |root: web_sys::Element| {
        let mut drawn = untrack(|| AnswerDrawer::new(&root, conversation, settings));
        let mut shown = ShownText::default();
        let effect = RenderEffect::new(move |_| {
            // Taken out first: drawing asks the page about addresses, and the page may do anything.
            let step =
                text.try_with(|text| (shown.english_sentences(text), shown.next_drawing(text)));
            let Some((english, step)) = step else { return };
            let marked = english.map_or(Ok(()), |english| drawn.mark_english(&english));
            if let Err(error) = marked.and_then(|()| drawn.draw_step(step)) {
                give_up_renderer(&error);
            }
        });
        on_cleanup(move || drop(effect));
    };
    view! { <div class="answer" use:draw></div> }
}

/// How much of an answer's text is drawn already, to find what a change adds.
#[derive(Default)]
struct ShownText {
    revision: Option<u32>,
    /// The length of the text that is drawn, in bytes.
    length: usize,
    whole: bool,
    /// Number of the service's sentences in the text that is drawn.
    sentences: usize,
}

/// What has to be drawn after a change of an answer's text.
enum DrawStep {
    /// The text has not changed: nothing is drawn.
    Rest,
    /// `more` was appended to the text, which is complete if `whole`.
    Grow { more: String, whole: bool },
    /// The text is now `text`: another one, or one that goes on although it was complete.
    Replace { text: String, whole: bool },
}

impl ShownText {
    /// Returns the texts of the service's sentences in the answer, which are English in any
    /// language of the page; `None` if they are the same as at the last call. Has to be called
    /// before `next_drawing`, which stores the text's revision.
    fn english_sentences(&mut self, now: &MessageText) -> Option<Array> {
        let told = std::mem::replace(&mut self.sentences, now.words.len());
        let is_same = self.revision == Some(now.revision);
        if told == self.sentences && (told == 0 || is_same) {
            return None;
        }
        let sentences = now.words.iter().map(|said| JsValue::from_str(&said.text));
        Some(sentences.collect())
    }

    fn next_drawing(&mut self, now: &MessageText) -> DrawStep {
        let revision = self.revision.replace(now.revision);
        let length = std::mem::replace(&mut self.length, now.text.len());
        let was_whole = std::mem::replace(&mut self.whole, now.whole);
        let is_same = revision.is_none_or(|before| before == now.revision);
        match now.text.get(length..) {
            Some("") if is_same && was_whole == now.whole => DrawStep::Rest,
            Some(more) if is_same && !was_whole => DrawStep::Grow {
                more: more.to_owned(),
                whole: now.whole,
            },
            _ => DrawStep::Replace {
                text: now.text.clone(),
                whole: now.whole,
            },
        }
    }
}

/// What draws an answer: the renderer, or plain paragraphs.
enum AnswerDrawer {
    Rendered(DrawnAnswer),
    Plain(Paragraphs),
}

impl AnswerDrawer {
    fn new(
        root: &web_sys::Element,
        conversation: ConversationKey,
        settings: AnswerSettings,
    ) -> Self {
        let policies = settings.policies.get();
        let hosts = settings.allowed_hosts(conversation);
        let draw = |it: Renderer| it.create_answer(root, strings::texts(), &hosts, &policies);
        match renderer().map(draw) {
            Some(Ok(rendered)) => return Self::Rendered(rendered),
            Some(Err(error)) => give_up_renderer(&error),
            None => {}
        }
        Self::Plain(Paragraphs::new(root))
    }

    fn mark_english(&self, sentences: &Array) -> Result<(), JsValue> {
        match self {
            Self::Rendered(it) => it.mark_english(sentences),
            // Plain paragraphs have no mark for their language.
            Self::Plain(_) => Ok(()),
        }
    }

    fn draw_step(&mut self, step: DrawStep) -> Result<(), JsValue> {
        match (self, step) {
            (_, DrawStep::Rest) => Ok(()),
            (Self::Rendered(it), DrawStep::Grow { more, whole }) => {
                if !more.is_empty() {
                    it.push(&more)?;
                }
                if whole { it.finish() } else { Ok(()) }
            }
            (Self::Rendered(it), DrawStep::Replace { text, whole }) => it.reset(&text, whole),
            (Self::Plain(it), DrawStep::Grow { more, .. }) => {
                it.push(&more);
                Ok(())
            }
            (Self::Plain(it), DrawStep::Replace { text, .. }) => {
                it.clear();
                it.push(&text);
                Ok(())
            }
        }
    }
}
