//! Strict parsing of a posted message (specification, Message content item).
//!
//! Both spellings of the open points are understood: `toolApprovalResult` and
//! `tool_approval_results`, an `image` by `imageId` and an `image_url` by `url`. Whether an
//! approval answer fits the requests is decided in [`crate::rules::approval`].

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, Result};

/// The greatest number of content items in a message; more are refused.
const MAX_ITEMS: usize = 100;

/// The greatest number of approval results in a message, each of which is compared with the
/// requests; more are refused.
const MAX_RESULTS: usize = 500;

/// The content of a user's message: text and the files that came with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserContent {
    /// All text items, joined by an empty line; may be empty.
    pub text: String,
    /// The ids of the documents that came with the message.
    pub documents: Vec<String>,
    /// The ids or addresses of the images that came with the message.
    pub images: Vec<String>,
}

impl UserContent {
    /// Returns the text that is stored for the message: its text, or if that is empty a line for
    /// each file.
    #[must_use]
    pub fn stored_text(&self) -> String {
        if !self.text.trim().is_empty() {
            return self.text.clone();
        }
        let documents = self.documents.iter().map(|id| format!("[document {id}]"));
        let images = self.images.iter().map(|id| format!("[image {id}]"));
        documents.chain(images).collect::<Vec<_>>().join("\n")
    }

    /// Appends the content of a later message.
    pub(crate) fn append(&mut self, later: Self) {
        if !self.text.is_empty() && !later.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&later.text);
        self.documents.extend(later.documents);
        self.images.extend(later.images);
    }

    /// Returns true if there is neither text nor a file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.documents.is_empty() && self.images.is_empty()
    }
}

/// A post to a thread: what the user says, and the results of an answer to a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// The text and files that the user sent.
    pub content: UserContent,
    /// The items of all approval results, not yet checked; empty if the post answers no approval.
    pub results: Vec<Value>,
}

/// Reads the body of a posted message (endpoint 6).
///
/// # Errors
///
/// [`Error::BadRequest`] with a sentence that names the place and what belongs there.
pub fn read_post(body: &Value) -> Result<Post> {
    let items = body
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| bad_request("The field content must be an array of content items."))?;
    if items.is_empty() {
        return Err(bad_request(
            "The field content holds no item: there is nothing to send.",
        ));
    }
    if items.len() > MAX_ITEMS {
        return Err(bad_request(format!(
            "The field content holds more than {MAX_ITEMS} items."
        )));
    }
    let mut texts = Vec::new();
    let mut post = Post {
        content: UserContent::default(),
        results: Vec::new(),
    };
    for (index, item) in items.iter().enumerate() {
        let place = format!("content[{index}]");
        let item = item
            .as_object()
            .ok_or_else(|| bad_request(format!("{place} must be an object with a field type.")))?;
        match string(item, &["type"], &place)? {
            "text" => texts.push(string(item, &["text"], &place)?),
            "document" => {
                let id = name_field(item, &["fileId"], &place)?;
                post.content.documents.push(id);
            }
            "image" | "image_url" => {
                let id = name_field(item, &["imageId", "url"], &place)?;
                post.content.images.push(id);
            }
            "tool_approval_result" | "tool_approval_results" => {
                post.results.extend(results(item, &place)?.iter().cloned());
            }
            other => {
                return Err(bad_request(format!(
                    "{place}.type is {other:?}; text, document, image and tool_approval_result are known."
                )));
            }
        }
    }
    if post.results.len() > MAX_RESULTS {
        return Err(bad_request(format!(
            "The message holds more than {MAX_RESULTS} approval results."
        )));
    }
    post.content.text = texts.join("\n\n");
    if post.results.is_empty() && post.content.is_empty() {
        return Err(bad_request(
            "The message is empty: there is nothing to send.",
        ));
    }
    Ok(post)
}

fn results<'a>(item: &'a Map<String, Value>, place: &str) -> Result<&'a [Value]> {
    let list = item
        .get("toolApprovalResult")
        .or_else(|| item.get("tool_approval_results"))
        .and_then(Value::as_array)
        .ok_or_else(|| bad_request(format!("{place}.toolApprovalResult must be an array.")))?;
    if list.is_empty() {
        return Err(bad_request(format!(
            "{place}.toolApprovalResult holds no result."
        )));
    }
    Ok(list)
}

