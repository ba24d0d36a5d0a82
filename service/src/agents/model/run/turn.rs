//! The state of one turn: the answer, the tools, and the transcript so far.

use serde_json::Value;
use tokio::time::Instant;

use super::{measure::Meter, speech::Speech};
use crate::{
    Result,
    agents::model::{
        ModelAgent,
        core::next::{NewEntries, RunState},
        mcp::Lease,
        request::{
            documents::Documents,
            images::Images,
            wire::{Dialect, Request},
        },
        tools::offered::OfferedTool,
    },
    rules::policy::Grants,
    sentence::Sentence,
    store::ThreadKey,
    transcript::{Item, Note},
};

/// Tokens that are reserved for an answer where the agent file does not bound it.
const ANSWER_TOKENS: u64 = 1_000;

/// The state of one turn while the agent works on it.
pub(in crate::agents::model) struct TurnState<'a> {
    pub(in crate::agents::model) speech: Speech<'a>,
    pub(in crate::agents::model) meter: Meter,
    pub(in crate::agents::model) thread: ThreadKey,
    /// The sessions of the usable tool servers, which are not ended for being idle during the turn.
    pub(super) servers: Vec<Lease>,
    /// The tools of all servers that can be used.
    pub(in crate::agents::model) tools: Vec<OfferedTool>,
    /// The grants of the user, by which calls run without being asked about.
    pub(super) grants: Grants,
    pub(super) run: RunState,
    /// The documents of the transcript, once they are read.
    pub(super) documents: Documents,
    /// True if old turns could not be summed up: a summary is tried once in a turn.
    pub(super) stays_whole: bool,
    pub(in crate::agents::model) deadline: Instant,
}

impl TurnState<'_> {
    /// Returns the messages of the conversation so far, in a form that any model reads.
    pub(in crate::agents::model) fn conversation(&self, agent: &ModelAgent) -> Vec<Value> {
        let request = Request {
            instructions: &agent.instructions,
            transcript: &self.run.transcript,
            tools: &self.tools,
            with_tools: false,
            images: &Images::new(),
            documents: &self.documents,
        };
        agent.model.conversation(&request)
    }

    /// Reads the documents of the transcript that are not read yet; false if the time of the turn
    /// is over. The time that a document waits while others are read is added to the deadline.
    pub(super) async fn read_documents(&mut self) -> Result<bool> {
        let files = self.speech.answer.files();
        self.deadline += self.documents.read(&self.run.transcript, files).await?;
        Ok(Instant::now() < self.deadline)
    }

    /// Returns the entries of the present turn.
    pub(in crate::agents::model) fn entries(&self) -> &[Item] {
        self.run.transcript.turn_entries()
    }

    /// Returns the text of the message that the turn answers.
    pub(in crate::agents::model) fn request_text(&self) -> String {
        let said = self.entries().iter().find_map(|item| match item {
            Item::User { text, .. } => Some(text.clone()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    /// Returns the sentence for the reader about a limit of tokens that is reached; `None` if none
    /// is.
    pub(in crate::agents::model) fn reached_token_limit(&self) -> Option<Sentence> {
        self.run.out_of_tokens(0)
    }

    /// Reserves the estimated tokens of a request and of its answer, until the tokens that it took
    /// are recorded. Returns a sentence for the reader if a limit is reached with what the user's
    /// other turns have used and may use: then the request is not made.
    pub(in crate::agents::model) async fn reserve(
        &mut self,
        request_tokens: u64,
        dialect: &Dialect,
    ) -> Result<Option<Sentence>> {
        let room = u64::try_from(dialect.request_tokens).unwrap_or(u64::MAX);
        let answer = dialect.output_tokens.unwrap_or(ANSWER_TOKENS);
        let journal = self.speech.answer.journal();
        // Before the use is read: what another turn records in between counts twice and not never.
        let others = journal.reserve(request_tokens.min(room) + answer);
        if self.run.has_daily_limit() {
            let standing = journal.stored().standing(&[]).await?;
            self.run.renew_tokens(standing.tokens_today);
        }
        let reached = self.run.out_of_tokens(others);
        if reached.is_some() {
            journal.reserve(0);
        }
        Ok(reached)
    }

    /// Adds a note to the transcript; it is durable once this returns.
    pub(in crate::agents::model) async fn note(&mut self, note: Note) -> Result<()> {
        let record = NewEntries {
            items: vec![Item::Note(note.clone())],
            entries: Vec::new(),
        };
        self.record(&record).await?;
        self.run.add_note(note);
        Ok(())
    }

    pub(super) async fn record(&mut self, record: &NewEntries) -> Result<()> {
        let NewEntries { items, entries } = record;
        if items.is_empty() && entries.is_empty() {
            return Ok(());
        }
        self.speech.answer.journal().append(items, entries).await?;
        self.meter
            .count_unrun_calls(items, &self.run.transcript, &self.tools);
        Ok(())
    }

    /// Says again to the reader what the model said before the interruption, since that part of the
    /// answer was not stored.
    pub(super) async fn say_again(&mut self) -> Result<()> {
        for item in self.run.transcript.run_entries() {
            match item {
                Item::Model { text, .. } if !text.is_empty() => self.speech.paragraph(text).await?,
                Item::Note(Note::Summary { .. }) => {
                    self.speech.sentence(&Sentence::SummedUp).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
