//! The list of what the user has allowed beforehand (extension `grants`), with a way to end each.

use assent_conversation::{Grant, Millis, read};
use assent_i18n::Texts;
use leptos::{
    html::{Button, Div},
    prelude::*,
    task::spawn_local,
    web_sys::{HtmlElement, KeyboardEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use crate::{
    components::{
        attribute::attribute,
        confirm::{ActionToConfirm, OpenConfirmation},
        dispatch::Dispatch,
        effect::on_load,
        escape_invisible::{escape_invisible, shown_name},
        focus::{focus, focused_element, select_all},
        ids::new_id,
        listener::boxed_listener,
        rows::{Row, rows},
        show::Show,
        strings::{self, cut_to},
        time::format_day_or_clock,
        tool_title::tool_title,
    },
    store::Store,
};

/// Longest name or value of a condition that is shown, in characters.
const MAX_CHARACTERS: usize = 200;

/// What is known of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListState {
    Loading,
    Loaded,
    Failed,
}

/// The button at a step that ran because it was allowed beforehand: it opens the list of what is.
#[component]
pub(super) fn AllowedNote() -> impl IntoView {
    let to_confirm = expect_context::<OpenConfirmation>();
    let open = move |_: MouseEvent| to_confirm.set(Some(ActionToConfirm::Grants));
    view! {
        <button type="button" class="link-button" on:click=boxed_listener(open)>
            {strings::texts().get(strings::extra::YOU_ALLOWED_THIS)}
        </button>
    }
}

/// The list: what is allowed now, and a button for each that ends it. `answer` closes it.
#[component]
pub(super) fn Grants(answer: Callback<bool>) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let grants = RwSignal::new(Vec::<Grant>::new());
    let state = RwSignal::new(ListState::Loading);
    let load = move || {
        state.set(ListState::Loading);
        let listed = dispatch.call_extension("grants", String::new(), false);
        spawn_local(async move {
            let text = JsFuture::from(listed).await.ok();
            let found = text.and_then(|text| read::<Vec<Grant>>(&text.as_string()?));
            state.try_set(match found {
                Some(found) => {
                    grants.try_set(found);
                    ListState::Loaded
                }
                None => ListState::Failed,
            });
        });
    };
    load();
    let close = NodeRef::<Button>::new();
    on_load(close, |close| focus(&close));
    let part = NodeRef::<Div>::new();
    let keydown = move |event: KeyboardEvent| {
        match (event.key().as_str(), part.get_untracked()) {
            ("Escape", _) => answer.run(false),
            ("Tab", Some(part)) => focus_next_button(&part, event.shift_key()),
            _ => return,
        }
        event.prevent_default();
    };
    // The focus stays in the list when its button goes.
    let ended = Callback::new(move |id: String| {
        if let Some(close) = close.try_get_untracked().flatten() {
            focus(&close);
            grants.update(|grants| grants.retain(|grant| grant.id != id));
        }
    });
    let said = move || match state.get() {
        ListState::Loading => texts.get(strings::LOADING),
        ListState::Failed => texts.get(strings::extra::GRANTS_FAILED),
        ListState::Loaded if grants.with(Vec::is_empty) => {
            texts.get(strings::extra::NOTHING_ALLOWED)
        }
        ListState::Loaded => "",
    };
    let row = move |grant: &Grant| {
        let grant = grant.clone();
        Row::new(grant.id.clone(), move || {
            let grant = grant.clone();
            view! { <GrantRow grant ended/> }
        })
    };
    view! {
        <div class="dialog-layer">
            <div
                node_ref=part
                class="dialog"
                role="dialog"
                {..attribute("aria-modal", "true")}
                aria-label=texts.get(strings::WHAT_I_ALLOWED)
                on:keydown=boxed_listener(keydown)
            >
                <h2 class="dialog-title">{texts.get(strings::WHAT_I_ALLOWED)}</h2>
                <p class="dialog-text" role="status">
                    {said}
                </p>
                <ul class="grants">{rows(move || grants.with(|it| it.iter().map(row).collect()))}</ul>
                <div class="buttons">
                    <Show when=move || state.get() == ListState::Failed>
                        <button
                            type="button"
                            class="button"
                            on:click=boxed_listener(move |_: MouseEvent| load())
                        >
                            {texts.get(strings::TRY_AGAIN)}
                        </button>
                    </Show>
                    <button
                        node_ref=close
                        type="button"
                        class="button"
                        on:click=boxed_listener(move |_: MouseEvent| answer.run(false))
                    >
                        {texts.get(strings::extra::CLOSE)}
                    </button>
                </div>
            </div>
        </div>
    }
}

