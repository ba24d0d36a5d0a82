//! The page around the widget as the client sees it: what it is told, and what it is asked.
//! `src/host` of the widget does both.

use assent_conversation::{Claim, ContentItem, PageEvent, ThreadId};
use js_sys::JsString;

/// The page around the widget. Nothing may be borrowed while it is called, because its code may call back.
pub trait Page {
    /// Asks whether this answer may be posted.
    fn allows(&self, answer: &Claim) -> bool;
    /// Asks what of this message may be posted, to a thread that may not be made yet. `None`: nothing.
    fn allows_message(
        &self,
        thread: Option<&ThreadId>,
        content: Vec<ContentItem>,
    ) -> Option<Vec<ContentItem>>;
    /// Passes on what came together of a stream of this thread: events, each as the JSON text that it came as, with
    /// U+001E between them.
    fn pass_on(&self, thread: &ThreadId, events: &JsString);
    /// Tells what happened.
    fn tell(&self, event: &PageEvent);
}
