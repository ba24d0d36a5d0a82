//! A tool as a model is offered it: a function.

use serde_json::Value;

use super::function_name::{MAX_FUNCTION_NAME, function_name};
use crate::{
    agents::model::provider::schema,
    rules::{audit::hash, policy::Tool},
};

/// A tool as a model is offered it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agents::model) struct OfferedTool {
    pub(in crate::agents::model) tool: Tool,
    /// The name of the tool as a function: letters, digits, `_` and `-`, different for each tool.
    pub(in crate::agents::model) function: String,
    /// JSON schema of the arguments as every model's server takes it, or why the tool is left out.
    pub(in crate::agents::model) parameters: Result<Value, String>,
}

impl From<Tool> for OfferedTool {
    fn from(tool: Tool) -> Self {
        Self {
            function: unique_function_name(&tool.server, &tool.name),
            parameters: schema::rewrite_parameters(&tool.parameters),
            tool,
        }
    }
}

#[cfg(test)]
impl OfferedTool {
    pub(in crate::agents::model) fn test(server: &str, name: &str) -> Self {
        let schema = serde_json::json!({ "type": "object" });
        let tool = Tool::new(server, name, "A tool.", schema, false);
        tool.unwrap().into()
    }
}

/// Returns the name of a tool as a function. Names that had to be changed end with a part of a
/// hash, so that two tools never share one.
fn unique_function_name(server: &str, name: &str) -> String {
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

    use super::unique_function_name;

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
        let functions: BTreeSet<_> = names
            .iter()
            .map(|(s, n)| unique_function_name(s, n))
            .collect();
        assert_eq!(functions.len(), names.len(), "{functions:?}");
        assert!(functions.contains("files__read"));
        for name in functions {
            let letter = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            assert!(name.len() <= 64 && name.chars().all(letter), "{name}");
        }
    }
}
