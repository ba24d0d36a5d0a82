//! A request to a model before it is written, and the form that one model understands.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{documents::Documents, images::Images, provider::habits::Habits, tools::Tool};
use crate::transcript::{Item, Transcript};

/// A request to a model for the next answer of a conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) instructions: &'a str,
    pub(super) transcript: &'a Transcript,
    /// All tools; calls in the transcript have their names.
    pub(super) tools: &'a [Tool],
    /// False if the model has to answer without any tool.
    pub(super) with_tools: bool,
    /// The images of the transcript.
    pub(super) images: &'a Images,
    /// The documents of the transcript.
    pub(super) documents: &'a Documents,
}

/// The form of request that one model understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The name of the model at its server.
    pub(super) name: String,
    /// The model and its address without parameters, as an operator reads it.
    pub(super) endpoint: String,
    pub(super) tools: ToolMode,
    /// True if it sees images.
    pub(super) images: bool,
    /// Tokens that a request may take.
    pub(super) request_tokens: usize,
    /// Tokens that an answer may take.
    pub(super) output_tokens: Option<u64>,
    /// What its server takes and refuses.
    pub(super) habits: Habits,
}

/// The way in which a model is offered tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ToolMode {
    /// As functions.
    #[default]
    Native,
    /// As a schema of its answer.
    Schema,
    /// Not at all.
    None,
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Body {
    pub(super) json: Value,
    /// True if the answer is one step as [`schema_tools`] reads it.
    pub(super) in_steps: bool,
}

impl Body {
    /// Returns a body whose answer is taken as it is.
    pub(super) fn plain(body: Map<String, Value>) -> Self {
        Self {
            json: body.into(),
            in_steps: false,
        }
    }
}

impl Request<'_> {
    /// Returns true if the answer is to be one step.
    pub(super) fn in_steps(&self, dialect: &Dialect) -> bool {
        dialect.tools == ToolMode::Schema && !self.tools.is_empty()
    }

    /// Returns true if there are calls in the transcript.
    pub(super) fn has_calls(&self) -> bool {
        self.transcript.items.iter().any(is_call)
    }

    /// Returns true if there are calls in the present turn.
    pub(super) fn has_called(&self) -> bool {
        self.transcript.turn().iter().any(is_call)
    }
}

fn is_call(item: &Item) -> bool {
    matches!(item, Item::Model { calls, .. } if !calls.is_empty())
}
