//! The writer of an answer: text, notifications and pauses become streamed events and stored
//! messages.
//!
//! The text of one agent without another one speaking in between is a segment: its chunks are
//! followed by one `AGENT_RESPONSE_COMPLETE` with the whole text. It is stored as one message
//! together with that event, so that a client that has read the event can post again at once.

mod files;
mod kept;
mod written;

use std::sync::Arc;

use assent_protocol::{Agent, EventType, RawApprovalRequest, Words};
use tokio::task::JoinHandle;

use crate::{
    Error, Result,
    answers::cancellation::Cancellation,
    answers::event_log::{EventLog, RunLog},
    documents::DocumentReader,
    generate::{new_id, now},
    profile::Profile,
    rules::approval::Question,
    sentence::{Sentence, with_sentence},
    store::{AcceptedPost, LoggedEvent, OwnedRun, RunKey, Segment, Store},
    telemetry::metrics::Metrics,
    telemetry::spans,
};
use kept::{RunJournal, UnrecordedAnswer};

/// The state that all answers of the service share.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The database of messages, and the files of users.
    pub store: Store,
    /// The events of the answers.
    pub log: EventLog,
    /// The counters of the service's operator.
    pub metrics: Metrics,
    /// The reader of the users' documents.
    pub documents: Arc<DocumentReader>,
    /// The greatest length of a file, in bytes.
    pub upload_limit: usize,
    /// The factor for the length of agents' pauses; 0 is no pauses.
    pub pace: f64,
}

/// The writer of one answer: it stores and streams the agent's text.
#[derive(Debug)]
pub struct AnswerWriter {
    store: Store,
    metrics: Metrics,
    documents: Arc<DocumentReader>,
    journal: Arc<RunJournal>,
    log: RunLog,
    run: OwnedRun,
    collaboration_id: String,
    pace: f64,
    agent: Profile,
    /// The colleague who speaks now, if it is not the thread's agent.
    speaker: Option<Profile>,
    said: String,
    /// The sentences of the service in `said`.
    words: Vec<Words>,
    /// The number of bytes that can still be stored in the thread.
    room: usize,
    /// The number of segments of this answer that are stored.
    segments: i64,
    /// The task that stores a part of the answer, and true if that part is the last one; `None` if
    /// nothing is being stored. It is a task of its own, because a write that is dropped half-way
    /// leaves open whether it happened.
    storing: Option<(JoinHandle<Result<()>>, bool)>,
    /// True once the last part is stored; nothing may follow it.
    ended: bool,
    cancellation: Cancellation,
}

impl AnswerWriter {
    /// Creates a writer of an empty answer.
    #[must_use]
    pub fn new(resources: Resources, accepted: &AcceptedPost, agent: Profile) -> Self {
        let run = &accepted.run;
        let Resources {
            store,
            log,
            metrics,
            documents,
            upload_limit,
            pace,
        } = resources;
        let cancellation = Cancellation::default();
        Self {
            room: accepted.room,
            journal: Arc::new(RunJournal {
                store: store.clone(),
                stored: store.stored_run(RunKey {
                    answer: run.clone(),
                    run: String::new(),
                    agent_id: agent.id.clone(),
                }),
                upload_limit,
                cancellation: cancellation.clone(),
                turn: Arc::default(),
                unrecorded: UnrecordedAnswer::new(run.thread.user_id.clone()),
            }),
            store,
            metrics,
            documents,
            log: log.open(run, accepted.first_event),
            run: run.clone(),
            collaboration_id: new_id(),
            pace,
            agent,
            speaker: None,
            said: String::new(),
            words: Vec::new(),
            segments: 0,
            storing: None,
            ended: false,
            cancellation,
        }
    }

    /// Returns the log of this answer's events.
    #[must_use]
    pub fn log(&self) -> &RunLog {
        &self.log
    }

