//! The service's extensions, which it names in a header of its responses. The widget finds out
//! about them by this header alone, without a request of its own.

use std::cell::{Cell, RefCell};

use assent_conversation::Input;
use web_sys::Response;

use super::identity::random_id;
use super::{KeyValueStore as _, ScopedStorage};

/// The response header with the names, separated by commas.
const NAMES_HEADER: &str = "assent-extensions";
/// The name of the extension that ends answers early.
const CANCEL: &str = "cancel";
/// The name of the extension that accepts a post once, however often it comes with the same key.
const KEYS: &str = "idempotency-key";
/// The name of the extension that keeps the events of answers for those who lost the connection.
const RESUME: &str = "resume";
/// The name of the extension that tells what waits for the user in all threads.
const INBOX: &str = "inbox";
/// The name of the extension that gives lists in pages, and the key of the stored value that
/// remembers it: a page requests its first list before the service has said anything.
const PAGES: &str = "pages";

/// The extensions that the last response named.
pub(super) struct Extensions {
    /// All names, as the header has them.
    names: RefCell<String>,
    /// True if the core has not been told of these names yet.
    is_new: Cell<bool>,
    has_pages: Cell<bool>,
    storage: ScopedStorage,
}

impl Extensions {
    /// Returns the extensions that are remembered in `storage`, which no response has named yet.
    pub(super) fn new(storage: ScopedStorage) -> Self {
        Self {
            names: RefCell::default(),
            is_new: Cell::default(),
            has_pages: Cell::new(storage.get(PAGES).is_some()),
            storage,
        }
    }

    /// Reads the names of the extensions from a response. A failure is ignored: it may be of a
    /// server in front of the service, which knows no extensions.
    pub(super) fn read_names(&self, response: &Response) {
        if response.ok() {
            let before = self.names.replace(header(response, NAMES_HEADER));
            if before != *self.names.borrow() {
                self.is_new.set(true);
            }
            let has_pages = self.has(PAGES);
            if self.has_pages.replace(has_pages) != has_pages {
                if has_pages {
                    self.storage.set(PAGES, "1");
                } else {
                    self.storage.remove(PAGES);
                }
            }
        }
    }

    /// Returns what the core has to know of the extensions: whether answers can be ended early, whether
    /// posts may have keys, and whether it is told what waits. `None` if the names have not changed
    /// since the last call.
    pub(super) fn new_offers(&self) -> Option<[Input; 3]> {
        self.is_new.take().then(|| {
            [
                Input::CancelOffered(self.has(CANCEL)),
                Input::KeysOffered(self.has(KEYS).then(random_id)),
                Input::InboxOffered(self.has(INBOX)),
            ]
        })
    }

    /// Returns true if the service gives the events of an answer again.
    pub(super) fn has_resume(&self) -> bool {
        self.has(RESUME)
    }

    /// Returns true if the service has the extension with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let names = self.names.borrow();
        names.split(',').any(|it| it.trim() == name)
    }

    /// Returns true if the service gives lists in pages.
    pub(super) fn has_pages(&self) -> bool {
        self.has_pages.get()
    }
}

/// Returns true if a response has the only page of its list. Without the header that names the
/// pages it counts as one of several: a server in front of the service may hide that header.
pub(super) fn is_only_page(response: &Response) -> bool {
    let links = header(response, "link");
    links.contains(r#"rel="first""#) && !links.contains(r#"rel="next""#)
}

/// Returns the id after which the events of the answer follow that is being written in a thread,
/// by the response with its messages; empty if none is.
pub(super) fn running_answer(response: &Response) -> String {
    header(response, "assent-answer")
}

/// Returns a header of a response; empty if it has none.
fn header(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .ok()
        .flatten()
        .unwrap_or_default()
}
