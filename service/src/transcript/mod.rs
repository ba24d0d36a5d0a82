//! The transcript of a thread as a model is given it: what was said, which tools were called, and
//! what came of it. It is appended to and never changed.

pub mod knowledge;
mod note;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use note::{AnswerRest, ColleagueTask, Note, PlanStep, RequestKind};

/// Bytes of text per token: an estimate, used until a model's server tells the number of tokens.
pub(crate) const BYTES_PER_TOKEN: usize = 4;

/// One entry of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Item {
    /// A message of the user: with it a new turn begins.
    User {
        /// The text of the message, as it is stored.
        text: String,
        /// The ids of the images that came with the message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
        /// The ids of the documents that came with the message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        documents: Vec<String>,
    },
    /// The user's words with a decision; the turn goes on.
    Feedback {
        /// The text of the feedback.
        text: String,
        /// The ids of the images that came with the feedback.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
        /// The ids of the documents that came with the feedback.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        documents: Vec<String>,
    },
    /// One answer of the model.
    Model {
        /// The text; may be empty if there are calls.
        text: String,
        /// The calls of tools that the model wants, in its order.
        calls: Vec<Call>,
        /// The number of tokens of the request and the answer together.
        #[serde(default)]
        tokens: u64,
    },
    /// The result of a call.
    Result(CallResult),
    /// The images of a call's result; this entry stands before the result.
    Images {
        /// The id of the call, [`Call::id`].
        call: String,
        /// The ids of the images, which are files of the user.
        images: Vec<String>,
    },
    /// A note of the agent's work.
    Note(Note),
}

impl Item {
    /// Returns the ids of the documents that came with the entry; only entries of the user have
    /// any.
    #[must_use]
    pub fn documents(&self) -> &[String] {
        match self {
            Self::User { documents, .. } | Self::Feedback { documents, .. } => documents,
            Self::Model { .. } | Self::Result(_) | Self::Images { .. } | Self::Note(_) => &[],
        }
    }
}

/// A call of a tool, as the model made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The id of the call: the `toolExecutionId` of its approval, and the key under which it is
    /// made at most once.
    pub id: String,
    /// The tool as `server/tool`; for a tool that does not exist, what the model wrote.
    pub tool: String,
    /// The arguments: one JSON object in compact form, which is exactly what runs; or what the
    /// model wrote, if that is no such object.
    pub arguments: String,
    /// Hash of the tool's definition when the model made the call; empty if the tool has none.
    pub definition: String,
}

/// The effect of a call, by what it means that the call is made twice; the most harmless first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The call changes nothing.
    Read,
    /// A call that is made twice is the same as once.
    Idempotent,
    /// A call that is made twice is not the same as once.
    #[default]
    Write,
    /// A call that is made twice is not the same as once, and what it did cannot be undone.
    Delete,
}

impl Effect {
    /// Returns the effect as agent files spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Idempotent => "idempotent",
            Self::Write => "write",
            Self::Delete => "delete",
        }
    }
}

/// The result of a call, as the model is told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallResult {
    /// The id of the call, [`Call::id`].
    pub call: String,
    /// The way in which the call ended.
    pub end: CallEnd,
    /// The text of the result, as the model reads it.
    pub text: String,
}

/// The way in which a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallEnd {
    /// The tool ran and reported no error.
    Succeeded,
    /// The tool ran and reported an error, or could not be started at all.
    Failed,
    /// The tool was started, and nobody knows how far it came. The call is never made again by
    /// itself.
    Unknown,
    /// The policy, a limit or the form of the call forbade the call.
    Refused,
    /// A person denied the call.
    Denied,
    /// A person stopped everything before the call ran.
    Skipped,
}

impl CallEnd {
    /// Returns the end as the database and the interface spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
            Self::Denied => "denied",
            Self::Skipped => "skipped",
        }
    }
}

/// The outcome of a claim: before a call runs it is claimed, so that it runs at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The call runs now, and nowhere else; by the grant with this id, if there is one.
    Ours(Option<String>),
    /// The call may not run, or was claimed before, so that it may have run.
    Refused,
    /// The grant with this id, by which the call was allowed, was taken back meanwhile.
    Withdrawn(String),
}

/// The outcome of keeping an image of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageKeeping {
    /// The image is a file of the user, with this id.
    Kept(String),
    /// The bytes are of no type of image that is kept.
    NoImage,
    /// The image is longer than this many bytes, the limit of uploads.
    TooLarge(u64),
    /// The user's files have no room for the image.
    NoRoom,
}

