//! The tools that a model may ask for.

use serde_json::Value;

use super::function_name::{MAX_FUNCTION_NAME, function_name};
use crate::{
    agents::model::provider::schema,
    rules::{
        audit::hash,
        grant::{Definition, Said},
    },
    transcript::Effect,
};

/// Longest name of a tool that a server may give.
const MAX_TOOL_NAME: usize = 128;

/// A tool of a server, as the model and the policy see it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agents::model) struct Tool {
    /// The server's id in the agent file.
    pub(in crate::agents::model) server: String,
    /// The name at the server.
    pub(in crate::agents::model) tool: String,
    /// The name as a function: letters, digits, `_` and `-`, different for each tool.
    pub(in crate::agents::model) function: String,
    pub(in crate::agents::model) description: String,
    /// JSON schema of the arguments, as the server says it.
    pub(in crate::agents::model) parameters: Value,
    /// The same as every model's server takes it, or why it cannot be said: then no model is
    /// offered the tool.
    pub(in crate::agents::model) offered: Result<Value, String>,
    /// The server's hint that the tool changes nothing. A hint is no authority.
    pub(in crate::agents::model) read_only: bool,
    /// The server's hint whether what the tool does destroys something, if it gives one.
    pub(in crate::agents::model) destructive: Option<bool>,
    /// Hash of everything above that the server says.
    pub(in crate::agents::model) definition: String,
    pub(in crate::agents::model) acceptance: Acceptance,
}

/// Whether the user accepted a tool as it is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) enum Acceptance {
    /// It is accepted, or need not be.
    Accepted,
    /// It is not: each call is asked about.
    Pending {
        /// What was said of it when it was last accepted; empty if it never was, or is not known.
        formerly: Said,
    },
}

#[cfg(test)]
pub(in crate::agents::model) const PENDING: Acceptance = Acceptance::Pending {
    formerly: Said::new(),
};

impl Tool {
    /// Returns a tool, or `None` for a name that no policy could speak of safely.
    pub(in crate::agents::model) fn new(
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
            offered: schema::parameters(&parameters),
            parameters,
            read_only,
            destructive: None,
            definition,
            acceptance: Acceptance::Accepted,
        })
    }

    /// Adds the server's hint whether what the tool does destroys something. One that is given is a
    /// part of what the server says.
    pub(in crate::agents::model) fn hinting(mut self, destructive: Option<bool>) -> Self {
        if let Some(destructive) = destructive {
            self.definition = hash(&format!("{} {destructive}", self.definition));
        }
        self.destructive = destructive;
        self
    }

    /// Returns the effect that the server hints at; `None` if it gives no hint.
    pub(in crate::agents::model) fn hinted_effect(&self) -> Option<Effect> {
        if self.read_only {
            return Some(Effect::Read);
        }
        self.destructive.map(|destroys| match destroys {
            true => Effect::Delete,
            false => Effect::Write,
        })
    }

    /// Returns what the server says of it, for people.
    pub(in crate::agents::model) fn said(&self) -> Said {
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
    pub(in crate::agents::model) fn definition(&self) -> Definition {
        Definition {
            tool: self.name(),
            hash: self.definition.clone(),
            said: self.said(),
        }
    }

    /// Returns `server/tool`.
    pub(in crate::agents::model) fn name(&self) -> String {
        format!("{}/{}", self.server, self.tool)
    }

    #[cfg(test)]
    pub(in crate::agents::model) fn test(server: &str, name: &str) -> Self {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::{Tool, function};

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
}
