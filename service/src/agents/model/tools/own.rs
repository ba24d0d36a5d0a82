//! Tools of the agent itself: a search in its folders of knowledge, and its memories. They pass the
//! same policy as all others.

use serde_json::{Map, Value, json};

use crate::{
    Result,
    agents::model::{
        core::limits::Limits,
        knowledge::KnowledgeFolders,
        mcp::CallOutcome,
        memory::{MAX_MEMORY_BYTES, MemoryConfig},
        request::notes::passages_text,
        run::speech::Speech,
    },
    rules::policy::Tool,
    transcript::CallEnd,
};

/// The id under which a policy names the agent's own tools, in the place of a server's id.
pub(in crate::agents::model) const OWN: &str = "assent";

const SEARCH_TOOL: &str = "search_knowledge";
const REMEMBER_TOOL: &str = "remember";
const FORGET_TOOL: &str = "forget";

/// The agent's own tools, with what they need.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents::model) struct OwnTools<'a> {
    /// The agent's id.
    pub(in crate::agents::model) agent: &'a str,
    pub(in crate::agents::model) knowledge: &'a KnowledgeFolders,
    pub(in crate::agents::model) memory: Option<MemoryConfig>,
    pub(in crate::agents::model) limits: &'a Limits,
}

impl OwnTools<'_> {
    /// Returns the tools that the agent file gives the agent.
    pub(in crate::agents::model) fn list(&self) -> Vec<Tool> {
        let mut tools = Vec::new();
        if !self.knowledge.is_empty() {
            let ids = self.knowledge.ids().join(", ");
            let description = format!("Searches the folders {ids} by keywords.");
            tools.extend(tool(SEARCH_TOOL, &description, "query", "string", true));
        }
        if self.memory.is_some() {
            let keep = "Keeps one sentence about the person for later conversations.";
            tools.extend(tool(REMEMBER_TOOL, keep, "text", "string", false));
            let forget = "Forgets a sentence about the person, by its number.";
            tools.extend(tool(FORGET_TOOL, forget, "number", "integer", false));
        }
        tools
    }

    /// Runs one of the agent's own tools.
    pub(in crate::agents::model) async fn call(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        speech: &mut Speech<'_>,
    ) -> Result<CallOutcome> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        Ok(match (tool, self.memory) {
            (SEARCH_TOOL, _) => match text("query") {
                Some(query) => {
                    let passages = self.knowledge.look_up(query, speech).await?;
                    let all: Vec<_> = passages.into_iter().flat_map(|(_, found)| found).collect();
                    match all.len() {
                        0 => succeeded("Nothing was found."),
                        _ => succeeded(&self.limits.cut_result(&passages_text(&all))),
                    }
                }
                None => failed("query is missing"),
            },
            (REMEMBER_TOOL, Some(memory)) => match text("text").map(str::trim) {
                Some(text) if !text.is_empty() && text.len() <= MAX_MEMORY_BYTES => {
                    let memories = speech.answer.memories();
                    let number = memories.keep(self.agent, text, memory.per_user).await?;
                    succeeded(&format!("kept as number {number}"))
                }
                _ => failed(&format!("text is 1 to {MAX_MEMORY_BYTES} bytes")),
            },
            (FORGET_TOOL, Some(_)) => match arguments.get("number").and_then(Value::as_i64) {
                Some(number) if speech.answer.memories().forget(self.agent, number).await? => {
                    succeeded("forgotten")
                }
                _ => failed("there is no sentence with this number"),
            },
            _ => failed("there is no such tool"),
        })
    }
}

fn tool(name: &str, description: &str, argument: &str, kind: &str, read: bool) -> Option<Tool> {
    let schema = json!({ "type": "object", "properties": { argument: { "type": kind } },
        "required": [argument] });
    Tool::new(OWN, name, description, schema, read)
}

fn succeeded(text: &str) -> CallOutcome {
    CallOutcome::new(CallEnd::Succeeded, text)
}

fn failed(text: &str) -> CallOutcome {
    CallOutcome::new(CallEnd::Failed, text)
}
