//! The page around the widget as the client sees it: events that it gets, and questions that it
//! answers. `src/host` of the widget implements both.

use assent_conversation::{AnswerSummary, ContentItem, PageEvent, ThreadId};
use js_sys::JsString;

/// The page around the widget. Nothing may be borrowed while it is called, because its code may
/// call back.
pub trait Page {
    /// Asks the page whether this answer to a batch may be posted.
    fn allows_answer(&self, answer: &AnswerSummary) -> bool;
    /// Asks the page which content of this message may be posted, to a thread that may not exist
    /// yet. Returns that content, or `None` if the message may not be posted.
    fn allows_message(
        &self,
        thread: Option<&ThreadId>,
        content: Vec<ContentItem>,
    ) -> Option<Vec<ContentItem>>;
    /// Passes on the frames of a stream of this thread that came together: events, each as the JSON
    /// text that it came as, with U+001E between them.
    fn pass_on_events(&self, thread: &ThreadId, events: &JsString);
    /// Reports an event to the page.
    fn notify(&self, event: &PageEvent);
}
