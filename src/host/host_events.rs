//! Events from the widget to the page: the loader `assent.js` makes DOM events of them.

use std::{cell::Cell, rc::Rc};

use assent_client::{Page, warn};
use assent_conversation::{AnswerSummary, ContentItem, PageEvent, State, ThreadId};
use assent_i18n::Texts;
use js_sys::{Array, Function, JsString, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::{details, page_requests};
use crate::components::{approval_needed, decisions_wait_text, shown_name};

#[wasm_bindgen(module = "/src/host/boundary.js")]
extern "C" {
    /// Returns a function that dispatches the DOM event `assent:event` for each event of a stream,
    /// at the element that it is called with. `events` are their JSON texts with U+001E between
    /// them, and `thread` is the id of their thread.
    #[wasm_bindgen(js_name = eventDispatcher)]
    fn event_dispatcher(thread: &str, events: &JsString) -> Function;

    /// Returns the `detail` of the DOM event `assent:grant`: what was allowed beforehand in a thread
    /// with the approval of a tool run. `request` is the JSON text of the request as it was answered.
    #[wasm_bindgen(js_name = grantDetail)]
    fn grant_detail(thread: &str, request: &str) -> JsValue;
}

/// What sends the events of one widget to its element in the page, through a function of the
/// loader.
#[derive(Clone)]
pub(super) struct HostEvents {
    emit: Function,
    texts: RwSignal<Texts>,
    /// The numbers of tool runs that wait for approval and of unread answers, in this order, of
    /// which the launcher shows one.
    news: Rc<Cell<(usize, usize)>>,
}

impl HostEvents {
    /// Creates what sends the events. `emit` is the loader's function that takes the type and the
    /// `detail` of an event; sentences for people are taken from `texts`.
    pub(super) fn new(emit: Function, texts: RwSignal<Texts>) -> Self {
        Self {
            emit,
            texts,
            news: Rc::default(),
        }
    }

    /// Tells the loader that the WebAssembly module has panicked and must not be called any more.
    /// `reason` is the message of the panic with its place in the code.
    #[cfg(debug_assertions)]
    pub(super) fn report_fatal(&self, reason: &str) {
        self.emit("fatal", &reason.into());
    }

    /// Stores the number of tool runs that wait for approval, and sends it to the launcher if it is
    /// another number than before.
    pub(super) fn set_pending_count(&self, count: usize) {
        let (before, unread) = self.news.get();
        if before != count {
            self.news.set((count, unread));
            self.send_news();
        }
    }

    /// Sends the launcher its number and text: of tool runs that wait for approval, or if there are
    /// none of unread answers. The page gets no DOM event of this.
    pub(super) fn send_news(&self) {
        let (waiting, unread) = self.news.get();
        let texts = self.texts.with_untracked(|it| *it);
        self.emit("pending", &details::launcher_data(texts, waiting, unread));
    }

    /// Tells the loader that an agent asked for approval of these tools, in the conversation with
    /// the name `elsewhere`, or in the open one if that is `None`. The loader announces it to
    /// screen readers if the panel with its live regions is hidden.
    pub(super) fn report_asked(&self, tools: &[String], elsewhere: Option<&str>) {
        let sentence = approval_needed(self.texts.with_untracked(|it| *it), tools, elsewhere);
        self.emit("asked", &sentence.into());
    }

    /// Tells the loader which tool runs wait for approval, for who is elsewhere: an array of whether
    /// an agent has just asked, the name of the agent, and for each thread its id, the number of
    /// the tool runs, and a text that says this number.
    pub(super) fn report_waiting(&self, state: &State, is_new: bool) {
        let texts = self.texts.with_untracked(|it| *it);
        // All threads are with one agent.
        let agent = state.threads.rows.first();
        let agent = shown_name(agent.map_or("", |row| &row.agent_name));
        let waiting = Array::of2(&is_new.into(), &agent.into());
        for (thread, count) in state.undecided_by_thread() {
            waiting.push(&thread.as_str().into());
            waiting.push(&details::number(count));
            waiting.push(&decisions_wait_text(texts, count).into());
        }
        self.emit("waiting", &waiting);
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
                for request in &summary.granting {
                    let detail = grant_detail(summary.thread.as_str(), request.as_str());
                    self.emit("grant", &detail);
                }
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
