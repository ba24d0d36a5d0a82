//! A request to the model, and its answer as it comes.

use assent_protocol::notification;

use super::{ModelAgent, measure::Meter, speech::Speech, turn::Turn};
use crate::{
    Result,
    agents::model::{
        provider::{
            completion::{Completion, Piece},
            model_error::ModelError,
        },
        request::{estimate, wire::Request},
    },
    sentence::Sentence,
};

/// Tokens that are reserved for an answer where the file does not bound it.
const ANSWER_TOKENS: u64 = 1_000;

impl ModelAgent {
    /// Reserves the tokens of a request, as they are estimated, and of its answer, until those are
    /// recorded that it took. Returns the sentence of a limit that is reached with what other turns
    /// of the user have used and may use: then the request is not made.
    pub(in crate::agents::model) async fn reserve(
        &self,
        request_tokens: u64,
        turn: &mut Turn<'_>,
    ) -> Result<Option<Sentence>> {
        let dialect = self.model.dialect();
        let room = u64::try_from(dialect.request_tokens).unwrap_or(u64::MAX);
        let answer = dialect.output_tokens.unwrap_or(ANSWER_TOKENS);
        let journal = turn.speech.answer.journal();
        // Before the use is read: what another turn records in between counts twice and not never.
        let others = journal.reserve(request_tokens.min(room) + answer);
        if self.limits.user_tokens_per_day.is_some() {
            let standing = journal.standing(&[]).await?;
            turn.run.renew_tokens(standing.tokens_today);
        }
        let reached = turn.run.out_of_tokens(others);
        if reached.is_some() {
            journal.reserve(0);
        }
        Ok(reached)
    }

    /// Asks the model, and lets the reader see its text as it comes. Whatever was said stays said
    /// if this is dropped.
    pub(super) async fn ask_model(
        &self,
        request: &Request<'_>,
        meter: &Meter,
        speech: &mut Speech<'_>,
    ) -> Result<std::result::Result<Completion, ModelError>> {
        speech.new_paragraph();
        speech
            .notify(notification::AGENT_THINKING_STARTED, "")
            .await;
        let mut time = meter.model();
        let mut reply = match self.model.turn(request).await {
            Ok(reply) => reply,
            Err(error) => return Ok(Err(error)),
        };
        // From here on its tokens are used, also if the rest never comes.
        let asked = estimate::estimated_tokens(request.transcript, request.documents, "");
        speech.answer.journal().keep_partial_text("", asked);
        let mut thinking = true;
        loop {
            let piece = match reply.next().await {
                Ok(piece) => piece,
                Err(error) => {
                    let (agent, reason) = (&self.profile.id, error.reason());
                    tracing::warn!("agent {agent}: the answer of its model ended: {reason}");
                    return Ok(Err(error));
                }
            };
            time.came();
            if thinking && matches!(piece, Some(Piece::Text(_)) | None) {
                speech
                    .notify(notification::AGENT_THINKING_COMPLETE, "")
                    .await;
                thinking = false;
            }
            match piece {
                Some(Piece::Text(text)) => {
                    speech.answer.journal().keep_partial_text(&text, 0);
                    speech.say(&text).await?;
                }
                Some(_) => {}
                None => {
                    let completion = reply.into_completion();
                    time.ended(&completion);
                    return Ok(Ok(completion));
                }
            }
        }
    }
}
