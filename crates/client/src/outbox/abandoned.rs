//! The unsent messages of closed pages, and the names of pages.

use assent_conversation::UnsentMessage;
use assent_protocol::Json;

use super::{KnownValue, OUTBOX_PREFIX, Outbox, has_key};
use crate::identity::random_id;
use crate::lock::{self, Lock};
use crate::records::{Record, parse_record, parse_unsent};
use crate::{KeyValueStore, StorageKind, browser_storage};

impl Outbox {
    /// Returns the unsent messages that closed pages left in the storage, and where these are
    /// stored.
    pub(super) async fn take_abandoned(&self) -> AbandonedMessages {
        let mut left = AbandonedMessages::default();
        for key in self.storage.keys(OUTBOX_PREFIX) {
            let is_own = key == self.outbox;
            if is_own == lock::are_supported() || (is_own && has_key(&self.written.borrow(), &key))
            {
                continue;
            }
            let Some(lock) = self.try_lock(&key).await else {
                left.is_owned = true;
                continue;
            };
            // The holder of the lock meanwhile may have taken it.
            let Some(value) = self.storage.get(&key) else {
                continue;
            };
            match parse_record(&value) {
                Record::Body(_, body) => {
                    let messages = body.get("messages").and_then(Json::items);
                    for message in messages.unwrap_or_default() {
                        left.unsent.extend(parse_unsent(message));
                    }
                    // A page with the name of its predecessor overwrites its value.
                    if is_own {
                        let own = KnownValue::new(key, String::new(), String::new());
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

    /// Removes the values with these keys from the storage: their messages now belong to this page.
    pub(super) fn remove_taken(&self, taken: &[(String, Lock)]) {
        for (key, _) in taken {
            self.storage.remove(key);
        }
    }
}

/// Returns the name of a page whose browser gives it no locks. The name is stored with the tab, so
/// that the next page in the tab has it, too, and finds what this one left.
pub(super) fn name_of_tab(kind: StorageKind, scope: &str) -> String {
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

/// The unsent messages of closed pages, and where these were stored.
#[derive(Default)]
pub(super) struct AbandonedMessages {
    pub(super) unsent: Vec<UnsentMessage>,
    /// True if the storage has unsent messages of other pages, too, which seem to live.
    pub(super) is_owned: bool,
    /// True if some of `unsent` are from the key under which this page writes its own.
    pub(super) is_own: bool,
    /// The keys of the other stored values, with their locks: no other page touches these values
    /// while the locks are held.
    pub(super) taken: Vec<(String, Lock)>,
}
