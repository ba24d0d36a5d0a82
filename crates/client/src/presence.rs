//! Network state and page visibility: deferrable work waits for both.

use assent_conversation::Millis;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::EventTarget;

use super::clock::sleep;

/// Events of network state and visibility, and of leaving the page.
const PRESENCE_EVENTS: [&str; 4] = ["online", "offline", "visibilitychange", "pagehide"];

/// Interval in milliseconds of checking whether the page is visible and online. Browsers let a
/// hidden page check less often, and at once when it is shown.
const POLL_INTERVAL: Millis = Millis(500);

/// Returns false if the browser knows that it has no network.
pub(super) fn is_online() -> bool {
    // By name: what is no boolean says nothing, and web-sys would take it for `false`.
    let online = web_sys::window().map(|it| Reflect::get(&it.navigator(), &"onLine".into()));
    online != Some(Ok(JsValue::FALSE))
}

/// Returns true while the page is hidden.
pub(super) fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}

/// Returns once the page is visible and has a network.
pub(super) async fn wait_until_present() {
    while is_hidden() || !is_online() {
        sleep(POLL_INTERVAL).await;
    }
}

/// A listener for changes of network state and visibility, until it is dropped.
pub(super) struct Presence(Closure<dyn FnMut()>);

impl Presence {
    pub(super) fn new(changed: Box<dyn FnMut()>) -> Self {
        let this = Self(Closure::wrap(changed));
        this.for_each_event(EventTarget::add_event_listener_with_callback);
        this
    }

    fn for_each_event(&self, how: fn(&EventTarget, &str, &Function) -> Result<(), JsValue>) {
        if let Some(window) = web_sys::window() {
            for kind in PRESENCE_EVENTS {
                how(&window, kind, self.0.as_ref().unchecked_ref()).ok();
            }
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.for_each_event(EventTarget::remove_event_listener_with_callback);
    }
}
