//! Small values that outlive a page: the browser's local storage, or memory where the browser forbids it.

use std::cell::RefCell;
use std::rc::Rc;

/// A store of texts by name. It never fails: what cannot be kept is forgotten with the page.
pub trait KeyValue {
    /// The value, if there is one.
    fn get(&self, key: &str) -> Option<String>;
    /// The keys that begin with `prefix`, in no order.
    fn keys(&self, prefix: &str) -> Vec<String>;
    /// Keeps a value.
    fn set(&self, key: &str, value: &str);
    /// Keeps a value in this page alone.
    fn remember(&self, key: &str, value: &str);
    /// True where the value is in this page alone.
    fn is_remembered(&self, key: &str) -> bool;
    /// Forgets a value.
    fn remove(&self, key: &str);
}

/// The browser's local storage, or the page's memory where that is blocked or full.
#[must_use]
pub fn browser_storage() -> Rc<dyn KeyValue> {
    // Merely asking for it throws in sandboxed frames and where the user blocks it.
    let local = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    Rc::new(Browser { local })
}

/// A part of a store whose keys all begin with the same prefix.
#[derive(Clone)]
pub struct Scoped {
    store: Rc<dyn KeyValue>,
    prefix: String,
}

struct Browser {
    local: Option<web_sys::Storage>,
}

thread_local! {
    /// What the local storage would not take. All instances of the page share it, as they share the storage.
    static MEMORY: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

impl KeyValue for Browser {
    fn get(&self, key: &str) -> Option<String> {
        let remembered = MEMORY.with_borrow(|memory| {
            let found = memory.iter().find(|(known, _)| known == key);
            found.map(|(_, value)| value.clone())
        });
        remembered.or_else(|| self.local.as_ref()?.get_item(key).ok().flatten())
    }

    fn keys(&self, prefix: &str) -> Vec<String> {
        let mut keys: Vec<String> = MEMORY.with_borrow(|memory| {
            let keys = memory.iter().map(|(key, _)| key.clone());
            keys.filter(|key| key.starts_with(prefix)).collect()
        });
        if let Some(local) = &self.local {
            // The page remembers few, if any.
            let remembered = keys.clone();
            for index in 0..local.length().unwrap_or_default() {
                let key = local.key(index).ok().flatten();
                keys.extend(key.filter(|key| key.starts_with(prefix) && !remembered.contains(key)));
            }
        }
        keys
    }

    fn set(&self, key: &str, value: &str) {
        forget(key);
        let local = self.local.as_ref();
        if local.is_none_or(|local| local.set_item(key, value).is_err()) {
            self.remember(key, value);
        }
    }

    fn remember(&self, key: &str, value: &str) {
        // What is there already is out of date, and would come back after the page.
        self.remove(key);
        MEMORY.with_borrow_mut(|memory| memory.push((key.to_owned(), value.to_owned())));
    }

    fn is_remembered(&self, key: &str) -> bool {
        MEMORY.with_borrow(|memory| memory.iter().any(|(known, _)| known == key))
    }

    fn remove(&self, key: &str) {
        forget(key);
        if let Some(local) = &self.local {
            // Nothing is left to do where even forgetting is forbidden.
            local.remove_item(key).ok();
        }
    }
}

fn forget(key: &str) {
    MEMORY.with_borrow_mut(|memory| memory.retain(|(known, _)| known != key));
}

impl Scoped {
    /// The part of `store` under `prefix`.
    #[must_use]
    pub fn new(store: Rc<dyn KeyValue>, prefix: String) -> Self {
        Self { store, prefix }
    }
}

impl KeyValue for Scoped {
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

    fn remove(&self, key: &str) {
        self.store.remove(&format!("{}{key}", self.prefix));
    }
}
