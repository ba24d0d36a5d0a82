//! The top line of the widget: the open conversation, and the buttons for other conversations and
//! rare actions.

use assent_conversation::Intent;
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    attribute::attribute, dispatch::Dispatch, effect::memo, escape_invisible::shown_name, icons,
    ids::new_id, list_visibility::ListVisibility, listener::boxed_listener, more_menu::MoreMenu,
    show::Show, strings,
};
use crate::store::{Store, ThreadsView};

/// The top line of the widget: the heading, the name of the open conversation, and buttons.
#[component]
pub(super) fn Header(heading: Signal<String>) -> impl IntoView {
    let list = ListVisibility::from_context();
    let threads = expect_context::<Store>().threads;
    let open_name = move || threads.with(|threads| shown_name(&threads.open_name));
    view! {
        <header class="header">
            <Show when=move || list.has_list()>
                <ListToggle/>
            </Show>
            <div class="titles">
                <h2 class="heading" id="heading">
                    {move || heading.get()}
                </h2>
                <p class="subtitle" dir="auto">
                    {open_name}
                </p>
            </div>
            <Show when=move || list.has_list() && !list.is_shown()>
                <NewButton/>
            </Show>
            <MoreMenu/>
        </header>
    }
}

/// The button that shows or hides the list of conversations. It also shows how many tool runs wait
/// for approval in other conversations.
#[component]
fn ListToggle() -> impl IntoView {
    let texts = strings::texts();
    let list = ListVisibility::from_context();
    let threads = expect_context::<Store>().threads;
    let elsewhere = memo(move || threads.with(count_waiting_elsewhere));
    let name = texts.get(strings::CONVERSATIONS);
    let description_id = StoredValue::new(new_id());
    view! {
        <button
            type="button"
            class="icon-button threads-toggle"
            part="threads-toggle"
            {..attribute("title", name)}
            aria-label=name
            aria-describedby=description_id.get_value()
            {..attribute("aria-expanded", move || list.is_shown().to_string())}
            on:click=boxed_listener(move |_| list.toggle())
        >
            {icons::list()}
            <Show when=move || elsewhere.get() != 0>
                <span class="toggle-badge" aria-hidden="true">
                    {move || texts.format_number(elsewhere.get())}
                </span>
            </Show>
        </button>
        <Show when=move || elsewhere.get() != 0>
            <span class="visually-hidden" id=description_id.get_value()>
                {move || strings::needed_elsewhere_text(texts, elsewhere.get())}
            </span>
        </Show>
    }
}

/// The button that begins a new conversation. It is at the list while that is shown, else in the
/// header, where it shows its icon only.
#[component]
pub(super) fn NewButton() -> impl IntoView {
    let list = ListVisibility::from_context();
    let dispatch = expect_context::<Dispatch>();
    let name = strings::texts().get(strings::NEW_CONVERSATION);
    let start = move |_: MouseEvent| {
        list.uncover();
        dispatch.send(Intent::NewThread);
    };
    view! {
        <button
            type="button"
            class="icon-button thread-new"
            part="thread-new"
            {..attribute("title", name)}
            aria-label=name
            on:click=boxed_listener(start)
        >
            {icons::plus()}
            <span class="new-name">{name}</span>
        </button>
    }
}

/// Returns the number of tool runs that wait for approval in conversations other than the open one.
fn count_waiting_elsewhere(threads: &ThreadsView) -> usize {
    let elsewhere = threads.waiting.iter();
    let elsewhere = elsewhere.filter(|(thread, _)| threads.open.as_ref() != Some(thread));
    elsewhere.map(|(_, count)| count).sum()
}
