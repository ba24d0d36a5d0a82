//! The whole widget inside the panel.

use std::sync::Arc;

use assent_conversation::ThreadId;
use leptos::{
    either::Either, html::Div, prelude::*, tachys::html::node_ref::NodeRefContainer,
    web_sys::KeyboardEvent,
};

use super::{
    agent_name::AgentName,
    attachments::{Files, drop_target},
    composer::composer,
    confirm::ConfirmDialog,
    dispatch::Dispatch,
    element::el,
    header::Header,
    list_visibility::ListVisibility,
    live_regions::LiveRegions,
    notice_bar::NoticeBar,
    strings,
    thread_list::ThreadList,
    transcript::transcript,
};
use crate::store::{Settings, Store};

/// An action that the person is asked about before it is done.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Confirm {
    /// Delete this conversation, of this name.
    Delete(ThreadId, String),
    /// Forget what the device keeps.
    Clear,
}

/// The question that is open. It is in the context of all components.
pub(super) type ToConfirm = RwSignal<Option<Confirm>>;

/// The whole widget inside the panel: header, list of conversations, transcript, composer.
///
/// `store` is what is shown and `settings` is how; `dispatch` is where what a person wants goes.
pub fn app(store: Store, settings: Settings, dispatch: Dispatch) -> AnyView {
    view! { <App store settings dispatch/> }.into_any()
}

/// The whole widget, in the language of now.
#[component]
fn App(store: Store, settings: Settings, dispatch: Dispatch) -> impl IntoView {
    provide_context(store);
    provide_context(settings);
    provide_context(dispatch);
    // Another language changes nearly every node, and comes seldom: all is made anew with it. What a
    // person has typed and decided is in the store.
    let is_odd = StoredValue::new(false);
    move || {
        provide_context(settings.texts.get());
        is_odd.update_value(|is_odd| *is_odd = !*is_odd);
        let widget = view! { <Widget/> };
        // A view in the place of one of the same type would get its nodes; the other side gets none.
        if is_odd.get_value() {
            Either::Left(widget)
        } else {
            Either::Right(widget)
        }
    }
}

/// The whole widget, in one language.
#[component]
fn Widget() -> impl IntoView {
    let (store, settings) = (expect_context::<Store>(), expect_context::<Settings>());
    let texts = strings::texts();
    let heading = Signal::derive(move || {
        let own = settings.heading.get();
        own.unwrap_or_else(|| texts.get(strings::HEADING).to_owned())
    });
    provide_context(AgentName {
        agent: store.agent,
        heading,
    });
    let list = ListVisibility::new(settings.threads);
    provide_context(list);
    provide_context::<ToConfirm>(RwSignal::new(None));
    let root = NodeRef::<Div>::new();
    list.watch(root);
    list.keep_focus(root);
    let escape = move |event: KeyboardEvent| {
        let covers = untrack(|| list.covers());
        // An input method and whatever is open above the list come first.
        if event.key() == "Escape" && covers && !event.default_prevented() && !event.is_composing()
        {
            event.prevent_default();
            list.uncover();
        }
    };
    let data_list = move || if list.shown() { "shown" } else { "hidden" };
    // GROUP SHIM: `Files` and `drop_target`, which takes an `Element`. In place of `el` comes a `div` of
    // `view!` with `node_ref=root`, and `root.load` goes.
    let files = Files {
        list: Arc::new(move || store.composer.with(|it| it.files.clone())),
        batch: None,
        can_attach: settings.can_attach,
        dispatch: expect_context(),
    };
    let app = el("div", "app")
        .follow_text("data-list", move || data_list().to_owned())
        .follow_bool("data-wide", move || list.is_wide())
        .on("keydown", escape);
    root.load(app.node());
    let app = app
        .child(view! { <Page heading files=files.clone()/> }.into_any())
        .child(view! { <ConfirmDialog root/> }.into_any())
        .child(view! { <LiveRegions/> }.into_any());
    drop_target(app, &files).view()
}

/// The page below the question: all that is out of reach while one is open.
#[component]
fn Page(heading: Signal<String>, files: Files) -> impl IntoView {
    let (store, settings) = (expect_context::<Store>(), expect_context::<Settings>());
    let dispatch = expect_context::<Dispatch>();
    let to_confirm = expect_context::<ToConfirm>();
    let list = ListVisibility::from_context();
    view! {
        <div class="page" prop:inert=move || to_confirm.with(Option::is_some)>
            <Header heading/>
            <NoticeBar notice=store.notice/>
            <div class="body">
                <Show when=move || list.shown()>
                    <ThreadList/>
                </Show>
                <div class="main" prop:inert=move || list.covers()>
                    {transcript(store.transcript, store.composer, settings, dispatch)}
                    {composer(store.composer, store.draft, settings.placeholder, &files)}
                </div>
            </div>
        </div>
    }
}