/// One grant in words, with the button that ends it. `ended` is called with its id after that.
#[component]
fn GrantRow(grant: Grant, ended: Callback<String>) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let has_failed = RwSignal::new(false);
    let is_ending = RwSignal::new(false);
    let tool = grant
        .tool_id
        .split_once('/')
        .map_or(&*grant.tool_id, |(_, tool)| tool);
    let title = tool_title(tool);
    let facts = facts(texts, &grant);
    let shown = |text: &str| cut_to(&escape_invisible(text), MAX_CHARACTERS);
    let condition = |(name, value): (String, String)| {
        view! {
            <p class="grant-fact">
                <bdi>{shown(&name)}</bdi>
                ": "
                <bdi>{shown(&value)}</bdi>
            </p>
        }
        .into_any()
    };
    let conditions = grant.when.to_read().into_iter().map(condition);
    let conditions: Vec<_> = conditions.collect();
    let described = new_id();
    let stop = move |_: MouseEvent| {
        if is_ending.get_untracked() {
            return;
        }
        is_ending.set(true);
        has_failed.set(false);
        let id = grant.id.clone();
        let done = dispatch.call_extension("grants", id.clone(), true);
        spawn_local(async move {
            match JsFuture::from(done).await {
                Ok(_) => ended.run(id),
                Err(_) => {
                    is_ending.try_set(false);
                    has_failed.try_set(true);
                }
            }
        });
    };
    view! {
        <li class="grant">
            <div id=described.clone()>
                <p class="grant-title">
                    <bdi>{title}</bdi>
                </p>
                <p class="grant-fact">{facts}</p>
                {conditions}
                <Show when=move || has_failed.get()>
                    <p class="tool-issue" role="alert">
                        {texts.get(strings::extra::GRANT_NOT_ENDED)}
                    </p>
                </Show>
            </div>
            <button
                type="button"
                class="button"
                aria-describedby=described
                on:click=boxed_listener(stop)
            >
                {texts.get(strings::extra::STOP_ALLOWING)}
            </button>
        </li>
    }
}

/// Returns where and until when calls are allowed, and how many ran.
fn facts(texts: Texts, grant: &Grant) -> String {
    let threads = expect_context::<Store>().threads;
    let place = match &grant.thread_id {
        None => texts.fill(
            strings::extra::IN_ALL_CONVERSATIONS,
            &[("agent", &grant.agent_name)],
        ),
        Some(thread) => {
            let name = threads.with_untracked(|threads| {
                let row = threads.rows.iter().find(|row| row.id == *thread);
                row.map(|row| shown_name(&row.name)).unwrap_or_default()
            });
            match name.as_str() {
                "" => texts.get(strings::extra::IN_ONE_CONVERSATION).to_owned(),
                name => texts.fill(strings::extra::IN_CONVERSATION, &[("name", name)]),
            }
        }
    };
    let until = grant.until.as_ref().and_then(|until| until.epoch_millis());
    let until = until.map(|until| {
        let time = format_day_or_clock(texts, Millis(until));
        texts.fill(strings::extra::UNTIL, &[("time", &time)])
    });
    let uses = usize::try_from(grant.uses).unwrap_or(usize::MAX);
    let uses = texts.plural(strings::extra::USED, uses, &[]);
    let facts: Vec<String> = [Some(place), until, Some(uses)]
        .into_iter()
        .flatten()
        .collect();
    facts.join(texts.get(strings::BETWEEN))
}

/// Moves the focus to the next button of the list, or the one before; it stays within the list.
fn focus_next_button(part: &HtmlElement, is_back: bool) {
    let buttons: Vec<HtmlElement> = select_all(part, ".dialog button");
    let focused = focused_element(part);
    let has_focus = |it: &HtmlElement| focused.as_ref().is_some_and(|at| it.is_same_node(Some(at)));
    let count = buttons.len().max(1);
    let next = match (buttons.iter().position(has_focus), is_back) {
        (None, _) => 0,
        (Some(at), true) => (at + count - 1) % count,
        (Some(at), false) => (at + 1) % count,
    };
    buttons.get(next).into_iter().for_each(focus);
}
