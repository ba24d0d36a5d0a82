//! The answer of a model, put together from the pieces of its stream.
//!
//! Servers that call themselves compatible differ in almost everything, so that nothing is decided
//! by a field that a server may leave out: what came counts, not `finish_reason`, not the index of a
//! call, not its id.

use serde_json::{Map, Value};

use crate::agents::model::provider::{
    content,
    ending::ReplyEnd,
    kept::{keep_of_answer, keep_of_call},
    reason::reason_in_chunk,
};

/// The answer of a model, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::agents::model) struct Completion {
    /// All text of the answer that has come.
    pub(in crate::agents::model) text: String,
    /// The calls of tools that have come, in their order.
    pub(in crate::agents::model) calls: Vec<WantedCall>,
    /// The tokens that request and answer took; `None` as long as the server has not told them.
    pub(in crate::agents::model) usage: Option<Usage>,
    /// The fields of the answer that its server wants to have back with the calls.
    pub(in crate::agents::model) kept: Map<String, Value>,
    /// The model that answers and its address, as an operator reads them.
    pub(in crate::agents::model) endpoint: String,
    /// True if thoughts of the model have come.
    pub(in crate::agents::model) thought: bool,
    /// How the answer ended, as the server says it; `None` as long as it has not said it.
    pub(in crate::agents::model) end: Option<ReplyEnd>,
}

/// A call of a tool as the model wrote it; whether there is such a tool is decided elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) struct WantedCall {
    /// The name of the tool as a function, as the model wrote it.
    pub(in crate::agents::model) name: String,
    /// The arguments, which should be one JSON object.
    pub(in crate::agents::model) arguments: String,
    /// The fields of the call that its server wants to have back.
    pub(in crate::agents::model) kept: Map<String, Value>,
    /// The server's id of the call, which serves only to tell calls apart.
    id: String,
    /// The server's index of the call; `None` if it gave none.
    index: Option<u64>,
}

impl WantedCall {
    /// Returns a call that came whole.
    pub(in crate::agents::model) fn new(name: String, arguments: String) -> Self {
        Self {
            name,
            arguments,
            ..Self::default()
        }
    }

    /// Returns true if the arguments are no whole JSON object.
    pub(in crate::agents::model) fn is_cut(&self) -> bool {
        serde_json::from_str::<Map<String, Value>>(&self.arguments).is_err()
    }
}

/// The tokens that a request and its answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) struct Usage {
    pub(in crate::agents::model) input: u64,
    pub(in crate::agents::model) output: u64,
    /// Tokens of the request that the server had kept from an earlier one.
    pub(in crate::agents::model) cached: u64,
}

/// The places in `usage` where servers tell [`Usage::cached`].
const CACHED_TOKENS_POINTERS: [&str; 4] = [
    "/prompt_tokens_details/cached_tokens",
    "/prompt_cache_hit_tokens",
    "/cache_read_input_tokens",
    "/cached_tokens",
];

/// What a piece of the model's answer brings, when it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) enum ReplyPiece {
    /// New text of the answer for the reader.
    Text(String),
    /// Nothing for the reader: the model reasons or prepares a call.
    Silent,
    /// The server reports that it failed.
    Failed(String),
}

