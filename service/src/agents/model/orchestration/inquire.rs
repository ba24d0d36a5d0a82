//! A question to the model about the conversation, which becomes no part of it.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout_at;

use super::questions::Inquiry;
use crate::{
    Result,
    agents::model::{
        ModelAgent,
        provider::{model_error::ModelError, object::ObjectRequest},
        request::estimate,
        run::turn::TurnState,
    },
    transcript::Note,
};

/// Asks the model a question about the conversation, which becomes no part of it, and records the
/// tokens that this took. Returns `None` if no answer comes in time, if none can be read, or if no
/// tokens are left.
pub(super) async fn inquire<T: DeserializeOwned>(
    agent: &ModelAgent,
    inquiry: &Inquiry,
    turn: &mut TurnState<'_>,
) -> Result<Option<T>> {
    let mut messages = turn.conversation(agent);
    add_task(&mut messages, &inquiry.task);
    let request = ObjectRequest {
        messages: &messages,
        name: inquiry.name,
        schema: &inquiry.schema,
    };
    let asked = estimate::estimated_tokens_of(&messages);
    if turn.reserve(asked, agent.model.dialect()).await?.is_some() {
        return Ok(None);
    }
    let name = inquiry.name;
    let (value, usage) = match timeout_at(turn.deadline, agent.model.object(&request)).await {
        Ok(Ok(object)) => (Some(object.value), object.usage),
        Ok(Err(error)) => {
            tracing::warn!(agent = agent.profile.id, name, %error, "a question has no answer");
            if error != ModelError::Unreadable {
                return Ok(None);
            }
            (None, None)
        }
        Err(_) => return Ok(None),
    };
    if let Some(usage) = usage {
        turn.meter.count_tokens(usage);
    }
    let tokens = usage.map_or(asked, |usage| usage.input + usage.output);
    turn.note(Note::Inquiry { tokens }).await?;
    Ok(value)
}

/// Adds the question `task` to the end of a conversation in which the two sides take turns: to the
/// person's message, if that is the last one.
fn add_task(messages: &mut Vec<Value>, task: &str) {
    match messages.last_mut() {
        Some(last) if last.get("role").is_some_and(|role| role == "user") => {
            let said = last.get("content").and_then(Value::as_str);
            *last = user_message(&format!("{}\n\n{task}", said.unwrap_or_default()));
        }
        _ => messages.push(user_message(task)),
    }
}

fn user_message(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}
