//! The whole widget inside the panel.

use assent_conversation::{ComposerState as State, Intent};
use leptos::{
    html::Div,
    prelude::*,
    web_sys::{HtmlElement, KeyboardEvent},
};

use super::{
    agent_name::AgentName,
    approval::WantedCard,
    attachments::{DropTarget, Files},
    attribute::attribute,
    composer::Composer,
    confirm::{ActionToConfirm, ConfirmDialog, OpenConfirmation},
    dispatch::Dispatch,
    extras::{Extra, LazyExtra},
    header::Header,
    list_visibility::{ListVisibility, is_wide},
    listener::boxed_listener,
    live_regions::LiveRegions,
    notice_bar::NoticeBar,
    remount::remount,
    show::Show,
    strings,
    thread_list::ThreadList,
    transcript::Transcript,
};
use crate::store::{Settings, Store, ThreadsPlacement};

/// The whole widget inside the panel: header, list of conversations, transcript, composer.
///
/// `container` is the element that the widget is mounted in. `store` holds the state and `settings`
/// the presentation; `dispatch` takes the user's intents.
pub fn app(
    container: &HtmlElement,
    store: Store,
    settings: Settings,
    dispatch: Dispatch,
) -> AnyView {
    // Measured at once: under a list that does not lie beside it, the message box could not take
    // the focus from the loader's.
    let wide = RwSignal::new(is_wide(container));
    view! { <App store settings dispatch wide/> }.into_any()
}

/// Puts what all components need into the context, and mounts the whole widget anew whenever the
/// texts or the language change.
#[component]
fn App(
    store: Store,
    settings: Settings,
    dispatch: Dispatch,
    wide: RwSignal<bool>,
) -> impl IntoView {
    provide_context(store);
    provide_context(settings);
    provide_context(dispatch);
    // Another language changes nearly every node, and comes seldom: all is made anew with it. Text
    // that the user has typed and decisions are in the store.
    remount(move || {
        provide_context(settings.texts.get());
        view! { <Widget wide/> }
    })
}

/// The widget's outermost element with all its parts, which also handles the key Escape and dropped
/// files. It is made anew when the language changes.
#[component]
fn Widget(wide: RwSignal<bool>) -> impl IntoView {
    let (store, settings) = (expect_context::<Store>(), expect_context::<Settings>());
    let texts = strings::texts();
    let heading = Signal::derive(move || {
        let own = settings.heading.get();
        let usual = match settings.shows_approvals {
            true => strings::DECISIONS,
            false => strings::HEADING,
        };
        own.unwrap_or_else(|| texts.get(usual).to_owned())
    });
    provide_context(AgentName {
        agent: store.agent,
        heading,
        texts,
    });
    let threads = match settings.shows_approvals {
        true => RwSignal::new(ThreadsPlacement::Hidden),
        false => settings.threads,
    };
    let list = ListVisibility::new(threads, wide);
    provide_context(list);
    let to_confirm = OpenConfirmation::new(None);
    provide_context(to_confirm);
    provide_context(WantedCard::new());
    let dispatch = expect_context::<Dispatch>();
    let root = NodeRef::<Div>::new();
    list.observe_width(root);
    list.keep_focus(root);
    let escape = move |event: KeyboardEvent| {
        let covers = untrack(|| list.covers_transcript());
        // An input method and anything open above the list come first.
        if event.key() != "Escape" || event.default_prevented() || event.is_composing() {
            return;
        }
        if covers {
            event.prevent_default();
            list.uncover();
        } else if store
            .composer
            .with_untracked(|it| it.composer == State::Streaming)
        {
            event.prevent_default();
            if store.transcript.runs_tool() {
                to_confirm.set(Some(ActionToConfirm::Stop));
            } else {
                dispatch.send(Intent::Stop);
            }
        }
    };
    let data_list = move || if list.is_shown() { "shown" } else { "hidden" };
    let files = Files::of_draft();
    let target = DropTarget::new(files);
    view! {
        <div
            class="app"
            node_ref=root
            data-list=data_list
            data-wide=move || list.is_wide().to_string()
            // Without texts of the page all sentences are English, whatever its direction is.
            {..attribute("data-english", texts.page_texts().is_empty().to_string())}
            on:keydown=boxed_listener(escape)
            on:dragover=boxed_listener(move |event| target.handle_drag_over(&event))
            on:dragleave=boxed_listener(move |event| target.handle_drag_leave(&event))
            on:drop=boxed_listener(move |event| target.drop(&event))
        >
            <Page heading files/>
            <ConfirmDialog root/>
            <LiveRegions/>
            <Show when=move || target.is_over()>
                <LazyExtra extra=Extra::DropHint/>
            </Show>
        </div>
    }
}

/// Everything in the widget but the question for confirmation: header, notice, list of
/// conversations, transcript and composer. It takes no clicks, keys or focus while such a question
/// is open.
#[component]
fn Page(heading: Signal<String>, files: Files) -> impl IntoView {
    let notice = expect_context::<Store>().notice;
    let shows_approvals = expect_context::<Settings>().shows_approvals;
    let to_confirm = expect_context::<OpenConfirmation>();
    let list = ListVisibility::from_context();
    view! {
        <div class="page" prop:inert=move || to_confirm.with(Option::is_some)>
            <Header heading/>
            <NoticeBar notice/>
            <div class="body">
                <Show when=move || list.is_shown()>
                    <ThreadList/>
                </Show>
                <div class="main" prop:inert=move || list.covers_transcript()>
                    {match shows_approvals {
                        true => view! { <LazyExtra extra=Extra::Approvals/> }.into_any(),
                        false => view! {
                            <Transcript/>
                            <Composer files/>
                        }
                        .into_any(),
                    }}
                </div>
            </div>
        </div>
    }
}