    /// Returns the cancellation of this answer, which can end it early.
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        self.cancellation.clone()
    }

    /// Adds a sentence of the service to the answer, as a paragraph of its own.
    pub(crate) async fn add_sentence(&mut self, sentence: &Sentence) -> Result<()> {
        let gap = if self.said.is_empty() { "" } else { "\n\n" };
        let words = sentence.words();
        self.room = self.room.max(gap.len() + words.text.len());
        let text = format!("{gap}{}", words.text);
        self.write(None, &text, vec![words]).await
    }

    /// Stores the rest of the text, and sends the segment's `AGENT_RESPONSE_COMPLETE` unless
    /// nothing is left to be told. With `last` that is the end of the answer.
    pub(crate) async fn complete(&mut self, last: bool) -> Result<()> {
        self.hold_end(last).await;
        if self.said.is_empty() && (self.segments > 0 || !last) {
            return self
                .store_rest(String::new(), Vec::new(), None, Vec::new(), last)
                .await;
        }
        self.end_segment(last).await
    }

    /// Adds a piece of a speaker's text, where `None` is the thread's agent; `words` are the
    /// sentences of the service in it.
    async fn write(
        &mut self,
        speaker: Option<&Profile>,
        text: &str,
        words: Vec<Words>,
    ) -> Result<()> {
        if speaker.map(|s| &s.id) != self.speaker.as_ref().map(|s| &s.id) {
            if !self.said.is_empty() {
                self.end_segment(false).await?;
            }
            self.speaker = speaker.cloned();
        }
        self.take_room(text.len())?;
        self.said.push_str(text);
        self.words.extend_from_slice(&words);
        let chunk = self.text_event(EventType::AgentResponseChunk, text, words);
        self.log.push(chunk).await;
        Ok(())
    }

    /// Ends the text of a colleague; the thread's agent speaks again.
    async fn return_to_agent(&mut self) -> Result<()> {
        if self.speaker.is_some() {
            if !self.said.is_empty() {
                self.end_segment(false).await?;
            }
            self.speaker = None;
        }
        Ok(())
    }

    /// Stores the text so far with the question, and sends the requests for approval.
    pub(crate) async fn ask(
        &mut self,
        question: &Question,
        together: bool,
        last: bool,
    ) -> Result<()> {
        self.hold_end(last).await;
        self.return_to_agent().await?;
        self.take_room(question.size()?)?;
        let said = self.said.clone();
        let words = self.words.clone();
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
        let events = batches.into_iter().map(|(_, requests)| LoggedEvent {
            requests: Some(requests),
            ..self.event(EventType::ApprovalRequest, "", None)
        });
        let events = events.collect();
        self.store_rest(said, words, Some(question), events, last)
            .await
    }

    /// Adds a sentence to the text of the present speaker, and stores that as the end of the answer
    /// with the event that tells of the failure. An answer that is stored to its end stays as it is.
    pub(crate) async fn fail(&mut self, note: Option<&Sentence>, reason: &str) -> Result<()> {
        if let Err(error) = self.wait_until_stored().await {
            tracing::warn!(%error, "a part of an answer was not stored");
        }
        if self.ended {
            return Ok(());
        }
        // The model reads in its next turn what it had said, and why no more of it came.
        if let Some(note) = note
            && let Err(error) = self.record_partial(note).await
        {
            tracing::warn!(%error, "the beginning of a failed answer was not recorded");
        }
        self.end_early(note, reason).await
    }

    /// Tells readers that the answer is gone with its thread: nothing of it is stored any more.
    pub(crate) async fn tell_deleted(&mut self, reason: &str) {
        if let Err(error) = self.wait_until_stored().await {
            tracing::debug!(%error, "a part of an answer is gone with its thread");
        }
        let error = self.event(EventType::Error, reason, None);
        self.log.show_unlogged(error);
    }

    /// Adds a sentence to the text of the present speaker, and ends the answer with that.
    pub(crate) async fn stop(&mut self, sentence: &Sentence) -> Result<()> {
        // A part that was being stored when the answer was cancelled.
        self.wait_until_stored().await?;
        self.record_partial(sentence).await?;
        self.return_to_agent().await?;
        let (text, words) = self.text_with_sentence(sentence);
        self.end_segment_as(text, words, true).await
    }

    /// Stores the text of the present speaker with a sentence as the end of the answer, and the
    /// event that tells the reason of its failure.
    pub(crate) async fn end_early(&mut self, note: Option<&Sentence>, reason: &str) -> Result<()> {
        let (text, words) =
            note.map_or_else(Default::default, |note| self.text_with_sentence(note));
        let error = self.event(EventType::Error, reason, None);
        self.store_rest(text, words, None, vec![error], true).await
    }

    /// Returns the text of the present speaker with a sentence, and all sentences of the service in
    /// that text.
    fn text_with_sentence(&self, sentence: &Sentence) -> (String, Vec<Words>) {
        let mut words = self.words.clone();
        words.push(sentence.words());
        (with_sentence(&self.said, sentence), words)
    }

    /// Subtracts `bytes` that are to be stored from the room in the thread, or fails if there are
    /// not so many left.
    fn take_room(&mut self, bytes: usize) -> Result<()> {
        let left = self.room.checked_sub(bytes);
        self.room = left.ok_or_else(|| self.store.thread_full_error())?;
        Ok(())
    }

    /// Keeps the answer from being cancelled if its `last` part is about to be stored.
    async fn hold_end(&self, last: bool) {
        if last {
            self.cancellation.hold().await;
        }
    }

    async fn end_segment(&mut self, last: bool) -> Result<()> {
        let (text, words) = (self.said.clone(), self.words.clone());
        self.end_segment_as(text, words, last).await
    }

    async fn end_segment_as(&mut self, text: String, words: Vec<Words>, last: bool) -> Result<()> {
        let complete = self.text_event(EventType::AgentResponseComplete, &text, words.clone());
        self.store_rest(text, words, None, vec![complete], last)
            .await
    }

    /// Stores `text` as a segment, with the question if there is one, and with the events that tell
    /// of it. Until that is done, `said` keeps the text for an interruption.
    async fn store_rest(
        &mut self,
        text: String,
        words: Vec<Words>,
        question: Option<&Question>,
        events: Vec<LoggedEvent>,
        last: bool,
    ) -> Result<()> {
        let mut segment = Segment {
            run: self.run.clone(),
            number: self.segments,
            handle: self.speaker_handle().to_owned(),
            next: self.agent.handle.clone(),
            text,
            words,
            question: question.cloned(),
            asked_in: spans::traceparent(),
            events,
            first_event: 0,
            last,
        };
        let (store, log) = (self.store.clone(), self.log.clone());
        let task = tokio::spawn(async move {
            segment.first_event = log.next_number().await?;
            let first = store.store_segment_with_retries(&segment).await?;
            log.show(first, segment.events);
            Ok(())
        });
        self.storing = Some((task, last));
        self.wait_until_stored().await
    }

    /// Waits for the running store operation, if there is one.
    async fn wait_until_stored(&mut self) -> Result<()> {
        let Some((task, last)) = &mut self.storing else {
            return Ok(());
        };
        let stored = task.await.unwrap_or(Err(Error::Panicked));
        let last = *last;
        self.storing = None;
        stored?;
        self.said.clear();
        self.words.clear();
        self.segments += 1;
        self.ended = last;
        Ok(())
    }

    fn speaker_handle(&self) -> &str {
        &self.speaker.as_ref().unwrap_or(&self.agent).handle
    }

    /// Logs an event of this answer, with the text `content`, about `agent` if one is given.
    pub(crate) async fn emit(&mut self, event: EventType, content: &str, agent: Option<Agent>) {
        let event = self.event(event, content, agent);
        self.log.push(event).await;
    }

    /// Returns an event with a text of the present speaker, and the sentences of the service in it.
    fn text_event(&self, event: EventType, text: &str, words: Vec<Words>) -> LoggedEvent {
        let agent = self.speaker.as_ref().map(Profile::event_agent);
        LoggedEvent {
            words,
            ..self.event(event, text, agent)
        }
    }

    fn event(&self, event_type: EventType, content: &str, agent: Option<Agent>) -> LoggedEvent {
        LoggedEvent {
            collaboration_id: agent.is_some().then(|| self.collaboration_id.clone()),
            agent,
            content: content.to_owned(),
            ..LoggedEvent::new(event_type, now())
        }
    }
}
