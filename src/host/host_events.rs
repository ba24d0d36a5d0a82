//! Events from the widget to the page: `assent.js` makes DOM events of them.

use std::{cell::Cell, rc::Rc};

use assent_client::{Page, warn};
use assent_conversation::{AnswerSummary, ContentItem, PageEvent, ThreadId};
use assent_i18n::Texts;
use js_sys::{Function, JsString, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::{details, page_requests};
use crate::components::approval_needed;

#[wasm_bindgen(module = "/src/host/boundary.js")]
extern "C" {
    /// Returns a function that dispatches events of the types `events` about the thread `thread`,
    /// at the element that it is called with.
    #[wasm_bindgen(js_name = eventDispatcher)]
    fn event_dispatcher(thread: &str, events: &JsString) -> Function;
}

/// The event channel to the element of one instance.
#[derive(Clone)]
pub(super) struct HostEvents {
    emit: Function,
    texts: RwSignal<Texts>,
    /// The numbers of pending approvals and of unread answers, in this order, which the launcher
    /// shows.
    news: Rc<Cell<(usize, usize)>>,
}

impl HostEvents {
    /// Creates the channel. `emit` is the loader's function for events, and messages for people use
    /// `texts`.
    pub(super) fn new(emit: Function, texts: RwSignal<Texts>) -> Self {
        Self {
            emit,
            texts,
            news: Rc::default(),
        }
    }

    /// Reports that the module has stopped for good.
    #[cfg(debug_assertions)]
    pub(super) fn report_fatal(&self, reason: &str) {
        self.emit("fatal", &reason.into());
    }

    /// Notes the number of pending approvals, and sends it to the launcher if it has changed.
    pub(super) fn set_pending_count(&self, count: usize) {
        let (before, unread) = self.news.get();
        if before != count {
            self.news.set((count, unread));
            self.send_news();
        }
    }

    /// Sends the launcher the numbers that it shows, those of pending approvals and of unread
    /// answers. Pages do not get this as an event.
    pub(super) fn send_news(&self) {
        let (waiting, unread) = self.news.get();
        let texts = self.texts.with_untracked(|it| *it);
        self.emit("pending", &details::launcher_data(texts, waiting, unread));
    }

    /// Reports that an agent asked for approval of these tools, in the conversation named
    /// `elsewhere`, or in the one that is shown if that is `None`. The loader announces it if the
    /// panel with its live regions is hidden.
    pub(super) fn report_asked(&self, tools: &[String], elsewhere: Option<&str>) {
        let sentence = approval_needed(self.texts.with_untracked(|it| *it), tools, elsewhere);
        self.emit("asked", &sentence.into());
    }

    /// Emits an event through the loader; returns what the loader's function returns.
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
                self.news.set((self.news.get().0, *count as usize));
                self.send_news();
                self.emit("unread", &details::unread_detail(*count))
            }
        };
    }
}
