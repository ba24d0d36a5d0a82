//! An answer: drawn by the renderer if it is loaded, else as plain paragraphs.

use assent_conversation::ConversationKey;
use leptos::{prelude::*, wasm_bindgen::JsValue, web_sys};

use super::{
    paragraphs::Paragraphs,
    remount::remount,
    renderer::{DrawnAnswer, Renderer, give_up, renderer, track_renderer},
    strings,
};
use crate::store::{AnswerSettings, MessageText, Settings};

/// The text of an answer. It is drawn anew, in another element, when the renderer comes or goes,
/// and when the page's address policies change.
#[component]
pub(super) fn Answer(text: RwSignal<MessageText>, conversation: ConversationKey) -> impl IntoView {
    let settings = expect_context::<Settings>().answers;
    remount(move || {
        track_renderer();
        settings.policies.track();
        view! { <Drawing text conversation settings/> }
    })
}

/// The element in which an answer is drawn: at once, and then with each change of the text.
#[component]
fn Drawing(
    text: RwSignal<MessageText>,
    conversation: ConversationKey,
    settings: AnswerSettings,
) -> impl IntoView {
    let draw = move |root: web_sys::Element| {
        let mut drawn = untrack(|| Drawn::new(&root, conversation, settings));
        let mut shown = Shown::default();
        let effect = RenderEffect::new(move |_| {
            // Taken out first: drawing asks the page about addresses, and the page may do anything.
            let step = text.try_with(|text| shown.step(text));
            if let Some(Err(error)) = step.map(|step| drawn.take(step)) {
                give_up(&error);
            }
        });
        on_cleanup(move || drop(effect));
    };
    view! { <div class="answer" use:draw></div> }
}

/// The part of a text that is drawn.
#[derive(Default)]
struct Shown {
    revision: Option<u32>,
    /// In bytes.
    length: usize,
    whole: bool,
}

/// The next drawing step.
enum Step {
    /// Nothing is new.
    Rest,
    /// More text came, and maybe its end.
    Grow { more: String, whole: bool },
    /// It is another text, or a whole one goes on.
    Replace { text: String, whole: bool },
}

impl Shown {
    fn step(&mut self, now: &MessageText) -> Step {
        let before = std::mem::replace(
            self,
            Self {
                revision: Some(now.revision),
                length: now.text.len(),
                whole: now.whole,
            },
        );
        let is_first = before.revision.is_none();
        let is_same = is_first || before.revision == self.revision;
        match now.text.get(before.length..) {
            Some("") if is_same && before.whole == now.whole => Step::Rest,
            Some(more) if is_same && !before.whole => Step::Grow {
                more: more.to_owned(),
                whole: now.whole,
            },
            _ => Step::Replace {
                text: now.text.clone(),
                whole: now.whole,
            },
        }
    }
}

/// The drawing: by the renderer, or as paragraphs.
enum Drawn {
    Rendered(DrawnAnswer),
    Plain(Paragraphs),
}

impl Drawn {
    fn new(
        root: &web_sys::Element,
        conversation: ConversationKey,
        settings: AnswerSettings,
    ) -> Self {
        let policies = settings.policies.get();
        let hosts = settings.allowed_hosts(conversation);
        let draw = |it: Renderer| it.answer(root, strings::texts(), &hosts, &policies);
        match renderer().map(draw) {
            Some(Ok(rendered)) => return Self::Rendered(rendered),
            Some(Err(error)) => give_up(&error),
            None => {}
        }
        Self::Plain(Paragraphs::new(root))
    }

    fn take(&mut self, step: Step) -> Result<(), JsValue> {
        match (self, step) {
            (_, Step::Rest) => Ok(()),
            (Self::Rendered(it), Step::Grow { more, whole }) => {
                if !more.is_empty() {
                    it.push(&more)?;
                }
                if whole { it.finish() } else { Ok(()) }
            }
            (Self::Rendered(it), Step::Replace { text, whole }) => it.reset(&text, whole),
            (Self::Plain(it), Step::Grow { more, .. }) => {
                it.push(&more);
                Ok(())
            }
            (Self::Plain(it), Step::Replace { text, .. }) => {
                it.clear();
                it.push(&text);
                Ok(())
            }
        }
    }
}
