//! Small values that outlive a page: a storage of the browser, or memory if there is to be none or
//! the browser forbids it.

use std::cell::RefCell;
use std::rc::Rc;

/// A key-value store of texts. It never fails: a value that cannot be stored is lost with the page.
pub trait KeyValueStore {
    /// Returns the value, if there is one.
    fn get(&self, key: &str) -> Option<String>;
    /// Returns the keys that begin with `prefix`, in no order.
    fn keys(&self, prefix: &str) -> Vec<String>;
    /// Stores a value.
    fn set(&self, key: &str, value: &str);
    /// Stores a value in the memory of this page alone.
    fn remember(&self, key: &str, value: &str);
    /// Returns true if the value is in the memory of this page alone.
    fn is_remembered(&self, key: &str) -> bool;
    /// Returns true if stored values outlive the page.
    fn outlives_page(&self) -> bool;
    /// Removes a value.
    fn remove(&self, key: &str);
}

/// Where values are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StorageKind {
    /// In the browser's local storage, which all tabs share.
    #[default]
    Local,
    /// In the browser's session storage, which ends with the tab.
    Session,
    /// In the memory of the page: nothing is read from the browser's storages, or written there.
    None,
}

/// Returns the storage of this kind, or the page's memory if that is blocked or full.
#[must_use]
pub fn browser_storage(kind: StorageKind) -> Rc<dyn KeyValueStore> {
    // Merely asking for it throws in sandboxed frames and if the user blocks it.
    let storage = web_sys::window().and_then(|window| match kind {
        StorageKind::Local => window.local_storage().ok().flatten(),
        StorageKind::Session => window.session_storage().ok().flatten(),
        StorageKind::None => None,
    });
    Rc::new(BrowserStorage { kind, storage })
}

/// A part of a store whose keys all begin with the same prefix.
#[derive(Clone)]
pub struct ScopedStorage {
    store: Rc<dyn KeyValueStore>,
    prefix: String,
}

struct BrowserStorage {
    kind: StorageKind,
    storage: Option<web_sys::Storage>,
}

thread_local! {
    /// The values that a storage of the browser did not accept, or was not to have. All instances
    /// of the page with the same kind share these values, as they share the storage.
    static PAGE_MEMORY: RefCell<Vec<RememberedValue>> = const { RefCell::new(Vec::new()) };
}

/// A value that is in the memory of the page, and not in a storage of the browser.
struct RememberedValue {
    kind: StorageKind,
    key: String,
    value: String,
}

/// Forgets all values in the memory of this page, of any service, agent and user.
pub(super) fn forget_memory() {
    PAGE_MEMORY.with_borrow_mut(Vec::clear);
}

impl KeyValueStore for BrowserStorage {
    fn get(&self, key: &str) -> Option<String> {
        let remembered = PAGE_MEMORY.with_borrow(|memory| {
            let found = memory.iter().find(|it| self.is_value_of(it, key));
            found.map(|it| it.value.clone())
        });
        remembered.or_else(|| self.storage.as_ref()?.get_item(key).ok().flatten())
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        let mut keys: Vec<String> = PAGE_MEMORY.with_borrow(|memory| {
            let own = memory.iter().filter(|it| it.kind == self.kind);
            let keys = own.map(|it| it.key.clone());
            keys.filter(|key| key.starts_with(prefix)).collect()
        });
        if let Some(storage) = &self.storage {
            // There are few in memory, if any.
            let remembered = keys.clone();
            for index in 0..storage.length().unwrap_or_default() {
                let key = storage.key(index).ok().flatten();
                keys.extend(key.filter(|key| key.starts_with(prefix) && !remembered.contains(key)));
            }
        }
        keys
    }

    fn set(&self, key: &str, value: &str) {
        self.forget(key);
        let storage = self.storage.as_ref();
        if storage.is_none_or(|storage| storage.set_item(key, value).is_err()) {
            self.remember(key, value);
        }
    }

    fn remember(&self, key: &str, value: &str) {
        // The stored value is out of date, and would come back after the page.
        self.remove(key);
        let remembered = RememberedValue {
            kind: self.kind,
            key: key.to_owned(),
            value: value.to_owned(),
        };
        PAGE_MEMORY.with_borrow_mut(|memory| memory.push(remembered));
    }

    fn is_remembered(&self, key: &str) -> bool {
        PAGE_MEMORY.with_borrow(|memory| memory.iter().any(|it| self.is_value_of(it, key)))
    }

    fn outlives_page(&self) -> bool {
        self.storage.is_some()
    }

    fn remove(&self, key: &str) {
        self.forget(key);
        if let Some(storage) = &self.storage {
            // Nothing is left to do if even removal is forbidden.
            storage.remove_item(key).ok();
        }
    }
}

impl BrowserStorage {
    /// Returns true if the remembered value `it` is the one of `key` in this kind of storage.
    fn is_value_of(&self, it: &RememberedValue, key: &str) -> bool {
        it.kind == self.kind && it.key == key
    }

    fn forget(&self, key: &str) {
        PAGE_MEMORY.with_borrow_mut(|memory| memory.retain(|it| !self.is_value_of(it, key)));
    }
}

impl ScopedStorage {
    /// Gives access to those values of `store` whose keys begin with `prefix`.
    #[must_use]
    pub fn new(store: Rc<dyn KeyValueStore>, prefix: String) -> Self {
        Self { store, prefix }
    }
}

impl KeyValueStore for ScopedStorage {
    fn get(&self, key: &str) -> Option<String> {
        self.store.get(&format!("{}{key}", self.prefix))
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        let whole = format!("{}{prefix}", self.prefix);
        let own = |key: &String| key.strip_prefix(&self.prefix).map(str::to_owned);
        let keys = self.store.keys(&whole);
        keys.iter().filter_map(own).collect()
    }

    fn set(&self, key: &str, value: &str) {
        self.store.set(&format!("{}{key}", self.prefix), value);
    }

    fn remember(&self, key: &str, value: &str) {
        self.store.remember(&format!("{}{key}", self.prefix), value);
    }

    fn is_remembered(&self, key: &str) -> bool {
        self.store.is_remembered(&format!("{}{key}", self.prefix))
    }

    fn outlives_page(&self) -> bool {
        self.store.outlives_page()
    }

    fn remove(&self, key: &str) {
        self.store.remove(&format!("{}{key}", self.prefix));
    }
}
