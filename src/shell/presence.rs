//! Whether there is a network, and whether the page is seen: what can wait, waits for both.

use std::cell::RefCell;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// What may change one of the two.
const KINDS: [&str; 3] = ["online", "offline", "visibilitychange"];

thread_local! {
    /// Who waits until it may be both.
    static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
}

/// False where the browser knows that it has no network.
pub(super) fn is_online() -> bool {
    let online = web_sys::window().map(|it| Reflect::get(&it.navigator(), &"onLine".into()));
    online != Some(Ok(JsValue::FALSE))
}

/// True while nobody can see the page.
pub(super) fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}

/// Returns once the page is seen and has a network. Somebody has to listen ([`Presence`]).
pub(super) async fn present() {
    while is_hidden() || !is_online() {
        let changed =
            Promise::new(&mut |resolve, _| WAITING.with_borrow_mut(|it| it.push(resolve)));
        JsFuture::from(changed).await.ok();
    }
}

/// Listens until it is dropped.
pub(super) struct Presence(Closure<dyn FnMut()>);

impl Presence {
    /// Calls `changed` when the network comes or goes, and when the page is hidden or shown.
    pub(super) fn new(changed: Box<dyn Fn()>) -> Self {
        let this = Self(Closure::new(move || {
            for resolve in WAITING.take() {
                resolve.call0(&JsValue::UNDEFINED).ok();
            }
            changed();
        }));
        if let Some(window) = web_sys::window() {
            for kind in KINDS {
                window
                    .add_event_listener_with_callback(kind, this.function())
                    .ok();
            }
        }
        this
    }

    fn function(&self) -> &Function {
        self.0.as_ref().unchecked_ref()
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            for kind in KINDS {
                window
                    .remove_event_listener_with_callback(kind, self.function())
                    .ok();
            }
        }
    }
}