impl Completion {
    /// Adds one chunk of the stream, or a whole answer that was not streamed. Returns the text for
    /// the reader that it brings, or the failure that it reports.
    pub(in crate::agents::model) fn push(&mut self, chunk: &Value) -> ReplyPiece {
        if let Some(reason) = reason_in_chunk(chunk) {
            return ReplyPiece::Failed(reason);
        }
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
            let cached = CACHED_TOKENS_POINTERS
                .iter()
                .filter_map(|place| usage.pointer(place));
            self.usage = Some(Usage {
                input: count("prompt_tokens"),
                output: count("completion_tokens"),
                cached: cached.filter_map(Value::as_u64).max().unwrap_or_default(),
            });
        }
        let choice = chunk.get("choices").and_then(|choices| choices.get(0));
        self.end = choice.and_then(ReplyEnd::of).or(self.end);
        let delta = choice.and_then(|choice| {
            let places = ["delta", "message"]
                .iter()
                .filter_map(|name| choice.get(*name));
            places.into_iter().find(|delta| delta.is_object())
        });
        let Some(delta) = delta else {
            return ReplyPiece::Silent;
        };
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            self.take_call(call);
        }
        // As calls were written before there could be several.
        if let Some(call) = delta.get("function_call").filter(|call| call.is_object()) {
            self.take_call(call);
        }
        keep_of_answer(delta, &mut self.kept);
        let said = content::read(delta);
        self.thought |= said.thought;
        if said.text.is_empty() {
            return ReplyPiece::Silent;
        }
        self.text.push_str(&said.text);
        ReplyPiece::Text(said.text)
    }

    /// Adds a piece of a call to the call that it belongs to.
    fn take_call(&mut self, piece: &Value) {
        let function = piece.get("function").unwrap_or(piece);
        let name = function
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(whole) => whole.to_string(),
        };
        let id = piece.get("id").and_then(Value::as_str).unwrap_or_default();
        let index = piece.get("index").and_then(Value::as_u64);
        if let Some(open) = self.open_call(name, id, index) {
            if open.name.is_empty() {
                name.clone_into(&mut open.name);
            }
            open.arguments.push_str(&arguments);
            keep_of_call(piece, &mut open.kept);
            return;
        }
        let mut kept = Map::new();
        keep_of_call(piece, &mut kept);
        self.calls.push(WantedCall {
            name: name.to_owned(),
            arguments,
            kept,
            id: id.to_owned(),
            index,
        });
    }

    /// Returns the call that a piece continues, which is the latest one of its index; `None` if the
    /// piece begins another call.
    fn open_call(&mut self, name: &str, id: &str, index: Option<u64>) -> Option<&mut WantedCall> {
        let open = self
            .calls
            .iter_mut()
            .rfind(|call| index.is_none() || call.index == index)?;
        let begins = if name.is_empty() || open.name.is_empty() {
            false
        } else {
            // A name comes again with each piece of the same call, or begins the next call under
            // the same index.
            let other_id = !id.is_empty() && !open.id.is_empty() && id != open.id;
            let whole = serde_json::from_str::<Value>(&open.arguments).is_ok();
            name != open.name || whole || (other_id && open.arguments.is_empty())
        };
        (!begins).then_some(open)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Completion, ReplyPiece};

    fn completion(chunks: &[Value]) -> Completion {
        let mut completion = Completion::default();
        for chunk in chunks {
            completion.push(chunk);
        }
        completion
    }

    fn delta(delta: &Value) -> Value {
        json!({ "choices": [{ "delta": delta }] })
    }

    fn call(piece: &Value) -> Value {
        delta(&json!({ "tool_calls": [piece] }))
    }

    /// Returns the calls as `name(arguments)`.
    fn calls(chunks: &[Value]) -> Vec<String> {
        let calls = completion(chunks).calls;
        calls
            .iter()
            .map(|call| format!("{}({})", call.name, call.arguments))
            .collect()
    }

    #[test]
    fn arguments_come_in_pieces() {
        let chunks = [
            call(
                &json!({ "index": 0, "id": "a", "function": { "name": "read", "arguments": "" } }),
            ),
            call(&json!({ "index": 0, "function": { "arguments": "{\"pa" } })),
            call(&json!({ "index": 0, "function": { "arguments": "th\":1}" } })),
        ];
        assert_eq!(calls(&chunks), ["read({\"path\":1})"]);
    }

    #[test]
    fn parallel_calls_under_one_index_or_under_none_are_told_apart() {
        for index in [json!(0), Value::Null] {
            let one = |id: &str, name: &str| {
                call(&json!({
                    "index": index, "id": id,
                    "function": { "name": name, "arguments": "{}" },
                }))
            };
            let chunks = [one("a", "read"), one("b", "read"), one("c", "list")];
            assert_eq!(
                calls(&chunks),
                ["read({})", "read({})", "list({})"],
                "{index}"
            );
        }
    }

    #[test]
    fn a_new_id_or_the_name_again_with_each_piece_is_the_same_call() {
        let piece = |id: &str, name: &str, arguments: &str| {
            call(&json!({
                "index": 0, "id": id, "function": { "name": name, "arguments": arguments },
            }))
        };
        let chunks = [
            piece("a", "read", "{\"a\""),
            piece("b", "", ":1"),
            piece("", "read", "}"),
        ];
        assert_eq!(calls(&chunks), ["read({\"a\":1})"]);
    }

    #[test]
    fn arguments_may_be_an_object_and_ids_may_be_missing() {
        let chunk = delta(&json!({ "tool_calls": [
            { "function": { "name": "read", "arguments": { "path": "a" } } },
            { "function": { "name": "read", "arguments": { "path": "b" } } },
        ] }));
        assert_eq!(
            calls(&[chunk]),
            ["read({\"path\":\"a\"})", "read({\"path\":\"b\"})"]
        );
    }

    #[test]
    fn calls_with_the_same_id_or_an_empty_one_are_told_apart() {
        for id in ["", "call_0"] {
            let one = |index: u64, name: &str, arguments: &str| {
                call(&json!({
                    "index": index, "id": id,
                    "function": { "name": name, "arguments": arguments },
                }))
            };
            // Pieces of two calls, one among the other's.
            let chunks = [
                one(0, "read", "{\"a\""),
                one(1, "read", "{\"b\""),
                one(0, "", ":1}"),
                one(1, "", ":2}"),
            ];
            let expected = ["read({\"a\":1})", "read({\"b\":2})"];
            assert_eq!(calls(&chunks), expected, "{id:?}");
            // The same under one index, each call whole.
            let chunks = [
                one(0, "read", "{}"),
                one(0, "read", "{}"),
                one(0, "list", "{}"),
            ];
            let expected = ["read({})", "read({})", "list({})"];
            assert_eq!(calls(&chunks), expected, "{id:?}");
        }
    }

    #[test]
    fn what_came_counts_and_not_the_reason_of_the_end() {
        let stop = json!({ "choices": [{ "delta": { "content": null, "tool_calls": [
            { "index": 0, "function": { "name": "read", "arguments": "{}" } },
        ] }, "finish_reason": "stop" }] });
        assert_eq!(calls(&[stop]), ["read({})"]);
        let null = |delta: Value| json!({ "choices": [{ "delta": delta, "finish_reason": null }] });
        let read = json!({ "index": 0, "function": { "name": "read", "arguments": "{}" } });
        let chunks = [
            null(json!({ "content": "So." })),
            null(json!({ "tool_calls": [read] })),
            null(json!({})),
        ];
        assert_eq!(calls(&chunks), ["read({})"]);
        assert_eq!(completion(&chunks).text, "So.");
        let none = json!({ "choices": [{ "delta": { "content": "Hi", "tool_calls": [] },
            "finish_reason": "tool_calls" }] });
        let found = completion(&[none]);
        assert_eq!((found.text.as_str(), found.calls.len()), ("Hi", 0));
    }

    #[test]
    fn chunks_without_choices_and_usage_in_the_last_one_are_taken() {
        let mut found = Completion::default();
        assert_eq!(found.push(&json!({ "choices": [] })), ReplyPiece::Silent);
        assert_eq!(
            found.push(&json!({ "prompt_filter_results": [] })),
            ReplyPiece::Silent
        );
        let reasoning = delta(&json!({ "reasoning_content": "hm", "content": "" }));
        assert_eq!(found.push(&reasoning), ReplyPiece::Silent);
        let last =
            json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
        found.push(&last);
        let usage = found.usage.unwrap();
        assert_eq!((usage.input, usage.output), (7, 2));
    }

    #[test]
    fn an_error_in_the_stream_and_an_answer_that_was_not_streamed_are_read() {
        let mut found = Completion::default();
        let failed = found.push(&json!({ "error": { "message": "overloaded", "code": 529 } }));
        assert_eq!(failed, ReplyPiece::Failed("overloaded".to_owned()));
        let whole = json!({ "choices": [{ "message": { "role": "assistant", "content": "Hi" } }] });
        assert_eq!(found.push(&whole), ReplyPiece::Text("Hi".to_owned()));
    }
}
