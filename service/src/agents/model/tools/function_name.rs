//! The name of a tool as a model gets it.

/// The most characters that providers accept in the name of a function, which a tool is to a model.
pub(in crate::agents::model) const MAX_FUNCTION_NAME: usize = 64;

/// Returns the id of a tool as the name of a function: other characters than functions may have
/// become `_`, and a name that is too long is cut.
pub(in crate::agents::model) fn function_name(tool: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = tool.replacen('/', "__", 1).chars().map(letter).collect();
    if name.is_empty() {
        return "unnamed".to_owned();
    }
    name.chars().take(MAX_FUNCTION_NAME).collect()
}
