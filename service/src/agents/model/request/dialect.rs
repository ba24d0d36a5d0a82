//! A request to a model before it is written, and the form that one model understands.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{documents::Documents, images::Images};
use crate::{
    agents::model::{provider::habits::Habits, tools::offered::OfferedTool},
    transcript::{Item, Transcript},
};

/// A request to a model for the next answer of a conversation.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents::model) struct Request<'a> {
    pub(in crate::agents::model) instructions: &'a str,
    pub(in crate::agents::model) transcript: &'a Transcript,
    /// All tools of the turn, also where none may be called: calls in the transcript are told by
    /// their names.
    pub(in crate::agents::model) tools: &'a [OfferedTool],
    /// False if the model has to answer without any tool.
    pub(in crate::agents::model) with_tools: bool,
    /// The images of the transcript.
    pub(in crate::agents::model) images: &'a Images,
    /// The documents of the transcript.
    pub(in crate::agents::model) documents: &'a Documents,
}

/// The form of request that one model understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) struct Dialect {
    /// The name of the model at its server.
    pub(in crate::agents::model) name: String,
    /// The model and its address without parameters, as an operator reads it.
    pub(in crate::agents::model) endpoint: String,
    pub(in crate::agents::model) tools: ToolMode,
    /// True if the model sees images.
    pub(in crate::agents::model) images: bool,
    /// Most tokens that a request may take.
    pub(in crate::agents::model) request_tokens: usize,
    /// Most tokens that an answer may take; `None`: the request does not limit it.
    pub(in crate::agents::model) output_tokens: Option<u64>,
    /// The habits of the model's server: what it takes and refuses.
    pub(in crate::agents::model) habits: Habits,
}

/// The way in which a model is offered tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::agents::model) enum ToolMode {
    /// Tools are offered as functions.
    #[default]
    Native,
    /// Tools are offered as a schema of the model's answer.
    Schema,
    /// No tools are offered.
    None,
}

/// The body of a request to a model, and the form in which it is to be answered.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agents::model) struct RequestBody {
    pub(in crate::agents::model) json: Value,
    /// True if the answer is one JSON object with words or a call, as
    /// [`schema_tools`](super::schema_tools) reads it.
    pub(in crate::agents::model) in_steps: bool,
}

impl RequestBody {
    /// Returns a body whose answer is plain text, and no JSON object as
    /// [`schema_tools`](super::schema_tools) reads it.
    pub(in crate::agents::model) fn plain(body: Map<String, Value>) -> Self {
        Self {
            json: body.into(),
            in_steps: false,
        }
    }
}

impl Request<'_> {
    /// Returns true if the answer is to be one JSON object with words or a call, as
    /// [`schema_tools`](super::schema_tools) reads it.
    pub(in crate::agents::model) fn is_answered_in_steps(&self, dialect: &Dialect) -> bool {
        dialect.tools == ToolMode::Schema && !self.tools.is_empty()
    }

    /// Returns true if there are calls in the transcript.
    pub(in crate::agents::model) fn has_calls(&self) -> bool {
        self.transcript.items.iter().any(is_call)
    }

    /// Returns true if there are calls in the present turn.
    pub(in crate::agents::model) fn has_called(&self) -> bool {
        self.transcript.turn_entries().iter().any(is_call)
    }
}

fn is_call(item: &Item) -> bool {
    matches!(item, Item::Model { calls, .. } if !calls.is_empty())
}
