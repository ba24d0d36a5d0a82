//! The status line below a message, with its actions.

use assent_conversation::{FailureKind, Intent, MessageKey, MessageStatus};
use leptos::prelude::*;

use super::{
    dispatch::Dispatch,
    effect::memo,
    failure_note::{CheckAgainButton, DismissButton, FailureNote, LinkButton},
    show::{Show, nothing},
    strings,
};
use crate::store::{MessageHead, Store};

/// The line below a message that is being sent, was interrupted or has failed, with buttons for
/// what the user can do about it; nothing below other messages.
#[component]
pub(super) fn Footnote(head: RwSignal<MessageHead>, key: MessageKey) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let status = memo(move || head.with(|head| (head.status.clone(), head.is_retriable)));
    let note = |text: &'static str| view! { <p class="footnote">{text}</p> }.into_any();
    let composer = expect_context::<Store>().composer;
    let is_online = memo(move || composer.with(|it| it.is_online));
    let retry = Some(Callback::new(move |()| {
        dispatch.send(Intent::RetryMessage(key));
    }));
    move || {
        let (status, is_retriable) = status.get();
        match status {
            MessageStatus::Sending => note(texts.get(strings::SENDING)),
            MessageStatus::Unconfirmed {
                checking: true,
                failure,
            } => {
                let checking = texts.get(strings::CHECKING);
                let text = match failure {
                    Some(failure) => {
                        [&*strings::response_sentence(texts, &failure), " ", checking].concat()
                    }
                    None => checking.to_owned(),
                };
                view! { <OpenOutcome text/> }.into_any()
            }
            MessageStatus::Interrupted { checking: true, .. } => {
                let text = texts.get(strings::CHECKING_ANSWER).to_owned();
                view! { <OpenOutcome text/> }.into_any()
            }
            MessageStatus::Unconfirmed {
                checking: false, ..
            } => view! { <UnconfirmedNote key/> }.into_any(),
            MessageStatus::Interrupted {
                by,
                checking: false,
            } => {
                let text = texts.get(strings::interruption_text(by)).to_owned();
                view! { <OpenOutcome text retry=retry.filter(|_| is_retriable)/> }.into_any()
            }
            MessageStatus::Failed(failure) => {
                let retry = retry.filter(|_| is_retriable);
                let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissMessage(key)));
                if failure.kind == FailureKind::Offline && is_online.get() {
                    return view! { <NotSentNote retry dismiss/> }.into_any();
                }
                let retry_name = texts.get(strings::TRY_AGAIN);
                view! { <FailureNote failure retry_name retry dismiss/> }.into_any()
            }
            MessageStatus::Sent | MessageStatus::Streaming | MessageStatus::Complete => nothing(),
        }
    }
}

/// The sentence `text` about a post or an answer whose outcome nobody knows yet, and the button
/// that looks for it in the stored messages. If `retry` is given, another button calls it to post
/// again.
#[component]
fn OpenOutcome(
    text: String,
    #[prop(optional_no_strip)] retry: Option<Callback<()>>,
) -> impl IntoView {
    let texts = strings::texts();
    view! {
        <div class="footnote">
            <p dir="auto">{text}</p>
            {retry.map(|act| view! { <LinkButton name=texts.get(strings::TRY_AGAIN) act/> })}
            <CheckAgainButton/>
        </div>
    }
}

/// The note of a message that could not be sent while there was no network, shown when there is one
/// again: with buttons to send the message and to dismiss it.
#[component]
fn NotSentNote(retry: Option<Callback<()>>, dismiss: Callback<()>) -> impl IntoView {
    let texts = strings::texts();
    view! {
        <div class="footnote" role="status">
            <p>{texts.get(strings::NOT_SENT)}</p>
            {retry.map(|act| view! { <LinkButton name=texts.get(strings::SEND_NOW) act/> })}
            <DismissButton act=dismiss/>
        </div>
    }
}

/// The choice where nobody knows if the message arrived: check again, dismiss the message, or send
/// it again after a question.
#[component]
fn UnconfirmedNote(key: MessageKey) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let asks = RwSignal::new(false);
    let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissMessage(key)));
    let resend = Callback::new(move |()| dispatch.send(Intent::ResendMessage(key)));
    let choice = move || {
        view! {
            <div class="footnote">
                <p>{texts.get(strings::UNCONFIRMED)}</p>
                <CheckAgainButton/>
                <DismissButton act=dismiss/>
                <LinkButton
                    name=texts.get(strings::SEND_AGAIN)
                    act=Callback::new(move |()| asks.set(true))
                />
            </div>
        }
    };
    view! {
        <Show when=move || asks.get() fallback=choice>
            // Not in the place of the first button: its double click would send at once.
            <div class="footnote" role="alert">
                <p>{texts.get(strings::MAY_ARRIVE_TWICE)}</p>
                <LinkButton
                    name=texts.get(strings::CANCEL)
                    act=Callback::new(move |()| asks.set(false))
                />
                <LinkButton name=texts.get(strings::SEND_ANYWAY) act=resend/>
            </div>
        </Show>
    }
}
