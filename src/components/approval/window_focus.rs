//! Which press of a pointer gave the focus back to the browser's window: it was meant for the
//! window, and not for what lies under the pointer.
//!
//! Where a click activates the window, the event `focus` of the window comes before the press
//! (Windows), or in any order with it (Wayland). Both orders count.

use std::{cell::Cell, rc::Rc};

use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, closure::Closure},
    web_sys::{Document, Event, PointerEvent, js_sys::Reflect},
};

thread_local! {
    static FOCUS: Rc<WindowFocus> = WindowFocus::watch();
}

/// The focus of the browser's window, as far as its events told.
struct WindowFocus {
    /// True from the time that the window lost the focus until it comes back.
    is_lost: Cell<bool>,
    /// The time at which the focus last came back, by the clock of events.
    returned: Cell<f64>,
}

impl WindowFocus {
    fn watch() -> Rc<Self> {
        let focus = Rc::new(Self {
            is_lost: Cell::new(false),
            returned: Cell::new(f64::NEG_INFINITY),
        });
        let (left, back) = (focus.clone(), focus.clone());
        listen("blur", move |_| left.is_lost.set(is_page_left()));
        listen("focus", move |event| back.note_return(&event));
        focus
    }

    /// Handles what shows that the window has the focus again. A window that never had it is not
    /// waited for: some browsers inside of other programs never say that they have it.
    fn note_return(&self, event: &Event) {
        if self.is_lost.replace(false) {
            self.returned.set(event.time_stamp());
        }
    }
}

/// Calls `listener` with each event of the window, as long as the page is there.
fn listen(name: &str, listener: impl Fn(Event) + 'static) {
    let listener: Box<dyn Fn(Event)> = Box::new(listener);
    let listener = Closure::wrap(listener).into_js_value();
    window()
        .add_event_listener_with_callback(name, listener.unchecked_ref())
        .ok();
}

/// Returns true if nothing of the page has the focus. A frame in the page, or the page around this
/// frame, takes it from this window alone; what a page of another origin has cannot be asked.
fn is_page_left() -> bool {
    let top = window().top().ok().flatten();
    let document = top.and_then(|top| Reflect::get(&top, &"document".into()).ok());
    document.is_some_and(|it| it.unchecked_into::<Document>().has_focus() == Ok(false))
}

/// Begins to watch the window, unless that has begun.
pub(super) fn watch_window() {
    FOCUS.with(|_| ());
}

/// Returns how long before this press the window got the focus back, in milliseconds: 0 or less if
/// the press itself brought it, and infinite if it was never lost.
pub(super) fn since_return(press: &PointerEvent) -> f64 {
    FOCUS.with(|focus| {
        focus.note_return(press);
        press.time_stamp() - focus.returned.get()
    })
}
