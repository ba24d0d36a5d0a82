//! Stopping a batch with text and files, and the outcome of an answer.

use assent_conversation::{
    Failure, FailureKind, FileRef, Input, Intent, StreamEnd, UploadId, WithheldReason,
};
use assent_protocol::{ContentItem, Issue, StoredMessage};
use leptos::prelude::Set;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::approval_request::{TYPE, asking};
use crate::widget::{Widget, fill, tick, tool};

async fn asked() -> Widget {
    Widget::asked(&[tool("refund", r#""amount":"1""#), tool("mail", "")]).await
}

async fn stopping() -> Widget {
    let mut widget = asked().await;
    widget.settings.can_attach.set(true);
    widget.begin_note().await;
    widget
}

/// Adds a file named `name` to the feedback.
fn attach(widget: &mut Widget, upload: u32, name: &str) {
    widget.input(Input::Intent(Intent::AttachFile {
        batch: Some("b".into()),
        upload: UploadId(upload),
        name: name.into(),
        size: 48_213,
    }));
}

#[wasm_bindgen_test]
async fn files_can_be_attached_only_to_a_stop_and_only_where_the_page_takes_them() {
    let mut widget = asked().await;
    assert!(widget.all(".feedback [part=attach]").is_empty());
    widget.begin_note().await;
    assert!(widget.all(".feedback [part=attach]").is_empty());
    widget.settings.can_attach.set(true);
    tick().await;
    assert_eq!(widget.read(".feedback [part=attach]"), "Attach files");
    assert!(
        widget
            .read(".feedback .attach")
            .contains("only with a note")
    );
}

#[wasm_bindgen_test]
async fn chosen_files_are_given_to_the_page() {
    let widget = stopping().await;
    let script = "const files = new DataTransfer(); \
         for (const name of ['a.pdf', 'b.png']) files.items.add(new File(['x'], name)); \
         input.files = files.files; input.dispatchEvent(new Event('change'));";
    let choose = js_sys::Function::new_with_args("input", script);
    choose
        .call1(
            &wasm_bindgen::JsValue::NULL,
            &widget.one(".feedback input[type=file]"),
        )
        .unwrap();
    let files = widget.files.borrow();
    let names: Vec<_> = files
        .iter()
        .map(|(batch, name)| (batch.as_ref().unwrap().as_str(), name.as_str()))
        .collect();
    assert_eq!(names, [("b", "a.pdf"), ("b", "b.png")]);
}

#[wasm_bindgen_test]
async fn files_that_are_dropped_or_pasted_are_taken_too() {
    let widget = stopping().await;
    let script = "const data = new DataTransfer(); data.items.add(new File(['x'], kind)); \
         const event = kind === 'drop' ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }) \
             : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }); \
         return !input.dispatchEvent(event);";
    let give = js_sys::Function::new_with_args("input, kind", script);
    let input = widget.one(".feedback-input");
    for kind in ["drop", "paste"] {
        let taken = give
            .call2(&wasm_bindgen::JsValue::NULL, &input, &kind.into())
            .unwrap();
        assert!(taken.as_bool().unwrap(), "{kind}");
    }
    assert_eq!(widget.files.borrow().len(), 2);
    let script = "const data = new DataTransfer(); data.setData('text/plain', 'words'); \
         data.items.add(new File(['x'], 'picture of the words')); \
         return !input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));";
    let give = js_sys::Function::new_with_args("input", script);
    let taken = give.call1(&wasm_bindgen::JsValue::NULL, &input).unwrap();
    assert!(!taken.as_bool().unwrap(), "a text is pasted as a text");
    assert_eq!(widget.files.borrow().len(), 2);
}

#[wasm_bindgen_test]
async fn the_stop_waits_until_every_file_is_there() {
    let mut widget = stopping().await;
    attach(&mut widget, 1, "receipt.pdf");
    widget.input(Input::UploadProgress(UploadId(1), 40));
    tick().await;
    assert_eq!(widget.read(".file-name"), "receipt.pdf");
    assert_eq!(widget.read(".file-size"), "PDF · 48 kB");
    let progress = widget.one("progress");
    assert_eq!(progress.get_attribute("value").unwrap(), "40");
    assert_eq!(
        progress.get_attribute("aria-label").unwrap(),
        "Uploading receipt.pdf"
    );
    let stop = widget.button("Deny and send");
    assert!(stop.has_attribute("disabled"));
    assert!(widget.description(&stop).contains("every file is uploaded"));
    let there = Ok(FileRef::Document("f".into()));
    widget.input(Input::Uploaded(UploadId(1), there));
    tick().await;
    assert!(widget.all("progress").is_empty());
    assert!(!stop.has_attribute("disabled"));
    assert_eq!(widget.description(&stop), "");
    widget.press("Deny and send").await;
    let (_, content) = widget.post();
    assert!(
        content.contains(&ContentItem::Document("f".into())),
        "{content:?}"
    );
}

#[wasm_bindgen_test]
async fn a_file_that_failed_says_why_and_can_be_tried_again_or_taken_out() {
    let mut widget = stopping().await;
    attach(&mut widget, 1, "setup.exe");
    widget.input(Input::Uploaded(
        UploadId(1),
        Err("Programs are not taken.".into()),
    ));
    tick().await;
    let alert = widget.read(".file [role=alert]");
    assert!(
        alert.ends_with("was not uploaded. Programs are not taken."),
        "{alert}"
    );
    let stop = widget.button("Deny and send");
    assert!(widget.description(&stop).contains("Retry or remove"));
    let remove = widget.button("Remove setup.exe");
    let wanted = widget.press("Retry").await;
    assert_eq!(wanted, [Intent::RetryFile(Some("b".into()), UploadId(1))]);
    assert!(widget.all(".file [role=alert]").is_empty());
    assert!(remove.is_same_node(Some(&widget.button("Cancel upload of setup.exe"))));
    remove.focus().unwrap();
    widget.press("Cancel upload of setup.exe").await;
    assert!(widget.all(".file").is_empty());
    assert!(!stop.has_attribute("disabled"));
    assert!(
        widget
            .one(".feedback [part=attach]")
            .is_same_node(widget.focused().as_deref())
    );
}

#[wasm_bindgen_test]
async fn words_and_files_are_still_there_after_going_back() {
    let mut widget = stopping().await;
    fill(&widget.one(".feedback-input"), "ask");
    widget.settle().await;
    attach(&mut widget, 1, "receipt.pdf");
    widget.press("Back").await;
    widget.begin_note().await;
    let input = widget.one(".feedback-input");
    let value = js_sys::Reflect::get(&input, &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "ask");
    assert_eq!(widget.all(".file").len(), 1);
    assert!(input.is_same_node(widget.focused().as_deref()));
}

async fn submitted(end: StreamEnd) -> Widget {
    let mut widget = asked().await;
    widget.approve_all().await;
    widget.submit().await;
    let (stream, _) = widget.post();
    widget.input(Input::StreamEnded(stream, end));
    tick().await;
    widget
}

#[wasm_bindgen_test]
async fn what_is_wrong_with_a_tool_is_said_at_that_tool_and_nowhere_else() {
    let failure = Failure {
        message: Some("It does not fit.".into()),
        issues: vec![Issue {
            tool_execution_id: "e-mail".into(),
            error: "The mailbox is closed.".into(),
        }],
        conflicting: vec!["APPROVED".into(), "ABORTED_WITH_FEEDBACK".into()],
        ..Failure::of(FailureKind::Rejected)
    };
    let widget = submitted(StreamEnd::Failed(failure)).await;
    let card = widget.one("[part=approval]");
    assert_eq!(card.get_attribute("data-state").unwrap(), "failed");
    let tools = widget.all("[part=approval-tool]");
    assert!(!tools[0].text_content().unwrap().contains("mailbox"));
    assert!(
        tools[1]
            .text_content()
            .unwrap()
            .contains("The mailbox is closed.")
    );
    assert_eq!(
        widget.read("[part=error]"),
        "Your decision was not accepted: It does not fit. Check it and submit again."
    );
    assert_eq!(
        widget.read(".conflict"),
        "These decisions do not go together: Approved, Denied with a note."
    );
    assert_eq!(
        widget.all("[aria-pressed=true]").len(),
        2,
        "nothing has to be chosen anew"
    );
}

#[wasm_bindgen_test]
async fn an_answer_whose_fate_is_unknown_says_so_and_can_be_looked_up() {
    let mut widget = submitted(StreamEnd::Closed).await;
    let card = widget.one("[part=approval]");
    assert_eq!(card.get_attribute("data-state").unwrap(), "submitting");
    let text = "The connection broke, and it is not known whether your decision arrived.";
    assert!(widget.read("[part=approval]").contains(text));
    assert!(widget.read("[part=approval]").contains("You approve"));
    assert!(!widget.read("[part=approval]").contains("Approved"));
    for _ in 0..20 {
        if widget.read("[part=approval]").contains("Check again") {
            break;
        }
        widget.read_messages(Err(Failure::of(FailureKind::Unreachable)));
        tick().await;
    }
    let wanted = widget.press("Check again").await;
    assert_eq!(wanted, [Intent::ReloadMessages]);
}

#[wasm_bindgen_test]
async fn another_tab_that_answers_is_named_and_its_decision_is_not_taken_for_this_one() {
    let mut widget = submitted(StreamEnd::Withheld(WithheldReason::ForOtherTab)).await;
    assert!(
        widget
            .read("[part=approval]")
            .contains("Another tab is answering this.")
    );
    widget.read_messages(Ok(vec![stored("DENIED")]));
    tick().await;
    let card = widget.one("[part=approval]");
    assert_eq!(card.get_attribute("data-state").unwrap(), "answered");
    assert!(
        widget
            .read("[part=approval]")
            .contains("Already decided in another tab or device.")
    );
    assert!(widget.read("[part=approval]").contains("Denied"));
}

/// Returns the stored message with both tools in this status.
fn stored(status: &str) -> StoredMessage {
    let tool = |name: &str| {
        format!(
            r#"{{"toolId":"id-{name}","name":"{name}","toolExecutionId":"e-{name}","executionBatchId":"b",
            "toolArguments":{{}},"status":"{status}"}}"#
        )
    };
    let text = format!(
        r#"{{"id":"m9","role":"assistant","content":"","timestamp":"2026-01-01T00:00:00Z",
        "toolExecutionHumanApprovalRequest":[{},{}]}}"#,
        tool("refund"),
        tool("mail")
    );
    serde_json::from_str(&text).unwrap()
}

