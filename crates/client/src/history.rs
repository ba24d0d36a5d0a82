//! The connection to the history module, which stores streams on this device for replay. It is
//! JavaScript and is loaded after the widget (`web/history/`).
//!
//! Messages are queued in order until the module is there. If it cannot be loaded nothing is
//! stored, and nothing else changes.

use std::cell::RefCell;

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;

use super::StorageKind;

/// Separator of the frames of a stream that came together: JSON cannot hold it (RFC 7464).
pub(super) const BETWEEN_FRAMES: &str = "\u{1e}";

/// Index of the callback in the message `open`; no other message is as long.
const HEAR: u32 = 5;

/// Loading state of the module.
#[derive(Clone)]
enum Arrival {
    /// Loading; the queued messages.
    Coming(Array),
    /// Loaded: its function `take`.
    Here(Function),
    /// It cannot be loaded.
    Gone,
}

thread_local! {
    /// Shared by all widgets of the page.
    static ARRIVAL: RefCell<Arrival> = RefCell::new(Arrival::Coming(Array::new()));
}

/// Sends everything to this module from now on; `null` is one that cannot be loaded. The first call
/// counts.
pub fn keep_with(module: &JsValue) {
    let take = Reflect::get(module, &"take".into());
    let take = take.ok().and_then(|take| take.dyn_into::<Function>().ok());
    let arrival = take.map_or(Arrival::Gone, Arrival::Here);
    let before = ARRIVAL.with_borrow_mut(|now| match now {
        Arrival::Coming(_) => Some(std::mem::replace(now, arrival)),
        Arrival::Here(_) | Arrival::Gone => None,
    });
    if let Some(Arrival::Coming(waiting)) = before {
        for message in waiting.iter() {
            if !send(&message)
                && let Some(hear) = Array::from(&message).get(HEAR).dyn_ref::<Function>()
            {
                hear.call1(&JsValue::UNDEFINED, &Array::of1(&"gone".into()))
                    .ok();
            }
        }
    }
}

/// Sends a message. Returns false if the module cannot be loaded.
fn send(message: &JsValue) -> bool {
    // The module is called while nothing is borrowed.
    match ARRIVAL.with_borrow(Clone::clone) {
        Arrival::Coming(waiting) => {
            waiting.push(message);
        }
        // The function is our own and does not throw.
        Arrival::Here(take) => {
            take.call1(&JsValue::UNDEFINED, message).ok();
        }
        Arrival::Gone => return false,
    }
    true
}

/// The recordings of one widget. Dropping it ends those that are open.
pub(super) struct History {
    /// The owner of the messages. The module identifies a widget by this very object.
    own: Object,
    hear: Closure<dyn FnMut(JsValue)>,
}

impl History {
    /// Creates a history. Keys of stored values begin with `scope`. `hear` is called with messages
    /// of the module: a list whose first item is a verb. It is never called while a message is
    /// being sent, nor after the end. The verb `gone` is our own: the module cannot be loaded.
    pub(super) fn new(scope: &str, kind: StorageKind, hear: impl Fn(&Array) + 'static) -> Self {
        let hear = Closure::new(move |said: JsValue| hear(said.unchecked_ref()));
        let kind = match kind {
            StorageKind::Local => "local",
            StorageKind::Session => "session",
            StorageKind::None => "none",
        };
        let this = Self {
            own: Object::new(),
            hear,
        };
        let function: &JsValue = this.hear.as_ref();
        let version = env!("CARGO_PKG_VERSION").into();
        this.tell(
            "open",
            &[scope.into(), kind.into(), version, function.clone()],
        );
        this
    }

    /// Sends a message: a verb and its values. Returns false if the module cannot be loaded.
    pub(super) fn tell(&self, verb: &str, values: &[JsValue]) -> bool {
        let message = Array::of2(&self.own, &verb.into());
        for value in values {
            message.push(value);
        }
        send(&message)
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.tell("close", &[]);
    }
}
