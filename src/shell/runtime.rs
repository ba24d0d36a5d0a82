//! The loop: an input goes in, the core decides, commands are carried out, changes go to the sink once per frame.

mod posts;
mod reads;
mod requests;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};

use assent_conversation::{
    BatchId, Change, Command, Failure, FailureKind, Input, Intent, State, StreamId, step,
};
use assent_protocol::{Dialect, PostMessage, ThreadId};
use js_sys::Function;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, File};

use self::reads::Read;
use self::requests::Promises;
pub use self::requests::Settle;
use super::api::Api;
use super::clock::{FrameClock, now};
use super::presence::{Network, is_online};
use super::stream::Post;
use super::uploads::Uploads;
use super::vault_events::VaultEvents;
use super::{Connection, KeyValue, Page, Scoped, StorageKind, Vault, browser_storage};

/// Where the last used thread is kept.
const LAST_THREAD: &str = "last-thread";

/// Takes what changed since the last frame. It may read the state, and may dispatch.
pub type Sink = Box<dyn Fn(&State, &[Change])>;

/// Which conversation is shown first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FirstThread {
    /// The one that this user used last with this agent; a new one where there is none.
    #[default]
    LastUsed,
    /// A new one.
    New,
    /// This one.
    Thread(ThreadId),
}

/// One running conversation core. A clone is the same one.
///
/// When the last clone is dropped, open requests end and nothing is heard of them again.
#[derive(Clone)]
pub struct Runtime(Rc<Inner>);

struct Inner {
    state: RefCell<State>,
    inputs: RefCell<VecDeque<Input>>,
    changes: RefCell<Vec<Change>>,
    /// The state is borrowed: by a step or by the sink.
    is_busy: Cell<bool>,
    sink: Sink,
    clock: FrameClock,
    api: Rc<Api>,
    page: Rc<dyn Page>,
    kind: StorageKind,
    storage: Scoped,
    vault: Vault,
    /// What begins the names of everything that only this service, agent and user share.
    scope: String,
    dialect: Cell<Dialect>,
    uploads: Rc<Uploads>,
    vault_events: VaultEvents,
    _network: Network,
    reads: RefCell<Vec<Read>>,
    promises: Promises,
    /// The streams that are listened to. What comes from others is dropped.
    streams: RefCell<Vec<(StreamId, Option<AbortController>)>>,
}

impl Runtime {
    /// A core in its first state. Nothing is requested before `Intent::Start`.
    #[must_use]
    pub fn new(connection: Connection, page: Rc<dyn Page>, sink: Sink) -> Self {
        let (kind, scope) = (connection.storage, connection.storage_prefix());
        let storage = Scoped::new(browser_storage(kind), scope.clone());
        Self(Rc::new_cyclic(|weak: &Weak<Inner>| {
            let (weak, other, third) = (weak.clone(), weak.clone(), weak.clone());
            let kept = format!("{scope}{}", Vault::prefix());
            Inner {
                state: RefCell::default(),
                inputs: RefCell::default(),
                changes: RefCell::default(),
                is_busy: Cell::new(false),
                sink,
                clock: FrameClock::new(move || {
                    if let Some(inner) = weak.upgrade() {
                        inner.draw();
                    }
                }),
                api: Rc::new(Api::new(connection)),
                page,
                vault: Vault::new(storage.clone()),
                kind,
                storage,
                scope,
                dialect: Cell::default(),
                uploads: Rc::default(),
                vault_events: VaultEvents::new(
                    kind,
                    kept,
                    Box::new(move || {
                        if let Some(inner) = other.upgrade() {
                            inner.dispatch(Input::Kept(inner.vault.all()));
                        }
                    }),
                ),
                _network: Network::new(Box::new(move || {
                    if let Some(inner) = third.upgrade() {
                        inner.dispatch(Input::Online(is_online()));
                    }
                })),
                reads: RefCell::default(),
                promises: Promises::default(),
                streams: RefCell::default(),
            }
        }))
    }

