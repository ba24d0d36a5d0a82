//! Changes of the storage by others: another tab, another widget of this page, or a page that ran
//! while this one lay in the browser's back/forward cache.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use assent_conversation::Millis;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{StorageKind, clock::sleep};

const STORAGE_EVENT: &str = "storage";

/// The name of the browser's event that a page is shown, also when it comes back without having
/// been unloaded.
const PAGE_SHOW_EVENT: &str = "pageshow";

thread_local! {
    /// The listeners of all widgets of this page, which tell each other what they changed: the
    /// browser's storage events reach other tabs only.
    static LISTENERS: RefCell<Vec<Weak<StorageListener>>> = const { RefCell::new(Vec::new()) };
}

/// A listener for changes of the storage by others, until it is dropped.
pub(super) struct StorageEvents {
    listener: Rc<StorageListener>,
    window_callback: Closure<dyn FnMut(JsValue)>,
}

struct StorageListener {
    kind: StorageKind,
    prefix: String,
    /// Delay in milliseconds before the callback, if there is one: several values may belong
    /// together, and are all written by then.
    delay: Option<Millis>,
    changed: Box<dyn Fn()>,
    is_pending: Cell<bool>,
}

impl StorageEvents {
    /// Calls `changed` when another page or widget changed values whose keys begin with `prefix`,
    /// or removed all values; with a `delay` once for all changes within it. It may be called for
    /// nothing: the browser's event may be about another kind of storage.
    pub(super) fn new(
        kind: StorageKind,
        prefix: String,
        delay: Option<Millis>,
        changed: Box<dyn Fn()>,
    ) -> Self {
        let listener = Rc::new(StorageListener {
            kind,
            prefix,
            delay,
            changed,
            is_pending: Cell::new(false),
        });
        LISTENERS.with_borrow_mut(|all| all.push(Rc::downgrade(&listener)));
        let target = listener.clone();
        let window_callback = Closure::new(move |event: JsValue| {
            if target.concerns(&event) {
                target.notify();
            }
        });
        let this = Self {
            listener,
            window_callback,
        };
        if let Some(window) = web_sys::window() {
            for kind in [STORAGE_EVENT, PAGE_SHOW_EVENT] {
                window
                    .add_event_listener_with_callback(kind, this.listener_function())
                    .ok();
            }
        }
        this
    }

    /// Notifies the other widgets of this page with the same storage that this one changed
    /// something.
    pub(super) fn notify_others(&self) {
        let all = LISTENERS.with_borrow(Clone::clone);
        for other in all.iter().filter_map(Weak::upgrade) {
            let shares = other.kind == self.listener.kind && other.prefix == self.listener.prefix;
            if shares && !Rc::ptr_eq(&other, &self.listener) {
                other.notify();
            }
        }
    }

    fn listener_function(&self) -> &Function {
        self.window_callback.as_ref().unchecked_ref()
    }
}

impl StorageListener {
    fn concerns(&self, event: &JsValue) -> bool {
        // An event of the storage, or of a page that is shown again: each has what the other lacks.
        let property = |name: &str| Reflect::get(event, &name.into()).unwrap_or_default();
        if property("type") == PAGE_SHOW_EVENT {
            return property("persisted").is_truthy();
        }
        let key = property("key").as_string();
        key.is_none_or(|key| key.starts_with(&self.prefix))
    }

    fn notify(self: &Rc<Self>) {
        if self.is_pending.replace(true) {
            return;
        }
        let (weak, delay) = (Rc::downgrade(self), self.delay);
        spawn_local(async move {
            if let Some(delay) = delay {
                sleep(delay).await;
            }
            if let Some(this) = weak.upgrade() {
                this.is_pending.set(false);
                (this.changed)();
            }
        });
    }
}

impl Drop for StorageEvents {
    fn drop(&mut self) {
        LISTENERS.with_borrow_mut(|all| {
            all.retain(|other| !std::ptr::eq(other.as_ptr(), Rc::as_ptr(&self.listener)));
        });
        if let Some(window) = web_sys::window() {
            for kind in [STORAGE_EVENT, PAGE_SHOW_EVENT] {
                window
                    .remove_event_listener_with_callback(kind, self.listener_function())
                    .ok();
            }
        }
    }
}
