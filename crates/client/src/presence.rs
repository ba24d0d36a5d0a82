//! Whether there is a network, and whether the page is seen: what can wait, waits for both.

use assent_conversation::Millis;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::EventTarget;

use super::clock::sleep;

/// The network comes or goes; the page is hidden or shown, or left.
const KINDS: [&str; 4] = ["online", "offline", "visibilitychange", "pagehide"];

/// How often it is looked whether somebody is there again. Browsers let a hidden page look less often, and at once when
/// it is shown.
const POLL_INTERVAL: Millis = Millis(500);

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

/// Returns once the page is seen and has a network.
pub(super) async fn present() {
    while is_hidden() || !is_online() {
        sleep(POLL_INTERVAL).await;
    }
}

/// Hears when the network comes or goes, and the person, until it is dropped.
pub(super) struct Presence(Closure<dyn FnMut()>);

impl Presence {
    pub(super) fn new(changed: Box<dyn FnMut()>) -> Self {
        let this = Self(Closure::wrap(changed));
        this.listen(EventTarget::add_event_listener_with_callback);
        this
    }

    fn listen(&self, how: fn(&EventTarget, &str, &Function) -> Result<(), JsValue>) {
        if let Some(window) = web_sys::window() {
            for kind in KINDS {
                how(&window, kind, self.0.as_ref().unchecked_ref()).ok();
            }
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.listen(EventTarget::remove_event_listener_with_callback);
    }
}
