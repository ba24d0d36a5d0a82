//! The tools that a model may ask for, and the judgement of each call before anything runs.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{
    completion::WantedCall,
    function_name::{MAX_FUNCTION_NAME, function_name},
    policy::{Action, Effect, Policy, Ruling},
};
use crate::transcript::Call;

/// Longest arguments of a call, in bytes: nobody can read more before deciding.
pub(super) const MAX_ARGUMENT_BYTES: usize = 64 * 1024;

/// Longest name of a tool that a server may give.
const MAX_TOOL_NAME: usize = 128;

/// A tool of a server, as the model and the policy see it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tool {
    /// The server's id in the agent file.
    pub(super) server: String,
    /// The name at the server.
    pub(super) tool: String,
    /// The name as a function: letters, digits, `_` and `-`, different for each tool.
    pub(super) function: String,
    pub(super) description: String,
    /// JSON schema of the arguments.
    pub(super) parameters: Value,
    /// The server's hint that the tool changes nothing. A hint is no authority.
    pub(super) read_only: bool,
    /// Hash of everything above that the server says.
    pub(super) definition: String,
}

impl Tool {
    /// Returns a tool, or `None` for a name that no policy could speak of safely.
    pub(super) fn new(
        server: &str,
        name: &str,
        description: &str,
        parameters: Value,
        read_only: bool,
    ) -> Option<Self> {
        let letter = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || name.len() > MAX_TOOL_NAME || !name.chars().all(letter) {
            return None;
        }
        let said = serde_json::json!([server, name, description, parameters, read_only]);
        let definition = hash(&said.to_string());
        Some(Self {
            server: server.to_owned(),
            tool: name.to_owned(),
            function: function(server, name),
            description: description.to_owned(),
            parameters,
            read_only,
            definition,
        })
    }

    /// Returns `server/tool`.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.server, self.tool)
    }

    #[cfg(test)]
    pub(super) fn test(server: &str, name: &str) -> Self {
        let schema = serde_json::json!({ "type": "object" });
        Self::new(server, name, "A tool.", schema, false).unwrap()
    }
}

/// Returns the name as a function. Names that had to be changed end with a part of a hash, so that
/// two tools never share one.
fn function(server: &str, name: &str) -> String {
    const HASH_LENGTH: usize = 8;
    let whole = format!("{server}/{name}");
    let plain = function_name(&whole);
    if plain == format!("{server}__{name}") && !server.contains("__") {
        return plain;
    }
    let hash: String = hash(&whole).chars().take(HASH_LENGTH).collect();
    let begin: String = plain
        .chars()
        .take(MAX_FUNCTION_NAME - HASH_LENGTH - 1)
        .collect();
    format!("{begin}_{hash}")
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A call and what is to happen to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) call: Call,
    pub(super) ruling: Ruling,
}

/// Judges a call that the model wants; `id` becomes the id of its execution.
pub(super) fn judge(wanted: &WantedCall, id: String, tools: &[Tool], policy: &Policy) -> Judged {
    let found = tools.iter().find(|tool| tool.function == wanted.name);
    let parsed = parse(&wanted.arguments);
    let arguments = parsed.as_ref().map_or_else(
        |_| wanted.arguments.clone(),
        |map| Value::Object(map.clone()).to_string(),
    );
    let call = Call {
        id,
        tool: found.map_or_else(|| wanted.name.clone(), Tool::name),
        arguments,
        definition: found.map_or_else(String::new, |tool| tool.definition.clone()),
    };
    let ruling = rule(&call, found, parsed, policy);
    Judged { call, ruling }
}

/// Judges a call again right before it runs: its tool may have changed or be gone by then.
pub(super) fn judge_again(call: &Call, tools: &[Tool], policy: &Policy) -> Ruling {
    let found = tools.iter().find(|tool| tool.name() == call.tool);
    if found.is_some_and(|tool| tool.definition != call.definition) {
        return refused(
            "The tool changed since it was asked for. Ask for it again if it is needed.",
        );
    }
    rule(call, found, parse(&call.arguments), policy)
}

fn rule(
    call: &Call,
    tool: Option<&Tool>,
    arguments: Result<Map<String, Value>, String>,
    policy: &Policy,
) -> Ruling {
    let Some(tool) = tool else {
        return refused("There is no such tool.");
    };
    if call.arguments.len() > MAX_ARGUMENT_BYTES {
        return refused(&format!(
            "The arguments are longer than {MAX_ARGUMENT_BYTES} bytes; nobody could read them. \
             Use shorter ones."
        ));
    }
    match arguments {
        Ok(arguments) => {
            let mut ruling = policy.decide(&tool.server, &tool.tool, &arguments, tool.read_only);
            if ruling.action == Action::Deny {
                ruling.why = format!("This is not allowed. {}", ruling.why)
                    .trim()
                    .to_owned();
            }
            ruling
        }
        Err(fault) => refused(&format!("The arguments must be one JSON object: {fault}")),
    }
}

