//! Old turns, summed up by the model before they have no room any more.

use assent_protocol::notification;

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::{ModelAgent, turn::TurnState};
use crate::{
    Result,
    agents::{
        agent::Journal,
        model::{
            core::compaction::{MAX_ANSWER_BYTES, OldTurns, find_old_turns},
            provider::{
                client::Model,
                completion::{ReplyPiece, Usage},
                model_error::ModelError,
            },
            request::{
                estimate,
                images::{self, Images},
                wire::{self, Dialect, Request, RequestBody},
            },
        },
    },
    sentence::Sentence,
    transcript::{BYTES_PER_TOKEN, Note},
};

/// The time that a model has for a summary.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The summary that a model writes, as far as it has come, and the tokens that this takes.
#[derive(Default)]
struct PartialSummary {
    text: String,
    /// The tokens of the request, as they are estimated; 0 until they are used.
    asked: u64,
    /// The tokens that the server told; `None` if it told none.
    usage: Option<Usage>,
}

impl PartialSummary {
    fn tokens(&self) -> u64 {
        let said = u64::try_from(self.text.len() / BYTES_PER_TOKEN);
        self.usage.map_or_else(
            || self.asked + said.unwrap_or_default(),
            |usage| usage.input + usage.output,
        )
    }
}

/// Lets the model sum up the oldest turns, if that is due. Where it fails, requests leave out the
/// oldest turns that have no room.
pub(super) async fn sum_up(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    if !agent.sums_up || turn.stays_whole || turn.reached_token_limit().is_some() {
        return Ok(());
    }
    let Some(old) = old_turns(agent, turn) else {
        return Ok(());
    };
    let asked = estimate::estimated_tokens_of(&old.messages);
    if turn.reserve(asked, agent.model.dialect()).await?.is_some() {
        return Ok(());
    }
    let started = notification::AGENT_THINKING_STARTED;
    turn.speech
        .notify(started, "the conversation so far is summed up")
        .await;
    let mut written = PartialSummary::default();
    let deadline = turn.deadline.min(Instant::now() + TIMEOUT);
    let journal = turn.speech.answer.journal();
    let asked = timeout_at(deadline, write(&agent.model, &old, &*journal, &mut written)).await;
    turn.speech
        .notify(notification::AGENT_THINKING_COMPLETE, "")
        .await;
    if let Some(usage) = written.usage {
        turn.meter.count_tokens(usage);
    }
    let tokens = written.tokens();
    let asked = asked.unwrap_or(Err(ModelError::Stalled));
    let summary = asked.and_then(|()| old.summary(&written.text).ok_or(ModelError::Unreadable));
    match summary {
        Ok(text) => {
            let entries = old.entries;
            turn.note(Note::Summary {
                entries,
                text,
                tokens,
            })
            .await?;
            turn.speech.sentence(&Sentence::SummedUp).await
        }
        Err(error) => {
            let reason = error.reason();
            tracing::warn!(agent = agent.profile.id, reason, "there is no summary");
            turn.stays_whole = true;
            if tokens > 0 {
                turn.note(Note::Inquiry { tokens }).await?;
            }
            Ok(())
        }
    }
}

fn old_turns(agent: &ModelAgent, turn: &TurnState<'_>) -> Option<OldTurns> {
    let transcript = &turn.run.transcript;
    let images = if agent.model.sees_images() {
        images::images_without_bytes(transcript)
    } else {
        Images::new()
    };
    let request = Request {
        instructions: &agent.instructions,
        transcript,
        tools: &turn.tools,
        with_tools: true,
        images: &images,
        documents: &turn.documents,
    };
    find_old_turns(&request, agent.model.dialect())
}

/// Lets the model write a summary into `written`. The future may be dropped at any await: the
/// connection ends with it.
async fn write(
    model: &Model,
    old: &OldTurns,
    journal: &dyn Journal,
    written: &mut PartialSummary,
) -> std::result::Result<(), ModelError> {
    let body =
        |dialect: &Dialect| RequestBody::plain(wire::common_members(old.messages.clone(), dialect));
    let mut reply = model.begin(&body).await?;
    written.asked = estimate::estimated_tokens_of(&old.messages);
    // These tokens are used, also if the answer is stopped.
    journal.keep_partial_text("", written.asked);
    while let Some(piece) = reply.next().await? {
        if let ReplyPiece::Text(text) = piece {
            written.text.push_str(&text);
        }
        if written.text.len() > MAX_ANSWER_BYTES {
            return Ok(());
        }
    }
    written.usage = reply.into_completion().usage;
    Ok(())
}