/// Returns the first of `fields` that is present, which must be a string.
fn string<'a>(item: &'a Map<String, Value>, fields: &[&str], place: &str) -> Result<&'a str> {
    let name = fields.first().copied().unwrap_or_default();
    fields
        .iter()
        .find_map(|field| item.get(*field))
        .and_then(Value::as_str)
        .ok_or_else(|| bad_request(format!("{place}.{name} must be a string.")))
}

/// Returns the first of `fields` that is present, trimmed, which must be a string that is not
/// empty.
fn name_field(item: &Map<String, Value>, fields: &[&str], place: &str) -> Result<String> {
    let text = string(item, fields, place)?.trim();
    if text.is_empty() {
        let name = fields.first().copied().unwrap_or_default();
        return Err(bad_request(format!("{place}.{name} must not be empty.")));
    }
    Ok(text.to_owned())
}

fn bad_request(message: impl Into<String>) -> Error {
    Error::BadRequest(message.into())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Post, read_post};
    use crate::Error;

    fn read(content: &Value) -> Result<Post, String> {
        read_post(&json!({ "content": content })).map_err(|error| match error {
            Error::BadRequest(message) => message,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn all_four_kinds_share_one_array() {
        let post = read(&json!([
            { "type": "text", "text": "one" },
            { "type": "document", "fileId": "d1" },
            { "type": "image", "imageId": "i1" },
            { "type": "tool_approval_result", "toolApprovalResult": [{ "toolId": "t" }] },
            { "type": "text", "text": "two" },
        ]))
        .unwrap();
        assert_eq!(post.content.text, "one\n\ntwo");
        assert_eq!(post.content.documents, ["d1"]);
        assert_eq!(post.content.images, ["i1"]);
        assert_eq!(post.results, [json!({ "toolId": "t" })]);
    }

    #[test]
    fn the_guides_spelling_says_the_same() {
        let post = read(&json!([
            { "type": "image_url", "url": "https://host.example/a.png" },
            { "type": "tool_approval_result", "tool_approval_results": [{}] },
        ]))
        .unwrap();
        assert_eq!(post.content.images, ["https://host.example/a.png"]);
        assert_eq!(post.results.len(), 1);
    }

    #[test]
    fn every_fault_names_its_place() {
        for (content, place) in [
            (json!("text"), "content must be an array"),
            (json!([]), "nothing to send"),
            (json!([{ "type": "text", "text": "  " }]), "nothing to send"),
            (json!([3]), "content[0] must be an object"),
            (json!([{ "text": "x" }]), "content[0].type"),
            (json!([{ "type": "text" }]), "content[0].text"),
            (json!([{ "type": "text", "text": 1 }]), "content[0].text"),
            (json!([{ "type": "document" }]), "content[0].fileId"),
            (
                json!([{ "type": "image", "imageId": "" }]),
                "content[0].imageId",
            ),
            (json!([{ "type": "video" }]), "\"video\""),
            (
                json!([{ "type": "tool_approval_result" }]),
                "content[0].toolApprovalResult",
            ),
            (
                json!([{ "type": "tool_approval_result", "toolApprovalResult": [] }]),
                "holds no result",
            ),
            (
                json!(vec![json!({ "type": "text", "text": "x" }); 101]),
                "more than 100",
            ),
            (
                json!([{ "type": "tool_approval_result", "toolApprovalResult": vec![json!({}); 501] }]),
                "more than 500",
            ),
        ] {
            let message = read(&content).unwrap_err();
            assert!(message.contains(place), "{content}: {message}");
        }
        assert!(read_post(&json!([])).is_err());
    }

    #[test]
    fn a_message_of_files_alone_is_stored_as_a_line_for_each() {
        let post = read(&json!([
            { "type": "document", "fileId": "d1" },
            { "type": "image", "imageId": "i1" },
        ]));
        assert_eq!(
            post.unwrap().content.stored_text(),
            "[document d1]\n[image i1]"
        );
    }
}
