//! The whole widget inside the panel.

use assent_conversation::ThreadId;
use leptos::prelude::*;

use super::{
    composer::Composer, confirm_delete::ConfirmDelete, dispatch::Dispatch, header::Header,
    list_visibility::ListVisibility, live_regions::LiveRegions, notice_bar::NoticeBar, strings,
    thread_list::ThreadList, transcript::Transcript,
};
use crate::view::{Settings, Store, ThreadsPlacement};

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
    let heading = {
        let own = settings.heading.clone();
        Signal::derive(move || own.get().unwrap_or_else(|| strings::HEADING.to_owned()))
    };
    let list = ListVisibility::new(settings.threads.clone());
    let placement = settings.threads.clone();
    let to_delete = RwSignal::new(None::<(ThreadId, String)>);
    let root = NodeRef::new();
    list.watch(root);
    view! { class="a",
        <div
            class="app"
            node_ref=root
            data-list=move || if list.shown() { "shown" } else { "hidden" }
            data-wide=move || list.is_wide().to_string()
        >
            <Header
                heading
                list
                placement=settings.threads.clone()
                threads=store.threads.clone()
                dispatch
            />
            <div class="body">
                <Show when=move || placement.get() != ThreadsPlacement::Hidden && list.shown()>
                    {
                        let threads = store.threads.clone();
                        view! { class="a", <ThreadList threads list dispatch to_delete/> }
                    }
                </Show>
                <main class="main" prop:inert=move || list.covers()>
                    <NoticeBar notice=store.notice.clone() dispatch/>
                    <Transcript
                        transcript=store.transcript.clone()
                        composer=store.composer.clone()
                        settings=settings.clone()
                        heading
                        dispatch
                    />
                    <Composer
                        composer=store.composer.clone()
                        draft=store.draft.clone()
                        placeholder=settings.placeholder.clone()
                        dispatch
                    />
                </main>
            </div>
            <ConfirmDelete to_delete dispatch/>
            <LiveRegions polite=store.polite.clone() assertive=store.assertive.clone() heading/>
        </div>
    }
}
