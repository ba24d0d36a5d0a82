//! The records that agents keep, written to the store: transcripts, and the tools that were
//! started.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;

use super::AnswerWriter;
use crate::{
    Result,
    agents::Journal,
    answers::cancellation::Cancellation,
    rules::audit::AuditEntry,
    sentence::{Sentence, with_sentence},
    store::{Reservation, RunKey, Store, StoredRun},
    transcript::{BYTES_PER_TOKEN, Call, CallResult, Claim, ImageKeeping, Item, Note},
};

/// The turn of whoever writes a record of an answer.
pub(super) type TurnOfAnswer = tokio::sync::Mutex<()>;

/// The transcript of one run of a thread, and the tools that were started in it.
#[derive(Debug)]
pub(super) struct RunJournal {
    pub(super) store: Store,
    pub(super) stored: StoredRun,
    /// The greatest length of a file that is kept, in bytes.
    pub(super) upload_limit: usize,
    /// The cancellation of the answer, which waits while a tool runs.
    pub(super) cancellation: Cancellation,
    /// The turn of a record of the answer: two at the same time would meet at its thread, and records
    /// keep the order in which they were asked for.
    pub(super) turn: Arc<TurnOfAnswer>,
    pub(super) unrecorded: UnrecordedAnswer,
}

/// The request to a model whose answer is in no transcript yet. All runs of an answer share it,
/// since one of them speaks at a time.
#[derive(Clone, Debug)]
pub(super) struct UnrecordedAnswer {
    user_id: String,
    asked: Arc<Mutex<UnrecordedRequest>>,
}

#[derive(Debug, Default)]
struct UnrecordedRequest {
    /// The part of the model's answer that has come; `None` if nothing has.
    answer: Option<PartialAnswer>,
    /// The tokens that are reserved for the request; `None` if none are.
    reserved: Option<Reservation>,
}

/// A model's answer that is not recorded yet.
#[derive(Clone, Debug)]
pub(super) struct PartialAnswer {
    place: RunKey,
    text: String,
    /// The number of tokens of the request that this answers.
    tokens: u64,
}

impl PartialAnswer {
    /// Returns an estimate of the tokens of the request and of this answer, for which the server
    /// has not told a number.
    fn estimated_tokens(&self) -> u64 {
        let said = self.text.len() / BYTES_PER_TOKEN;
        self.tokens + u64::try_from(said).unwrap_or(u64::MAX)
    }
}

impl UnrecordedAnswer {
    pub(super) fn new(user_id: String) -> Self {
        Self {
            user_id,
            asked: Arc::default(),
        }
    }

    fn put(&self, run: &RunKey, text: &str, tokens: u64) {
        let partial = &mut self.lock().answer;
        match partial {
            Some(other) if other.place.run == run.run => {
                other.text.push_str(text);
                other.tokens += tokens;
            }
            _ => {
                *partial = Some(PartialAnswer {
                    place: run.clone(),
                    text: text.to_owned(),
                    tokens,
                });
            }
        }
    }

    /// Reserves tokens for the next request in place of those of the request before, and returns
    /// the number that other requests of the user have reserved.
    fn reserve(&self, store: &Store, tokens: u64) -> u64 {
        let mut asked = self.lock();
        asked.reserved = None;
        let (reservation, others) = store.reserve(&self.user_id, tokens);
        asked.reserved = Some(reservation);
        others
    }

    /// Takes out the answer that is not recorded; `None` if there is none.
    pub(super) fn take(&self) -> Option<PartialAnswer> {
        self.lock().answer.take()
    }

    /// Forgets the request, because its answer and its tokens are recorded.
    fn clear(&self) {
        *self.lock() = UnrecordedRequest::default();
    }

    fn lock(&self) -> MutexGuard<'_, UnrecordedRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for RunJournal {
    fn stored(&self) -> &StoredRun {
        &self.stored
    }

    fn append<'a>(
        &'a self,
        items: &'a [Item],
        decisions: &'a [AuditEntry],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let _turn = self.turn.lock().await;
            let appended = self
                .store
                .append_to_transcript(self.stored.run_key(), items, decisions);
            appended.await?;
            if items.iter().any(has_tokens) {
                self.unrecorded.clear();
            }
            Ok(())
        })
    }

    fn reserve(&self, tokens: u64) -> u64 {
        self.unrecorded.reserve(&self.store, tokens)
    }

    fn keep_partial_text(&self, text: &str, tokens: u64) {
        self.unrecorded.put(self.stored.run_key(), text, tokens);
    }

    fn claim<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Claim>> {
        Box::pin(async {
            // Until its result is stored.
            self.cancellation.hold().await;
            let _turn = self.turn.lock().await;
            let claimed = self
                .store
                .claim_call(&self.stored.run_key().answer, call)
                .await;
            claimed.inspect_err(|_| self.cancellation.release())
        })
    }

    fn stopped(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.cancellation.wait_until_wanted())
    }

    fn keep_image<'a>(
        &'a self,
        tool: &'a str,
        bytes: Vec<u8>,
    ) -> BoxFuture<'a, Result<ImageKeeping>> {
        Box::pin(async move {
            if bytes.len() > self.upload_limit {
                let limit = u64::try_from(self.upload_limit).unwrap_or(u64::MAX);
                return Ok(ImageKeeping::TooLarge(limit));
            }
            let answer = &self.stored.run_key().answer;
            self.store.keep_image(answer, tool, bytes).await
        })
    }

    fn finish<'a>(
        &'a self,
        result: &'a CallResult,
        decisions: &'a [AuditEntry],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let turn = self.turn.lock().await;
            let stored = self
                .store
                .finish_call(self.stored.run_key(), result, decisions)
                .await;
            drop(turn);
            self.cancellation.release();
            stored
        })
    }
}

/// Returns true if an entry of the transcript tells how many tokens a request to a model took.
fn has_tokens(item: &Item) -> bool {
    matches!(
        item,
        Item::Model { .. } | Item::Note(Note::Inquiry { .. } | Note::Summary { .. })
    )
}

impl AnswerWriter {
    /// Records in the transcript what has come of the model's answer, with a sentence, so that the
    /// model reads it in its next turn. The text of a colleague is recorded as its reply.
    pub(super) async fn record_partial(&mut self, sentence: &Sentence) -> Result<()> {
        let Some(partial) = self.journal.unrecorded.take() else {
            self.journal.unrecorded.clear();
            return Ok(());
        };
        let tokens = partial.estimated_tokens();
        let items = if partial.place.run.is_empty() {
            vec![Item::Model {
                text: with_sentence(&partial.text, sentence),
                calls: Vec::new(),
                tokens,
            }]
        } else {
            let speaker = self.speaker.as_ref().unwrap_or(&self.agent);
            let reply = Note::Reply {
                run: partial.place.run,
                name: speaker.name.clone(),
                text: Some(with_sentence(&self.said, sentence)),
            };
            vec![Item::Note(reply), Item::Note(Note::Inquiry { tokens })]
        };
        self.journal.append(&items, &[]).await
    }
}
