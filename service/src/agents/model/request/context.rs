//! What of a conversation a model is given: as many of the latest turns as fit into its context, and
//! the present one, of which the oldest results of tools are shortened where there is no room.

use serde_json::{Map, Value, json};

use crate::transcript::BYTES_PER_TOKEN;

/// The number of tokens that one image of a request counts as.
const IMAGE_TOKENS: usize = 1_500;

/// Length of the part that is left of a shortened result, in bytes.
const SHORT_RESULT: usize = 400;

/// A message, before it is written as JSON.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct ModelMessage {
    pub(in crate::agents::model) role: &'static str,
    pub(in crate::agents::model) text: String,
    /// Addresses of the images that stand after the text.
    pub(in crate::agents::model) images: Vec<String>,
    /// Further JSON fields of the message, such as `tool_calls`.
    more: Map<String, Value>,
    /// True if the message is the result of a call.
    is_result: bool,
}

impl ModelMessage {
    pub(in crate::agents::model) fn new(role: &'static str, text: String) -> Self {
        Self {
            role,
            text,
            images: Vec::new(),
            more: Map::new(),
            is_result: false,
        }
    }

    pub(in crate::agents::model) fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// Returns the message as the result of a call.
    pub(in crate::agents::model) fn into_result(self) -> Self {
        Self {
            is_result: true,
            ..self
        }
    }

    /// Returns the length of the message in bytes, with as many for each image as its tokens stand
    /// for.
    pub(in crate::agents::model) fn size(&self) -> usize {
        let more: usize = self.more.values().map(|more| more.to_string().len()).sum();
        self.text.len() + more + self.images.len() * IMAGE_TOKENS * BYTES_PER_TOKEN
    }

    pub(in crate::agents::model) fn into_value(self) -> Value {
        let content = if !self.images.is_empty() {
            let text = json!({ "type": "text", "text": self.text });
            let image = |url| json!({ "type": "image_url", "image_url": { "url": url } });
            let images = self.images.into_iter().map(image);
            [text].into_iter().chain(images).collect()
        } else if self.text.is_empty() && self.role == "assistant" {
            Value::Null
        } else {
            self.text.into()
        };
        let mut message = self.more;
        message.insert("role".to_owned(), self.role.into());
        message.insert("content".to_owned(), content);
        message.into()
    }
}

/// Returns the messages of the latest turns that fit into `room` bytes, and of the last turn in any
/// case, with its oldest results shortened.
pub(in crate::agents::model) fn latest_messages(
    mut turns: Vec<Vec<ModelMessage>>,
    mut room: usize,
) -> impl Iterator<Item = ModelMessage> {
    if let Some(present) = turns.last_mut() {
        shorten(present, room);
    }
    let mut kept = turns.len();
    for (at, turn) in turns.iter().enumerate().rev() {
        let size = turn.iter().map(ModelMessage::size).sum();
        let present = at + 1 == turns.len();
        match room.checked_sub(size) {
            Some(left) => room = left,
            None if present => room = 0,
            None => break,
        }
        kept = at;
    }
    turns.into_iter().skip(kept).flatten()
}

/// Shortens the results of tools in a turn, the oldest first, until the turn fits into `room` bytes
/// or each result is short. The transcript keeps the results whole.
fn shorten(turn: &mut [ModelMessage], room: usize) {
    let mut size: usize = turn.iter().map(ModelMessage::size).sum();
    for message in turn.iter_mut().filter(|message| message.is_result) {
        if size <= room {
            return;
        }
        let before = message.text.len();
        let end = message.text.floor_char_boundary(SHORT_RESULT);
        let note = format!("\n\ncut: {} more bytes have no room here.", before - end);
        if before > end + note.len() {
            message.text.truncate(end);
            message.text.push_str(&note);
            size -= before - message.text.len();
        }
    }
}
