//! The button that opens the file chooser.

use leptos::{
    html::Input,
    prelude::*,
    web_sys::{Event, MouseEvent},
};

use super::Files;
use crate::components::{attribute::attribute, icons, listener::boxed_listener, strings};

/// The button that opens the browser's file chooser, and the hidden field for files that the button
/// presses. `hint` is a text beside the button; without
/// it the button shows its icon alone, and with it its name, too.
#[component]
pub(in crate::components) fn FilePicker(files: Files, hint: Option<&'static str>) -> impl IntoView {
    let input = NodeRef::<Input>::new();
    let choose = Callback::new(move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    });
    let chosen = move |_: Event| {
        if let Some(input) = input.get_untracked() {
            if let Some(chosen) = input.files() {
                files.attach_all(&chosen);
            }
            // Emptied, so that the same file can be chosen again.
            input.set_value("");
        }
    };
    view! {
        <div class="attach">
            <PickerButton choose hint/>
            <input
                type="file"
                {..attribute("multiple", "")}
                {..attribute("hidden", "")}
                node_ref=input
                on:change=boxed_listener(chosen)
            />
        </div>
    }
}

#[component]
fn PickerButton(choose: Callback<()>, hint: Option<&'static str>) -> impl IntoView {
    let name = strings::texts().get(strings::ATTACH);
    let press = move |_: MouseEvent| choose.run(());
    match hint {
        None => view! {
            <button
                type="button"
                part="attach"
                class="icon-button"
                {..attribute("title", name)}
                aria-label=name
                on:click=boxed_listener(press)
            >
                {icons::clip()}
            </button>
        }
        .into_any(),
        Some(hint) => view! {
            <button type="button" part="attach" class="button" on:click=boxed_listener(press)>
                {icons::clip()}
                {name}
            </button>
            <span class="approval-hint">{hint}</span>
        }
        .into_any(),
    }
}
