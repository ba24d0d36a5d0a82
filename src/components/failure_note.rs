//! A failure as a sentence, with buttons for what can be done about it.

use assent_conversation::{Failure, Intent};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    attribute::attribute, dispatch::Dispatch, focus::focus_part, icons, listener::boxed_listener,
    strings,
};

/// Maximum number of errors of single tools that a note lists; each tool run shows its own error,
/// too.
const MAX_ISSUES: usize = 20;

/// A failure as sentences, one a line, with buttons that call `retry` and `dismiss` if these are
/// given. `lead` stands before the failure's own sentence, and `retry_name` is the name of the
/// button that tries again.
#[component]
pub(super) fn FailureNote(
    failure: Failure,
    #[prop(optional)] lead: Option<&'static str>,
    #[prop(optional)] retry_name: Option<&'static str>,
    #[prop(optional_no_strip, into)] retry: Option<Callback<()>>,
    #[prop(optional_no_strip, into)] dismiss: Option<Callback<()>>,
) -> impl IntoView {
    let texts = strings::texts();
    let retry_name = retry_name.unwrap_or(texts.get(strings::RETRY));
    let failed = strings::failure_sentence(texts, &failure);
    let sentence = match lead {
        Some(lead) => [lead, " ", &failed].concat(),
        None => failed,
    };
    let issues = failure.issues.into_iter().take(MAX_ISSUES);
    let issues = issues.map(|issue| issue.error);
    let sentences = std::iter::once(sentence).chain(issues);
    view! {
        <div part="error" class="error" role="alert">
            {icons::alert()}
            <div class="error-text">
                {sentences.map(|text| view! { <Sentence text/> }).collect_view()}
                <div class="error-actions">
                    {retry.map(|act| view! { <LinkButton name=retry_name act/> })}
                    {dismiss.map(|act| view! { <DismissButton act/> })}
                </div>
            </div>
        </div>
    }
}

/// A sentence of any length. Of a long one the beginning is shown, with a button that shows the
/// whole in a box that scrolls.
#[component]
pub(super) fn Sentence(text: String) -> impl IntoView {
    let texts = strings::texts();
    let start = strings::cut_to(&text, strings::MAX_SENTENCE_CHARACTERS);
    if start == text {
        return view! { <p dir="auto">{text}</p> }.into_any();
    }
    let is_whole = RwSignal::new(false);
    let toggle = move |_: MouseEvent| is_whole.set(!is_whole.get_untracked());
    let shown = move || {
        if is_whole.get() {
            text.clone()
        } else {
            start.clone()
        }
    };
    let name = move || {
        texts.get(if is_whole.get() {
            strings::SHOW_LESS
        } else {
            strings::SHOW_ALL
        })
    };
    view! {
        // What is opened is not read out as a whole.
        <div
            class="long-sentence"
            dir="auto"
            tabindex=move || is_whole.get().then_some("0")
            {..attribute("aria-live", "off")}
        >
            {shown}
        </div>
        <button
            type="button"
            class="link-button"
            {..attribute("aria-expanded", move || is_whole.get().to_string())}
            on:click=boxed_listener(toggle)
        >
            {name}
        </button>
    }
    .into_any()
}

/// A button that looks like a link. When it is pressed, the focus moves to the transcript, and
/// `act` is called.
#[component]
pub(super) fn LinkButton(name: &'static str, act: Callback<()>) -> impl IntoView {
    link_button(name, act, "transcript")
}

/// The button that closes a note. When it is pressed, the focus moves to the message box, and `act`
/// is called.
#[component]
pub(super) fn DismissButton(act: Callback<()>) -> impl IntoView {
    link_button(strings::texts().get(strings::DISMISS), act, "input")
}

/// Returns a button that calls `act` when it is pressed, which may remove the button. So the focus
/// moves first: to the element with the part `part`, else to the transcript, else to the button
/// that hides the list over both.
fn link_button(name: &'static str, act: Callback<()>, part: &'static str) -> AnyView {
    let press = move |event: MouseEvent| {
        let button = event_target(&event);
        let parts = [part, "transcript", "threads-toggle"];
        let _ = parts.iter().any(|part| focus_part(&button, part));
        act.run(());
    };
    view! {
        <button type="button" class="link-button" on:click=boxed_listener(press)>{name}</button>
    }
    .into_any()
}

/// The button that loads the stored messages of the open conversation again, to find out what
/// became of a post.
#[component]
pub(super) fn CheckAgainButton() -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let act = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
    view! { <LinkButton name=strings::texts().get(strings::CHECK_AGAIN) act/> }
}
