//! A row of the list of conversations, with the buttons that open, rename and delete the
//! conversation.

use std::sync::Arc;

use assent_conversation::{Intent, RowState, ThreadId};
use leptos::{
    html::Input,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{HtmlInputElement, KeyboardEvent, MouseEvent},
};

use super::{
    attribute::attribute,
    confirm::{ActionToConfirm, OpenConfirmation},
    dispatch::Dispatch,
    effect::{memo, on_load},
    escape_invisible::shown_name,
    focus::focus,
    ids::new_id,
    list_visibility::ListVisibility,
    listener::boxed_listener,
    show::Show,
    strings,
    thread_menu::ThreadMenu,
    thread_window::ThreadWindow,
    time,
};
use crate::store::Store;

/// A row of the list of conversations: its buttons, or a box for the new name while the
/// conversation is being renamed.
#[component]
pub(super) fn ThreadRow(id: ThreadId) -> impl IntoView {
    let thread = RowThread::new(id);
    let to_confirm = expect_context::<OpenConfirmation>();
    let rename = Callback::new(move |()| thread.renaming.set(true));
    let delete = Callback::new(move |()| {
        let question = ActionToConfirm::Delete(thread.id.get_value(), thread.name.get_untracked());
        to_confirm.set(Some(question));
    });
    let mark = StoredValue::new(new_id());
    let usual = move || {
        view! {
            <OpenButton thread mark/>
            <ThreadDetails thread mark/>
            <ThreadMenu name=thread.name refocus=thread.refocus rename delete/>
        }
    };
    let place = |part: fn((usize, usize)) -> usize| {
        move || thread.place_in_list().map(|place| part(place).to_string())
    };
    view! {
        <li
            class="row"
            data-current=move || thread.is_open.get().to_string()
            data-deleting=move || thread.is_deleting.get().to_string()
            {..attribute("aria-posinset", place(|(at, _)| at))}
            {..attribute("aria-setsize", place(|(_, of)| of))}
        >
            <Show when=move || !thread.group.get().is_empty()>
                <h3 class="group">{move || thread.group.get()}</h3>
            </Show>
            <Show when=move || thread.renaming.get() fallback=usual>
                <RenameBox thread/>
            </Show>
        </li>
    }
}

/// What a row shows of its conversation, as signals.
#[derive(Clone, Copy)]
struct RowThread {
    id: StoredValue<ThreadId>,
    window: ThreadWindow,
    /// The name of the conversation, or the text for one without a name.
    name: Signal<String>,
    is_open: Memo<bool>,
    is_deleting: Memo<bool>,
    /// The name of a group of days, such as "Yesterday", if this row is the first of the group;
    /// empty otherwise.
    group: Memo<&'static str>,
    /// True while the conversation has pending approvals.
    waits: Memo<bool>,
    /// True while the conversation has a draft and is not open.
    has_draft: Memo<bool>,
    /// True while the box for a new name is shown.
    renaming: RwSignal<bool>,
    /// True once the box for a new name was removed and the focus is to come back to the menu's
    /// button.
    refocus: RwSignal<bool>,
}

impl RowThread {
    fn new(id: ThreadId) -> Self {
        let texts = strings::texts();
        let threads = expect_context::<Store>().threads;
        let id = StoredValue::new(id);
        let is_it = move |other: &ThreadId| id.with_value(|id| id == other);
        let window = ThreadWindow::from_context();
        let row = move || id.with_value(|id| window.find(id));
        let name = move || row().map(|(_, row)| row.name.clone()).unwrap_or_default();
        Self {
            id,
            window,
            name: Signal::derive(move || match name() {
                name if name.trim().is_empty() => {
                    texts.get(strings::UNNAMED_CONVERSATION).to_owned()
                }
                name => shown_name(&name),
            }),
            is_open: memo(move || threads.with(|it| it.open.as_ref().is_some_and(is_it))),
            is_deleting: memo(move || {
                row().is_some_and(|(_, row)| row.state == RowState::Deleting)
            }),
            group: memo(move || {
                let group = id.with_value(|id| window.group_name(id));
                group.map_or("", |name| texts.get(name))
            }),
            waits: memo(move || {
                threads.with(|it| it.waiting.iter().any(|(thread, _)| is_it(thread)))
            }),
            has_draft: memo(move || threads.with(|it| it.drafts.iter().any(is_it))),
            renaming: RwSignal::new(false),
            refocus: RwSignal::new(false),
        }
    }

