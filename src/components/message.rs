//! One message.

use assent_conversation::{Author, Intent, MessageKey, MessageStatus};
use leptos::prelude::*;

use super::{
    activity::activity,
    answer::answer,
    app::AgentName,
    approval::approval_card,
    attachments::sent_files,
    contributions::{Around, contributions},
    day::{day, when},
    dispatch::Dispatch,
    element::el,
    erased::{Key, Row, choose, dynamic, each, show, text},
    failure_note::{Act, failure_note, intent_button, link_button},
    message_actions::message_actions,
    strings, time,
};
use crate::store::{ActivityLevel, ComposerView, MessageRow, Settings, Watched};

pub(super) fn message(
    row: MessageRow,
    settings: &Settings,
    composer: Watched<ComposerView>,
    agent: AgentName,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let key = row.key;
    let named = agent.clone();
    let own = row.head.peek(|head| head.author == Author::You);
    let head = row.head.clone();
    let author = move || match head.with(|head| head.author.clone()) {
        Author::You => texts.get(strings::YOU).to_owned(),
        Author::Agent(name) => named(&name),
    };
    let head = row.head.clone();
    let name = {
        let (author, head) = (author.clone(), head.clone());
        move || match head.with(|head| head.time) {
            Some(at) => [&author(), ", ", &time::clock(texts, at)].concat(),
            None => author(),
        }
    };
    let state = {
        let head = head.clone();
        move || head.with(|head| state_name(&head.status)).to_owned()
    };
    let (day, when) = (day(head.clone()), when(head.clone()));
    let actions = message_actions(&row, own);
    let handle = {
        let (author, head) = (author.clone(), head.clone());
        text(move || head.with(|head| shown_handle(&head.handle, &author())))
    };
    let body = if own {
        let words = row.text.clone();
        let bubble = el("div", "bubble")
            .attr("dir", "auto")
            .child(text(move || words.with(|it| it.text.clone())));
        vec![sent_files(&row.files), bubble.view()]
    } else {
        agent_body(row, settings, composer, agent, dispatch)
    };
    let note =
        dynamic(move || footnote(&head.with(|head| head.status.clone()), key, own, dispatch));
    let above = el("div", "message-head")
        .attr("aria-hidden", "true")
        .child(el("span", "author").child(text(author)))
        .child(el("span", "handle").attr("dir", "ltr").child(handle))
        .child(when);
    el("article", "message")
        .attr("part", "message")
        .follow_text("aria-label", name)
        .attr("data-role", if own { "user" } else { "assistant" })
        .follow_text("data-state", state)
        .child(day)
        .child(above)
        .children(body)
        .child(actions)
        .child(note)
        .view()
}

fn agent_body(
    row: MessageRow,
    settings: &Settings,
    composer: Watched<ComposerView>,
    agent: AgentName,
    dispatch: Dispatch,
) -> Vec<AnyView> {
    let (level, steps) = (settings.activity.clone(), row.activity.clone());
    let has_activity = Memo::new(move |_| {
        steps.with(|activity| !activity.steps.is_empty()) && level.get() != ActivityLevel::Off
    });
    let (level, steps) = (settings.activity.clone(), row.activity.clone());
    let activity = show(
        move || has_activity.get(),
        move || activity(steps.clone(), level.clone()),
    );
    let (said, around) = (
        row.contributions,
        Around {
            level: settings.activity.clone(),
            agent,
            conversation: row.conversation,
            answers: settings.answers.clone(),
        },
    );
    let contributions = show(
        move || has_activity.get(),
        move || contributions(said.clone(), around.clone()),
    );
    let (head, words) = (row.head.clone(), row.text.clone());
    let waits = move || {
        let silent = words.with(|it| it.text.trim().is_empty()) && !has_activity.get();
        silent && head.with(|head| head.status == MessageStatus::Streaming)
    };
    let dots = || {
        let dot = || el("span", "");
        el("div", "dots")
            .attr("aria-hidden", "true")
            .child(dot())
            .child(dot())
            .child(dot())
            .view()
    };
    let (approvals, can_attach) = (row.approvals, settings.can_attach.clone());
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
    vec![
        activity,
        contributions,
        answer(row.text, row.conversation, settings.answers.clone()),
        show(waits, dots),
        cards,
    ]
}

/// The handle as it is written beside the author; empty where it says nothing new.
fn shown_handle(handle: &str, author: &str) -> String {
    let bare = handle.trim_start_matches('@');
    if bare.is_empty() || bare == author.trim_start_matches('@') {
        String::new()
    } else {
        ["@", bare].concat()
    }
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
    let texts = strings::texts();
    let note = |text: &str| el("p", "footnote").text(text).view();
    let act = move |name, intent| intent_button(name, intent, dispatch);
    let check = move |text: &str| {
        el("div", "footnote")
            .child(el("p", "").text(text))
            .child(act(strings::CHECK_AGAIN, Intent::ReloadMessages))
    };
    match status {
        MessageStatus::Sending => note(texts.get(strings::SENDING)),
        MessageStatus::Unconfirmed { checking: true } => note(texts.get(strings::CHECKING)),
        MessageStatus::Unconfirmed { checking: false } => {
            let asks = RwSignal::new(false);
            // Not in the place of the first button: its double click would send at once.
            let question = move || {
                let cancel = link_button(
                    texts.get(strings::CANCEL),
                    Box::new(move || asks.set(false)),
                );
                el("div", "footnote")
                    .attr("role", "alert")
                    .child(el("p", "").text(texts.get(strings::MAY_ARRIVE_TWICE)))
                    .child(cancel)
                    .child(act(strings::SEND_AGAIN, Intent::ResendMessage(key)))
                    .view()
            };
            let choice = move || {
                let ask = link_button(
                    texts.get(strings::SEND_AGAIN),
                    Box::new(move || asks.set(true)),
                );
                check(texts.get(strings::UNCONFIRMED))
                    .child(act(strings::DISMISS, Intent::DismissMessage(key)))
                    .child(ask)
                    .view()
            };
            choose(move || asks.get(), question, choice)
        }
        MessageStatus::Interrupted { checking: true, .. } => {
            note(texts.get(strings::CHECKING_ANSWER))
        }
        MessageStatus::Interrupted {
            by,
            checking: false,
        } => check(texts.get(strings::interruption(*by))).view(),
        MessageStatus::Failed(failure) => {
            let act = move |intent: Intent| Box::new(move || dispatch.send(intent.clone())) as Act;
            let retry = own.then(|| act(Intent::RetryMessage(key)));
            failure_note(None, failure, retry, Some(act(Intent::DismissMessage(key))))
        }
        MessageStatus::Sent | MessageStatus::Streaming | MessageStatus::Complete => ().into_any(),
    }
}
