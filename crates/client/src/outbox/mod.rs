//! The outbox: drafts, unsent messages and reading positions beyond the life of the page, as small
//! values of the browser's storage.
//!
//! Drafts have one value each, which all tabs share; so do positions, of which each tab reads those
//! at its start. Sent and queued messages belong to the page that sent them: it holds a lock as
//! long as it lives, and only messages of a closed page are taken over. Without locks it is unknown
//! which pages live: a page takes over only from its predecessor in the same tab.

mod abandoned;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_conversation::{Draft, Millis, ReadingPosition, State, ThreadId, UnsentMessage};
use assent_protocol::Object;

use wasm_bindgen_futures::spawn_local;

use super::clock::{now, sleep};
use super::drafts::{DraftPlan, KnownValue, StoredDraft, is_blank, plan_draft};
use super::identity::random_id;
use super::lock::{self, Lock};
use super::records::{
    RECORD_VERSION, Record, draft_body, parse_draft, parse_draft_text, parse_position,
    parse_record, position_body, unsent_body,
};
use super::{KeyValueStore, ScopedStorage, StorageKind};
use abandoned::name_of_tab;

/// Key prefix of drafts, within the storage of service, agent and user; the thread follows.
pub(super) const DRAFT_PREFIX: &str = "draft:";

/// Lifetime of an empty draft in milliseconds: it stays because other tabs may write the draft too.
const EMPTY_DRAFT_LIFETIME: Millis = Millis(60_000);

/// Key prefix of reading positions; the thread follows.
const POSITION_PREFIX: &str = "position:";

/// Key prefix of the unsent messages of one page.
const OUTBOX_PREFIX: &str = "outbox:";

/// Delay in milliseconds of writing while the user types. A page that is left writes at once.
const WRITE_DELAY: Millis = Millis(300);

/// Pauses after each look for messages of closed pages, in milliseconds, if another page seems to
/// live: this may be the predecessor of this page, which takes a moment to end.
const ABANDONED_CHECK_DELAYS: [Millis; 3] = [Millis(500), Millis(3000), Millis(0)];

/// Maximum size of all stored drafts together, in bytes. A draft beyond it is in the memory of its
/// page alone: text that a user typed is never removed to make room.
const MAX_DRAFT_BYTES: usize = 1 << 20;

/// Maximum number of stored reading positions. The oldest ones are removed.
const MAX_POSITIONS: usize = 200;

/// Maximum number of unsent messages that one page stores.
const MAX_UNSENT: usize = 100;

/// The stored drafts, messages and positions of one service, agent and user, as one page reads and
/// writes them.
pub(super) struct Outbox {
    storage: ScopedStorage,
    /// Prefix of the names of this page's locks, the same as that of the keys of its stored values.
    scope: String,
    /// Key of the stored value that has the unsent messages of this page.
    outbox: String,
    /// The lock that this page holds while it lives; `None` before it is taken.
    alive: RefCell<Option<Lock>>,
    /// The values of the storage as this page last read or wrote them.
    written: RefCell<Vec<KnownValue>>,
    /// True if the state may have changed since the last write.
    is_stale: Cell<bool>,
    /// True if a write was scheduled since the last one.
    is_scheduled: Cell<bool>,
    /// Callbacks for deferred work. Timers hold only the outbox: the rest of a widget that ends is
    /// freed.
    callbacks: OutboxCallbacks,
}

/// What was written to the storage, and what was not.
#[derive(Default)]
pub(super) struct WriteResult {
    /// True if a draft was written to the storage.
    pub(super) is_draft: bool,
    /// True if a draft was written that another tab had written meanwhile: the stored text is more
    /// than the text here.
    pub(super) is_shared: bool,
    /// The threads whose drafts end with this page, because the storage has no room for them;
    /// `None`: the draft of a conversation without a thread.
    pub(super) unstored: Vec<Option<ThreadId>>,
}

/// What the outbox calls later: to write changes, and to take over messages of closed pages.
pub(super) struct OutboxCallbacks {
    /// Writes drafts, messages and positions that have changed.
    pub(super) write: Box<dyn Fn()>,
    /// Takes over the messages that closed pages left behind, and writes them as this page's own.
    /// Returns false if the widget has ended.
    pub(super) take_over: Box<dyn Fn(Vec<UnsentMessage>) -> bool>,
}

impl Outbox {
    /// Creates the outbox of this part of the storage; `scope` is its prefix.
    pub(super) fn new(
        storage: ScopedStorage,
        kind: StorageKind,
        scope: String,
        callbacks: OutboxCallbacks,
    ) -> Self {
        let owner = if lock::are_supported() {
            random_id()
        } else {
            name_of_tab(kind, &scope)
        };
        Self {
            storage,
            scope,
            outbox: [OUTBOX_PREFIX, &owner].concat(),
            alive: RefCell::default(),
            written: RefCell::default(),
            is_stale: Cell::new(false),
            is_scheduled: Cell::new(false),
            callbacks,
        }
    }