    /// Returns the conversation's entry in the list; `None` when the row is about to be removed.
    fn row(self) -> Option<Arc<assent_conversation::ThreadRow>> {
        let found = self.id.with_value(|id| self.window.find(id));
        found.map(|(_, row)| row)
    }

    /// Returns the row's place in a long list, from 1 on, and the number of the list's rows; `None`
    /// in a short list.
    fn place_in_list(self) -> Option<(usize, usize)> {
        let of = self.window.length_of_long()?;
        let (at, _) = self.id.with_value(|id| self.window.find(id))?;
        Some((at + 1, of))
    }

    /// Closes the box for a new name, and sends the new name if `name` is one. If `back`, the focus
    /// goes to the button of the row's menu.
    fn end_renaming(self, name: Option<String>, back: bool, dispatch: Dispatch) {
        // The blur event of closing the box comes too late to count; the row may even be gone by
        // then.
        if self.renaming.try_get_untracked() == Some(true) {
            self.refocus.set(back);
            self.renaming.set(false);
            if let (Some(id), Some(name)) = (self.id.try_get_value(), name) {
                dispatch.send(Intent::RenameThread(id, name));
            }
        }
    }
}

/// The button of a row that opens the conversation. `mark` is the id of the element that says that
/// approvals are pending or there is a draft.
#[component]
fn OpenButton(thread: RowThread, mark: StoredValue<String>) -> impl IntoView {
    let list = ListVisibility::from_context();
    let dispatch = expect_context::<Dispatch>();
    let open = move |_: MouseEvent| {
        list.uncover();
        dispatch.send(Intent::OpenThread(thread.id.get_value()));
    };
    view! {
        <button
            type="button"
            class="thread"
            part="thread"
            aria-label=move || thread.name.get()
            aria-describedby=mark.get_value()
            {..attribute("aria-current", move || thread.is_open.get().then(|| "true".to_owned()))}
            prop:disabled=move || thread.is_deleting.get()
            on:click=boxed_listener(open)
        >
            <span class="thread-name" dir="auto">
                {move || thread.name.get()}
            </span>
        </button>
    }
}

/// What a row shows besides the conversation's name: pending approvals or a draft, in an element
/// with the id `mark`, and the time of the last message. It lies over the button that opens the
/// conversation, whose accessible name has none of this.
#[component]
fn ThreadDetails(thread: RowThread, mark: StoredValue<String>) -> impl IntoView {
    let texts = strings::texts();
    let time = move || {
        let last_message = thread.row().and_then(|row| row.last_message);
        last_message.map(|at| time::format_day_or_clock(texts, at))
    };
    let class = move || match thread.waits.get() {
        true => "thread-mark",
        false => "thread-mark draft",
    };
    let sign = move || {
        texts.get(match thread.waits.get() {
            true => strings::NEEDS_APPROVAL,
            false => strings::DRAFT,
        })
    };
    view! {
        <span class="thread-time">{move || time().unwrap_or_default()}</span>
        <Show when=move || thread.waits.get() || thread.has_draft.get()>
            <span class=class id=mark.get_value()>
                {sign}
            </span>
        </Show>
    }
}

/// The box for a new name of a conversation. Enter saves and Escape cancels, and both move the
/// focus back to the row's menu. Moving the focus elsewhere saves, too.
#[component]
fn RenameBox(thread: RowThread) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let row = untrack(|| thread.row());
    let before = row.map(|row| row.name.clone()).unwrap_or_default();
    let input = NodeRef::<Input>::new();
    on_load(input, move |input| {
        focus(&input);
        let input: HtmlInputElement = input.unchecked_into();
        // Leptos would set a property later than this, and the selection would be gone.
        input.set_value(&before);
        input.select();
    });
    let leave = move |name, back| thread.end_renaming(name, back, dispatch);
    let typed = move || {
        let input = input.try_get_untracked().flatten();
        input.map(|input| input.value())
    };
    let keydown = move |event: KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        match event.key().as_str() {
            "Enter" => leave(typed(), true),
            "Escape" => leave(None, true),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <input
            type="text"
            class="thread-rename"
            part="thread-rename"
            aria-label=texts.get(strings::CONVERSATION_NAME)
            dir="auto"
            {..attribute("maxlength", "200")}
            node_ref=input
            on:keydown=boxed_listener(keydown)
            on:blur=boxed_listener(move |_| leave(typed(), false))
        />
    }
}
