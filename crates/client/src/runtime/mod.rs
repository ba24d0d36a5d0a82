//! The event loop: an input goes in, the core decides, commands are carried out, and changes go to
//! the subscriber of changes once per animation frame.

mod callback;
mod commands;
mod inputs;
mod mirrored_streams;
mod outbox;
mod posts;
mod reads;
mod recording;
mod requests;
mod service_access;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use assent_conversation::{
    BatchId, Change, Command, Input, Intent, Millis, PageEvent, State, StreamId, UploadId, step,
};
use assent_protocol::{Dialect, ThreadId};
use js_sys::Function;
use web_sys::{AbortController, File};

use self::callback::weak_callback;
use self::inputs::InputQueue;
use self::mirrored_streams::tab_message;
use self::reads::RunningReads;
use self::recording::recorded_end;
use self::requests::PendingRequests;
pub use self::requests::Resolver;
use super::api::Api;
use super::approval_lock::Permit;
use super::clock::{FrameClock, now};
use super::history::History;
use super::outbox::{DRAFT_PREFIX, Outbox};
use super::presence::{Presence, is_online};
use super::storage_events::StorageEvents;
use super::uploads::Uploads;
use super::{
    Connection, KeyValueStore, Page, PendingApprovals, ScopedStorage, StorageKind, browser_storage,
};

/// Key of the stored id of the thread that was used last.
const LAST_THREAD_KEY: &str = "last-thread";

/// Delay in milliseconds of reading the stored requests for approval after a storage event: a batch
/// is several values, and all of them should be there by then.
const REQUESTS_READ_DELAY: Millis = Millis(50);

/// A function that gets the changes since the last animation frame. It may read the state, and may
/// dispatch.
pub type ChangeSink = Box<dyn Fn(&State, &[Change])>;

/// A function that takes a file for the feedback of a batch, or, with `None`, for the draft.
/// Returns the id of the upload, or `None` after the runtime's end.
pub type FileTaker = dyn Fn(Option<BatchId>, File) -> Option<UploadId>;

/// The conversation that is shown first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FirstThread {
    /// The conversation that this user used last with this agent; a new one if there is none.
    #[default]
    LastUsed,
    /// A new conversation.
    New,
    /// The conversation of this thread.
    Thread(ThreadId),
}

/// A running core with all that carries out its commands. A clone shares it.
///
/// When the last clone is dropped, open requests end and deliver nothing more.
#[derive(Clone)]
pub struct Runtime(Rc<Inner>);

struct Inner {
    state: RefCell<State>,
    inputs: Rc<InputQueue>,
    changes: RefCell<Vec<Change>>,
    /// True while the state is borrowed: by a step or by `sink`.
    is_busy: Cell<bool>,
    sink: ChangeSink,
    clock: FrameClock,
    api: Rc<Api>,
    page: Rc<dyn Page>,
    kind: StorageKind,
    storage: ScopedStorage,
    pending_approvals: PendingApprovals,
    /// Prefix of keys and names of locks, for everything of this service, agent and user.
    scope: String,
    dialect: Cell<Dialect>,
    uploads: Rc<Uploads>,
    history: History,
    /// The time that the core was given with the last inputs; recordings use it, too.
    taken: Cell<Millis>,
    approval_events: StorageEvents,
    /// The batches whose answers were accepted; `lingering` has the locks of these that are still
    /// held.
    accepted: RefCell<Vec<BatchId>>,
    lingering: RefCell<Vec<Permit>>,
    outbox: Rc<Outbox>,
    draft_events: StorageEvents,
    _presence: Presence,
    reads: RunningReads,
    promises: PendingRequests,
    /// The streams whose events the core gets, each with the controller that ends it. Events of other
    /// streams are dropped.
    streams: RefCell<Vec<(StreamId, AbortController)>>,
}

