//! The current time for texts such as "5 minutes ago": a signal that is set once a minute, by one
//! timer for the whole page.

use std::cell::Cell;

use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, closure::Closure},
    web_sys,
};

/// The length of a minute in milliseconds.
const MINUTE_MS: i32 = 60_000;

thread_local! {
    static NOW_MS: ArcRwSignal<f64> = ArcRwSignal::new(0.0);
    static FOLLOWER_COUNT: Cell<u32> = const { Cell::new(0) };
    static TIMER_ID: Cell<Option<i32>> = const { Cell::new(None) };
    /// The function that sets the current time and starts the timer of the next minute. It is
    /// called by that timer, and when the page is hidden or shown.
    static TICK_LISTENER: Closure<dyn FnMut()> = Closure::new(tick);
}

/// A subscriber of the current time: the timer runs as long as such a value exists and the page is
/// visible.
pub(super) struct TimeFollower(());

impl TimeFollower {
    pub(super) fn new() -> Self {
        if FOLLOWER_COUNT.replace(FOLLOWER_COUNT.get() + 1) == 0 {
            set_listener(web_sys::EventTarget::add_event_listener_with_callback);
            tick();
        }
        Self(())
    }

    /// Returns the current time in milliseconds since 1970, which is set once a minute; reactive.
    pub(super) fn now(&self) -> f64 {
        NOW_MS.with(Clone::clone).get()
    }
}

/// Subscribes the current effect or memo to the current time, so that it runs again once a minute.
pub(super) fn track() {
    NOW_MS.with(Clone::clone).track();
}

impl Drop for TimeFollower {
    fn drop(&mut self) {
        let left = FOLLOWER_COUNT.get().saturating_sub(1);
        FOLLOWER_COUNT.set(left);
        if left == 0 {
            set_listener(web_sys::EventTarget::remove_event_listener_with_callback);
            stop_timer();
        }
    }
}

type ListenMethod =
    fn(&web_sys::EventTarget, &str, &js_sys::Function) -> Result<(), leptos::wasm_bindgen::JsValue>;

fn set_listener(how: ListenMethod) {
    TICK_LISTENER
        .with(|tick| {
            how(
                &document(),
                "visibilitychange",
                tick.as_ref().unchecked_ref(),
            )
        })
        .ok();
}

fn stop_timer() {
    if let Some(timer) = TIMER_ID.take() {
        window().clear_timeout_with_handle(timer);
    }
}

fn tick() {
    stop_timer();
    if !document().hidden() {
        let timer = TICK_LISTENER.with(|tick| {
            let tick = tick.as_ref().unchecked_ref();
            window().set_timeout_with_callback_and_timeout_and_arguments_0(tick, MINUTE_MS)
        });
        TIMER_ID.set(timer.ok());
    }
    NOW_MS.with(Clone::clone).set(js_sys::Date::now());
}
