//! One message of the transcript, with all its parts.

use assent_conversation::{Author, BatchId, MessageStatus};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    activity::{Activity, has_steps},
    agent_name::AgentName,
    answer::Answer,
    approval::LazyCard,
    day::{Day, MessageTime},
    effect::memo,
    extras::{Extra, LazyExtra},
    footnote::Footnote,
    listener::boxed_listener,
    message_actions::MessageActions,
    own_sentences::signal_in_language_of_page,
    rows::{Row, rows},
    show::Show,
    strings, time,
    working::Working,
};
use crate::store::{ApprovalView, MessageRow, MessageText, Settings};

/// One message of the transcript: day, author, time, text or answer, actions and status.
#[component]
pub(super) fn Message(row: MessageRow) -> impl IntoView {
    let texts = strings::texts();
    let agent = AgentName::from_context();
    let (head, text) = (
        RwSignal::from(row.head.clone()),
        RwSignal::from(row.text.clone()),
    );
    let is_own = head.with_untracked(|head| head.author == Author::You);
    let text = if is_own {
        text
    } else {
        signal_in_language_of_page(text)
    };
    let author = move || match head.with(|head| head.author.clone()) {
        Author::You => texts.get(strings::YOU).to_owned(),
        Author::Agent(name) => agent.name_for(&name),
    };
    let name = move || match head.with(|head| head.time) {
        Some(at) => [&author(), ", ", &time::format_clock(texts, at)].concat(),
        None => author(),
    };
    let handle = memo(move || {
        let handle = head.with(|head| match &head.author {
            Author::You => String::new(),
            Author::Agent(name) => agent.handle_for(name, &head.handle),
        });
        shown_handle(&handle, &author())
    });
    let handle = move || {
        handle
            .get()
            .map(|handle| view! { <span class="handle" dir="ltr">{handle}</span> })
    };
    let key = row.key;
    let approvals = RwSignal::from(row.approvals.clone());
    let body = match is_own {
        // Most messages have no files, and need no node that stands for these.
        true if head.with_untracked(|head| head.files.is_empty()) => {
            view! { <Bubble text/> }.into_any()
        }
        true => {
            // At first a message may have only the ids of its files; their names come once it is
            // stored.
            let files = memo(move || head.with(|head| head.files.clone()));
            view! {
                {move || view! { <LazyExtra extra=Extra::SentFiles(files.get())/> }}
                <Bubble text/>
            }
            .into_any()
        }
        false => view! { <AgentBody row text/> }.into_any(),
    };
    view! {
        <article
            part="message"
            class="message"
            aria-label=name
            data-role=if is_own { "user" } else { "assistant" }
            data-state=move || head.with(|head| state_name(&head.status))
        >
            <Day head/>
            <div class="message-head" aria-hidden="true">
                <span class="author">{author}</span>
                {handle}
                <MessageTime head/>
            </div>
            {body}
            <MessageActions head text approvals is_own/>
            <Footnote head key/>
        </article>
    }
}

/// Maximum number of characters of the user's message that are shown until the user asks for all.
const MAX_BUBBLE_CHARACTERS: usize = 20_000;

/// The text of the user's message.
#[component]
fn Bubble(text: RwSignal<MessageText>) -> impl IntoView {
    let start = text.with_untracked(|text| strings::cut_to(&text.text, MAX_BUBBLE_CHARACTERS));
    if text.with_untracked(|text| text.text.len() == start.len()) {
        return view! {
            <div class="bubble" dir="auto">
                {move || text.with(|text| text.text.clone())}
            </div>
        }
        .into_any();
    }
    // Browsers lay a text of megabytes out for seconds, again and again.
    let is_whole = RwSignal::new(false);
    let show = move |_: MouseEvent| is_whole.set(true);
    let shown = move || match is_whole.get() {
        true => text.with(|text| text.text.clone()),
        false => start.clone(),
    };
    view! {
        <div class="bubble" dir="auto">
            {shown}
            <Show when=move || !is_whole.get()>
                <button type="button" class="link-button" on:click=boxed_listener(show)>
                    {strings::texts().get(strings::SHOW_ALL)}
                </button>
            </Show>
        </div>
    }
    .into_any()
}

/// The body of a message of an agent: activity, contributions, text, and the cards of its batches.
#[component]
fn AgentBody(row: MessageRow, text: RwSignal<MessageText>) -> impl IntoView {
    let settings = expect_context::<Settings>();
    let head = RwSignal::from(row.head);
    let steps = RwSignal::from(row.activity);
    let said = RwSignal::from(row.contributions);
    let approvals = RwSignal::from(row.approvals);
    let conversation = row.conversation;
    let has_activity = memo(move || {
        let level = settings.activity.get();
        steps.with(|activity| has_steps(activity, level))
    });
    // While the agent waits for a decision, it does not work.
    let is_working = Signal::derive(move || {
        let waits =
            |(_, batch): &(_, ArcRwSignal<ApprovalView>)| batch.with(|it| it.batch.is_pending());
        head.with(|head| head.status == MessageStatus::Streaming)
            && !approvals.with(|batches| batches.iter().any(waits))
    });
    let card = |(id, batch): (BatchId, ArcRwSignal<ApprovalView>)| {
        Row::new(id.as_str(), move || {
            let view = RwSignal::from(batch.clone());
            view! { <LazyCard view/> }
        })
    };
    view! {
        <Show when=move || has_activity.get()>
            <Activity steps is_working/>
            <Show when=move || said.with(|said| !said.is_empty())>
                <LazyExtra extra=Extra::Contributions(said, conversation)/>
            </Show>
        </Show>
        <Answer text conversation/>
        <Show when=move || is_working.get()>
            <Working text steps/>
        </Show>
        {rows(move || approvals.get().into_iter().map(card).collect())}
    }
}

/// Returns an agent's handle as it is shown beside the name `author`, with an `@`; `None` if the
/// handle is empty or the same as the name.
fn shown_handle(handle: &str, author: &str) -> Option<String> {
    let bare = handle.trim_start_matches('@');
    let is_new = !bare.is_empty() && bare != author.trim_start_matches('@');
    is_new.then(|| ["@", bare].concat())
}

/// Returns the value of `data-state` for a message (`docs/PARTS.md`). A message counts as being
/// sent while it is looked up whether it arrived, and as failed if that could not be found out.
fn state_name(status: &MessageStatus) -> &'static str {
    match status {
        MessageStatus::Sending | MessageStatus::Unconfirmed { checking: true, .. } => "sending",
        MessageStatus::Sent => "sent",
        MessageStatus::Streaming => "streaming",
        MessageStatus::Complete => "complete",
        MessageStatus::Interrupted { .. } => "interrupted",
        MessageStatus::Unconfirmed {
            checking: false, ..
        }
        | MessageStatus::Failed(_) => "failed",
    }
}
