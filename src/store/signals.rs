//! All signals of one widget.

use assent_conversation::{
    Announcement, Attachment, Change, Composer, Conversation, Load, Notice, QueuedMessage, State,
    ThreadId, ThreadRow,
};

use leptos::prelude::*;

use super::{set_if_changed, transcript::TranscriptView};

/// All signals of one widget. They belong to the owner under which they were made, the one of the instance.
#[derive(Clone, Copy)]
pub struct Store {
    /// The list of conversations.
    pub threads: RwSignal<ThreadsView>,
    /// Whom the person talks to.
    pub agent: RwSignal<Agent>,
    /// The open conversation's messages.
    pub transcript: TranscriptView,
    /// What the composer can do.
    pub composer: RwSignal<ComposerView>,
    /// The text of the message box: what the core put there, and what was typed since.
    pub draft: RwSignal<String>,
    /// A failure that belongs to no message.
    pub notice: RwSignal<Option<Notice>>,
    /// What was last said, in its turn, to people who do not see the screen.
    pub polite: RwSignal<Spoken>,
    /// What was last said, at once, to people who do not see the screen.
    pub assertive: RwSignal<Spoken>,
}

/// The list of conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsView {
    /// Whether it was read.
    pub load: Load,
    /// Newest first.
    pub rows: Vec<ThreadRow>,
    /// The open one, if it is on the service.
    pub open: Option<ThreadId>,
    /// Its name; empty for a new conversation and for one without a name.
    pub open_name: String,
    /// The threads in which a person is to decide, each with the number of its tool runs.
    pub waiting: Vec<(ThreadId, usize)>,
}

/// Whom the person talks to. Both are empty until the service says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The name.
    pub name: String,
    /// What stored messages call it.
    pub handle: String,
}

/// What the composer can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposerView {
    /// What the composer can do.
    pub composer: Composer,
    /// The open conversation has no messages yet.
    pub fresh: bool,
    /// What the person wanted to send while a batch was to be decided.
    pub queued: QueuedMessage,
    /// What goes with the draft.
    pub files: Vec<Attachment>,
    /// Nothing came of the answer for a while.
    pub is_stalled: bool,
    /// The browser has a network.
    pub is_online: bool,
    /// How many batches of the open conversation a person is to decide here.
    pub deciding: usize,
}

/// The last announcements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Grows each time, so that the same one twice is said twice.
    pub revision: u32,
    /// What to say, in order: what comes within one frame is said together, or only the last of it would be heard.
    pub announcements: Vec<Announcement>,
}

impl Store {
    /// Signals that show `state`; `None` never happens for a state that keeps its invariants.
    #[must_use]
    pub fn new(state: &State) -> Option<Self> {
        let conversation = state.open_conversation()?;
        Some(Self {
            threads: RwSignal::new(threads(state)),
            agent: RwSignal::new(agent(state)),
            transcript: TranscriptView::new(conversation),
            composer: RwSignal::new(composer(state)),
            draft: RwSignal::new(conversation.draft.clone()),
            notice: RwSignal::new(state.notice.clone()),
            polite: RwSignal::new(Spoken::default()),
            assertive: RwSignal::new(Spoken::default()),
        })
    }

    /// Brings the signals up to date. `changes` are all since the last call, in order, repetitions included.
    pub fn apply(&self, state: &State, changes: &[Change]) {
        // After the owner's end nobody is left to show anything to.
        let Some(open) = state
            .open_conversation()
            .filter(|_| !self.draft.is_disposed())
        else {
            return;
        };
        let opened = changes.contains(&Change::Opened);
        if opened {
            self.transcript.open(open);
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
                Change::Earlier(key) if *key == open.key => self.transcript.grow(open),
                Change::Draft(key) if *key == open.key && !opened => self.put_draft(&open.draft),
                Change::Announce(what @ Announcement::ApprovalNeeded { .. }) => {
                    assertive.push(what.clone());
                }
                Change::Announce(what) => polite.push(what.clone()),
                Change::Opened
                | Change::Earlier(_)
                | Change::Transcript(_)
                | Change::Message(..)
                | Change::Composer(_)
                | Change::Draft(_) => {}
            }
        }
        if arrange && !opened {
            self.transcript.arrange(open);
        }
        if !opened {
            touched
                .into_iter()
                .for_each(|message| self.transcript.refresh(open, message));
        }
        if list {
            set_if_changed(&self.threads, threads(state));
            set_if_changed(&self.agent, agent(state));
        }
        if composes {
            set_if_changed(&self.composer, composer(state));
        }
        speak(self.polite, polite);
        speak(self.assertive, assertive);
    }

    fn put_draft(&self, text: &str) {
        self.draft.update(|draft| text.clone_into(draft));
    }
}

fn speak(region: RwSignal<Spoken>, mut announcements: Vec<Announcement>) {
    // Who hears the answer knows that it came.
    if announcements.len() > 1 {
        announcements.retain(|it| *it != Announcement::Answering);
    }
    if !announcements.is_empty() {
        region.update(|spoken| {
            spoken.revision = spoken.revision.wrapping_add(1);
            spoken.announcements = announcements;
        });
    }
}

fn threads(state: &State) -> ThreadsView {
    let open = state
        .open_conversation()
        .and_then(|open| open.thread_id())
        .cloned();
    let row = open_row(state);
    ThreadsView {
        load: state.threads.load.clone(),
        rows: state.threads.rows.clone(),
        open_name: row.map(|row| row.name.clone()).unwrap_or_default(),
        waiting: state.waiting(),
        open,
    }
}

/// All threads of the list are with one agent, so that any row tells of a conversation that is in no list yet.
fn agent(state: &State) -> Agent {
    let row = open_row(state).or(state.threads.rows.first());
    row.map(|row| Agent {
        name: row.agent_name.clone(),
        handle: row.agent_handle.clone(),
    })
    .unwrap_or_default()
}

fn open_row(state: &State) -> Option<&ThreadRow> {
    let open = state.open_conversation()?.thread_id()?;
    state.threads.rows.iter().find(|row| row.id == *open)
}

fn composer(state: &State) -> ComposerView {
    let open = state.open_conversation();
    ComposerView {
        composer: open.map_or(Composer::Ready, |open| open.composer()),
        fresh: open.is_none_or(Conversation::is_fresh),
        queued: open.map(|open| open.queued.clone()).unwrap_or_default(),
        files: open.map(|open| open.files.clone()).unwrap_or_default(),
        is_stalled: open
            .and_then(|open| open.stream.as_ref())
            .is_some_and(|stream| stream.is_stalled),
        is_online: state.is_online,
        deciding: open.map_or(0, |open| {
            let batches = open.pending_batches();
            batches.filter(|batch| batch.is_deciding()).count()
        }),
    }
}
