//! The writer of an answer as agents see it: what each function of the trait [`Answer`] does with
//! it.

use std::{sync::Arc, time::Duration};

use assent_protocol::{EventType, Words};
use futures_util::future::BoxFuture;

use super::{AnswerWriter, kept::RunJournal};
use crate::{
    Result,
    agents::{Answer, Files, Journal, StepDetails},
    profile::Profile,
    store::{Knowledge, LoggedEvent, Memories, RunKey},
    telemetry::metrics::Metrics,
};

impl Answer for AnswerWriter {
    fn say<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        text: &'a str,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.write(speaker, text, Vec::new()))
    }

    fn say_sentence<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        sentence: &'a Words,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.write(speaker, &sentence.text, vec![sentence.clone()]))
    }

    fn end_colleague(&mut self) -> BoxFuture<'_, Result<()>> {
        Box::pin(self.return_to_agent())
    }

    fn notify<'a>(&'a mut self, event: EventType, text: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(self.emit(event, text, None))
    }

    fn show<'a>(
        &'a mut self,
        event: EventType,
        text: &'a str,
        details: StepDetails,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async {
            let event = LoggedEvent {
                tool_images: details.images,
                grant_id: details.grant_id,
                ..self.event(event, text, None)
            };
            self.log.push(event).await;
        })
    }

    fn pause(&mut self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let time = time.mul_f64(self.pace);
            if time.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(time).await;
            }
        })
    }

    fn break_connection(&mut self) {
        self.log.cut();
    }

    fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<RunJournal>::clone(&self.journal)
    }

    fn journal_of(&self, run: &str, agent: &str) -> Arc<dyn Journal> {
        Arc::new(RunJournal {
            store: self.store.clone(),
            stored: self.store.stored_run(RunKey {
                answer: self.run.clone(),
                run: run.to_owned(),
                agent_id: agent.to_owned(),
            }),
            upload_limit: self.journal.upload_limit,
            cancellation: self.cancellation.clone(),
            turn: Arc::clone(&self.journal.turn),
            unrecorded: self.journal.unrecorded.clone(),
        })
    }

    fn knowledge(&self) -> Knowledge {
        self.store.knowledge(&self.run.thread)
    }

    fn memories(&self) -> Memories {
        self.store.memories(&self.run.thread)
    }

    fn files(&mut self) -> &mut dyn Files {
        self
    }
}
