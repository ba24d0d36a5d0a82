//! A failure as a sentence, with the actions that it allows.

use assent_conversation::{Failure, Intent};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{dispatch::Dispatch, focus::focus_part, icons, listener::on, strings};

/// A failure, a sentence a line, with the buttons that apply. `lead` stands before the failure's
/// own sentence.
#[component]
pub(super) fn FailureNote(
    failure: Failure,
    #[prop(optional)] lead: Option<&'static str>,
    #[prop(optional_no_strip, into)] retry: Option<Callback<()>>,
    #[prop(optional_no_strip, into)] dismiss: Option<Callback<()>>,
) -> impl IntoView {
    let texts = strings::texts();
    let failed = strings::failure(texts, &failure);
    let sentence = match lead {
        Some(lead) => [lead, " ", &failed].concat(),
        None => failed,
    };
    let issues = failure.issues.into_iter().map(|issue| issue.error);
    let sentences = std::iter::once(sentence).chain(issues);
    view! {
        <div part="error" class="error" role="alert">
            {icons::alert()}
            <div class="error-text">
                {sentences.map(|sentence| view! { <p dir="auto">{sentence}</p> }).collect_view()}
                <div class="error-actions">
                    {retry.map(|act| view! { <LinkButton name=texts.get(strings::RETRY) act/> })}
                    {dismiss.map(|act| view! { <LinkButton name=texts.get(strings::DISMISS) act/> })}
                </div>
            </div>
        </div>
    }
}

/// A button that looks like a part of its sentence.
#[component]
pub(super) fn LinkButton(name: &'static str, act: Callback<()>) -> impl IntoView {
    // The note goes away with the button. The focus goes first, to the messages, or if these are
    // out of reach to the view that covers them.
    let press = move |event: MouseEvent| {
        let button = event_target(&event);
        let _ = focus_part(&button, "transcript") || focus_part(&button, "threads-toggle");
        act.run(());
    };
    view! { <button type="button" class="link-button" on:click=on(press)>{name}</button> }
}

/// The button that reads the messages again.
#[component]
pub(super) fn CheckAgain() -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let act = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
    view! { <LinkButton name=strings::texts().get(strings::CHECK_AGAIN) act/> }
}
