//! What is known of what waits with all agents, and the ways to it and back.

use assent_conversation::{Failure, FailureKind, Intent, LoadState, ThreadId, WaitingBatch, read};
use leptos::{prelude::*, task::spawn_local, web_sys::HtmlElement};
use wasm_bindgen_futures::JsFuture;

use crate::{
    components::{
        approval::WantedCard,
        dispatch::Dispatch,
        effect::{effect, memo},
        focus::focus_part,
        minute::TimeFollower,
    },
    store::{Store, ThreadsView},
};

/// What waits with all agents, and the ways to it and back.
///
/// The core counts what waits in each conversation, and knows at once what is decided here. The
/// details are read for the list alone: whenever these numbers change, and once a minute while the
/// page is seen, since nothing tells this page of what an agent asks elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Inbox {
    told: RwSignal<Vec<WaitingBatch>>,
    load: RwSignal<LoadState>,
    /// The number of the last request. The result of an older one counts no more.
    last: StoredValue<u32>,
    pub(super) threads: RwSignal<ThreadsView>,
    /// The conversation that the person has just come back from.
    left: StoredValue<Option<ThreadId>>,
    wanted: WantedCard,
    dispatch: Dispatch,
    time: StoredValue<TimeFollower, LocalStorage>,
}

impl Inbox {
    pub(super) fn from_context() -> Self {
        Self {
            told: RwSignal::new(Vec::new()),
            load: RwSignal::new(LoadState::Loading),
            last: StoredValue::new(0),
            threads: expect_context::<Store>().threads,
            left: StoredValue::new(None),
            wanted: expect_context(),
            dispatch: expect_context(),
            time: StoredValue::new_local(TimeFollower::new()),
        }
    }

    /// Reads what waits now and whenever it may have changed, where the service tells it.
    pub(super) fn follow(self) {
        let counts = move |it: &ThreadsView| it.has_inbox.then(|| it.waiting.clone());
        let counts = memo(move || self.threads.with(counts));
        effect(move || {
            self.now();
            if counts.with(Option::is_some) && !document().hidden() {
                self.read();
            }
        });
    }

    fn read(self) {
        let number = self.last.get_value().wrapping_add(1);
        self.last.set_value(number);
        let listed = self
            .dispatch
            .call_extension("approvals", String::new(), false);
        spawn_local(async move {
            let text = JsFuture::from(listed).await.ok();
            let told = text.and_then(|text| read::<Vec<WaitingBatch>>(&text.as_string()?));
            if self.last.try_get_value() != Some(number) {
                return;
            }
            let Some(told) = told else {
                let failure = Failure::of(FailureKind::Unreachable);
                return self.load.set(LoadState::Failed(failure));
            };
            self.load.set(LoadState::Ready);
            if self.told.with_untracked(|before| *before != told) {
                let is_news = !self.threads.with_untracked(|it| has_counts(it, &told));
                self.told.set(told);
                if is_news {
                    self.dispatch.send(Intent::RefreshThreads);
                }
            }
        });
    }

    pub(super) fn read_again(self) {
        self.load.set(LoadState::Loading);
        self.read();
    }

    /// Returns how far the list is; reactive.
    pub(super) fn load(self) -> LoadState {
        match self.threads.with(|it| (it.has_inbox, it.load.clone())) {
            (true, _) => self.load.get(),
            (false, load) => load,
        }
    }

    /// Returns what waits, newest first, without what was decided here since it was told; reactive.
    pub(super) fn batches(self) -> Vec<WaitingBatch> {
        self.threads.with(|threads| {
            let waits = |batch: &&WaitingBatch| {
                threads.waiting.iter().any(|(it, _)| *it == batch.thread_id)
            };
            self.told
                .with(|told| told.iter().filter(waits).cloned().collect())
        })
    }

    /// Returns the first batch that was told of this conversation; reactive.
    pub(super) fn first_of(self, thread: &ThreadId) -> Option<WaitingBatch> {
        self.told
            .with(|told| told.iter().find(|it| it.thread_id == *thread).cloned())
    }

    /// Returns the first conversation in which something waits and that is not open; reactive.
    pub(super) fn next(self) -> Option<ThreadId> {
        self.threads.with(|it| {
            let mut threads = it.waiting.iter().map(|(thread, _)| thread);
            threads
                .find(|thread| it.open.as_ref() != Some(thread))
                .cloned()
        })
    }

    /// Returns the current time in milliseconds since 1970, which is set once a minute; reactive.
    pub(super) fn now(self) -> f64 {
        self.time.with_value(TimeFollower::now)
    }

    /// Opens the cards of a conversation. The focus goes from the pressed button, which disappears, to
    /// the first of them once it is drawn.
    pub(super) fn open(self, button: &HtmlElement, thread: ThreadId) {
        focus_part(button, "transcript");
        self.wanted.want(thread.clone());
        self.dispatch.send(Intent::OpenThread(thread));
    }

    /// Goes back to the list, to where the conversation that was open is in it. `near` may have the
    /// focus.
    pub(super) fn go_back(self, near: &HtmlElement) {
        focus_part(near, "transcript");
        let open = self.threads.with_untracked(|it| it.open.clone());
        self.left.set_value(open);
        self.dispatch.send(Intent::NewThread);
    }

    /// Returns true, one time, if the person has just come back from this conversation.
    pub(super) fn takes_back(self, thread: &ThreadId) -> bool {
        let is_it = self.left.with_value(|it| it.as_ref() == Some(thread));
        if is_it {
            self.left.set_value(None);
        }
        is_it
    }
}

/// Returns true if these are the batches that the core counts.
fn has_counts(threads: &ThreadsView, told: &[WaitingBatch]) -> bool {
    let count = |thread: &ThreadId| -> usize {
        let of_it = told.iter().filter(|batch| batch.thread_id == *thread);
        of_it.map(|batch| batch.tools.len()).sum()
    };
    let is_counted = |batch: &WaitingBatch| {
        let mut waiting = threads.waiting.iter();
        waiting.any(|(thread, it)| *thread == batch.thread_id && count(thread) == *it)
    };
    let is_told = |(thread, _): &(ThreadId, usize)| count(thread) > 0;
    told.iter().all(is_counted) && threads.waiting.iter().all(is_told)
}
