//! The way to the module that keeps on this device how answers came about, which is JavaScript and
//! comes after the widget (`web/history/`).
//!
//! Messages wait for the module in their order. Where it cannot be had nothing is kept, and nothing
//! else changes.

use std::cell::RefCell;

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;

use super::StorageKind;

/// What stands between two frames of a stream that came together: JSON cannot hold it (RFC 7464).
pub(super) const BETWEEN_FRAMES: &str = "\u{1e}";

/// The place in the message `open` of the function that hears; no other message is as long.
const HEAR: u32 = 5;

/// Where the module is.
#[derive(Clone)]
enum Arrival {
    /// It is on its way; what it is to be told.
    Coming(Array),
    /// Its function `take`.
    Here(Function),
    /// It cannot be had.
    Gone,
}

thread_local! {
    /// One for all widgets of the page.
    static ARRIVAL: RefCell<Arrival> = RefCell::new(Arrival::Coming(Array::new()));
}

/// Tells everything to this module from now on; `null` is one that cannot be had. The first one counts.
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

/// False where nobody will ever take it.
fn send(message: &JsValue) -> bool {
    // The module is called while nothing is borrowed.
    match ARRIVAL.with_borrow(Clone::clone) {
        Arrival::Coming(waiting) => {
            waiting.push(message);
        }
        // It is our own and does not throw.
        Arrival::Here(take) => {
            take.call1(&JsValue::UNDEFINED, message).ok();
        }
        Arrival::Gone => return false,
    }
    true
}

/// What one widget keeps. Dropping it ends what it has open.
pub(super) struct History {
    /// Whose the messages are. The module knows a widget by this very object.
    own: Object,
    hear: Closure<dyn FnMut(JsValue)>,
}

impl History {
    /// What is kept begins with `scope`. `hear` is called with what the module says: a list whose first item is a word.
    /// It is never called while a message is being sent, nor after the end. The word `gone` is our own: there will be no
    /// module.
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

    /// Sends a message: what to do, and with what. False where nobody will ever take it.
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
