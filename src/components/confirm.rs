//! The question for confirmation before something is deleted for good, or a running tool is
//! stopped.
//!
//! It lies over the widget alone: a modal dialog of the browser would take the page around the
//! widget out of reach, too.

use assent_conversation::{Intent, ThreadId};
use assent_i18n::Texts;
use leptos::{html::Div, prelude::*};

use super::{
    approval::ask,
    dispatch::Dispatch,
    effect::effect,
    escape_invisible::shown_name,
    extras::{Extra, LazyExtra},
    focus::{focus_named, focus_part},
    question::Wording,
    show::Show,
    strings,
};
use crate::store::{Store, ThreadsView};

/// An action that needs the user's confirmation.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum ActionToConfirm {
    /// Delete the conversation of this thread, which has this name.
    Delete(ThreadId, String),
    /// Delete everything that the widget has stored on this device.
    Clear,
    /// Stop an answer while a tool runs.
    Stop,
    /// End what the user has allowed beforehand, which is asked in a list of its own.
    Grants,
}

/// The action that the user is being asked to confirm; `None` while no such question is open. It is
/// in the context of all components.
pub(super) type OpenConfirmation = RwSignal<Option<ActionToConfirm>>;

/// The dialog with the open question for confirmation; nothing if none is open. `root` is the
/// widget's outermost element, in which the focus goes back afterwards.
#[component]
pub(super) fn ConfirmDialog(root: NodeRef<Div>) -> impl IntoView {
    let texts = strings::texts();
    let to_confirm = expect_context::<OpenConfirmation>();
    let dispatch = expect_context::<Dispatch>();
    let threads = expect_context::<Store>().threads;
    // The target of the focus once the question is gone and the rest can be reached again.
    let back_to = StoredValue::new(None::<String>);
    effect(move || {
        let asks = to_confirm.with(Option::is_some);
        let back = back_to
            .try_update_value(Option::take)
            .flatten()
            .filter(|_| !asks);
        if let (Some(name), Some(root)) = (back, root.get_untracked())
            && (name.is_empty() || !focus_named(&root, &name))
        {
            let _ = focus_part(&root, "input") || focus_part(&root, "thread-new");
        }
    });
    let answer = Callback::new(move |is_confirmed: bool| {
        let Some(what) = to_confirm.get_untracked() else {
            return;
        };
        let back = match &what {
            // The row of a deleted conversation is about to go, and its menu with it.
            ActionToConfirm::Delete(thread, _) if is_confirmed => {
                neighbour_name(texts, threads, thread)
            }
            ActionToConfirm::Delete(_, name) => strings::actions_for(texts, name),
            ActionToConfirm::Clear | ActionToConfirm::Grants => texts.get(strings::MORE).to_owned(),
            ActionToConfirm::Stop => String::new(),
        };
        back_to.set_value(Some(back));
        to_confirm.set(None);
        if is_confirmed {
            dispatch.send(match what {
                ActionToConfirm::Delete(thread, _) => Intent::DeleteThread(thread),
                ActionToConfirm::Clear => Intent::ForgetDevice,
                ActionToConfirm::Stop => Intent::Stop,
                ActionToConfirm::Grants => return,
            });
        }
    });
    view! {
        <Show when=move || to_confirm.with(Option::is_some)>
            {to_confirm.get_untracked().map(|what| match wording(texts, &what) {
                Some(wording) => ask(wording, answer),
                None => view! { <LazyExtra extra=Extra::Grants(answer)/> }.into_any(),
            })}
        </Show>
    }
}

/// Returns the accessible name of the button that opens the conversation after `thread` in the
/// list, or the one before if `thread` is the last; empty if there is no other conversation.
fn neighbour_name(texts: Texts, threads: RwSignal<ThreadsView>, thread: &ThreadId) -> String {
    threads.with_untracked(|threads| {
        let rows = &threads.rows;
        let at = rows.iter().position(|row| row.id == *thread);
        let next = at.and_then(|at| rows.get(at + 1).or_else(|| rows.get(at.checked_sub(1)?)));
        let name = next.map(|row| shown_name(&row.name)).unwrap_or_default();
        match next {
            Some(_) if name.is_empty() => texts.get(strings::UNNAMED_CONVERSATION).to_owned(),
            _ => name,
        }
    })
}

/// Returns the wording of a question; `None` for what has a dialog of its own.
fn wording(texts: Texts, what: &ActionToConfirm) -> Option<Wording> {
    Some(match what {
        ActionToConfirm::Delete(_, name) => {
            let warning = texts.fill(strings::DELETE_WARNING, &[("name", name)]);
            (strings::DELETE_QUESTION, warning, strings::DELETE)
        }
        ActionToConfirm::Stop => {
            let warning = texts.get(strings::STOP_WARNING).to_owned();
            (strings::STOP_QUESTION, warning, strings::STOP)
        }
        ActionToConfirm::Clear => {
            let warning = texts.get(strings::CLEAR_WARNING).to_owned();
            (strings::CLEAR_QUESTION, warning, strings::CLEAR)
        }
        ActionToConfirm::Grants => return None,
    })
}
