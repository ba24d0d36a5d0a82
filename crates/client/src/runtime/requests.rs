//! Requests of the page, and the page's permission for messages before they are sent.

use std::cell::{Cell, RefCell};

use assent_conversation::{
    ContentItem, ConversationKey, Failure, Input, PageRequest, RequestId, StreamEnd, StreamId,
    ThreadId, WithheldReason,
};
use js_sys::Function;

use super::{Inner, Runtime};

/// A callback for the result of a request of the page.
pub type Resolver = Box<dyn FnOnce(Result<(), Failure>)>;

/// The requests of the page that have no result yet.
#[derive(Default)]
pub(super) struct PendingRequests {
    open: RefCell<Vec<(RequestId, Resolver)>>,
    last: Cell<u32>,
}

impl Runtime {
    /// Dispatches a request of the page. `resolver` is called once, unless the runtime is gone
    /// before.
    pub fn dispatch_request(&self, request: PageRequest, resolver: Resolver) {
        let promises = &self.0.promises;
        let id = RequestId(promises.last.get().wrapping_add(1));
        promises.last.set(id.0);
        promises.open.borrow_mut().push((id, resolver));
        self.0.inputs.dispatch(Input::Request(id, request));
    }

    /// Sets the page's functions `tokenProvider(reason)` and `requestHeaders()`.
    pub fn set_access(&self, token_provider: Option<Function>, request_headers: Option<Function>) {
        self.0
            .api
            .access()
            .set_functions(token_provider, request_headers);
    }
}

impl PendingRequests {
    pub(super) fn resolve(&self, id: RequestId, end: Result<(), Failure>) {
        let resolver = {
            let mut open = self.open.borrow_mut();
            let at = open.iter().position(|(known, _)| *known == id);
            at.map(|at| open.swap_remove(at).1)
        };
        if let Some(resolver) = resolver {
            resolver(end);
        }
    }
}

impl Inner {
    /// Asks the page which content of a message may be posted, and returns it; `None`: nothing may
    /// be. If the page changed the content, the core is told.
    pub(super) fn ask_page(
        &self,
        conversation: ConversationKey,
        thread: Option<&ThreadId>,
        content: Vec<ContentItem>,
    ) -> Option<Vec<ContentItem>> {
        let before = content.clone();
        let content = self.page.allows_message(thread, content)?;
        if content != before {
            let edited = Input::Edited(conversation, content.clone());
            self.inputs.dispatch(edited);
        }
        Some(content)
    }

    /// Returns the content to post in this stream, about which the page is asked if `is_proposal`;
    /// `None` if the page declines: the stream ends then.
    pub(super) fn content_to_post(
        &self,
        stream: StreamId,
        thread: &ThreadId,
        content: Vec<ContentItem>,
        is_proposal: bool,
    ) -> Option<Vec<ContentItem>> {
        if !is_proposal {
            return Some(content);
        }
        let conversation = self.state.borrow().conversation_of_stream(stream)?;
        let allowed = self.ask_page(conversation, Some(thread), content);
        if allowed.is_none() {
            let end = StreamEnd::Withheld(WithheldReason::ByPage);
            let ended = Input::StreamEnded(stream, end);
            self.inputs.dispatch(ended);
        }
        allowed
    }
}
