//! One conversation of the list: open it, rename it, ask for its deletion.

use std::sync::Arc;

use assent_conversation::{Intent, RowState, ThreadId};
use leptos::{
    prelude::*,
    web_sys::{FocusEvent, HtmlInputElement, KeyboardEvent, MouseEvent},
};

use super::{
    app::{Confirm, Text, ToConfirm},
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, choose, new_id, show, text, when_there},
    focus::focus,
    list_visibility::ListVisibility,
    strings,
    thread_menu::thread_menu,
    time,
};
use crate::store::ThreadsView;

pub(super) fn thread_row(
    id: ThreadId,
    threads: RwSignal<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    to_confirm: ToConfirm,
) -> AnyView {
    let texts = strings::texts();
    let row = {
        let (threads, id) = (threads, id.clone());
        move || threads.with(|it| it.rows.iter().find(|row| row.id == id).cloned())
    };
    let given_name = {
        let row = row.clone();
        move || row().map(|row| row.name).unwrap_or_default()
    };
    let name: Text = {
        let given_name = given_name.clone();
        Arc::new(move || match given_name() {
            name if name.trim().is_empty() => texts.get(strings::UNNAMED).to_owned(),
            name => name,
        })
    };
    let current = {
        let (threads, id) = (threads, id.clone());
        Memo::new(move |_| threads.with(|it| it.open.as_ref() == Some(&id)))
    };
    let deleting = {
        let row = row.clone();
        Memo::new(move |_| row().is_some_and(|row| row.state == RowState::Deleting))
    };
    let waits = {
        let (threads, id) = (threads, id.clone());
        Memo::new(move |_| {
            threads.with(|threads| threads.waiting.iter().any(|(thread, _)| *thread == id))
        })
    };
    let renaming = RwSignal::new(false);
    let refocus = RwSignal::new(false);
    let (menu_id, open_id) = (id.clone(), id.clone());
    let rename_box = move || {
        let id = id.clone();
        let save = move |name: Option<String>, back: bool| {
            // The blur that leaving the box brings with it comes too late to count; the row may even be gone by then.
            if renaming.try_get_untracked() == Some(true) {
                refocus.set(back);
                renaming.set(false);
                if let Some(name) = name {
                    dispatch.send(Intent::RenameThread(id.clone(), name));
                }
            }
        };
        rename_box(given_name(), Arc::new(save))
    };
    let usual = move || {
        let when = row.clone();
        let when = move || {
            when()
                .and_then(|row| row.last_message)
                .map(|at| time::day_or_clock(texts, at))
        };
        let (label, shown, asked) = (name.clone(), name.clone(), name.clone());
        let (open_id, menu_id) = (open_id.clone(), menu_id.clone());
        let (list, to_confirm) = (list.clone(), to_confirm);
        let open = move |_: MouseEvent| {
            list.uncover();
            dispatch.send(Intent::OpenThread(open_id.clone()));
        };
        let delete = move || {
            let name = untrack(|| asked());
            to_confirm.set(Some(Confirm::Delete(menu_id.clone(), name)));
        };
        let mark_id = new_id();
        let opener = el("button", "thread").attr("aria-describedby", &mark_id);
        let mark = move || {
            el("span", "thread-mark")
                .attr("id", &mark_id)
                .text(texts.get(strings::NEEDS_APPROVAL))
                .view()
        };
        let shown = el("bdi", "").child(text(move || shown()));
        let when = text(move || when().unwrap_or_default());
        let opener = opener
            .attr("type", "button")
            .attr("part", "thread")
            .follow_text("aria-label", move || label())
            .follow("aria-current", move || {
                current.get().then(|| "true".to_owned())
            })
            .follow_property("disabled", move || deleting.get())
            .on("click", open)
            .child(el("span", "thread-name").child(shown))
            .child(show(move || waits.get(), mark))
            .child(el("span", "thread-time").child(when))
            .view();
        let rename = move || renaming.set(true);
        let menu = thread_menu(name.clone(), refocus, Arc::new(rename), Arc::new(delete));
        vec![opener, menu].into_any()
    };
    el("li", "row")
        .follow_bool("data-current", move || current.get())
        .follow_bool("data-deleting", move || deleting.get())
        .child(choose(move || renaming.get(), rename_box, usual))
        .view()
}

/// Takes the new name, or none to leave it as it was, and whether the focus goes back to the row.
type Save = Arc<dyn Fn(Option<String>, bool) + Send + Sync>;

/// Enter saves and Escape cancels, both going back to the row; going elsewhere saves and stays there.
fn rename_box(name: String, save: Save) -> AnyView {
    let texts = strings::texts();
    let input = ElementRef::new();
    let value = move || {
        input
            .now_as::<HtmlInputElement>()
            .map(|input| input.value())
    };
    when_there(input, move |element| {
        focus(element);
        if let Some(input) = input.now_as::<HtmlInputElement>() {
            // Leptos would set a property later than this, and the selection would be gone.
            input.set_value(&name);
            input.select();
        }
    });
    let leave = Arc::clone(&save);
    let keydown = move |event: KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        match event.key().as_str() {
            "Enter" => save(value(), true),
            "Escape" => save(None, true),
            _ => return,
        }
        event.prevent_default();
    };
    el("input", "thread-rename")
        .attr("type", "text")
        .attr("part", "thread-rename")
        .attr("aria-label", texts.get(strings::CONVERSATION_NAME))
        .attr("dir", "auto")
        .attr("maxlength", "200")
        .node_ref(input)
        .on("keydown", keydown)
        .on("blur", move |_: FocusEvent| leave(value(), false))
        .view()
}