impl Runtime {
    /// Creates a core in its first state. Nothing is requested before `Intent::Start`.
    #[must_use]
    pub fn new(connection: Connection, page: Rc<dyn Page>, sink: ChangeSink) -> Self {
        let (kind, scope) = (connection.storage, connection.storage_prefix());
        let storage = ScopedStorage::new(browser_storage(kind), scope.clone());
        Self(Rc::new_cyclic(|weak: &Weak<Inner>| {
            let later = Inner::outbox_callbacks(weak);
            let kept = format!("{scope}{}", PendingApprovals::prefix());
            let drafts = format!("{scope}{DRAFT_PREFIX}");
            Inner {
                state: RefCell::default(),
                inputs: InputQueue::new(weak_callback(weak, |inner| inner.process_inputs())),
                changes: RefCell::default(),
                is_busy: Cell::new(false),
                sink,
                clock: FrameClock::new(weak_callback(weak, |inner| inner.deliver_changes())),
                api: Rc::new(Api::new(connection, storage.clone())),
                page,
                pending_approvals: PendingApprovals::new(storage.clone()),
                outbox: Rc::new(Outbox::new(storage.clone(), kind, scope.clone(), later)),
                kind,
                storage,
                history: History::new(&scope, kind, {
                    let weak = weak.clone();
                    move |event| {
                        if let Some(inner) = weak.upgrade() {
                            inner.handle_history_event(event);
                        }
                    }
                }),
                taken: Cell::default(),
                scope,
                dialect: Cell::default(),
                uploads: Rc::default(),
                accepted: RefCell::default(),
                lingering: RefCell::default(),
                approval_events: StorageEvents::new(
                    kind,
                    kept,
                    Some(REQUESTS_READ_DELAY),
                    Box::new(weak_callback(weak, |inner| {
                        inner
                            .inputs
                            .dispatch(Input::CachedRequests(inner.pending_approvals.all()));
                    })),
                ),
                draft_events: StorageEvents::new(
                    kind,
                    drafts,
                    None,
                    Box::new(weak_callback(weak, |inner| inner.read_drafts())),
                ),
                _presence: Presence::new(Box::new(weak_callback(weak, |inner| {
                    inner.sync_outbox();
                    inner.outbox.take_over_abandoned();
                    inner.inputs.dispatch(Input::Online(is_online()));
                }))),
                reads: RunningReads::default(),
                promises: PendingRequests::default(),
                streams: RefCell::default(),
            }
        }))
    }

    /// Requests the threads, and opens the first one to show.
    pub fn start(&self, first: FirstThread) {
        let remembered = match &first {
            FirstThread::LastUsed => self.0.storage.get(LAST_THREAD_KEY).map(ThreadId),
            FirstThread::New | FirstThread::Thread(_) => None,
        };
        PendingApprovals::remove_expired(&*browser_storage(self.0.kind), now());
        self.dispatch(Input::Online(is_online()));
        self.dispatch(Input::CachedRequests(self.0.pending_approvals.all()));
        self.0.read_drafts();
        self.dispatch(Input::Positions(self.0.outbox.positions()));
        self.0.outbox.take_over_abandoned();
        self.queue_intent(Intent::Start { remembered });
        // One that the page names is opened by name: should it be gone, the user sees that.
        if let FirstThread::Thread(thread) = first {
            self.queue_intent(Intent::OpenThread(thread));
        }
    }

    /// Sets the spelling that posts have from now on, where the specification leaves it open.
    pub fn set_dialect(&self, dialect: Dialect) {
        self.0.dialect.set(dialect);
    }

    /// Sets the page's upload function: `uploader(file, {signal, progress})` returns `{fileId}` or
    /// `{imageId}`, or a promise of it. `None`: no file can be uploaded.
    pub fn set_uploader(&self, uploader: Option<Function>) {
        self.0.uploads.set_uploader(uploader);
    }

    /// Puts an intent of the user into the queue of inputs.
    pub fn queue_intent(&self, intent: Intent) {
        self.0.handle_intent(intent);
    }

    /// Puts one input into the queue. One that comes while another is processed waits for its turn.
    pub fn dispatch(&self, input: Input) {
        self.0.inputs.dispatch(input);
    }

    /// Returns a function that dispatches intents, for handlers inside the page. It does not keep
    /// the runtime alive.
    #[must_use]
    pub fn dispatcher(&self) -> Rc<dyn Fn(Intent)> {
        let weak = Rc::downgrade(&self.0);
        Rc::new(move |intent| {
            if let Some(inner) = weak.upgrade() {
                inner.intend_and_draw(intent);
            }
        })
    }

