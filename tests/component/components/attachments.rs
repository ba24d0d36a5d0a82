//! Files in the composer: adding, display, announcements, and when a message can be sent.

use assent_conversation::{FileRef, Input, Intent, UploadId};
use assent_protocol::{ContentItem, StoredMessage};
use leptos::prelude::Set;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::{
    fake_service::until,
    widget::{Widget, tick},
};

async fn taking_files() -> Widget {
    let widget = Widget::new();
    widget.settings.can_attach.set(true);
    tick().await;
    widget
}

async fn attach(widget: &mut Widget, upload: u32, name: &str) {
    widget.input(Input::Intent(Intent::AttachFile {
        batch: None,
        upload: UploadId(upload),
        name: name.into(),
        size: 48_213,
    }));
    tick().await;
}

async fn uploaded(widget: &mut Widget, upload: u32, result: Result<FileRef, String>) {
    widget.input(Input::Uploaded(UploadId(upload), result));
    tick().await;
}

/// Dispatches an event with two files, `a.pdf` and `b.png`; returns true if it was handled.
fn give(target: &HtmlElement, kind: &str) -> bool {
    let script = "const data = new DataTransfer(); \
         for (const name of ['a.pdf', 'b.png']) data.items.add(new File(['x'], name)); \
         const more = { bubbles: true, cancelable: true, composed: true }; \
         const event = kind === 'paste' ? new ClipboardEvent(kind, { ...more, clipboardData: data }) \
             : new DragEvent(kind, { ...more, dataTransfer: data }); \
         return !target.dispatchEvent(event);";
    let give = js_sys::Function::new_with_args("target, kind", script);
    let taken = give.call2(&JsValue::NULL, target, &kind.into()).unwrap();
    taken.as_bool().unwrap()
}

#[wasm_bindgen_test]
async fn the_button_is_there_only_where_the_page_takes_files() {
    let widget = Widget::new();
    assert!(widget.all("[part=attach]").is_empty());
    for kind in ["dragover", "drop", "paste"] {
        assert!(!give(&widget.one("[part=input]"), kind), "{kind}");
    }
    assert!(widget.files.borrow().is_empty());
    widget.settings.can_attach.set(true);
    tick().await;
    let button = widget.one(".composer [part=attach]");
    assert_eq!(button.get_attribute("aria-label").unwrap(), "Attach files");
}

#[wasm_bindgen_test]
async fn files_that_are_dropped_or_pasted_are_the_drafts() {
    let widget = taking_files().await;
    assert!(give(&widget.one("[part=input]"), "paste"));
    assert!(give(&widget.one("h2"), "drop"));
    let files = widget.files.borrow();
    let names: Vec<_> = files
        .iter()
        .map(|(batch, name)| (batch, name.as_str()))
        .collect();
    let expected = ["a.pdf", "b.png", "a.pdf", "b.png"].map(|name| (&None, name));
    assert_eq!(names, expected);
}

#[wasm_bindgen_test]
async fn while_files_are_over_the_widget_it_says_that_they_can_be_dropped() {
    let widget = taking_files().await;
    for end in ["dragleave", "drop"] {
        assert!(give(&widget.one("h2"), "dragover"));
        tick().await;
        assert_eq!(widget.read(".drop-target"), "Drop files to attach them");
        give(&widget.one("h2"), end);
        tick().await;
        assert!(widget.all(".drop-target").is_empty(), "{end}");
    }
}

#[wasm_bindgen_test]
async fn send_waits_until_every_file_is_there() {
    let mut widget = taking_files().await;
    attach(&mut widget, 1, "receipt.pdf").await;
    assert_eq!(widget.read(".composer .file-size"), "PDF · 48 kB");
    let send = widget.one("[part=send]");
    assert!(send.has_attribute("disabled"));
    assert_eq!(
        widget.description(&send),
        "You can send when every file is uploaded."
    );
    widget.button("Cancel upload of receipt.pdf");
    uploaded(&mut widget, 1, Ok(FileRef::Document("f".into()))).await;
    assert!(!send.has_attribute("disabled"));
    assert_eq!(widget.description(&send), "");
    widget.button("Remove receipt.pdf");
    widget.send("").await;
    let (_, content) = widget.post();
    assert_eq!(content, [ContentItem::Document("f".into())]);
    assert!(widget.all(".composer .file").is_empty());
    assert_eq!(widget.read(".message .file-name"), "receipt.pdf");
}

#[wasm_bindgen_test]
async fn a_file_that_failed_says_so_and_the_focus_stays_near() {
    let mut widget = taking_files().await;
    attach(&mut widget, 1, "setup").await;
    uploaded(&mut widget, 1, Err("Programs are not taken.".into())).await;
    assert_eq!(
        widget.read(".composer [role=alert]"),
        "\u{2068}setup\u{2069} was not uploaded. Programs are not taken."
    );
    let buttons = widget.all(".composer .file button").into_iter();
    let buttons: Vec<_> = buttons.map(|it| it.text_content().unwrap()).collect();
    assert_eq!(buttons, ["Retry", "Remove"]);
    let send = widget.one("[part=send]");
    assert!(widget.description(&send).contains("Retry or remove"));
    let wanted = widget.press("Retry").await;
    assert_eq!(wanted, [Intent::RetryFile(None, UploadId(1))]);
    let attach = widget.one("[part=attach]");
    assert!(attach.is_same_node(widget.focused().as_deref()));
    widget.press("Cancel upload of setup").await;
    assert!(widget.all(".composer .file").is_empty());
    assert!(attach.is_same_node(widget.focused().as_deref()));
}

