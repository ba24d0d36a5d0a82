//! Scheduling of work until the page is idle.

use js_sys::Promise;
use wasm_bindgen_futures::JsFuture;
use web_sys::IdleRequestOptions;

/// Timeout in milliseconds after which the work is done anyway.
const IDLE_TIMEOUT_MS: u32 = 1_000;

/// Waits until the page is idle; the work after it is a task of its own.
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