#[wasm_bindgen_test]
async fn a_request_that_cannot_be_answered_says_why_and_leads_on() {
    let mut widget = Widget::new();
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    widget.read_messages(Ok(vec![stored("PENDING_HUMAN_APPROVAL")]));
    tick().await;
    let card = widget.one("[part=approval]");
    assert_eq!(card.get_attribute("data-state").unwrap(), "unanswerable");
    assert!(widget.all("[part=approval] .choice").is_empty());
    assert!(
        widget
            .read("[part=approval]")
            .contains("only be answered on the device where it arrived")
    );
    let wanted = widget.press("Start a new conversation").await;
    assert_eq!(wanted, [Intent::NewThread]);
    assert!(
        widget
            .one("[part=input]")
            .is_same_node(widget.focused().as_deref())
    );
}

#[wasm_bindgen_test]
async fn the_submit_button_says_what_it_waits_for() {
    let mut widget = asked().await;
    let submit = widget.submit_button();
    assert_eq!(widget.description(&submit), "0 of 2 decided");
    widget.all(".deny")[0].click();
    widget.settle().await;
    assert_eq!(widget.description(&submit), "1 of 2 decided");
    widget.all(".deny")[1].click();
    widget.settle().await;
    assert_eq!(widget.description(&submit), "");
}

