//! A request to the model, and its answer as it comes.

use assent_protocol::notification;

use super::{measure::Meter, speech::Speech};
use crate::{
    Result,
    agents::model::{
        provider::{
            client::Model,
            completion::{Completion, ReplyPiece},
            model_error::ModelError,
        },
        request::{estimate, wire::Request},
    },
};

/// Asks the model, and lets the reader see its text as it comes. If the future is dropped, the text
/// so far stays said.
pub(super) async fn ask_model(
    model: &Model,
    request: &Request<'_>,
    meter: &Meter,
    speech: &mut Speech<'_>,
) -> Result<std::result::Result<Completion, ModelError>> {
    speech.new_paragraph();
    speech
        .notify(notification::AGENT_THINKING_STARTED, "")
        .await;
    let mut time = meter.begin_model_time();
    let mut reply = match model.answer(request).await {
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
                let (agent, reason) = (&meter.agent, error.reason());
                tracing::warn!("agent {agent}: the answer of its model ended: {reason}");
                return Ok(Err(error));
            }
        };
        time.note_piece();
        if thinking && matches!(piece, Some(ReplyPiece::Text(_)) | None) {
            speech
                .notify(notification::AGENT_THINKING_COMPLETE, "")
                .await;
            thinking = false;
        }
        match piece {
            Some(ReplyPiece::Text(text)) => {
                speech.answer.journal().keep_partial_text(&text, 0);
                speech.say(&text).await?;
            }
            Some(_) => {}
            None => {
                let completion = reply.into_completion();
                time.count_completion(&completion);
                return Ok(Ok(completion));
            }
        }
    }
}
