//! The habits of one server, as data: a request is a pure function of them, and so is the reading of
//! an answer.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The habits of one server: what it takes, what it refuses, and what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) struct Habits {
    /// Names of parameters that no request has.
    pub(in crate::agents::model) omit: BTreeSet<String>,
    /// The name of the parameter that limits the tokens of an answer.
    pub(in crate::agents::model) max_tokens_name: String,
    /// Parameters that each request has, as the agent file gives them.
    pub(in crate::agents::model) parameters: Map<String, Value>,
    /// `tool_choice` of a request that offers tools; one that forces a call is for the first call
    /// of a turn. `None`: it is not sent.
    pub(in crate::agents::model) tool_choice: Option<Value>,
    /// `parallel_tool_calls` of a request that offers tools; `None`: it is not sent.
    pub(in crate::agents::model) parallel_tool_calls: Option<bool>,
    /// The way in which a model is kept from calling tools.
    pub(in crate::agents::model) without_tools: NoToolsMethod,
    /// Which thoughts that came with calls are sent back to the server.
    pub(in crate::agents::model) thoughts: ReturnedThoughts,
    /// True if the server wants each call that it is told to have a signature.
    pub(in crate::agents::model) signed_calls: bool,
    /// True if the model's thoughts come first in its text, up to a lone `</think>`.
    pub(in crate::agents::model) thinks_first: bool,
    /// True if the messages of person and model have to alternate.
    pub(in crate::agents::model) alternate: bool,
    /// True if a message of the model has to stand between results of tools and a message of the
    /// person.
    pub(in crate::agents::model) answer_after_results: bool,
    /// True if the server knows no role `system`.
    pub(in crate::agents::model) no_system: bool,
    /// Names of functions that the server refuses, and that it is not offered any more.
    pub(in crate::agents::model) refused_functions: BTreeSet<String>,
}

/// The way in which a model is kept from calling tools, where calls are in the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) enum NoToolsMethod {
    /// The request has no tools.
    #[default]
    NoTools,
    /// The request has no tools, and calls and results of the history are told in words.
    Words,
    /// The request keeps its tools, and `tool_choice` is `none`, which not every server keeps to.
    Choice,
}

/// Which thoughts (`reasoning_content`) that came with calls of the present turn are sent back to
/// the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) enum ReturnedThoughts {
    /// No thoughts are sent back.
    Never,
    /// The thoughts that came are sent back.
    #[default]
    Given,
    /// The thoughts that came are sent back, and an empty text where none came.
    Always,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            omit: BTreeSet::new(),
            max_tokens_name: "max_tokens".to_owned(),
            parameters: Map::new(),
            tool_choice: None,
            parallel_tool_calls: None,
            without_tools: NoToolsMethod::default(),
            thoughts: ReturnedThoughts::default(),
            signed_calls: false,
            thinks_first: false,
            alternate: false,
            answer_after_results: false,
            no_system: false,
            refused_functions: BTreeSet::new(),
        }
    }
}

impl Habits {
    /// Returns true if requests may have this parameter.
    pub(in crate::agents::model) fn takes(&self, parameter: &str) -> bool {
        !self.omit.contains(parameter)
    }

    /// Returns the `tool_choice` of a request that offers tools; `called` is true if the model has
    /// called a tool in this turn. A call that is forced again and again never comes to an answer.
    pub(in crate::agents::model) fn tool_choice(&self, called: bool) -> Option<&Value> {
        let choice = self.tool_choice.as_ref();
        choice.filter(|choice| !called || !forces_a_call(choice))
    }

    /// Returns lines about the habits that are not usual, with names of parameters and no values.
    pub(in crate::agents::model) fn describe(&self) -> Vec<String> {
        let usual = Self::default();
        let mut lines = Vec::new();
        let mut sends: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
        sends.extend(self.tool_choice.as_ref().map(|_| "tool_choice"));
        sends.extend(self.parallel_tool_calls.map(|_| "parallel_tool_calls"));
        if !sends.is_empty() {
            lines.push(format!("sends {}", sends.join(", ")));
        }
        if !self.omit.is_empty() {
            let omit: Vec<&str> = self.omit.iter().map(String::as_str).collect();
            lines.push(format!("leaves out {}", omit.join(", ")));
        }
        if self.max_tokens_name != usual.max_tokens_name {
            lines.push(format!("calls the limit {}", self.max_tokens_name));
        }
        match self.without_tools {
            NoToolsMethod::NoTools => {}
            NoToolsMethod::Words => {
                lines.push("tells calls in words where there are no tools".to_owned());
            }
            NoToolsMethod::Choice => {
                lines.push("says tool_choice = \"none\" where no tool may be called".to_owned());
            }
        }
        lines
    }
}

/// Returns true for a choice with which a model has to call: `required`, `any`, or a function.
fn forces_a_call(choice: &Value) -> bool {
    let mode = choice.pointer("/allowed_tools/mode").unwrap_or(choice);
    mode != "auto" && mode != "none"
}