    /// Reads the threads, and opens the first one to show.
    pub fn start(&self, first: FirstThread) {
        let remembered = match &first {
            FirstThread::LastUsed => self.0.storage.get(LAST_THREAD).map(ThreadId),
            FirstThread::New | FirstThread::Thread(_) => None,
        };
        Vault::sweep(&*browser_storage(self.0.kind), now());
        self.dispatch(Input::Online(is_online()));
        self.dispatch(Input::Kept(self.0.vault.all()));
        self.intend(Intent::Start { remembered });
        // One that the page names is opened by name: should it be gone, the reader is told.
        if let FirstThread::Thread(thread) = first {
            self.intend(Intent::OpenThread(thread));
        }
    }

    /// How posts are spelled from now on.
    pub fn set_dialect(&self, dialect: Dialect) {
        self.0.dialect.set(dialect);
    }

    /// From now on this function of the page takes files: `uploader(file, {signal, progress})` returns `{fileId}` or
    /// `{imageId}`, or a promise of it. `None`: no file can be uploaded.
    pub fn set_uploader(&self, uploader: Option<Function>) {
        self.0.uploads.set_uploader(uploader);
    }

    /// Takes what the person wants.
    pub fn intend(&self, intent: Intent) {
        self.dispatch(Input::Intent(intent));
    }

    /// Takes one input. One that comes while another is worked on waits for its turn.
    pub fn dispatch(&self, input: Input) {
        self.0.dispatch(input);
    }

    /// A dispatcher that does not keep the runtime alive, for handlers inside the page.
    #[must_use]
    pub fn dispatcher(&self) -> Rc<dyn Fn(Intent)> {
        let weak = Rc::downgrade(&self.0);
        Rc::new(move |intent| {
            if let Some(inner) = weak.upgrade() {
                inner.intend(intent);
            }
        })
    }

    /// The same for a file that goes with the feedback of a batch, or with the draft (`None`).
    #[must_use]
    pub fn file_taker(&self) -> Rc<dyn Fn(Option<BatchId>, File)> {
        let weak = Rc::downgrade(&self.0);
        Rc::new(move |batch, file| {
            if let Some(inner) = weak.upgrade() {
                inner.attach(batch, file);
            }
        })
    }

    /// Shows the state. `read` must not dispatch.
    pub fn with_state<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.0.state.borrow())
    }
}

impl Inner {
    fn dispatch(self: &Rc<Self>, input: Input) {
        self.dispatch_all([input]);
    }

    fn dispatch_all(self: &Rc<Self>, inputs: impl IntoIterator<Item = Input>) {
        self.inputs.borrow_mut().extend(inputs);
        self.work();
    }

    fn intend(self: &Rc<Self>, intent: Intent) {
        self.dispatch(Input::Intent(intent));
        // What a person does shows at once: typing that goes on must meet the box as it is then.
        self.draw();
    }

    fn attach(self: &Rc<Self>, batch: Option<BatchId>, file: File) {
        let name = file.name();
        // A size is a whole number that a float can hold.
        let size = file.size() as u64;
        let upload = self.uploads.hold(file);
        self.intend(Intent::AttachFile {
            batch,
            upload,
            name,
            size,
        });
    }

    fn work(self: &Rc<Self>) {
        if self.is_busy.replace(true) {
            return;
        }
        // What comes together came at one time.
        let now = now();
        loop {
            let next = self.inputs.borrow_mut().pop_front();
            let Some(input) = next else { break };
            if let Input::StreamEnded(stream, _) = &input {
                self.unlisten(*stream);
            }
            let output = step(&mut self.state.borrow_mut(), input, now);
            if !output.changes.is_empty() {
                self.note(output.changes);
                self.clock.request();
            }
            for command in output.commands {
                self.carry_out(command);
            }
        }
        self.is_busy.set(false);
    }

