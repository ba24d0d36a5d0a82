//! The whole widget inside the panel.

use std::sync::Arc;

use assent_conversation::ThreadId;
use leptos::{ev, prelude::*};

use super::{
    composer::Composer,
    confirm_delete::ConfirmDelete,
    dispatch::Dispatch,
    erased::{ElementRef, on, show},
    header::Header,
    list_visibility::ListVisibility,
    live_regions::LiveRegions,
    notice_bar::NoticeBar,
    strings,
    thread_list::ThreadList,
    transcript::Transcript,
};
use crate::view::{Settings, Store, Watched};

/// A text that is looked up each time it is shown.
pub(super) type Text = Arc<dyn Fn() -> String + Send + Sync>;

/// The name to show of an agent, from the one that came with its message.
pub(super) type AgentName = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The conversation that is to be deleted, with its name, while the person is asked.
pub(super) type ToDelete = Watched<Option<(ThreadId, String)>>;

/// The whole widget inside the panel: header, list of conversations, transcript, composer.
#[component]
pub fn App(
    /// What is shown.
    store: Store,
    /// How.
    settings: Settings,
    /// Where what a person wants goes.
    dispatch: Dispatch,
) -> impl IntoView {
    let heading: Text = {
        let own = settings.heading.clone();
        Arc::new(move || own.get().unwrap_or_else(|| strings::HEADING.to_owned()))
    };
    let agent: AgentName = {
        let (agent, heading) = (store.agent.clone(), heading.clone());
        Arc::new(move |name| {
            agent.with(|agent| match (name, agent.name.as_str()) {
                (name, _) if !name.is_empty() && name != agent.handle => name.to_owned(),
                (_, "") => heading(),
                (_, agent) => agent.to_owned(),
            })
        })
    };
    let list = ListVisibility::new(&settings.threads);
    let to_delete: ToDelete = Watched::new(None);
    let root = ElementRef::new();
    list.watch(root);
    list.keep_focus(root);
    let escape = {
        let list = list.clone();
        move |event: ev::KeyboardEvent| {
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
    let (threads, asked) = (store.threads.clone(), to_delete.clone());
    let thread_list = {
        let list = list.clone();
        move || {
            let (threads, list, to_delete) = (threads.clone(), list.clone(), asked.clone());
            view! { class="a", <ThreadList threads list dispatch to_delete/> }.into_any()
        }
    };
    let (shown, wide, covers) = (list.clone(), list.clone(), list.clone());
    let beside = list.clone();
    let questioned = to_delete.clone();
    view! { class="a",
        <div
            class="app"
            node_ref=root
            data-list=move || if shown.shown() { "shown" } else { "hidden" }
            data-wide=move || if wide.is_wide() { "true" } else { "false" }
            on:keydown=on(escape)
        >
            <div class="page" prop:inert=move || questioned.with(Option::is_some)>
                <Header heading list threads=store.threads.clone() dispatch/>
                <NoticeBar notice=store.notice.clone() dispatch/>
                <div class="body">
                    {show(move || beside.shown(), thread_list)}
                    <div class="main" prop:inert=move || covers.covers()>
                        <Transcript
                            transcript=store.transcript.clone()
                            composer=store.composer.clone()
                            settings=settings.clone()
                            agent=agent.clone()
                            dispatch
                        />
                        <Composer
                            composer=store.composer.clone()
                            draft=store.draft.clone()
                            placeholder=settings.placeholder.clone()
                            dispatch
                        />
                    </div>
                </div>
            </div>
            <ConfirmDelete to_delete root dispatch/>
            <LiveRegions polite=store.polite.clone() assertive=store.assertive.clone() agent/>
        </div>
    }
}
