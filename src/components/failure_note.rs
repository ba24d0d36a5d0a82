//! A failure as a sentence, with what a person can do about it.

use assent_conversation::{Failure, Intent};
use assent_i18n::Text;
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{button::button, dispatch::Dispatch, element::el, focus::focus_part, icons, strings};

/// What a button does.
pub(super) type Act = Box<dyn Fn()>;

/// `lead` is said before the failure's own sentence.
pub(super) fn failure_note(
    lead: Option<&'static str>,
    failure: &Failure,
    retry: Option<Act>,
    dismiss: Option<Act>,
) -> AnyView {
    let texts = strings::texts();
    let failed = strings::failure(texts, failure);
    let sentence = match lead {
        Some(lead) => [lead, " ", &failed].concat(),
        None => failed,
    };
    let mut sentences = vec![sentence.as_str()];
    sentences.extend(failure.issues.iter().map(|issue| issue.error.as_str()));
    note(&sentences, retry, dismiss)
}

/// What went wrong, a sentence a line, with what a person can do about it.
pub(super) fn note(sentences: &[&str], retry: Option<Act>, dismiss: Option<Act>) -> AnyView {
    let texts = strings::texts();
    let paragraph = |text: &&str| el("p", "").attr("dir", "auto").text(text).view();
    let buttons = [
        (texts.get(strings::RETRY), retry),
        (texts.get(strings::DISMISS), dismiss),
    ]
    .into_iter()
    .filter_map(|(name, act)| Some(link_button(name, act?)));
    let text = el("div", "error-text")
        .children(sentences.iter().map(paragraph))
        .child(el("div", "error-actions").children(buttons));
    el("div", "error")
        .attr("part", "error")
        .attr("role", "alert")
        .child(icons::alert())
        .child(text)
        .view()
}

/// A button that says what the person wants, and looks like a part of its sentence.
pub(super) fn intent_button(name: Text, intent: Intent, dispatch: Dispatch) -> AnyView {
    let act = move || dispatch.send(intent.clone());
    link_button(strings::texts().get(name), Box::new(act))
}

/// A button that looks like a part of its sentence.
pub(super) fn link_button(name: &'static str, act: Act) -> AnyView {
    // What the button is about goes away with it. The focus goes first, to the messages, or where these are out of reach
    // to what covers them.
    let act = move |event: MouseEvent| {
        let button = event_target(&event);
        let _ = focus_part(&button, "transcript") || focus_part(&button, "threads-toggle");
        act();
    };
    button("link-button", name, act).view()
}
