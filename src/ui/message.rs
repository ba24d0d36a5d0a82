//! One message.

use assent_conversation::{Author, Intent, MessageKey, MessageStatus};
use leptos::prelude::*;

use super::{
    activity::Activity,
    answer::answer,
    app::AgentName,
    approval::approval_card,
    dispatch::Dispatch,
    erased::{Key, Row, dynamic, each, show, text},
    failure_note::{Act, failure_note, link_button},
    strings, time,
};
use crate::view::{ActivityLevel, ComposerView, MessageRow, Settings, Watched};

#[component]
pub(super) fn Message(
    row: MessageRow,
    settings: Settings,
    composer: Watched<ComposerView>,
    agent: AgentName,
    dispatch: Dispatch,
) -> impl IntoView {
    let key = row.key;
    let own = row.head.peek(|head| head.author == Author::You);
    let head = row.head.clone();
    let author = move || match head.with(|head| head.author.clone()) {
        Author::You => strings::YOU.to_owned(),
        Author::Agent(name) => agent(&name),
    };
    let head = row.head.clone();
    let name = {
        let (author, head) = (author.clone(), head.clone());
        move || match head.with(|head| head.time) {
            Some(at) => format!("{}, {}", author(), time::clock(at)),
            None => author(),
        }
    };
    let state = {
        let head = head.clone();
        Memo::new(move |_| head.with(|head| state_name(&head.status)))
    };
    let when = {
        let head = head.clone();
        dynamic(move || {
            let Some(at) = head.with(|head| head.time) else {
                return ().into_any();
            };
            view! { class="a",
                <time class="time" datetime=time::machine(at) title=time::full(at)>{time::clock(at)}</time>
            }
            .into_any()
        })
    };
    let body = if own {
        let words = row.text.clone();
        view! { class="a", <div class="bubble" dir="auto">{text(move || words.get())}</div> }
            .into_any()
    } else {
        agent_body(row, settings, composer, dispatch)
    };
    let note =
        dynamic(move || footnote(&head.with(|head| head.status.clone()), key, own, dispatch));
    view! { class="a",
        <article
            part="message"
            class="message"
            aria-label=move || name()
            data-role=if own { "user" } else { "assistant" }
            data-state=move || state.get()
        >
            <div class="message-head" aria-hidden="true">
                <span class="author">{text(author)}</span>
                {when}
            </div>
            {body}
            {note}
        </article>
    }
}

fn agent_body(
    row: MessageRow,
    settings: Settings,
    composer: Watched<ComposerView>,
    dispatch: Dispatch,
) -> AnyView {
    let (level, steps) = (settings.activity, row.activity.clone());
    let seen = level.clone();
    let has_activity = Memo::new(move |_| {
        steps.with(|activity| !activity.steps.is_empty()) && seen.get() != ActivityLevel::Off
    });
    let steps = row.activity.clone();
    let activity = show(
        move || has_activity.get(),
        move || {
            let (steps, level) = (steps.clone(), level.clone());
            view! { class="a", <Activity steps level/> }.into_any()
        },
    );
    let (head, blocks) = (row.head.clone(), row.blocks.clone());
    let waits = move || {
        let silent = blocks.with(Vec::is_empty) && !has_activity.get();
        silent && head.with(|head| head.status == MessageStatus::Streaming)
    };
    let dots = || {
        view! { class="a",
            <div class="dots" aria-hidden="true"><span></span><span></span><span></span></div>
        }
        .into_any()
    };
    let (approvals, can_attach) = (row.approvals.clone(), settings.can_attach);
    let cards = each(move || {
        let batches = approvals.get();
        let card = |(id, batch): (assent_conversation::BatchId, _)| {
            let (composer, can_attach) = (composer.clone(), can_attach.clone());
            Row::new(Key::Text(id.as_str().to_owned()), move || {
                let (batch, composer) = (Clone::clone(&batch), composer.clone());
                approval_card(batch, composer, can_attach.clone(), dispatch)
            })
        };
        batches.into_iter().map(card).collect()
    });
    view! { class="a",
        {activity}
        {answer(row.blocks)}
        {show(waits, dots)}
        {cards}
    }
    .into_any()
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
fn footnote(status: &MessageStatus, key: MessageKey, own: bool, dispatch: Dispatch) -> AnyView {
    let note = |text: &'static str| view! { class="a", <p class="footnote">{text}</p> }.into_any();
    let check = move |text: &'static str, dismiss: bool| {
        let act = |name, intent: Intent| {
            link_button(name, Box::new(move || dispatch.send(intent.clone())))
        };
        let dismiss = dismiss.then(|| act(strings::DISMISS, Intent::DismissMessage(key)));
        view! { class="a",
            <div class="footnote">
                <p>{text}</p>
                {act(strings::CHECK_AGAIN, Intent::ReloadMessages)}
                {dismiss}
            </div>
        }
        .into_any()
    };
    match status {
        MessageStatus::Sending => note(strings::SENDING),
        MessageStatus::Unconfirmed { checking: true } => note(strings::CHECKING),
        MessageStatus::Unconfirmed { checking: false } => check(strings::UNCONFIRMED, true),
        MessageStatus::Interrupted { checking: true, .. } => note(strings::CHECKING_ANSWER),
        MessageStatus::Interrupted {
            by,
            checking: false,
        } => check(strings::interruption(*by), false),
        MessageStatus::Failed(failure) => {
            let act = move |intent: Intent| Box::new(move || dispatch.send(intent.clone())) as Act;
            let retry = own.then(|| act(Intent::RetryMessage(key)));
            failure_note(None, failure, retry, Some(act(Intent::DismissMessage(key))))
        }
        MessageStatus::Sent | MessageStatus::Streaming | MessageStatus::Complete => ().into_any(),
    }
}
