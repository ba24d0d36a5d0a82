//! The whole widget inside the panel.

use std::sync::Arc;

use assent_conversation::ThreadId;
use leptos::{prelude::*, web_sys::KeyboardEvent};

use super::{
    agent_name::AgentName,
    attachments::{Files, drop_target},
    composer::composer,
    confirm::confirm,
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, dynamic, show},
    header::header,
    list_visibility::ListVisibility,
    live_regions::live_regions,
    more_menu::more_menu,
    notice_bar::NoticeBar,
    strings,
    thread_list::thread_list,
    transcript::transcript,
};
use crate::store::{Settings, Store};

/// A text that is looked up each time it is shown.
pub(super) type Text = Arc<dyn Fn() -> String + Send + Sync>;

/// What the person is asked before it is done.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Confirm {
    /// Delete this conversation, of this name.
    Delete(ThreadId, String),
    /// Forget what the device keeps.
    Clear,
}

/// The question that is open.
pub(super) type ToConfirm = RwSignal<Option<Confirm>>;

/// The whole widget inside the panel: header, list of conversations, transcript, composer.
///
/// `store` is what is shown and `settings` is how; `dispatch` is where what a person wants goes.
pub fn app(store: Store, settings: Settings, dispatch: Dispatch) -> AnyView {
    provide_context(store);
    provide_context(settings);
    provide_context(dispatch);
    // Another language changes nearly every node, and comes seldom: all is made anew with it. What a person has typed
    // and decided is in the store.
    dynamic(move || {
        provide_context(settings.texts.get());
        untrack(|| in_one_language(store, settings, dispatch))
    })
}

fn in_one_language(store: Store, settings: Settings, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    let heading = Signal::derive(move || {
        let own = settings.heading.get();
        own.unwrap_or_else(|| texts.get(strings::HEADING).to_owned())
    });
    provide_context(AgentName {
        agent: store.agent,
        heading,
    });
    let list = ListVisibility::new(&settings.threads);
    let to_confirm: ToConfirm = RwSignal::new(None);
    let root = ElementRef::new();
    list.watch(root);
    list.keep_focus(root);
    let escape = {
        let list = list.clone();
        move |event: KeyboardEvent| {
            let covers = untrack(|| list.covers());
            // An input method and whatever is open above the list come first.
            if event.key() == "Escape"
                && covers
                && !event.default_prevented()
                && !event.is_composing()
            {
                event.prevent_default();
                list.uncover();
            }
        }
    };
    let (threads, asked) = (store.threads, to_confirm);
    let beside = {
        let list = list.clone();
        let shown = list.clone();
        show(
            move || shown.shown(),
            move || thread_list(threads, list.clone(), dispatch, asked),
        )
    };
    let (shown, wide, covers) = (list.clone(), list.clone(), list.clone());
    let questioned = to_confirm;
    let messages = transcript(store.transcript, store.composer, settings, dispatch);
    let files = Files::of_draft();
    let main = el("div", "main")
        .follow_property("inert", move || covers.covers())
        .child(messages)
        .child(composer(
            store.composer,
            store.draft,
            settings.placeholder,
            &files,
        ));
    let body = el("div", "body").child(beside).child(main);
    let more = more_menu(store.polite, to_confirm, dispatch);
    let page = el("div", "page")
        .follow_property("inert", move || questioned.with(Option::is_some))
        .child(header(heading, list, store.threads, more, dispatch))
        .child(view! { <NoticeBar notice=store.notice/> }.into_any())
        .child(body);
    let app = el("div", "app")
        .node_ref(root)
        .follow_text("data-list", move || {
            if shown.shown() { "shown" } else { "hidden" }.to_owned()
        })
        .follow_bool("data-wide", move || wide.is_wide())
        .on("keydown", escape)
        .child(page)
        .child(confirm(to_confirm, root, dispatch))
        .children(live_regions(store.polite, store.assertive));
    drop_target(app, &files).view()
}
