//! One message.

use assent_conversation::{Author, Intent, MessageKey, MessageStatus};
use leptos::{either::Either, prelude::*};

use super::{
    activity::Activity, answer::Answer, approval_card::ApprovalCard, dispatch::Dispatch,
    failure_note::FailureNote, strings, time,
};
use crate::view::{ActivityLevel, MessageHead, MessageRow};

#[component]
pub(super) fn Message(
    row: MessageRow,
    activity: ArcRwSignal<ActivityLevel>,
    heading: Signal<String>,
    dispatch: Dispatch,
) -> impl IntoView {
    let key = row.key;
    let head = row.head.clone();
    let head = Signal::derive(move || head.get());
    let own = head.with_untracked(|head| head.author == Author::You);
    let author = Memo::new(move |_| match head.get().author {
        Author::You => strings::YOU.to_owned(),
        Author::Agent(name) if name.is_empty() => heading.get(),
        Author::Agent(name) => name,
    });
    let clock = Memo::new(move |_| head.get().time.map(time::clock).unwrap_or_default());
    let name = move || {
        let clock = clock.get();
        if clock.is_empty() {
            author.get()
        } else {
            format!("{}, {clock}", author.get())
        }
    };
    let when = move || {
        let at = head.get().time?;
        Some(view! { class="a",
            <time class="time" datetime=time::machine(at) title=time::full(at)>{clock}</time>
        })
    };
    let status = Memo::new(move |_| head.get().status);
    let body = if own {
        let text = row.text.clone();
        Either::Left(view! { class="a", <div class="bubble" dir="auto">{move || text.get()}</div> })
    } else {
        let steps = row.activity.clone();
        let has_steps = Memo::new(move |_| steps.with(|activity| !activity.steps.is_empty()));
        let steps = row.activity.clone();
        let shown = {
            let level = activity.clone();
            move || has_steps.get() && level.get() != ActivityLevel::Off
        };
        let approvals = row.approvals.clone();
        let waiting = {
            let level = activity.clone();
            move || {
                let head = head.get();
                let quiet = head.blank || level.get() == ActivityLevel::Off;
                head.status == MessageStatus::Streaming
                    && quiet
                    && !has_text(&head, has_steps.get())
            }
        };
        Either::Right(view! { class="a",
            <Show when=shown>
                <Activity steps=steps.clone() level=activity.clone()/>
            </Show>
            <Answer blocks=row.blocks.clone()/>
            <Show when=waiting>
                <div class="dots" aria-hidden="true"><span></span><span></span><span></span></div>
            </Show>
            <For
                each=move || approvals.get()
                key=|(id, _)| id.clone()
                children=move |(_, batch)| view! { class="a", <ApprovalCard batch dispatch/> }
            />
        })
    };
    view! { class="a",
        <article
            part="message"
            class="message"
            aria-label=name
            data-role=if own { "user" } else { "assistant" }
            data-state=move || state_name(&status.get())
        >
            <div class="message-head" aria-hidden="true">
                <span class="author">{author}</span>
                {when}
            </div>
            {body}
            {move || footnote(&status.get(), key, own, dispatch)}
        </article>
    }
}

/// A message whose text or approvals are on the screen needs no sign of waiting.
fn has_text(head: &MessageHead, has_steps: bool) -> bool {
    !head.blank && !has_steps
}

/// `data-state` of the contract. What is being checked is still under way; what could not be checked has failed.
fn state_name(status: &MessageStatus) -> &'static str {
    match status {
        MessageStatus::Sending | MessageStatus::Unconfirmed { checking: true } => "sending",
        MessageStatus::Sent => "sent",
        MessageStatus::Streaming => "streaming",
        MessageStatus::Complete => "complete",
        MessageStatus::Interrupted { .. } => "interrupted",
        MessageStatus::Unconfirmed { checking: false } | MessageStatus::Failed(_) => "failed",
    }
}

/// What is to be said below a message, and what can be done.
fn footnote(
    status: &MessageStatus,
    key: MessageKey,
    own: bool,
    dispatch: Dispatch,
) -> Option<AnyView> {
    let note = |text: &'static str| view! { class="a", <p class="footnote">{text}</p> }.into_any();
    let check = move |text: &'static str| {
        view! { class="a",
            <div class="footnote" role="status">
                <p>{text}</p>
                <button
                    type="button"
                    class="link-button"
                    on:click=move |_| dispatch.send(Intent::ReloadMessages)
                >
                    {strings::CHECK_AGAIN}
                </button>
            </div>
        }
        .into_any()
    };
    match status {
        MessageStatus::Sending => Some(note(strings::SENDING)),
        MessageStatus::Unconfirmed { checking: true } => Some(note(strings::CHECKING)),
        MessageStatus::Unconfirmed { checking: false } => Some(check(strings::UNCONFIRMED)),
        MessageStatus::Interrupted { checking: true, .. } => Some(note(strings::CHECKING_ANSWER)),
        MessageStatus::Interrupted {
            by,
            checking: false,
        } => Some(check(strings::interruption(*by))),
        MessageStatus::Failed(failure) => {
            let failure = failure.clone();
            let retry =
                own.then(|| Callback::new(move |()| dispatch.send(Intent::RetryMessage(key))));
            let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissMessage(key)));
            Some(match retry {
                Some(retry) => view! { class="a",
                    <FailureNote failure on_retry=retry on_dismiss=dismiss/>
                }
                .into_any(),
                None => view! { class="a", <FailureNote failure on_dismiss=dismiss/> }.into_any(),
            })
        }
        MessageStatus::Sent | MessageStatus::Streaming | MessageStatus::Complete => None,
    }
}
