//! The message of a panic, in development. A panic ends the module for all instances of the page;
//! in `dist/` it is a trap without a message, which the loader notices (`web/loader/load.js`).

use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;

use super::instances;

static HOOK: Once = Once::new();

/// Installs a panic hook, one time, that tells every running widget's loader the message of the
/// panic, and then calls the hook that was there before.
pub(super) fn report_to_instances() {
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            report_panic(info);
            before(info);
        }));
    });
}

fn report_panic(info: &PanicHookInfo<'_>) {
    let reason = info.payload_as_str().unwrap_or("panic");
    let place = info
        .location()
        .map(|place| format!(" ({}:{})", place.file(), place.line()))
        .unwrap_or_default();
    let reason = format!("{reason}{place}");
    // The list is taken first: nothing may be borrowed while the page is called.
    for events in instances::all_host_events() {
        events.report_fatal(&reason);
    }
}
