//! The page's suggestions for a first message, in an empty conversation.

use assent_conversation::Intent;
use leptos::{html::Ul, prelude::*, web_sys::MouseEvent};

use super::{
    dispatch::Dispatch,
    focus::{focus_part, focused_element},
    listener::boxed_listener,
    strings,
};
use crate::store::Settings;

/// The suggestions of the page, while there are some; pressing one sends it as a message.
#[component]
pub(super) fn Suggestions() -> impl IntoView {
    let suggestions = expect_context::<Settings>().suggestions;
    move || {
        let suggestions = suggestions.get();
        (!suggestions.is_empty()).then(|| view! { <SuggestionList suggestions/> })
    }
}

/// The list of suggestions, with a button for each text. The same text may come twice.
#[component]
fn SuggestionList(suggestions: Vec<String>) -> impl IntoView {
    let list = NodeRef::<Ul>::new();
    // If the buttons go away, for any reason, a focus that one of them had goes to the box.
    on_cleanup(move || {
        if let Some(list) = list.try_get_untracked().flatten()
            && list.contains(focused_element(&list).as_deref())
        {
            focus_part(&list, "input");
        }
    });
    let buttons = suggestions
        .into_iter()
        .map(|text| view! { <Suggestion text/> });
    view! {
        <ul
            class="suggestions"
            role="list"
            aria-label=strings::texts().get(strings::SUGGESTIONS)
            node_ref=list
        >
            {buttons.collect_view()}
        </ul>
    }
}

#[component]
fn Suggestion(text: String) -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let name = text.clone();
    let send = move |event: MouseEvent| {
        // Not every browser gives the focus to a button that is clicked.
        focus_part(&event_target(&event), "input");
        dispatch.send(Intent::SendSuggestion(text.clone()));
    };
    view! {
        <li>
            <button
                type="button"
                part="suggestion"
                class="button suggestion"
                dir="auto"
                on:click=boxed_listener(send)
            >
                {name}
            </button>
        </li>
    }
}
