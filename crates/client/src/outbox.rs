//! Drafts, words that are not surely sent, and where readers are, beyond the life of the page: small values of the
//! browser's storage.
//!
//! Drafts have one value each, which all tabs share; so do positions, of which each tab reads those of its beginning. What left the message box is the page's own that sent it: it holds a
//! lock as long as it lives, and only words of a page that is gone are taken over. Where there are no locks, nobody knows who
//! lives: a page takes over from the one before it in its tab alone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_conversation::{Draft, Millis, ReadingPosition, State, ThreadId, Unsent};
use assent_protocol::{Json, Object};

use wasm_bindgen_futures::spawn_local;

use super::clock::{now, sleep};
use super::drafts::{Kept, Plan, Stored, is_blank, plan};
use super::identity::random_id;
use super::lock::{self, Lock};
use super::records::{
    Record, VERSION, body_of, draft_body, draft_of, position_body, position_in, unsent_body,
    unsent_in,
};
use super::{KeyValue, Scoped, StorageKind, browser_storage};

/// What the key of a draft begins with, within the storage of service, agent and user; then comes its thread.
pub(super) const DRAFTS: &str = "draft:";

/// An empty draft says so for so long, to tabs that may write it at the same time.
const EMPTY_DRAFT_LIFETIME: Millis = Millis(60_000);

/// What the key of a reading position begins with; then comes its thread.
const POSITIONS: &str = "position:";

/// The same for the words of one page.
const OUTBOXES: &str = "outbox:";

/// Typing is written after such a rest, and at once when the page is left.
const WRITE_DELAY: Millis = Millis(300);

/// How long to wait after each look at what pages left behind, where one seems to live: the page that this one came after
/// may do so for a moment.
const LOOKS: [Millis; 3] = [Millis(500), Millis(3000), Millis(0)];

/// So many drafts are kept, and so much of them in bytes, and so many positions; the oldest go first.
const MAX_RECORDS: usize = 200;
const MAX_BYTES: usize = 1 << 20;

/// So many unsent messages of one page are kept.
const MAX_UNSENT: usize = 100;

/// The kept words and positions of one service, agent and user, as one page reads and writes them.
pub(super) struct Outbox {
    storage: Scoped,
    /// What begins the names of locks.
    scope: String,
    /// The key of what this page sent.
    outbox: String,
    /// It is alive.
    alive: RefCell<Option<Lock>>,
    /// What this page read or wrote last.
    written: RefCell<Vec<Kept>>,
    /// Something may have changed since.
    is_stale: Cell<bool>,
    /// What is to be done later. What waits for its time knows the words alone: the rest of a widget that ends is freed.
    later: Later,
}

/// What was written.
#[derive(Default)]
pub(super) struct Written {
    /// A draft is among it.
    pub(super) is_draft: bool,
    /// Another tab had written one of these drafts meanwhile: what is kept is more than what is here.
    pub(super) is_shared: bool,
}

/// What is done with words later.
pub(super) struct Later {
    /// Writes what changed.
    pub(super) write: Box<dyn Fn()>,
    /// Takes what pages left behind, and writes it as this page's own.
    pub(super) take_over: Box<dyn Fn(Vec<Unsent>) -> bool>,
}

impl Outbox {
    /// The words in this part of the storage; `scope` is its prefix.
    pub(super) fn new(storage: Scoped, kind: StorageKind, scope: String, later: Later) -> Self {
        let owner = if lock::are_there() {
            random_id()
        } else {
            name_of_tab(kind, &scope)
        };
        Self {
            storage,
            scope,
            outbox: [OUTBOXES, &owner].concat(),
            alive: RefCell::default(),
            written: RefCell::default(),
            is_stale: Cell::new(false),
            later,
        }
    }

