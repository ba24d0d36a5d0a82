//! What an agent writes to: text, notifications and pauses become streamed events and stored messages.
//!
//! What one agent says without another one speaking in between is a segment: its chunks are followed by one
//! `AGENT_RESPONSE_COMPLETE` with the whole text, and it is stored as one message before that event is sent, so that a
//! client that has read it can post again at once.

use std::time::Duration;

use assent_protocol::{Agent, EventType, RawApprovalRequest, SseEvent, SseEventMessage, Timestamp};
use tokio::time::Instant;

use crate::{
    Result,
    agents::Profile,
    store::{Question, Segment, Store, new_id, now},
    stream::Outlet,
};

/// Time between two drafts kept for the case of a crash.
const DRAFT_INTERVAL: Duration = Duration::from_secs(1);

/// How long the last event of a failed answer waits for its reader.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// An answer being written.
#[derive(Debug)]
pub struct Answer {
    store: Store,
    outlet: Outlet,
    thread_id: String,
    request_id: String,
    collaboration_id: String,
    pace: f64,
    agent: Profile,
    /// Who speaks now, if it is not the thread's agent.
    speaker: Option<Profile>,
    said: String,
    /// Whether a segment was closed already.
    complete: bool,
    draft_at: Instant,
}

impl Answer {
    /// An answer in which nothing was said.
    #[must_use]
    pub fn new(
        store: Store,
        outlet: Outlet,
        thread_id: String,
        request_id: String,
        agent: Profile,
        pace: f64,
    ) -> Self {
        Self {
            store,
            outlet,
            thread_id,
            request_id,
            collaboration_id: new_id(),
            pace,
            agent,
            speaker: None,
            said: String::new(),
            complete: false,
            draft_at: Instant::now(),
        }
    }

    /// Says a piece of text, as it is; `speaker` is a colleague, or `None` for the thread's agent.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`]; [`crate::Error::NotFound`] if the thread was deleted.
    pub async fn say(&mut self, speaker: Option<&Profile>, text: &str) -> Result<()> {
        if speaker.map(|s| &s.id) != self.speaker.as_ref().map(|s| &s.id) {
            if !self.said.is_empty() {
                self.end_segment(false).await?;
            }
            self.speaker = speaker.cloned();
        }
        self.said.push_str(text);
        let agent = self.speaker.as_ref().map(Profile::in_event);
        self.emit(EventType::AgentResponseChunk, text, agent).await;
        if self.draft_at.elapsed() >= DRAFT_INTERVAL {
            self.draft_at = Instant::now();
            let handle = self.handle().to_owned();
            self.store
                .keep_draft(&self.thread_id, &handle, &self.said)
                .await?;
        }
        Ok(())
    }

    /// Ends what a colleague said, so that the thread's agent has the word again.
    ///
    /// # Errors
    ///
    /// As [`Answer::say`].
    pub async fn end_colleague(&mut self) -> Result<()> {
        if self.speaker.is_some() {
            if !self.said.is_empty() {
                self.end_segment(false).await?;
            }
            self.speaker = None;
        }
        Ok(())
    }

    /// Tells what the agent is doing; nothing of it is stored.
    pub async fn notify(&mut self, event: EventType, text: &str) {
        self.emit(event, text, None).await;
    }

    /// Waits, at the service's pace.
    pub async fn pause(&mut self, time: Duration) {
        let time = time.mul_f64(self.pace);
        if time.is_zero() {
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(time).await;
        }
    }

    /// Breaks the reader's connection; the answer goes on and is stored.
    pub fn cut(&mut self) {
        self.outlet.cut();
    }

    /// What the present speaker said so far and has not been stored.
    pub(crate) fn said(&self) -> &str {
        &self.said
    }

    /// Ends the answer: stores what is left and sends the last `AGENT_RESPONSE_COMPLETE`.
    pub(crate) async fn complete(&mut self, last: bool) -> Result<()> {
        if self.said.is_empty() && (self.complete || !last) {
            return self.store_rest("", None, last).await;
        }
        self.end_segment(last).await
    }

    /// Stores what was said with the question, and asks it.
    pub(crate) async fn ask(
        &mut self,
        question: &Question,
        together: bool,
        last: bool,
    ) -> Result<()> {
        self.end_colleague().await?;
        self.store_rest(&self.said, Some(question), last).await?;
        self.said.clear();
        self.complete = true;
        let mut batches: Vec<(&str, Vec<RawApprovalRequest>)> = Vec::new();
        for request in &question.requests {
            let id = if together {
                ""
            } else {
                request.tool_execution_batch_id.as_str()
            };
            match batches.iter_mut().find(|(batch, _)| *batch == id) {
                Some((_, requests)) => requests.push(request.into()),
                None => batches.push((id, vec![request.into()])),
            }
        }
        for (_, requests) in batches {
            let mut event = self.event(EventType::ApprovalRequest, "", None);
            event.event_message.tool_execution_approval_request = Some(requests);
            self.outlet.send(&event).await;
        }
        Ok(())
    }

    /// Stores `text` as the present speaker's last words, then reports the failure; the stream ends after it.
    pub(crate) async fn fail(&mut self, text: &str, reason: &str) -> Result<()> {
        let stored = self.store_rest(text, None, true).await;
        self.outlet.limit_patience(LAST_PATIENCE);
        self.emit(EventType::Error, reason, None).await;
        stored
    }

    async fn end_segment(&mut self, last: bool) -> Result<()> {
        // Until it is stored the text stays where an interruption finds it.
        self.store_rest(&self.said, None, last).await?;
        let text = std::mem::take(&mut self.said);
        self.complete = true;
        let agent = self.speaker.as_ref().map(Profile::in_event);
        self.emit(EventType::AgentResponseComplete, &text, agent)
            .await;
        Ok(())
    }

    async fn store_rest(&self, text: &str, question: Option<&Question>, last: bool) -> Result<()> {
        let segment = Segment {
            thread_id: &self.thread_id,
            handle: self.handle(),
            text,
            question,
            last,
        };
        self.store.store_segment(segment).await
    }

    fn handle(&self) -> &str {
        &self.speaker.as_ref().unwrap_or(&self.agent).handle
    }

    /// Sends an event of this answer.
    pub(crate) async fn emit(&mut self, event: EventType, content: &str, agent: Option<Agent>) {
        let event = self.event(event, content, agent);
        self.outlet.send(&event).await;
    }

    fn event(&self, event_type: EventType, content: &str, agent: Option<Agent>) -> SseEvent {
        SseEvent {
            event_type,
            event_id: new_id().as_str().into(),
            thread_id: self.thread_id.as_str().into(),
            request_id: self.request_id.clone(),
            event_message: SseEventMessage {
                collaboration_id: agent.is_some().then(|| self.collaboration_id.clone()),
                agent,
                content: content.to_owned(),
                active_assistant_collaboration_required: None,
                tool_execution_approval_request: None,
                timestamp: Timestamp(now()),
            },
        }
    }
}
