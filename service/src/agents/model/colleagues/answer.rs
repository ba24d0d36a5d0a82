//! The answer of a colleague, within that of the agent that asked it.

use std::{sync::Arc, time::Duration};

use assent_protocol::{EventType, Words, notification};
use futures_util::future::BoxFuture;

use crate::{
    Result,
    agents::agent::{Answer, Files, Journal, StepDetails},
    profile::Profile,
    store::{Knowledge, Memories},
    telemetry::metrics::Metrics,
};

const IN_PROGRESS: EventType =
    notification::MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_IN_PROGRESS;
const COMPLETED: EventType =
    notification::MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_COMPLETED;

/// The answer of a colleague: its text goes into the outer answer under the colleague's name, and
/// its transcript is that of the colleague's run.
pub(super) struct ColleagueAnswer<'a> {
    outer: &'a mut dyn Answer,
    profile: &'a Profile,
    journal: Arc<dyn Journal>,
    said: String,
}

impl<'a> ColleagueAnswer<'a> {
    pub(super) fn new(outer: &'a mut dyn Answer, profile: &'a Profile, run: &str) -> Self {
        let journal = outer.journal_of(run, &profile.id);
        Self {
            outer,
            profile,
            journal,
            said: String::new(),
        }
    }

    /// Ends the colleague's part of the outer answer, and returns all that the colleague said.
    pub(super) async fn end(self) -> Result<String> {
        self.outer.end_colleague().await?;
        if !self.said.is_empty() {
            let text = format!("{} answered", self.profile.name);
            self.outer.notify(COMPLETED, &text).await;
        }
        Ok(self.said)
    }

    /// Returns who says `text`: `speaker`, or else the colleague. Text of the colleague itself is
    /// added to `said`.
    async fn record_speech<'s>(&mut self, speaker: Option<&'s Profile>, text: &str) -> &'s Profile
    where
        'a: 's,
    {
        if let Some(other) = speaker {
            return other;
        }
        if self.said.is_empty() {
            let begins = format!("{} answers", self.profile.name);
            self.outer.notify(IN_PROGRESS, &begins).await;
        }
        self.said.push_str(text);
        self.profile
    }
}

impl Answer for ColleagueAnswer<'_> {
    fn say<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        text: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let speaker = self.record_speech(speaker, text).await;
            self.outer.say(Some(speaker), text).await
        })
    }

    fn say_sentence<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        sentence: &'a Words,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let speaker = self.record_speech(speaker, &sentence.text).await;
            self.outer.say_sentence(Some(speaker), sentence).await
        })
    }

    fn end_colleague(&mut self) -> BoxFuture<'_, Result<()>> {
        self.outer.end_colleague()
    }

    fn notify<'a>(&'a mut self, event: EventType, text: &'a str) -> BoxFuture<'a, ()> {
        self.outer.notify(event, text)
    }

    fn show<'a>(
        &'a mut self,
        event: EventType,
        text: &'a str,
        details: StepDetails,
    ) -> BoxFuture<'a, ()> {
        self.outer.show(event, text, details)
    }

    fn pause(&mut self, time: Duration) -> BoxFuture<'_, ()> {
        self.outer.pause(time)
    }

    fn break_connection(&mut self) {
        self.outer.break_connection();
    }

    fn metrics(&self) -> &Metrics {
        self.outer.metrics()
    }

    fn journal(&self) -> Arc<dyn Journal> {
        Arc::clone(&self.journal)
    }

    fn journal_of(&self, run: &str, agent: &str) -> Arc<dyn Journal> {
        self.outer.journal_of(run, agent)
    }

    fn knowledge(&self) -> Knowledge {
        self.outer.knowledge()
    }

    fn memories(&self) -> Memories {
        self.outer.memories()
    }

    fn files(&mut self) -> &mut dyn Files {
        self.outer.files()
    }

    fn delegation_depth(&self) -> usize {
        self.outer.delegation_depth() + 1
    }
}
