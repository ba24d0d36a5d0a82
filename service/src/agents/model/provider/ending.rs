//! How an answer ended, and what the reader is told of it.

use serde_json::Value;

use crate::sentence::Sentence;

/// How an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) enum ReplyEnd {
    /// The answer is whole: the model had said all.
    Whole,
    /// The answer reached the limit of its length.
    Length,
    /// The server kept the rest of the answer back.
    Filtered,
    /// The server failed, or ended the answer without saying so.
    #[default]
    Unfinished,
}

/// Values of `finish_reason`, in lower case, and what they mean. Any other value means that the
/// answer is whole.
const REASONS: [(&str, ReplyEnd); 18] = [
    ("length", ReplyEnd::Length),
    ("max_tokens", ReplyEnd::Length),
    ("model_length", ReplyEnd::Length),
    ("max_output_tokens", ReplyEnd::Length),
    ("model_context_window_exceeded", ReplyEnd::Length),
    ("content_filter", ReplyEnd::Filtered),
    ("content_filtered", ReplyEnd::Filtered),
    ("guardrail_intervened", ReplyEnd::Filtered),
    ("safety", ReplyEnd::Filtered),
    ("recitation", ReplyEnd::Filtered),
    ("prohibited_content", ReplyEnd::Filtered),
    ("blocklist", ReplyEnd::Filtered),
    ("spii", ReplyEnd::Filtered),
    ("sensitive", ReplyEnd::Filtered),
    ("error", ReplyEnd::Unfinished),
    ("insufficient_system_resource", ReplyEnd::Unfinished),
    ("malformed_function_call", ReplyEnd::Unfinished),
    ("unexpected_tool_call", ReplyEnd::Unfinished),
];

impl ReplyEnd {
    /// Returns what the `finish_reason` of a piece means; `None` for a piece that is not the last
    /// one.
    pub(in crate::agents::model) fn of(choice: &Value) -> Option<Self> {
        let reason = choice.get("finish_reason").and_then(Value::as_str)?;
        if reason.is_empty() {
            return None;
        }
        let reason = reason.to_ascii_lowercase();
        // Google says `content_filter: PROHIBITED_CONTENT`.
        let mut parts = reason.split(": ");
        let known = parts.find_map(|part| REASONS.iter().find(|(name, _)| *name == part));
        Some(known.map_or(Self::Whole, |(_, end)| *end))
    }

    /// Returns the word for this end in the operator's counters.
    pub(in crate::agents::model) fn label(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Length => "length",
            Self::Filtered => "filtered",
            Self::Unfinished => "unfinished",
        }
    }

    /// Returns the sentence for the reader that stands after an answer which is not whole; `None`
    /// for a whole one.
    pub(in crate::agents::model) fn sentence(self) -> Option<Sentence> {
        match self {
            Self::Whole => None,
            Self::Length => Some(Sentence::Length),
            Self::Filtered => Some(Sentence::Filtered),
            Self::Unfinished => Some(Sentence::Unfinished),
        }
    }

    /// Returns the sentence for the reader about an answer that has no words and no calls;
    /// `thought` is true if it has thoughts. `None` if there is no more to say than that.
    pub(in crate::agents::model) fn empty_reply_sentence(
        self,
        thought: bool,
    ) -> Option<&'static str> {
        Some(match (self, thought) {
            (Self::Whole, false) => return None,
            (Self::Whole | Self::Unfinished, true) => "The model thought, and said nothing.",
            (Self::Length, _) => {
                "The model reached the greatest length of an answer before it said anything."
            }
            (Self::Filtered, _) => "The model's server kept the answer back.",
            (Self::Unfinished, false) => "The model's server ended the answer before it began.",
        })
    }
}