    /// Notes that drafts, messages or positions may have changed since the last write.
    pub(super) fn note_change(&self) {
        self.is_stale.set(true);
    }

    /// Returns true if drafts, messages or positions may have changed since the last write.
    pub(super) fn is_stale(&self) -> bool {
        self.is_stale.get()
    }

    /// Schedules a write of drafts, messages and positions, if these may have changed.
    pub(super) fn schedule_write(self: &Rc<Self>) {
        if !self.is_stale() || self.is_scheduled.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            sleep(WRITE_DELAY).await;
            if let Some(outbox) = weak.upgrade()
                && outbox.is_scheduled.get()
            {
                (outbox.callbacks.write)();
            }
        });
    }

    /// Takes over the messages that closed pages left behind: they become messages of this page.
    pub(super) fn take_over_abandoned(self: &Rc<Self>) {
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            if let Some(outbox) = weak.upgrade()
                && outbox.alive.borrow().is_none()
            {
                // In a box: the memory of a waiting task is small then, and a page may have many
                // widgets in a row.
                Box::pin(outbox.take_page_lock()).await;
            }
            for wait in ABANDONED_CHECK_DELAYS {
                let Some(outbox) = weak.upgrade() else { return };
                let left = Box::pin(outbox.take_abandoned()).await;
                if left.is_own || !left.taken.is_empty() {
                    // The widget may have ended meanwhile: then they are left for the next one.
                    if !(outbox.callbacks.take_over)(left.unsent) {
                        return;
                    }
                    // Removed last: rather twice than not at all, should the page end right here.
                    outbox.remove_taken(&left.taken);
                }
                if !left.is_owned {
                    return;
                }
                drop(outbox);
                sleep(wait).await;
            }
        });
    }

    /// Takes the lock of this page, which shows other tabs that the page lives.
    async fn take_page_lock(&self) {
        let lock = self.try_lock(&self.outbox).await;
        *self.alive.borrow_mut() = lock;
    }

    async fn try_lock(&self, outbox: &str) -> Option<Lock> {
        lock::try_take(&[&self.scope, outbox].concat()).await
    }

    /// Returns all drafts of the storage, the latest first.
    pub(super) fn drafts(&self) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let mut take = |thread: &str, draft: Draft| {
            let thread = Some(ThreadId::from(thread)).filter(|id| !id.as_str().is_empty());
            let draft = Draft { thread, ..draft };
            let body = draft_body(&draft);
            drafts.extend(Some(draft).filter(|it| !is_blank(it)));
            body
        };
        let cleared = self.read_records(DRAFT_PREFIX, usize::MAX, &mut |thread, body| {
            take(&thread, parse_draft(body))
        });
        // A draft that is sent or removed stays as an empty one: the storage was cleared.
        for known in &cleared {
            let thread = known.key.strip_prefix(DRAFT_PREFIX).unwrap_or_default();
            take(thread, parse_draft_text(&known.body));
        }
        self.written.borrow_mut().extend(cleared);
        drafts
    }

    /// Forgets which drafts this page read or wrote: these are removed from the storage on purpose.
    pub(super) fn forget_drafts(&self) {
        let mut written = self.written.borrow_mut();
        written.retain(|it| !it.key.starts_with(DRAFT_PREFIX));
    }

    /// Returns all stored reading positions.
    pub(super) fn positions(&self) -> Vec<(ThreadId, ReadingPosition)> {
        let mut positions = Vec::new();
        self.read_records(POSITION_PREFIX, MAX_POSITIONS, &mut |thread, body| {
            let position = parse_position(body);
            positions.push((ThreadId(thread), position));
            position_body(position)
        });
        positions
    }

    /// Reads the records whose keys begin with `prefix`, the latest first. `take` gets the rest of
    /// the key and the record, and returns the body as this page would write it. Unreadable
    /// records, those beyond `max`, and drafts that have been empty for long are removed. Returns
    /// the records that this page knew and that somebody else removed.
    fn read_records(
        &self,
        prefix: &str,
        max: usize,
        take: &mut dyn FnMut(String, &Object<'_>) -> String,
    ) -> Vec<KnownValue> {
        let mut found: Vec<(Millis, String, String)> = Vec::new();
        let keys = self.storage.keys(prefix);
        for key in keys.clone() {
            let value = self.storage.get(&key).unwrap_or_default();
            match parse_record(&value) {
                Record::Body(at, body) if is_expired_draft(at, &body) => self.storage.remove(&key),
                Record::Body(at, _) => {
                    let place = found.partition_point(|other| other.0 > at);
                    found.insert(place, (at, key, value));
                }
                Record::Later => {}
                Record::Broken => self.storage.remove(&key),
            }
        }
        let mut written = self.written.borrow_mut();
        let mut before: Vec<KnownValue> = written
            .extract_if(.., |it| it.key.starts_with(prefix))
            .collect();
        for (at, (_, key, value)) in found.into_iter().enumerate() {
            match parse_record(&value) {
                Record::Body(_, record) if at < max => {
                    let rest = key.strip_prefix(prefix).unwrap_or_default();
                    let body = take(rest.to_owned(), &record);
                    let line = record.text("line");
                    let same = before.iter().position(|it| it.is_value_of(&key, &line));
                    let same = same.map(|at| before.swap_remove(at));
                    written.push(same.unwrap_or_else(|| KnownValue::new(key, body, line)));
                }
                _ => self.storage.remove(&key),
            }
        }
        before.retain(|it| !keys.contains(&it.key));
        before
    }

    /// Writes the unwritten changes, merged with changes of other tabs to the same drafts.
    pub(super) fn write_changes(&self, state: &State) -> WriteResult {
        self.is_stale.set(false);
        self.is_scheduled.set(false);
        let mut done = WriteResult::default();
        let mut before = self.written.take();
        let mut after = Vec::with_capacity(before.len());
        let mut take = |key: &str| {
            let at = before.iter().position(|it| it.key == key);
            at.map(|at| before.swap_remove(at))
        };
        for draft in state.drafts() {
            let thread = draft.thread.as_ref().map_or("", ThreadId::as_str);
            let key = [DRAFT_PREFIX, thread].concat();
            let known = take(&key);
            let thread = draft.thread.clone();
            after.extend(self.write_draft(&key, draft, known, &mut done));
            if self.storage.outlives_page() && self.storage.is_remembered(&key) {
                done.unstored.push(thread);
            }
        }
        for (thread, position) in state.positions() {
            let key = [POSITION_PREFIX, thread.as_str()].concat();
            let known = take(&key);
            after.push(self.write_own(key, position_body(position), known));
        }
        let unsent = state.unsent_messages();
        if !unsent.is_empty() {
            let latest = unsent.iter().rev().take(MAX_UNSENT).rev();
            let list: Vec<String> = latest.map(unsent_body).collect();
            let body = [r#""messages":["#, &list.join(","), "]"].concat();
            // The page may have cleared the storage, and these exist nowhere else.
            let known = take(&self.outbox).filter(|_| self.storage.get(&self.outbox).is_some());
            after.push(self.write_own(self.outbox.clone(), body, known));
        }
        for known in before {
            if known.key.starts_with(DRAFT_PREFIX) {
                let key = known.key.clone();
                after.extend(self.write_draft(&key, Draft::default(), Some(known), &mut done));
            } else {
                self.storage.remove(&known.key);
            }
        }
        self.written.replace(after);
        done
    }

    fn write_own(&self, key: String, body: String, known: Option<KnownValue>) -> KnownValue {
        match known.filter(|it| it.body == body) {
            Some(known) => known,
            None => {
                self.store_record(&key, &body);
                KnownValue::new(key, body, String::new())
            }
        }
    }

    fn write_draft(
        &self,
        key: &str,
        mine: Draft,
        known: Option<KnownValue>,
        done: &mut WriteResult,
    ) -> Option<KnownValue> {
        // Most drafts are unchanged, and nothing has to be read for that.
        if known
            .as_ref()
            .is_some_and(|it| it.is_settled(&draft_body(&mine)))
        {
            return known;
        }
        let stored = StoredDraft::of(self.storage.get(key).as_deref(), known.as_ref())?;
        match plan_draft(key, known.as_ref(), mine, stored, now()) {
            DraftPlan::Leave => known,
            DraftPlan::Write { value, is_shared } => {
                done.is_draft = true;
                done.is_shared |= is_shared;
                self.put_draft(key, &value);
                Some(value)
            }
        }
    }

    fn store_record(&self, key: &str, body: &str) {
        self.storage.set(key, &to_record(body));
    }

    fn put_draft(&self, key: &str, draft: &KnownValue) {
        let value = to_record(&draft.to_record());
        let others = self.storage.keys(DRAFT_PREFIX).into_iter();
        let others = others.filter(|it| it != key && !self.storage.is_remembered(it));
        let others = others.filter_map(|it| self.storage.get(&it));
        let bytes: usize = others.map(|it| it.len()).sum();
        if bytes + value.len() <= MAX_DRAFT_BYTES {
            self.storage.set(key, &value);
        } else {
            self.storage.remember(key, &value);
        }
    }
}

/// Returns a body as a record, with the version of the format and the present time.
fn to_record(body: &str) -> String {
    let Millis(now) = now();
    format!(r#"{{"version":{RECORD_VERSION},"at":{now},{body}}}"#)
}

fn has_key(written: &[KnownValue], key: &str) -> bool {
    written.iter().any(|known| known.key == key)
}

/// Returns true for a draft that has been empty for longer than [`EMPTY_DRAFT_LIFETIME`].
fn is_expired_draft(at: Millis, body: &Object<'_>) -> bool {
    now().0 - at.0 > EMPTY_DRAFT_LIFETIME.0
        && body.get("line").is_some()
        && is_blank(&parse_draft(body))
}
