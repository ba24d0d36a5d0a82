//! The result of a call, as the model is told it.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use crate::transcript::CallEnd;

/// The end of a call and its text for the model.
pub(in crate::agents::model) type Outcome = (CallEnd, String);

/// Reads a result: its texts, or without any its structured value.
pub(super) fn read(result: &CallToolResult) -> Outcome {
    let end = if result.is_error == Some(true) {
        CallEnd::Failed
    } else {
        CallEnd::Succeeded
    };
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    if parts.is_empty()
        && let Some(value) = &result.structured_content
    {
        parts.push(value.to_string());
    }
    if parts.is_empty() {
        parts.push("(no output)".to_owned());
    }
    (end, parts.join("\n"))
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            _ => "(a file that is no text)".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        ContentBlock::Image(_) => "(an image)".to_owned(),
        ContentBlock::Audio(_) => "(a sound)".to_owned(),
        _ => "(something else)".to_owned(),
    }
}

/// Cuts a text to this many bytes, between characters, and says so.
pub(super) fn cut(text: &mut String, max_bytes: usize) {
    if text.len() <= max_bytes {
        return;
    }
    let length = text.len();
    text.truncate(text.floor_char_boundary(max_bytes));
    text.push_str(&format!("\n(cut: {length} bytes in all)"));
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        let mut text = "aäb".to_owned();
        cut(&mut text, 2);
        assert_eq!(text, "a\n(cut: 4 bytes in all)");
        let mut short = "aä".to_owned();
        cut(&mut short, 3);
        assert_eq!(short, "aä");
    }
}