/// A thread's transcript, and the calls in it whose outcome is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// All entries, oldest first.
    pub items: Vec<Item>,
    /// Ids of calls that were started and have no result: a crash came between.
    pub started: BTreeSet<String>,
    /// The number of entries that were there when the answer began that is being written.
    pub before: usize,
}

/// Text for the model about a call of which nobody knows whether it ran.
pub const UNKNOWN_OUTCOME: &str = "It is not known whether this ran. Check before anything else.";

/// Text for the model about a call that an interruption kept from running.
pub const NOT_RUN: &str = "This did not run: the answer was interrupted before.";

impl Transcript {
    /// Returns the calls of the last answer of the model that have no result yet.
    #[must_use]
    pub fn open_calls(&self) -> Vec<Call> {
        let calls = self.items.iter().rev().find_map(|item| match item {
            Item::Model { calls, .. } => Some(calls.clone()),
            _ => None,
        });
        let mut calls = calls.unwrap_or_default();
        calls.retain(|call| !self.has_result(&call.id));
        calls
    }

    /// Returns true if the call has a result.
    #[must_use]
    pub fn has_result(&self, call: &str) -> bool {
        self.items
            .iter()
            .any(|item| matches!(item, Item::Result(result) if result.call == call))
    }

    /// Returns the ids of all images of the transcript, latest first.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        self.items.iter().rev().flat_map(|item| {
            match item {
                Item::User { images, .. }
                | Item::Feedback { images, .. }
                | Item::Images { images, .. } => images.as_slice(),
                Item::Model { .. } | Item::Result(_) | Item::Note(_) => &[],
            }
            .iter()
            .rev()
            .map(String::as_str)
        })
    }

    /// Returns the latest summary of the oldest entries, and the number of these entries; no text and
    /// zero without one.
    #[must_use]
    pub fn summary(&self) -> (Option<&str>, usize) {
        let summary = self.items.iter().rev().find_map(|item| match item {
            Item::Note(Note::Summary { entries, text, .. }) => {
                Some((Some(text.as_str()), *entries))
            }
            _ => None,
        });
        summary.unwrap_or_default()
    }

    /// Returns the entries that belong to the answer that is being written.
    #[must_use]
    pub fn run_entries(&self) -> &[Item] {
        self.items.get(self.before..).unwrap_or_default()
    }

    /// Returns the entries of the present turn: the last message of the user and what follows it,
    /// or all entries if there is no message.
    #[must_use]
    pub fn turn_entries(&self) -> &[Item] {
        let begin = self
            .items
            .iter()
            .rposition(|item| matches!(item, Item::User { .. }));
        begin.map_or(&self.items[..], |at| {
            self.items.get(at..).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, CallEnd, CallResult, Item, Transcript};

    fn call(id: &str) -> Call {
        Call {
            id: id.to_owned(),
            tool: "files/read".to_owned(),
            arguments: "{}".to_owned(),
            definition: String::new(),
        }
    }

    #[test]
    fn open_calls_are_those_of_the_last_answer_without_a_result() {
        let result = |id: &str| {
            Item::Result(CallResult {
                call: id.to_owned(),
                end: CallEnd::Succeeded,
                text: String::new(),
            })
        };
        let model = |ids: &[&str]| Item::Model {
            text: String::new(),
            calls: ids.iter().map(|id| call(id)).collect(),
            tokens: 0,
        };
        let user = Item::User {
            text: "hi".to_owned(),
            images: Vec::new(),
            documents: Vec::new(),
        };
        let mut transcript = Transcript {
            items: vec![user, model(&["a"]), model(&["b", "c"]), result("b")],
            ..Transcript::default()
        };
        assert_eq!(transcript.open_calls(), [call("c")]);
        assert_eq!(transcript.turn_entries().len(), 4);
        transcript.items.push(result("c"));
        assert_eq!(transcript.open_calls(), []);
    }

    #[test]
    fn an_entry_is_read_back_as_it_was_written() {
        let item = Item::Model {
            text: "Let me see.".to_owned(),
            calls: vec![call("a")],
            tokens: 7,
        };
        let text = serde_json::to_string(&item).unwrap();
        assert_eq!(serde_json::from_str::<Item>(&text).unwrap(), item);
        // What was written before there were documents.
        let older = r#"{"kind":"user","text":"hi"}"#;
        let older: Item = serde_json::from_str(older).unwrap();
        assert!(older.documents().is_empty());
    }
}
