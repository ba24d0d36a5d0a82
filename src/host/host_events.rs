//! Events from the widget to the page: the loader `assent.js` makes DOM events of them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_client::{Page, warn};
use assent_conversation::{AnswerSummary, ContentItem, PageEvent, ThreadId};
use assent_i18n::Texts;
use js_sys::{Function, JsString, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::{details, page_requests};
use crate::components::{approval_needed, shown_name};
use crate::store::Agent;

#[wasm_bindgen(module = "/src/host/boundary.js")]
extern "C" {
    /// Returns a function that dispatches the DOM event `assent:event` for each event of a stream,
    /// at the element that it is called with. `events` are their JSON texts with U+001E between
    /// them, and `thread` is the id of their thread.
    #[wasm_bindgen(js_name = eventDispatcher)]
    fn event_dispatcher(thread: &str, events: &JsString) -> Function;
}

/// What sends the events of one widget to its element in the page, through a function of the
/// loader.
#[derive(Clone)]
pub(super) struct HostEvents {
    emit: Function,
    texts: RwSignal<Texts>,
    agent: RwSignal<Agent>,
    /// The threads with tool runs that wait for approval, each with the number of these.
    waiting: Rc<RefCell<Vec<(ThreadId, usize)>>>,
    /// The number of unread answers, which the launcher shows if nothing waits for approval.
    unread: Rc<Cell<usize>>,
}

impl HostEvents {
    /// Creates what sends the events. `emit` is the loader's function that takes the type and the
    /// `detail` of an event; sentences for people are taken from `texts`, and the name of who asks
    /// them from `agent`.
    pub(super) fn new(emit: Function, texts: RwSignal<Texts>, agent: RwSignal<Agent>) -> Self {
        Self {
            emit,
            texts,
            agent,
            waiting: Rc::default(),
            unread: Rc::default(),
        }
    }

    /// Tells the loader that the WebAssembly module has panicked and must not be called any more.
    /// `reason` is the message of the panic with its place in the code.
    #[cfg(debug_assertions)]
    pub(super) fn report_fatal(&self, reason: &str) {
        self.emit("fatal", &reason.into());
    }

    /// Stores how many tool runs wait for approval in which threads, and sends that to the loader if
    /// it is not the same as before.
    pub(super) fn set_waiting(&self, waiting: Vec<(ThreadId, usize)>) {
        if *self.waiting.borrow() != waiting {
            self.waiting.replace(waiting);
            self.send_news();
        }
    }

    /// Sends the launcher its number and text: of tool runs that wait for approval, or if there are
    /// none of unread answers. The page gets no DOM event of this.
    pub(super) fn send_news(&self) {
        let texts = self.texts.with_untracked(|it| *it);
        let agent = self.agent.with_untracked(|agent| shown_name(&agent.name));
        // Nothing may be borrowed while the page is called.
        let news = details::launcher_data(texts, &self.waiting.borrow(), self.unread.get(), &agent);
        self.emit("pending", &news);
    }

    /// Tells the loader that an agent asked for approval of these tools, in the conversation with
    /// the name `elsewhere`, or in the open one if that is `None`. The loader announces it to
    /// screen readers if the panel with its live regions is hidden.
    pub(super) fn report_asked(&self, tools: &[String], elsewhere: Option<&str>) {
        let sentence = approval_needed(self.texts.with_untracked(|it| *it), tools, elsewhere);
        self.emit("asked", &sentence.into());
    }

    /// Calls the loader's function with the type and the `detail` of an event. Returns what that
    /// function returns; `None` if it throws.
    fn emit(&self, event: &str, detail: &JsValue) -> Option<JsValue> {
        // The other side is our own loader; should it throw, nobody is left to notify.
        self.emit
            .call2(&JsValue::UNDEFINED, &event.into(), detail)
            .ok()
    }
}

impl Page for HostEvents {
    fn allows_message(
        &self,
        thread: Option<&ThreadId>,
        content: Vec<ContentItem>,
    ) -> Option<Vec<ContentItem>> {
        let detail = details::message_detail(thread, &content);
        let allowed = self.emit("before-send", &detail);
        if !allowed.is_some_and(|allowed| allowed.is_truthy()) {
            return None;
        }
        // Listeners may have put anything there, a getter that throws included.
        let content = page_requests::parse_content(&Reflect::get(&detail, &"content".into()).ok()?);
        if let Err(rule) = &content {
            warn(&["assent-chat: a listener of assent:before-send left no content that can be sent: ", rule, "."].concat());
        }
        content.ok()
    }

    fn pass_on_events(&self, thread: &ThreadId, events: &JsString) {
        self.emit("events", &event_dispatcher(thread.as_str(), events));
    }

    fn allows_answer(&self, answer: &AnswerSummary) -> bool {
        let answer = self.emit("before-approval", &details::answer_detail(answer));
        answer.is_some_and(|allowed| allowed.is_truthy())
    }

    fn notify(&self, event: &PageEvent) {
        match event {
            PageEvent::ApprovalRequested {
                thread,
                batch,
                tools,
            } => self.emit(
                "approval-requested",
                &details::request_detail(thread, batch, tools),
            ),
            PageEvent::ApprovalAnswered(summary) => {
                self.emit("approval-answered", &details::answer_detail(summary))
            }
            PageEvent::ThreadChanged(thread) => {
                self.emit("thread-change", &details::thread_detail(thread.as_ref()))
            }
            PageEvent::MessageSent { thread, content } => self.emit(
                "message-sent",
                &details::message_detail(Some(thread), content),
            ),
            PageEvent::AnswerComplete { thread, text } => self.emit(
                "answer-complete",
                &details::answer_complete_detail(thread, text),
            ),
            PageEvent::Failed(failure) => self.emit(
                "error",
                &details::failure_detail(self.texts.with_untracked(|it| *it), failure),
            ),
            PageEvent::Unread(count) => {
                self.unread.set(*count as usize);
                self.send_news();
                self.emit("unread", &details::unread_detail(*count))
            }
        };
    }
}
