//! Memories of a person beyond a conversation: sentences that the agent kept with a tool,
//! looked up before it answers.

use assent_protocol::notification;

use serde::Deserialize;

use super::run::turn::TurnState;
use crate::{
    Error, Result,
    transcript::Note,
    transcript::knowledge::{Memory, words},
};

/// Most memories of a person that one turn is given.
const MAX_RECALLED: usize = 8;

/// Longest sentence that is kept as a memory, in bytes.
pub(super) const MAX_MEMORY_BYTES: usize = 1000;

/// `[memory]` of an agent file: how much the agent keeps of a person.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryConfig {
    /// Most sentences that are kept of one person; the oldest ones beyond are forgotten.
    pub(super) per_user: usize,
}

/// Looks up the memories that the agent with the id `agent` keeps of the person, and adds those
/// that fit the request to the transcript. If that fails, the answer goes on without any.
pub(super) async fn recall(agent: &str, turn: &mut TurnState<'_>) -> Result<()> {
    let words = words(&turn.request_text());
    let memories = turn.speech.answer.memories();
    let found = memories.recall(agent, &words, MAX_RECALLED).await;
    let texts = match found {
        Ok(found) => found.iter().map(line).collect(),
        Err(error @ Error::NotFound(_)) => return Err(error),
        Err(error) => {
            tracing::warn!(%error, "memories cannot be read");
            let event = notification::CONTEXT_MEMORIES_RETRIEVAL_FAILED;
            turn.speech.notify(event, "").await;
            Vec::new()
        }
    };
    turn.note(Note::Memories { texts }).await
}

fn line(memory: &Memory) -> String {
    format!("{}: {}", memory.number, memory.text)
}
