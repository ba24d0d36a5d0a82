//! All signals of one widget.

use std::sync::Arc;

use assent_conversation::{
    Announcement, Attachment, Change, ComposerState, Conversation, LoadState, Notice,
    QueuedMessage, State, ThreadId, ThreadRow,
};

use leptos::prelude::*;

use super::{set_if_changed, transcript::TranscriptView};

/// All signals with which the components show the core's state. They belong to the reactive owner
/// under which they were made, the one of the widget.
#[derive(Clone, Copy)]
pub struct Store {
    /// The list of conversations.
    pub threads: RwSignal<ThreadsView>,
    /// The agent of the open conversation.
    pub agent: RwSignal<Agent>,
    /// The open conversation's messages.
    pub transcript: TranscriptView,
    /// The state of the composer.
    pub composer: RwSignal<ComposerView>,
    /// The text of the message box: the core sets it, and the user's typing changes it.
    pub draft: RwSignal<String>,
    /// A failure that belongs to no message; `None` if there is none to show.
    pub notice: RwSignal<Option<Notice>>,
    /// The last announcements for screen readers that wait until these have finished what they say.
    pub polite: RwSignal<Announcements>,
    /// The last announcements for screen readers that interrupt these: requests for approval.
    pub assertive: RwSignal<Announcements>,
}

/// What the list of conversations shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsView {
    /// The state of loading the list.
    pub load: LoadState,
    /// The conversations of the list, newest first.
    pub rows: Vec<Arc<ThreadRow>>,
    /// The open conversation's thread; `None` if the service does not have it yet.
    pub open: Option<ThreadId>,
    /// The name of the open conversation; empty for a new one and for one without a name.
    pub open_name: String,
    /// The threads with pending approvals, each with the number of tool runs that wait.
    pub waiting: Vec<(ThreadId, usize)>,
    /// True if `waiting` has all threads of the agent, because the service tells them (extension
    /// `inbox`).
    pub has_inbox: bool,
    /// The threads that have a draft and are not open.
    pub drafts: Vec<ThreadId>,
}

/// The agent of the open conversation. Both fields are empty until the service sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The agent's name.
    pub name: String,
    /// The agent's handle in stored messages.
    pub handle: String,
}

/// What the composer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposerView {
    /// The state of the composer in the core.
    pub composer: ComposerState,
    /// True if the open conversation has no messages yet.
    pub fresh: bool,
    /// True while the user is asked whether the draft is feedback on the pending batch, or a
    /// message for later.
    pub is_asking: bool,
    /// The queued messages, in the order in which they will be sent.
    pub queued: Vec<QueuedMessage>,
    /// The files of the draft.
    pub files: Vec<Attachment>,
    /// True if the draft is lost with this page, because the device cannot store it.
    pub is_unstored: bool,
    /// True if nothing of the answer that is being written has arrived for a while.
    pub is_stalled: bool,
    /// True if the service was asked to end the answer that is being written.
    pub is_stopping: bool,
    /// True if the service can end an answer early on request (extension `cancel`).
    pub can_cancel: bool,
    /// True if the browser has a network.
    pub is_online: bool,
    /// Number of pending batches of the open conversation that can be decided here.
    pub deciding: usize,
}

/// The announcements that were made last in one live region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announcements {
    /// Counter that grows with each announcement, so that the same text can be announced twice in a
    /// row.
    pub revision: u32,
    /// The announcements in order. Those of one animation frame are kept together, since a screen
    /// reader would speak only the last of several that are made one by one.
    pub announcements: Vec<Announcement>,
}

impl Store {
    /// Creates signals that show `state`; `None` if no conversation is open, which never happens in
    /// a state that keeps its invariants.
    #[must_use]
    pub fn new(state: &State) -> Option<Self> {
        let conversation = state.open_conversation()?;
        Some(Self {
            threads: RwSignal::new(threads_view(state)),
            agent: RwSignal::new(open_agent(state)),
            transcript: TranscriptView::new(conversation),
            composer: RwSignal::new(composer_view(state)),
            draft: RwSignal::new(conversation.draft.clone()),
            notice: RwSignal::new(state.notice.clone()),
            polite: RwSignal::new(Announcements::default()),
            assertive: RwSignal::new(Announcements::default()),
        })
    }