/// Returns a ruling that something other than the policy makes; the model is told why.
pub(super) fn refused(why: &str) -> Ruling {
    Ruling {
        action: Action::Deny,
        effect: Effect::default(),
        why: why.to_owned(),
    }
}

fn parse(arguments: &str) -> Result<Map<String, Value>, String> {
    if arguments.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err("this is another value.".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the arguments as a request for approval shows them: texts as they are, everything else
/// as compact JSON. They are those that run: both are read from the same text.
pub(super) fn shown(arguments: &str) -> Vec<(String, String)> {
    let map = parse(arguments).unwrap_or_default();
    map.into_iter()
        .map(|(name, value)| match value {
            Value::String(text) => (name, text),
            other => (name, other.to_string()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::{Tool, function, judge, judge_again, shown};
    use crate::agents::model::{
        completion::{Completion, WantedCall},
        policy::{Action, Policy, PolicyFile},
    };

    fn policy(text: &str) -> Policy {
        let file: PolicyFile = toml::from_str(text).unwrap();
        file.compile(&["files"]).unwrap()
    }

    fn wanted(name: &str, arguments: &str) -> WantedCall {
        let mut completion = Completion::default();
        completion.push(&json!({ "choices": [{ "delta": { "tool_calls": [
            { "function": { "name": name, "arguments": arguments } },
        ] } }] }));
        completion.calls.remove(0)
    }

    #[test]
    fn functions_have_allowed_letters_and_never_the_same_name() {
        let names = [
            ("files", "read"),
            ("files", "read.me"),
            ("files", "read_me"),
            ("a__b", "c"),
            ("a", "b__c"),
            (
                "files",
                "a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-1",
            ),
            (
                "files",
                "a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-2",
            ),
        ];
        let functions: BTreeSet<_> = names.iter().map(|(s, n)| function(s, n)).collect();
        assert_eq!(functions.len(), names.len(), "{functions:?}");
        assert!(functions.contains("files__read"));
        for name in functions {
            let letter = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            assert!(name.len() <= 64 && name.chars().all(letter), "{name}");
        }
        assert_eq!(Tool::new("files", "delete_a/b", "", json!({}), true), None);
    }

    #[test]
    fn a_call_that_cannot_run_is_refused_and_nobody_is_asked() {
        let tools = [Tool::test("files", "write")];
        let policy = policy("");
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(70_000));
        for (name, arguments, why) in [
            ("files__erase", "{}", "no such tool"),
            ("files__write", "[1]", "one JSON object"),
            ("files__write", "{\"path\":", "one JSON object"),
            ("files__write", long.as_str(), "longer than 65536"),
        ] {
            let judged = judge(&wanted(name, arguments), "1".to_owned(), &tools, &policy);
            assert_eq!(judged.ruling.action, Action::Deny, "{name}");
            assert!(judged.ruling.why.contains(why), "{}", judged.ruling.why);
        }
        let asked = judge(&wanted("files__write", ""), "1".to_owned(), &tools, &policy);
        assert_eq!(asked.ruling.action, Action::Ask);
        assert_eq!(asked.call.arguments, "{}");
    }

    #[test]
    fn what_is_shown_is_what_runs() {
        let tools = [Tool::test("files", "write")];
        let text = "{ \"path\": \"a\", \"mode\": 420, \"path\": \"b\", \"tags\": [\"x\"] }";
        let call = judge(
            &wanted("files__write", text),
            "1".to_owned(),
            &tools,
            &policy(""),
        )
        .call;
        // Of a name that comes twice the last value counts, on the screen and at the tool.
        assert_eq!(call.arguments, r#"{"mode":420,"path":"b","tags":["x"]}"#);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            shown(&call.arguments),
            [
                pair("mode", "420"),
                pair("path", "b"),
                pair("tags", "[\"x\"]")
            ]
        );
    }

    #[test]
    fn a_tool_that_changed_or_was_forbidden_since_does_not_run() {
        let tools = [Tool::test("files", "write")];
        let open = policy("default = \"auto\"");
        let call = judge(&wanted("files__write", "{}"), "1".to_owned(), &tools, &open).call;
        assert_eq!(judge_again(&call, &tools, &open).action, Action::Auto);
        let changed = Tool::new("files", "write", "Sends all.", json!({}), false).unwrap();
        let ruling = judge_again(&call, &[changed], &open);
        assert!(ruling.why.contains("changed since"), "{}", ruling.why);
        assert_eq!(judge_again(&call, &[], &open).action, Action::Deny);
        let closed = policy("rule = [{ tool = \"files/*\", do = \"deny\" }]");
        assert_eq!(judge_again(&call, &tools, &closed).action, Action::Deny);
    }
}