#[wasm_bindgen_test]
async fn a_file_that_failed_comes_first() {
    let mut widget = taking_files().await;
    for (upload, name) in [(1, "a.pdf"), (2, "b.pdf"), (3, "c.heic")] {
        attach(&mut widget, upload, name).await;
    }
    let names = |widget: &Widget| -> Vec<_> {
        let names = widget.all(".composer .file-name").into_iter();
        names.map(|name| name.text_content().unwrap()).collect()
    };
    assert_eq!(names(&widget), ["a.pdf", "b.pdf", "c.heic"]);
    uploaded(&mut widget, 3, Err(String::new())).await;
    assert_eq!(names(&widget), ["c.heic", "a.pdf", "b.pdf"]);
}

/// Drops a file of this kind on the widget: a picture of one pixel, or what only says that it is one.
fn drop_picture(target: &HtmlElement, is_one: bool) {
    let script = "const data = new DataTransfer(); \
         const gif = 'R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='; \
         const bytes = isOne ? Uint8Array.from(atob(gif), (it) => it.charCodeAt(0)) : 'no picture'; \
         data.items.add(new File([bytes], 'a.gif', { type: 'image/gif' })); \
         const more = { bubbles: true, cancelable: true, composed: true }; \
         target.dispatchEvent(new DragEvent('drop', { ...more, dataTransfer: data }));";
    let give = js_sys::Function::new_with_args("target, isOne", script);
    give.call2(&JsValue::NULL, target, &is_one.into()).unwrap();
}

#[wasm_bindgen_test]
async fn a_picture_has_a_preview_and_what_cannot_be_drawn_has_none() {
    let mut widget = taking_files().await;
    for (upload, is_one) in [(1, true), (2, false)] {
        drop_picture(&widget.one("h2"), is_one);
        attach(&mut widget, upload, "a.gif").await;
    }
    let frames = widget.all(".composer .file-preview");
    let is_drawn = || frames[0].query_selector("canvas").unwrap().is_some();
    until("a preview", is_drawn).await;
    assert!(frames[1].children().length() == 0);
}

#[wasm_bindgen_test]
async fn what_happens_to_a_file_is_said_with_what_its_name_hides() {
    let mut widget = taking_files().await;
    attach(&mut widget, 1, "a\u{202e}b.pdf").await;
    let name = "a [U+202E] b.pdf";
    assert_eq!(widget.said().await[0], format!("Uploading {name}"));
    uploaded(&mut widget, 1, Ok(FileRef::Image("i".into()))).await;
    assert_eq!(widget.said().await[0], format!("{name} is uploaded"));
}

#[wasm_bindgen_test]
async fn a_file_without_an_ending_is_what_its_uploader_says() {
    let mut widget = taking_files().await;
    attach(&mut widget, 1, "photo").await;
    assert_eq!(widget.read(".composer .file-size"), "File · 48 kB");
    uploaded(&mut widget, 1, Ok(FileRef::Image("i".into()))).await;
    widget.send("").await;
    assert_eq!(widget.read(".message .file-size"), "Image · 48 kB");
}

/// Returns a message of the user as it is stored, with these files.
fn stored(files: &str) -> StoredMessage {
    let text = format!(r#"{{"id":"m1","role":"user","content":"look","files":[{files}]}}"#);
    serde_json::from_str(&text).unwrap()
}

const PLAN: &str = r#"{"fileId":"f1","name":"plan.pdf","size":48213}"#;

#[wasm_bindgen_test]
async fn files_of_a_stored_message_are_shown_as_those_that_were_just_sent() {
    let mut widget = taking_files().await;
    attach(&mut widget, 1, "plan.pdf").await;
    uploaded(&mut widget, 1, Ok(FileRef::Document("f1".into()))).await;
    widget.send("look").await;
    let sent = widget.one(".message .files").outer_html();
    widget.input(Input::Intent(Intent::OpenThread("t2".into())));
    widget.read_messages(Ok(vec![stored(PLAN)]));
    tick().await;
    assert_eq!(widget.one(".message .files").outer_html(), sent);
    assert_eq!(widget.read(".message .bubble"), "look");
}

#[wasm_bindgen_test]
async fn names_of_files_that_come_later_change_nothing_else_of_the_message() {
    let mut widget = Widget::new();
    widget.input(Input::Intent(Intent::OpenThread("t2".into())));
    widget.read_messages(Ok(vec![stored(r#"{"fileId":"f1"}"#)]));
    tick().await;
    assert_eq!(widget.read(".message .file-name"), "f1");
    let bubble = widget.one(".message .bubble");
    widget.input(Input::Intent(Intent::ReloadMessages));
    widget.read_messages(Ok(vec![stored(PLAN)]));
    tick().await;
    assert_eq!(widget.read(".message .file-name"), "plan.pdf");
    assert!(bubble.is_same_node(Some(&widget.one(".message .bubble"))));
}