    /// Sets the signals to what `state` has now. `changes` are all changes of the core since the
    /// last call, in order, repetitions included; signals that none of them is about are left as
    /// they are.
    pub fn apply(&self, state: &State, changes: &[Change]) {
        // After the owner's end there is nothing left to show.
        let Some(open) = state
            .open_conversation()
            .filter(|_| !self.draft.is_disposed())
        else {
            return;
        };
        let opened = changes.contains(&Change::Opened);
        if opened {
            self.transcript.open_conversation(open);
            self.put_draft(&open.draft);
        }
        let (mut polite, mut assertive) = (Vec::new(), Vec::new());
        let mut touched = Vec::new();
        let (mut arrange, mut list, mut composes) = (opened, opened, opened);
        for change in changes {
            match change {
                Change::Transcript(key) if *key == open.key => {
                    (arrange, composes) = (true, true);
                }
                Change::Composer(key) if *key == open.key => composes = true,
                Change::Threads | Change::Waiting => list = true,
                Change::Notice => set_if_changed(&self.notice, state.notice.clone()),
                Change::Message(key, message) if *key == open.key && !touched.contains(message) => {
                    touched.push(*message);
                }
                Change::Earlier(key) if *key == open.key => self.transcript.show_older(open),
                Change::Draft(key) if *key == open.key && !opened => self.put_draft(&open.draft),
                Change::Draft(_) => list = true,
                Change::Announce(what @ Announcement::ApprovalNeeded { .. }) => {
                    assertive.push(what.clone());
                }
                Change::Announce(what) => polite.push(what.clone()),
                Change::Opened
                | Change::Earlier(_)
                | Change::Transcript(_)
                | Change::Message(..)
                | Change::Composer(_) => {}
            }
        }
        if arrange && !opened {
            self.transcript.update_rows(open);
        }
        if !opened {
            touched
                .into_iter()
                .for_each(|message| self.transcript.refresh_row(open, message));
        }
        if list {
            set_if_changed(&self.threads, threads_view(state));
            set_if_changed(&self.agent, open_agent(state));
        }
        if composes {
            set_if_changed(&self.composer, composer_view(state));
        }
        announce(self.polite, polite);
        announce(self.assertive, assertive);
    }

    /// Announces to screen readers, without interrupting them, something that the components did
    /// without the core.
    pub fn announce_from_view(&self, what: Announcement) {
        announce(self.polite, vec![what]);
    }

    fn put_draft(&self, text: &str) {
        self.draft.update(|draft| text.clone_into(draft));
    }
}

fn announce(region: RwSignal<Announcements>, announcements: Vec<Announcement>) {
    if !announcements.is_empty() {
        region.try_update(|spoken| {
            spoken.revision = spoken.revision.wrapping_add(1);
            spoken.announcements = announcements;
        });
    }
}

fn threads_view(state: &State) -> ThreadsView {
    let open = state
        .open_conversation()
        .and_then(|open| open.thread_id())
        .cloned();
    let row = open_row(state);
    ThreadsView {
        load: state.threads.load.clone(),
        rows: state.threads.rows.clone(),
        open_name: row.map(|row| row.name.clone()).unwrap_or_default(),
        waiting: state.undecided_by_thread(),
        has_inbox: state.inbox.is_some(),
        drafts: state.drafts_elsewhere(),
        open,
    }
}

/// Returns the agent of the open conversation. All threads of the list are with one agent, so that
/// any row serves for a conversation that is in no list yet.
fn open_agent(state: &State) -> Agent {
    let row = open_row(state).or(state.threads.rows.first().map(|row| &**row));
    row.map(|row| Agent {
        name: row.agent_name.clone(),
        handle: row.agent_handle.clone(),
    })
    .unwrap_or_default()
}

fn open_row(state: &State) -> Option<&ThreadRow> {
    let open = state.open_conversation()?.thread_id()?;
    let mut rows = state.threads.rows.iter();
    rows.find(|row| row.id == *open).map(|row| &**row)
}

fn composer_view(state: &State) -> ComposerView {
    let open = state.open_conversation();
    let stream = open.and_then(|open| open.stream());
    ComposerView {
        composer: open.map_or(ComposerState::Ready, |open| open.composer_state()),
        fresh: open.is_none_or(Conversation::is_known_empty),
        is_asking: open.is_some_and(|open| open.is_asking),
        queued: open.map(|open| open.queued.clone()).unwrap_or_default(),
        files: open.map(|open| open.files.clone()).unwrap_or_default(),
        is_unstored: open.is_some_and(|open| {
            let thread = open.thread_id();
            let mut unstored = state.unstored_drafts.iter();
            unstored.any(|it| it.as_ref() == thread)
        }),
        is_stalled: stream.is_some_and(|stream| stream.is_stalled),
        is_stopping: stream.is_some_and(|stream| stream.is_stopping),
        can_cancel: state.can_cancel,
        is_online: state.is_online,
        deciding: open.map_or(0, |open| {
            let batches = open.pending_batches().into_iter();
            batches.filter(|batch| batch.is_deciding()).count()
        }),
    }
}