    /// Writes soon what changed.
    pub(super) fn changed(self: &Rc<Self>) {
        if self.is_stale.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            sleep(WRITE_DELAY).await;
            if let Some(outbox) = weak.upgrade()
                && outbox.is_stale.get()
            {
                (outbox.later.write)();
            }
        });
    }

    /// Takes over what pages left behind that are gone.
    pub(super) fn look(self: &Rc<Self>) {
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            if let Some(outbox) = weak.upgrade()
                && outbox.alive.borrow().is_none()
            {
                // In a box: what is held while it waits is small, and a page may have many widgets in a row.
                Box::pin(outbox.live()).await;
            }
            for wait in LOOKS {
                let Some(outbox) = weak.upgrade() else { return };
                let left = Box::pin(outbox.left_behind()).await;
                if left.is_own || !left.taken.is_empty() {
                    // While this looked, the widget can have ended: then they are the next one's.
                    if !(outbox.later.take_over)(left.unsent) {
                        return;
                    }
                    // Rather twice than not at all, should the page end right here.
                    outbox.remove(&left.taken);
                }
                if !left.is_owned {
                    return;
                }
                drop(outbox);
                sleep(wait).await;
            }
        });
    }

    /// Says to other tabs that this one lives, as long as it does.
    async fn live(&self) {
        let lock = self.lock(&self.outbox).await;
        *self.alive.borrow_mut() = lock;
    }

    async fn lock(&self, outbox: &str) -> Option<Lock> {
        lock::take(&[&self.scope, outbox].concat()).await
    }

    /// All drafts, the latest first.
    pub(super) fn drafts(&self) -> Vec<Draft> {
        let mut drafts = Vec::new();
        self.read(DRAFTS, &mut |thread, body| {
            let draft = Draft {
                thread: Some(ThreadId(thread)).filter(|id| !id.as_str().is_empty()),
                ..draft_of(body)
            };
            let body = draft_body(&draft);
            drafts.extend(Some(draft).filter(|it| !is_blank(it)));
            body
        });
        drafts
    }

    /// All positions of readers.
    pub(super) fn positions(&self) -> Vec<(ThreadId, ReadingPosition)> {
        let mut positions = Vec::new();
        self.read(POSITIONS, &mut |thread, body| {
            let position = position_in(body);
            positions.push((ThreadId(thread), position));
            position_body(position)
        });
        positions
    }

    /// Reads the records whose keys begin so, the latest first; `take` gets the rest of the key and gives back how the
    /// record is written. What cannot be read, what is too much, and what was empty for long is removed.
    fn read(&self, prefix: &str, take: &mut dyn FnMut(String, &Object<'_>) -> String) {
        let mut found: Vec<(Millis, String, String)> = Vec::new();
        for key in self.storage.keys(prefix) {
            let value = self.storage.get(&key).unwrap_or_default();
            match body_of(&value) {
                Record::Body(at, body) if is_over(at, &body) => self.storage.remove(&key),
                Record::Body(at, _) => {
                    let place = found.partition_point(|other| other.0 > at);
                    found.insert(place, (at, key, value));
                }
                Record::Later => {}
                Record::Broken => self.storage.remove(&key),
            }
        }
        let mut bytes = 0;
        let mut written = self.written.borrow_mut();
        let mut before: Vec<Kept> = written
            .extract_if(.., |it| it.key.starts_with(prefix))
            .collect();
        for (at, (_, key, value)) in found.into_iter().enumerate() {
            bytes += value.len();
            match body_of(&value) {
                Record::Body(_, record) if at < MAX_RECORDS && bytes <= MAX_BYTES => {
                    let rest = key.strip_prefix(prefix).unwrap_or_default();
                    let body = take(rest.to_owned(), &record);
                    let line = record.text("line");
                    let same = before.iter().position(|it| it.is_of(&key, &line));
                    let same = same.map(|at| before.swap_remove(at));
                    written.push(same.unwrap_or_else(|| Kept::new(key, body, line)));
                }
                _ => self.storage.remove(&key),
            }
        }
    }

    /// Writes what is not written yet, together with what another tab made of the same meanwhile.
    pub(super) fn write(&self, state: &State) -> Written {
        self.is_stale.set(false);
        let mut done = Written::default();
        let mut before = self.written.take();
        let mut after = Vec::with_capacity(before.len());
        let mut take = |key: &str| {
            let at = before.iter().position(|it| it.key == key);
            at.map(|at| before.swap_remove(at))
        };
        for draft in state.drafts() {
            let thread = draft.thread.as_ref().map_or("", ThreadId::as_str);
            let key = [DRAFTS, thread].concat();
            let kept = take(&key);
            after.extend(self.write_draft(&key, draft, kept, &mut done));
        }
        for (thread, position) in state.positions() {
            let key = [POSITIONS, thread.as_str()].concat();
            let kept = take(&key);
            after.push(self.write_own(key, position_body(position), kept));
        }
        let unsent = state.unsent();
        if !unsent.is_empty() {
            let latest = unsent.iter().rev().take(MAX_UNSENT).rev();
            let list: Vec<String> = latest.map(unsent_body).collect();
            let body = [r#""messages":["#, &list.join(","), "]"].concat();
            let kept = take(&self.outbox);
            after.push(self.write_own(self.outbox.clone(), body, kept));
        }
        for kept in before {
            if kept.key.starts_with(DRAFTS) {
                let key = kept.key.clone();
                after.extend(self.write_draft(&key, Draft::default(), Some(kept), &mut done));
            } else {
                self.storage.remove(&kept.key);
            }
        }
        self.written.replace(after);
        done
    }

    fn write_own(&self, key: String, body: String, kept: Option<Kept>) -> Kept {
        match kept.filter(|it| it.body == body) {
            Some(kept) => kept,
            None => {
                self.put(&key, &body);
                Kept::new(key, body, String::new())
            }
        }
    }

    fn write_draft(
        &self,
        key: &str,
        mine: Draft,
        kept: Option<Kept>,
        done: &mut Written,
    ) -> Option<Kept> {
        // Most of them are as they were, and nothing has to be read for that.
        if kept
            .as_ref()
            .is_some_and(|it| it.is_settled(&draft_body(&mine)))
        {
            return kept;
        }
        let stored = Stored::of(self.storage.get(key).as_deref())?;
        match plan(key, kept.as_ref(), mine, stored, now()) {
            Plan::Leave => kept,
            Plan::Write { kept, is_shared } => {
                done.is_draft = true;
                done.is_shared |= is_shared;
                self.put(key, &kept.record());
                Some(kept)
            }
        }
    }

    fn put(&self, key: &str, body: &str) {
        let Millis(now) = now();
        let value = format!(r#"{{"version":{VERSION},"at":{now},{body}}}"#);
        self.storage.set(key, &value);
    }

    /// What pages left behind that are gone.
    async fn left_behind(&self) -> LeftBehind {
        let mut left = LeftBehind::default();
        for key in self.storage.keys(OUTBOXES) {
            let is_own = key == self.outbox;
            if is_own == lock::are_there() || (is_own && has(&self.written.borrow(), &key)) {
                continue;
            }
            let Some(lock) = self.lock(&key).await else {
                left.is_owned = true;
                continue;
            };
            // Whoever held the lock meanwhile may have taken it.
            let Some(value) = self.storage.get(&key) else {
                continue;
            };
            match body_of(&value) {
                Record::Body(_, body) => {
                    let messages = body.get("messages").and_then(Json::items);
                    let messages = messages.into_iter().flatten();
                    left.unsent.extend(messages.filter_map(unsent_in));
                    // Who has the name of the one before it writes over that.
                    if is_own {
                        let own = Kept::new(key, String::new(), String::new());
                        self.written.borrow_mut().push(own);
                        left.is_own = true;
                    } else {
                        left.taken.push((key, lock));
                    }
                }
                Record::Later => {}
                Record::Broken => self.storage.remove(&key),
            }
        }
        left
    }

    /// Forgets what was taken over.
    fn remove(&self, taken: &[(String, Lock)]) {
        for (key, _) in taken {
            self.storage.remove(key);
        }
    }
}

/// What a page without locks is called in its tab, as the one before it was.
fn name_of_tab(kind: StorageKind, scope: &str) -> String {
    let tab = browser_storage(match kind {
        StorageKind::None => kind,
        StorageKind::Local | StorageKind::Session => StorageKind::Session,
    });
    let key = [scope, "tab"].concat();
    tab.get(&key).unwrap_or_else(|| {
        let made = random_id();
        tab.set(&key, &made);
        made
    })
}

/// What pages left behind.
#[derive(Default)]
struct LeftBehind {
    unsent: Vec<Unsent>,
    /// There is more, whose page seems to live.
    is_owned: bool,
    /// Some of it was where this page writes, too.
    is_own: bool,
    /// Where the rest was, which nobody else touches meanwhile.
    taken: Vec<(String, Lock)>,
}

fn has(written: &[Kept], key: &str) -> bool {
    written.iter().any(|known| known.key == key)
}

/// True for a draft that has been empty for long.
fn is_over(at: Millis, body: &Object<'_>) -> bool {
    now().0 - at.0 > EMPTY_DRAFT_LIFETIME.0
        && body.get("line").is_some()
        && is_blank(&draft_of(body))
}
