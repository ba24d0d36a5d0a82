//! One batch in the list of what waits.

use assent_conversation::{Millis, WaitingBatch};
use assent_i18n::Texts;
use leptos::{
    html::Button,
    prelude::*,
    task::{spawn_local, tick},
    web_sys::MouseEvent,
};

use super::told::Inbox;
use crate::components::{
    effect::on_load,
    escape_invisible::{escape_invisible, shown_name},
    extras::deadline::whole_time_left,
    focus::focus,
    listener::boxed_listener,
    strings::{self, cut_to},
    time::format_ago,
    tool_title::tool_title,
};

/// Maximum number of tools that are named.
const MAX_TOOLS: usize = 3;
/// Longest reason that is shown, in characters: the card has the whole.
const MAX_CHARACTERS: usize = 200;

/// What waits: its tools, its agent and conversation, why it is asked, since when, and how long it
/// waits; the whole is a button that opens the card.
#[component]
pub(super) fn Entry(batch: WaitingBatch, inbox: Inbox) -> impl IntoView {
    let texts = strings::texts();
    let thread = batch.thread_id.clone();
    let button = NodeRef::<Button>::new();
    let left = thread.clone();
    on_load(button, move |button| {
        if inbox.takes_back(&left) {
            spawn_local(async move {
                // A list that is drawn gives the focus back to what had it before.
                tick().await;
                focus(&button);
            });
        }
    });
    let open = move |event: MouseEvent| inbox.open(&event_target(&event), thread.clone());
    let reason = batch.tools.iter().find(|tool| !tool.reason.is_empty());
    let reason = reason.map(|tool| {
        let reason = cut_to(&escape_invisible(&tool.reason), MAX_CHARACTERS);
        view! { <span dir="auto">{reason}</span> }
    });
    let (tools, place) = (tools_text(texts, &batch), place_text(texts, &batch));
    let asked = batch.requested_at.epoch_millis().map(Millis);
    let asked = asked.map(|asked| {
        let ago = move || format_ago(texts, asked, inbox.now());
        view! { <span dir="auto">{ago}</span> }
    });
    let end = batch.expires_at.and_then(|end| end.epoch_millis());
    let end = end.map(|end| {
        let left = move || left_text(texts, Millis(end), inbox.now());
        view! { <span dir="auto">{left}</span> }
    });
    view! {
        <li>
            <button
                node_ref=button
                type="button"
                class="button approvals-entry"
                on:click=boxed_listener(open)
            >
                <strong dir="auto">{tools}</strong>
                " "
                <span dir="auto">{place}</span>
                " "
                {reason}
                " "
                {asked}
                " "
                {end}
            </button>
        </li>
    }
}

/// Returns the titles of the tools of a batch, as announcements have them.
fn tools_text(texts: Texts, batch: &WaitingBatch) -> String {
    let titles = batch.tools.iter().take(MAX_TOOLS);
    let titles: Vec<String> = titles.map(|tool| tool_title(&tool.tool_name)).collect();
    let titles = titles.join(texts.get(strings::BETWEEN));
    match batch.tools.len().saturating_sub(MAX_TOOLS) {
        0 => titles,
        more => texts.plural(strings::AND_MORE, more, &[("tools", &titles)]),
    }
}

/// Returns the names of the agent and the conversation in which a batch waits.
pub(super) fn place_text(texts: Texts, batch: &WaitingBatch) -> String {
    // Each is written in its own direction.
    let isolated = |name: String| ["\u{2068}", &name, "\u{2069}"].concat();
    let thread = match shown_name(&batch.thread_name) {
        name if name.is_empty() => texts.get(strings::UNNAMED_CONVERSATION).to_owned(),
        name => name,
    };
    let agent = Some(shown_name(&batch.agent_name)).filter(|it| !it.is_empty());
    let names: Vec<String> = agent.into_iter().chain([thread]).map(isolated).collect();
    names.join(texts.get(strings::BETWEEN))
}

/// Returns how long a batch still waits that has this end.
fn left_text(texts: Texts, end: Millis, now: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "milliseconds since 1970 are whole"
    )]
    let left = end.0 - now as i64;
    whole_time_left(texts, left.max(1), end)
}
