//! The status line below a message, with its actions.

use assent_conversation::{Intent, MessageKey, MessageStatus};
use leptos::prelude::*;

use super::{
    dispatch::Dispatch,
    effect::memo,
    failure_note::{CheckAgain, FailureNote, LinkButton},
    show::{Show, nothing},
    strings,
};
use crate::store::MessageHead;

/// The status of a message that is being sent, or has failed.
#[component]
pub(super) fn Footnote(head: RwSignal<MessageHead>, key: MessageKey) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let status = memo(move || head.with(|head| (head.status.clone(), head.is_retriable)));
    let note = |text: &'static str| view! { <p class="footnote">{text}</p> }.into_any();
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
                    Some(failure) => [&*strings::response(texts, &failure), " ", checking].concat(),
                    None => checking.to_owned(),
                };
                view! { <Open text/> }.into_any()
            }
            MessageStatus::Interrupted { checking: true, .. } => {
                let text = texts.get(strings::CHECKING_ANSWER).to_owned();
                view! { <Open text/> }.into_any()
            }
            MessageStatus::Unconfirmed {
                checking: false, ..
            } => view! { <Unconfirmed key/> }.into_any(),
            MessageStatus::Interrupted {
                by,
                checking: false,
            } => {
                let text = texts.get(strings::interruption(by)).to_owned();
                view! { <Open text/> }.into_any()
            }
            MessageStatus::Failed(failure) => {
                let retry = move |()| dispatch.send(Intent::RetryMessage(key));
                let retry = is_retriable.then(|| Callback::new(retry));
                let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissMessage(key)));
                view! { <FailureNote failure retry dismiss/> }.into_any()
            }
            MessageStatus::Sent | MessageStatus::Streaming | MessageStatus::Complete => nothing(),
        }
    }
}

/// A sentence about an outcome that is open, which can be looked up at once.
#[component]
fn Open(text: String) -> impl IntoView {
    view! {
        <div class="footnote">
            <p dir="auto">{text}</p>
            <CheckAgain/>
        </div>
    }
}

/// The choice where nobody knows if the message arrived: check again, or send it again after a
/// question.
#[component]
fn Unconfirmed(key: MessageKey) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let asks = RwSignal::new(false);
    let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissMessage(key)));
    let resend = Callback::new(move |()| dispatch.send(Intent::ResendMessage(key)));
    let choice = move || {
        view! {
            <div class="footnote">
                <p>{texts.get(strings::UNCONFIRMED)}</p>
                <CheckAgain/>
                <LinkButton name=texts.get(strings::DISMISS) act=dismiss/>
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
                <LinkButton name=texts.get(strings::SEND_AGAIN) act=resend/>
            </div>
        </Show>
    }
}
