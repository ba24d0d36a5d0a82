//! What a page asks for by calling the element's methods, and the messages that it gives to them.

use assent_conversation::{ContentItem, Failure, FailureKind, PageRequest, ThreadId};
use assent_i18n::Texts;
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsValue;

use super::details;
use assent_client::Resolver;

/// Returns what the page asks for by calling the element's method `name` with `arguments`.
///
/// # Errors
///
/// [`FailureKind::Invalid`] with the rule that an argument breaks, for the page's developer.
pub(super) fn parse_request(name: &str, arguments: &Array) -> Result<PageRequest, Failure> {
    let text = |at, argument: &str| {
        let text = arguments.get(at).as_string();
        let text = text.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| {
            broken_rule(&[name, ": ", argument, " has to be a text that is not blank"])
        })
    };
    let thread = || text(0, "the conversation's id").map(ThreadId);
    Ok(match name {
        "newThread" => PageRequest::NewThread,
        "openThread" => PageRequest::OpenThread(thread()?),
        "renameThread" => PageRequest::RenameThread(thread()?, text(1, "the name")?),
        "deleteThread" => PageRequest::DeleteThread(thread()?),
        "forget" => PageRequest::Forget,
        _ => {
            let content = parse_content(&arguments.get(0));
            PageRequest::Send(content.map_err(|rule| broken_rule(&[name, ": ", &rule]))?)
        }
    })
}

fn broken_rule(rule: &[&str]) -> Failure {
    Failure {
        message: Some(rule.concat()),
        ..Failure::of(FailureKind::Invalid)
    }
}

/// Returns the content of a message that the page gives: a text, or an array of items.
///
/// # Errors
///
/// The rule that the message breaks.
pub(super) fn parse_content(value: &JsValue) -> Result<Vec<ContentItem>, String> {
    let content = if let Some(text) = value.as_string() {
        vec![ContentItem::Text(text)]
    } else if Array::is_array(value) {
        let items = Array::from(value);
        let items = items.iter().zip(1_u32..);
        let items = items.map(|(value, number)| {
            parse_item(&value).ok_or_else(|| ["item ", &number.to_string(), ITEM_RULE].concat())
        });
        items.collect::<Result<Vec<_>, _>>()?
    } else {
        return Err("the message has to be a text, or an array of items".to_owned());
    };
    let is_message = content.iter().any(|item| match item {
        ContentItem::Text(text) => !text.trim().is_empty(),
        _ => true,
    });
    match is_message {
        true => Ok(content),
        false => Err("the message has no file, and no text that is not blank".to_owned()),
    }
}

/// End of the sentence for the page's developer that says which form every item of a message must
/// have.
const ITEM_RULE: &str =
    " has to be {type: \"text\", text}, {type: \"document\", fileId} or {type: \"image\", imageId}";

fn parse_item(value: &JsValue) -> Option<ContentItem> {
    // Made by the page: it may be anything, and its getters may throw.
    let member = |name: &str| Reflect::get(value, &name.into()).ok()?.as_string();
    match member("type")?.as_str() {
        "text" => member("text").map(ContentItem::Text),
        "document" => member("fileId").map(ContentItem::Document),
        "image" => member("imageId").map(ContentItem::Image),
        _ => None,
    }
}

/// Returns a callback for the end of a method that the page called: it calls `resolve` or `reject`,
/// the functions of the method's promise.
pub(super) fn resolver(texts: Texts, resolve: Function, reject: Function) -> Resolver {
    Box::new(move |end| {
        // The functions of a promise do not throw.
        match end {
            Ok(()) => resolve.call0(&JsValue::UNDEFINED),
            Err(failure) => reject.call1(
                &JsValue::UNDEFINED,
                &details::rejection_error(texts, &failure),
            ),
        }
        .ok();
    })
}