    /// Keeps what changed for the next frame; a message that changes again and again changed once.
    fn note(&self, changes: Vec<Change>) {
        let mut known = self.changes.borrow_mut();
        for change in changes {
            if !matches!(change, Change::Message(..)) || known.last() != Some(&change) {
                known.push(change);
            }
        }
    }

    /// Gives the sink what changed. What it dispatches is worked on afterwards.
    fn draw(self: &Rc<Self>) {
        if !self.clock.take() {
            return;
        }
        let changes = self.changes.take();
        // A command that is being carried out may have called the page, and the page its widget.
        let was_busy = self.is_busy.replace(true);
        (self.sink)(&self.state.borrow(), &changes);
        self.is_busy.set(was_busy);
        self.work();
    }

    fn carry_out(self: &Rc<Self>, command: Command) {
        let api = self.api.clone();
        match command {
            Command::ListThreads | Command::LoadMessages { .. } => self.read(command),
            Command::CreateThread {
                conversation,
                content,
            } => {
                let is_allowed = self.propose(conversation, None, content).is_some();
                self.answer(async move {
                    let result = match is_allowed {
                        true => api.create_thread().await,
                        false => Err(Failure::of(FailureKind::Withheld)),
                    };
                    Some(Input::ThreadCreated {
                        conversation,
                        result,
                    })
                });
            }
            Command::RenameThread { thread, name } => self.answer(async move {
                let result = api.rename_thread(&thread, name).await;
                Some(Input::ThreadRenamed { thread, result })
            }),
            Command::DeleteThread { thread } => self.answer(async move {
                let result = api.delete_thread(&thread).await;
                Some(Input::ThreadDeleted { thread, result })
            }),
            Command::Post {
                stream,
                thread,
                content,
                is_proposal,
                claim,
            } => {
                let Some(content) = self.allowed(stream, &thread, content, is_proposal) else {
                    return;
                };
                let abort = AbortController::new().ok();
                self.streams.borrow_mut().push((stream, abort.clone()));
                let dialect = self.dialect.get();
                let post = Post {
                    stream,
                    thread,
                    body: PostMessage { content, dialect },
                    abort,
                };
                self.post(post, claim);
            }
            Command::CancelStream(stream) => self.cancel(stream),
            Command::RememberThread(Some(thread)) => self.storage.set(LAST_THREAD, thread.as_str()),
            Command::RememberThread(None) => self.storage.remove(LAST_THREAD),
            Command::KeepRequests(requests) => {
                self.vault.keep(&requests);
                self.vault_events.tell_others();
            }
            Command::ForgetRequests(requests) => {
                self.vault.forget(&requests);
                self.vault_events.tell_others();
            }
            Command::Upload(upload) => {
                let weak = Rc::downgrade(self);
                let listener = Rc::new(move |input| {
                    if let Some(inner) = weak.upgrade() {
                        inner.dispatch(input);
                    }
                });
                self.uploads.begin(upload, listener);
            }
            Command::CancelUpload(upload) => self.uploads.cancel(upload),
            Command::Settle(request, end) => self.settle(request, end),
            Command::Tell(event) => self.page.tell(&event),
        }
    }

    /// Dispatches what `work` comes to, if it does, unless the runtime is gone by then.
    fn answer(self: &Rc<Self>, work: impl Future<Output = Option<Input>> + 'static) {
        self.answer_boxed(Box::pin(work));
    }

    fn answer_boxed(self: &Rc<Self>, work: Pin<Box<dyn Future<Output = Option<Input>>>>) {
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            let input = work.await;
            if let Some((inner, input)) = weak.upgrade().zip(input) {
                inner.dispatch(input);
            }
        });
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end_reads();
        self.uploads.cancel_all();
        for abort in self.streams.take().iter().filter_map(|it| it.1.as_ref()) {
            abort.abort();
        }
    }
}
