//! What can wait until the page has nothing else to do.

use js_sys::Promise;
use wasm_bindgen_futures::JsFuture;
use web_sys::IdleRequestOptions;

/// Milliseconds after which it is done all the same.
const IDLE_TIMEOUT: u32 = 1_000;

/// Lets everything else go first; what follows is a task of its own.
pub(crate) async fn idle() {
    let turn = Promise::new(&mut |resolve, _| {
        let Some(window) = web_sys::window() else {
            return;
        };
        let options = IdleRequestOptions::new();
        options.set_timeout(IDLE_TIMEOUT);
        // Safari knows no idle time.
        if window
            .request_idle_callback_with_options(&resolve, &options)
            .is_err()
        {
            window.set_timeout_with_callback(&resolve).ok();
        }
    });
    JsFuture::from(turn).await.ok();
}
