//! Waiting until the page is idle, for work that nobody waits for.

use js_sys::Promise;
use wasm_bindgen_futures::JsFuture;
use web_sys::IdleRequestOptions;

/// Milliseconds after which `wait_until_idle` returns in a busy page, too.
const IDLE_TIMEOUT_MS: u32 = 1_000;

/// Waits until the page is idle, or for `IDLE_TIMEOUT_MS`. What the caller does after it is a task
/// of its own for the browser.
pub(crate) async fn wait_until_idle() {
    let turn = Promise::new(&mut |resolve, _| {
        let Some(window) = web_sys::window() else {
            return;
        };
        let options = IdleRequestOptions::new();
        options.set_timeout(IDLE_TIMEOUT_MS);
        // Safari has no idle callback.
        if window
            .request_idle_callback_with_options(&resolve, &options)
            .is_err()
        {
            window.set_timeout_with_callback(&resolve).ok();
        }
    });
    JsFuture::from(turn).await.ok();
}
