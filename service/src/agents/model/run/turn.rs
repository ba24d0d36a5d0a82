//! The state of one turn: the answer, the tools, and the transcript so far.

use serde_json::Value;
use tokio::time::Instant;

use super::{measure::Meter, speech::Speech};
use crate::{
    Result,
    agents::{
        agent::Owner,
        model::{
            ModelAgent, images::Images, policy::Grants, servers::Lease, step::Run, tools::Tool,
            wire::Request,
        },
    },
    audit::Entry,
    transcript::{Item, Note},
};

/// The state of one turn.
pub(in crate::agents::model) struct Turn<'a> {
    pub(in crate::agents::model) speech: Speech<'a>,
    pub(super) meter: Meter,
    pub(in crate::agents::model) owner: Owner,
    /// The servers that can be used, in the hands of this turn.
    pub(super) servers: Vec<Lease>,
    /// The tools of all servers that can be used.
    pub(in crate::agents::model) tools: Vec<Tool>,
    /// What the user allowed for good.
    pub(super) grants: Grants,
    pub(super) run: Run,
    pub(in crate::agents::model) deadline: Instant,
}

impl Turn<'_> {
    /// Returns the conversation as any model reads it.
    pub(in crate::agents::model) fn conversation(&self, agent: &ModelAgent) -> Vec<Value> {
        let request = Request {
            instructions: &agent.instructions,
            transcript: &self.run.transcript,
            tools: &self.tools,
            with_tools: false,
            images: &Images::new(),
        };
        agent.model.conversation(&request)
    }

    /// Returns the entries of the present turn.
    pub(in crate::agents::model) fn entries(&self) -> &[Item] {
        self.run.transcript.turn()
    }

    /// Returns what the person asked for.
    pub(in crate::agents::model) fn request(&self) -> String {
        let said = self.entries().iter().find_map(|item| match item {
            Item::User { text, .. } => Some(text.clone()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    /// Notes what was done; it is durable once this returns.
    pub(in crate::agents::model) async fn note(&mut self, note: Note) -> Result<()> {
        let item = Item::Note(note);
        self.record(std::slice::from_ref(&item), &[]).await?;
        self.run.transcript.items.push(item);
        Ok(())
    }

    pub(super) async fn record(&mut self, items: &[Item], entries: &[Entry]) -> Result<()> {
        self.speech.answer.journal().append(items, entries).await?;
        self.meter
            .recorded(items, &self.run.transcript, &self.tools);
        Ok(())
    }
    /// Says what the model said before the interruption: what the reader saw of it was not stored.
    pub(super) async fn say_again(&mut self) -> Result<()> {
        for item in self.run.transcript.run() {
            if let Item::Model { text, .. } = item
                && !text.is_empty()
            {
                self.speech.paragraph(text).await?;
            }
        }
        Ok(())
    }
}
