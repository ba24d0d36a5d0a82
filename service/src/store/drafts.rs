//! Drafts: the text of unfinished answers, kept for the case that the service does not live to
//! store the whole.
//!
//! Pieces of all answers are collected and written together once in a while, each only once, so
//! that many answers at the same time, and long ones, cost the database little. No answer waits for
//! that.

use std::{
    mem,
    sync::{MutexGuard, PoisonError, atomic::Ordering},
    time::Duration,
};

use tokio::time::sleep;

use super::{
    Store, Transaction,
    database::query,
    messages::encode_words,
    pieces::{DraftPiece, DraftPieces, put_back},
};
use crate::Result;

/// Time between two writes of pieces of answers that are being written, to the database.
const INTERVAL: Duration = Duration::from_secs(1);

impl Store {
    /// Queues a piece of text; it is written within about a second, together with pieces of other
    /// answers.
    pub fn queue_draft_piece(&self, request_id: &str, said: DraftPiece) {
        let mut waiting = self.waiting();
        match waiting.get_mut(request_id) {
            Some(piece) if piece.segment == said.segment => piece.push(&said.text, said.words),
            _ => {
                waiting.insert(request_id.to_owned(), said);
            }
        }
        if !self.drafts.scheduled.swap(true, Ordering::AcqRel) {
            let store = self.clone();
            tokio::spawn(async move { store.write_drafts().await });
        }
    }

    /// Stores the queued pieces of answers, which agents have not completed yet. It waits for the
    /// interval first, and tries again as long as the database fails and the store is open.
    async fn write_drafts(&self) {
        loop {
            sleep(INTERVAL).await;
            let _writing = self.drafts.writing.lock().await;
            let pieces = self.take_waiting();
            let Err(error) = self.write_draft_pieces(&pieces).await else {
                return;
            };
            if self.is_closed() {
                return;
            }
            tracing::error!(%error, "drafts could not be kept; they are tried again");
            put_back(&mut self.waiting(), pieces);
            // One write at a time, however long writing fails: the later one has these pieces too.
            if self.drafts.scheduled.swap(true, Ordering::AcqRel) {
                return;
            }
        }
    }

    /// Writes pieces of drafts and returns how many: those of a segment that is stored by now are
    /// left out.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`]; nothing was written then.
    pub async fn write_draft_pieces(&self, pieces: &DraftPieces) -> Result<u64> {
        if pieces.is_empty() {
            return Ok(0);
        }
        self.write(|writing| Box::pin(insert(writing, pieces)))
            .await
    }

    /// Drops the queued pieces of an answer whose text is stored.
    pub(super) fn forget_draft(&self, request_id: &str) {
        self.waiting().remove(request_id);
    }

    /// Takes out the queued pieces; a piece that is queued afterwards schedules another write.
    fn take_waiting(&self) -> DraftPieces {
        let mut waiting = self.waiting();
        self.drafts.scheduled.store(false, Ordering::Release);
        mem::take(&mut *waiting)
    }

    fn waiting(&self) -> MutexGuard<'_, DraftPieces> {
        self.drafts
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

async fn insert(writing: &mut Transaction<'_>, pieces: &DraftPieces) -> Result<u64> {
    let mut kept = 0;
    for (request_id, piece) in pieces {
        let inserted = query(
            "INSERT INTO draft_pieces (user_id, thread_id, ordinal, handle, text, words) \
             SELECT $1, $2, COALESCE((SELECT MAX(ordinal) FROM draft_pieces \
             WHERE user_id = $1 AND thread_id = $2), 0) + 1, $5, $6, $7 FROM answers_in_progress \
             WHERE user_id = $1 AND thread_id = $2 AND request_id = $3 AND segments = $4",
        )
        .bind(&piece.thread.user_id)
        .bind(&piece.thread.id)
        .bind(request_id)
        .bind(piece.segment)
        .bind(&piece.handle)
        .bind(&piece.text)
        .bind(encode_words(&piece.words)?)
        .execute(&mut *writing)
        .await?;
        kept += inserted;
    }
    Ok(kept)
}