    /// Returns a function that dispatches a file for the feedback of a batch, or, with `None`, for
    /// the draft, and returns the id of its upload. It does not keep the runtime alive.
    #[must_use]
    pub fn file_taker(&self) -> Rc<FileTaker> {
        let weak = Rc::downgrade(&self.0);
        Rc::new(move |batch, file| Some(weak.upgrade()?.attach_file(batch, file)))
    }

    /// Calls `read` with the state, and returns what `read` returns. `read` must not dispatch.
    pub fn with_state<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.0.state.borrow())
    }
}

impl Inner {
    fn handle_intent(self: &Rc<Self>, intent: Intent) {
        let waits = matches!(
            intent,
            Intent::EditDraft(_) | Intent::EditFeedback(..) | Intent::ReadAt(_)
        );
        self.inputs.dispatch(Input::Intent(intent));
        // Typing comes in many steps. A change that moves a text is written before a user can see
        // it in other tabs.
        if !waits {
            self.sync_if_stale();
        }
    }

    fn intend_and_draw(self: &Rc<Self>, intent: Intent) {
        self.handle_intent(intent);
        // A user's action shows at once: typing that goes on must meet the box as it is then.
        self.deliver_changes();
    }

    fn attach_file(self: &Rc<Self>, batch: Option<BatchId>, file: File) -> UploadId {
        let name = file.name();
        // A size is a whole number that a float can hold.
        let size = file.size() as u64;
        let upload = self.uploads.hold_file(file);
        self.intend_and_draw(Intent::AttachFile {
            batch,
            upload,
            name,
            size,
        });
        upload
    }

    fn process_inputs(self: &Rc<Self>) {
        if self.is_busy.replace(true) {
            return;
        }
        // Inputs that come together have the same time.
        let now = now();
        self.taken.set(now);
        // A text came into a box without typing: it is written before a user can see it in other
        // tabs. That the service took a message is written before its answer is shown: the page
        // after a reload waits for the answer only then.
        let mut writes_at_once = false;
        let mut replaces_draft = false;
        // Before the input that came with the response.
        for offer in self.api.extensions().new_offers().into_iter().flatten() {
            self.inputs.put_first(offer);
        }
        while let Some(input) = self.inputs.next() {
            if let Input::StreamEnded(stream, end) = &input {
                self.unsubscribe(*stream);
                self.end_recording(*stream, recorded_end(end));
            }
            let message = tab_message(&input);
            let output = step(&mut self.state.borrow_mut(), input, now);
            self.outbox.note_change();
            if let Some(message) = message {
                self.notify_tabs(message);
            }
            for change in &output.changes {
                writes_at_once |= matches!(change, Change::Draft(_));
                replaces_draft |= matches!(change, Change::Draft(_) | Change::Opened);
            }
            let is_accepted =
                |it: &Command| matches!(it, Command::NotifyPage(PageEvent::MessageSent { .. }));
            writes_at_once |= output.commands.iter().any(is_accepted);
            if !output.changes.is_empty() {
                self.collect_changes(output.changes);
                self.clock.request_call();
            }
            for command in output.commands {
                self.carry_out(command);
            }
        }
        self.is_busy.set(false);
        if writes_at_once {
            self.sync_if_stale();
        } else {
            self.outbox.schedule_write();
        }
        // The box shows it before the next key: typing would replace what is not shown.
        if replaces_draft {
            self.deliver_changes();
        }
    }

    /// Collects changes for the next animation frame. Of equal changes of one message in a row it
    /// keeps only the first.
    fn collect_changes(&self, changes: Vec<Change>) {
        let mut known = self.changes.borrow_mut();
        for change in changes {
            if !matches!(change, Change::Message(..)) || known.last() != Some(&change) {
                known.push(change);
            }
        }
    }

    /// Gives the collected changes to `sink`. Inputs that `sink` dispatches are processed
    /// afterwards.
    fn deliver_changes(self: &Rc<Self>) {
        if !self.clock.end_request() {
            return;
        }
        let changes = self.changes.take();
        // A command that is being carried out may have called the page, and the page its widget.
        let was_busy = self.is_busy.replace(true);
        (self.sink)(&self.state.borrow(), &changes);
        self.is_busy.set(was_busy);
        self.process_inputs();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.write_outbox();
        self.reads.abort_all();
        self.uploads.cancel_all();
        for (_, abort) in self.streams.take() {
            abort.abort();
        }
    }
}