#[wasm_bindgen_test]
async fn the_focus_of_what_was_decided_elsewhere_moves_to_the_messages() {
    for stops in [true, false] {
        let mut widget = asked().await;
        if stops {
            widget.begin_note().await;
            assert!(
                widget
                    .one(".feedback-input")
                    .is_same_node(widget.focused().as_deref())
            );
        } else {
            widget.all(".deny")[0].focus().unwrap();
        }
        widget.input(Input::Intent(Intent::ReloadMessages));
        widget.read_messages(Ok(vec![stored("DENIED")]));
        tick().await;
        let card = widget.one("[part=approval]");
        assert_eq!(card.get_attribute("data-state").unwrap(), "answered");
        let transcript = widget.one("[part=transcript]");
        assert!(
            transcript.is_same_node(widget.focused().as_deref()),
            "{stops}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_request_that_may_have_more_parts_is_checked_before_it_can_be_answered() {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    widget.event(stream, TYPE, &asking(&[tool("refund", "")]));
    let lost = Failure::of(FailureKind::Unreachable);
    widget.input(Input::StreamEnded(stream, StreamEnd::Failed(lost.clone())));
    tick().await;
    let said = "Part of this request could not be read, so that it cannot be answered as a whole.";
    let status = "[part=approval] [role=status]";
    assert_eq!(widget.read(status), [said, " Checking…"].concat());
    assert!(widget.all("[part=approval] .choice").is_empty());
    widget.read_messages(Err(lost));
    tick().await;
    assert_eq!(widget.read(status), [said, "Check again"].concat());
    widget.press("Check again").await;
    assert!(widget.read(status).ends_with("Checking…"));
}
