//! A tool as its server describes it: all that a policy may look at.

use serde_json::Value;

use crate::{
    rules::{
        audit::hash,
        grant::{Definition, DefinitionFields},
    },
    transcript::Effect,
};

/// Longest name of a tool that a server may give, in bytes.
const MAX_TOOL_NAME: usize = 128;

/// A tool as its server describes it, and whether the user accepted it so.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tool {
    /// The server's id in the agent file.
    pub(crate) server: String,
    /// The tool's name at the server.
    pub(crate) name: String,
    pub(crate) description: String,
    /// JSON schema of the arguments, as the server says it.
    pub(crate) parameters: Value,
    /// The server's hint that the tool changes nothing. A hint is no authority.
    pub(crate) read_only: bool,
    /// The server's hint whether what the tool does destroys something; `None` if it gives no such
    /// hint.
    pub(crate) destructive: Option<bool>,
    /// Hash of all that the server says of the tool.
    pub(crate) definition: String,
    pub(crate) acceptance: Acceptance,
}

/// Whether the user accepted a tool as it is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Acceptance {
    /// The definition is accepted, or need not be.
    Accepted,
    /// The definition is not accepted: a person is asked about each call.
    Pending {
        /// What was said of the tool when it was last accepted; empty if it never was, or if that
        /// is not known.
        formerly: DefinitionFields,
    },
}

#[cfg(test)]
pub(crate) const PENDING: Acceptance = Acceptance::Pending {
    formerly: DefinitionFields::new(),
};

impl Tool {
    /// Returns a tool, or `None` for a name that no policy could speak of safely.
    pub(crate) fn new(
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
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
            read_only,
            destructive: None,
            definition,
            acceptance: Acceptance::Accepted,
        })
    }

    /// Returns the tool with the server's hint whether what the tool does destroys something. A
    /// hint that is given is a part of the definition.
    pub(crate) fn with_destructive_hint(mut self, destructive: Option<bool>) -> Self {
        if let Some(destructive) = destructive {
            self.definition = hash(&format!("{} {destructive}", self.definition));
        }
        self.destructive = destructive;
        self
    }

    /// Returns the effect that the server hints at; `None` if it gives no hint.
    pub(crate) fn hinted_effect(&self) -> Option<Effect> {
        if self.read_only {
            return Some(Effect::Read);
        }
        self.destructive.map(|destroys| match destroys {
            true => Effect::Delete,
            false => Effect::Write,
        })
    }

    /// Returns what the server says of the tool, for people.
    pub(crate) fn definition_fields(&self) -> DefinitionFields {
        let parameters = serde_json::to_string_pretty(&self.parameters);
        let member = |name: &str, text: String| (name.to_owned(), text);
        let mut said = vec![
            member("description", self.description.clone()),
            member("inputSchema", parameters.unwrap_or_default()),
            member("readOnlyHint", self.read_only.to_string()),
        ];
        let destructive = self.destructive.map(|hint| hint.to_string());
        said.extend(destructive.map(|hint| member("destructiveHint", hint)));
        said
    }

    /// Returns the definition, to be compared with what was accepted.
    pub(crate) fn definition(&self) -> Definition {
        Definition {
            tool: self.id(),
            hash: self.definition.clone(),
            said: self.definition_fields(),
        }
    }

    /// Returns the tool's name as `server/tool`.
    pub(crate) fn id(&self) -> String {
        format!("{}/{}", self.server, self.name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Tool;

    #[test]
    fn a_name_that_no_policy_could_speak_of_safely_makes_no_tool() {
        for name in ["", "delete_a/b", "a b", &"a".repeat(129)] {
            assert_eq!(Tool::new("files", name, "", json!({}), true), None);
        }
    }
}
