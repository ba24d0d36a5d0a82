//! The name of a tool as a model gets it.

/// Longest name of a function that servers take.
pub(in crate::agents::model) const MAX_FUNCTION_NAME: usize = 64;

/// Returns a name of the letters that functions may have.
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
