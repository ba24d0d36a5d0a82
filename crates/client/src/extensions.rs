//! The service's extensions, which it names in a header of its responses. The widget finds out
//! about them by this header alone, without a request of its own.

use std::cell::Cell;

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
/// The name of the extension by which calls of tools are allowed beforehand.
const GRANTS: &str = "grants";
/// The name of the extension that gives lists in pages, and the key of the stored value that
/// remembers it: a page requests its first list before the service has said anything.
const PAGES: &str = "pages";

/// The extensions that the last response named, as far as they change what the widget does.
pub(super) struct Extensions {
    /// Whether answers can be ended early, whether posts may have keys, and whether it is told what
    /// waits: the core is told.
    offers: Cell<[bool; 3]>,
    is_new: Cell<bool>,
    has_resume: Cell<bool>,
    has_pages: Cell<bool>,
    has_grants: Cell<bool>,
    storage: ScopedStorage,
}

impl Extensions {
    /// Returns the extensions that are remembered in `storage`, which no response has named yet.
    pub(super) fn new(storage: ScopedStorage) -> Self {
        Self {
            offers: Cell::default(),
            is_new: Cell::default(),
            has_resume: Cell::default(),
            has_grants: Cell::default(),
            has_pages: Cell::new(storage.get(PAGES).is_some()),
            storage,
        }
    }

    /// Reads the names of the extensions from a response. A failure is ignored: it may be of a
    /// server in front of the service, which knows no extensions.
    pub(super) fn read_names(&self, response: &Response) {
        if response.ok() {
            let names = header(response, NAMES_HEADER);
            let has = |name| names.split(',').any(|it| it.trim() == name);
            let offers = [CANCEL, KEYS, INBOX].map(has);
            if self.offers.replace(offers) != offers {
                self.is_new.set(true);
            }
            self.has_resume.set(has(RESUME));
            self.has_grants.set(has(GRANTS));
            let has_pages = has(PAGES);
            if self.has_pages.replace(has_pages) != has_pages {
                if has_pages {
                    self.storage.set(PAGES, "1");
                } else {
                    self.storage.remove(PAGES);
                }
            }
        }
    }

    /// Returns what the core has to know of the extensions; `None` if that has not changed since the
    /// last call.
    pub(super) fn new_offers(&self) -> Option<[Input; 3]> {
        self.is_new.take().then(|| {
            let [can_cancel, has_keys, has_inbox] = self.offers.get();
            let keys = has_keys.then(random_id);
            [
                Input::CancelOffered(can_cancel),
                Input::KeysOffered(keys),
                Input::InboxOffered(has_inbox),
            ]
        })
    }

    /// Returns true if the service gives the events of an answer again.
    pub(super) fn has_resume(&self) -> bool {
        self.has_resume.get()
    }

    /// Returns true if calls of tools can be allowed beforehand.
    pub(super) fn has_grants(&self) -> bool {
        self.has_grants.get()
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
