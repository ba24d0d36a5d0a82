//! Time: now, timers, and animation frames.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use assent_conversation::Millis;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Delay of drawing in a hidden page, in milliseconds: animation frames stop there.
const HIDDEN_FRAME_MS: i32 = 100;

/// Returns the time of this device.
pub(super) fn now() -> Millis {
    // Whole milliseconds fit an i64 for any date a browser can hold.
    Millis(js_sys::Date::now() as i64)
}

/// Waits at least `time`; returns at once if it is not positive.
pub(super) async fn sleep(time: Millis) {
    let Ok(millis @ 1..) = i32::try_from(time.0) else {
        return;
    };
    let timer = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis)
                .ok();
        }
    });
    JsFuture::from(timer).await.ok();
}

/// Waits for the first of two futures to end.
pub(super) async fn first_of(
    mut first: Pin<&mut dyn Future<Output = ()>>,
    mut second: Pin<&mut dyn Future<Output = ()>>,
) {
    poll_fn(|context| match first.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(()),
        Poll::Pending => second.as_mut().poll(context),
    })
    .await;
}

/// A clock that calls back once for any number of requests: before the next animation frame, or by
/// a timer in a hidden page.
pub(super) struct FrameClock {
    callback: Closure<dyn FnMut()>,
    /// The ids of the animation frame and of the timer that were asked for and have not come, if
    /// any. The first of the two to come cancels the other.
    pending: Cell<Option<(i32, i32)>>,
}

impl FrameClock {
    /// Creates a clock. `callback` has to call [`FrameClock::end_request`] first.
    pub(super) fn new(callback: impl FnMut() + 'static) -> Self {
        Self {
            callback: Closure::new(callback),
            pending: Cell::new(None),
        }
    }

    /// Requests a call of the callback; does nothing while a request is pending.
    pub(super) fn request_call(&self) {
        // A stream requests thousands of times what is pending: then not even the window is looked
        // up.
        if self.pending.get().is_some() {
            return;
        }
        let Some(window) = web_sys::window() else {
            return;
        };
        let function = self.callback.as_ref().unchecked_ref();
        let frame = window.request_animation_frame(function);
        let timer =
            window.set_timeout_with_callback_and_timeout_and_arguments_0(function, HIDDEN_FRAME_MS);
        self.pending
            .set(Some((frame.unwrap_or_default(), timer.unwrap_or_default())));
    }

    /// Ends the pending request. Returns false if there was none.
    pub(super) fn end_request(&self) -> bool {
        let Some((frame, timer)) = self.pending.take() else {
            return false;
        };
        if let Some(window) = web_sys::window() {
            window.cancel_animation_frame(frame).ok();
            window.clear_timeout_with_handle(timer);
        }
        true
    }
}

impl Drop for FrameClock {
    fn drop(&mut self) {
        self.end_request();
    }
}
