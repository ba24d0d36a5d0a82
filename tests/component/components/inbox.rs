//! The ways to what waits in other conversations, where the service tells it (extension `inbox`).

use assent_conversation::{Command, Input, Intent, StreamEnd, ThreadId};
use assent_protocol::StoredMessage;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::approval_request::tool_run;
use crate::widget::{Widget, load_renderer, tick, tool};

fn told(waiting: &[(&str, usize)]) -> Input {
    let waiting = waiting.iter();
    Input::Inbox(Some(
        waiting
            .map(|(thread, count)| (ThreadId::from(*thread), *count))
            .collect(),
    ))
}

/// Returns the stored messages of a thread in which one tool waits.
fn asking(batch: &str) -> Vec<StoredMessage> {
    let run = tool_run(["mail", "mail"], [batch, "x9"], "")
        .replace("toolName", "name")
        .replace("toolProvider", "provider")
        .replace("toolCategory", "category")
        .replace("toolExecutionBatchId", "executionBatchId")
        .replace("approvalResult", "status");
    let messages = format!(
        r#"[{{"id":"m1","role":"user","content":"do it"}},
        {{"id":"m2","role":"assistant","content":"May I?","toolExecutionHumanApprovalRequest":[{run}]}}]"#
    );
    serde_json::from_str(&messages).unwrap()
}

async fn shows_list(widget: &Widget) {
    let toggle = widget.one("[part=threads-toggle]");
    if toggle.get_attribute("aria-expanded").unwrap() == "false" {
        toggle.click();
        tick().await;
    }
}

/// Opens the thread with its messages, and returns true if the focus is in its card then.
async fn arrives(widget: &mut Widget, batch: &str) -> bool {
    widget.read_messages(Ok(asking(batch)));
    widget.settle().await;
    tick().await;
    let focused = widget.focused();
    focused.is_some_and(|it| it.matches("[part=approval] .tool").unwrap())
}

#[wasm_bindgen_test]
async fn the_list_begins_with_what_waits_and_leads_to_the_first() {
    load_renderer();
    let mut widget = Widget::new();
    shows_list(&widget).await;
    widget.input(Input::InboxOffered(true));
    assert!(widget.commands.contains(&Command::LoadInbox));
    assert_eq!(widget.all(".waiting-button").len(), 0);
    widget.input(told(&[("t2", 1), ("t1", 2)]));
    tick().await;
    assert_eq!(widget.read(".waiting-button"), "3 decisions wait");
    let before_rows = widget.all(".thread-list .waiting-button ~ .rows");
    assert_eq!(before_rows.len(), 1);
    assert_eq!(widget.read(".toggle-badge"), "3");
    widget.one(".waiting-button").click();
    let intents = widget.settle().await;
    assert_eq!(intents, [Intent::OpenThread("t2".into())]);
    assert!(arrives(&mut widget, "b9").await);
    widget.input(told(&[("t2", 1)]));
    tick().await;
    shows_list(&widget).await;
    assert_eq!(widget.read(".waiting-button"), "1 decision waits");
    // It is in the conversation that is open.
    widget.one(".waiting-button").click();
    assert_eq!(widget.settle().await, []);
    tick().await;
    let focused = widget.focused().unwrap();
    assert!(focused.matches(".tool").unwrap());
    widget.input(told(&[]));
    widget.input(Input::ThreadGone("t2".into()));
    tick().await;
    assert_eq!(widget.all(".waiting-button").len(), 0);
}

#[wasm_bindgen_test]
async fn without_the_extension_the_list_is_as_it_was() {
    let widget = Widget::asked(&[tool("mail", "")]).await;
    shows_list(&widget).await;
    assert_eq!(widget.all(".waiting-button").len(), 0);
    assert!(!widget.commands.contains(&Command::LoadInbox));
}

#[wasm_bindgen_test]
async fn after_a_decision_a_button_leads_to_the_next_one() {
    let mut widget = Widget::asked(&[tool("mail", "")]).await;
    widget.input(Input::InboxOffered(true));
    widget.input(told(&[("t1", 1), ("t2", 1)]));
    tick().await;
    let next = |widget: &Widget| {
        let buttons = widget.all("[part=approval] button").into_iter();
        buttons
            .filter(|it| it.text_content().unwrap() == "Next one")
            .count()
    };
    assert_eq!(next(&widget), 0);
    widget.approve_all().await;
    assert_eq!(next(&widget), 1);
    let stream = widget.accept().await;
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"Done.""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(next(&widget), 1, "the answer does not take it away");
    let intents = widget.press("Next one").await;
    assert_eq!(intents, [Intent::OpenThread("t2".into())]);
    assert!(arrives(&mut widget, "b9").await);
    // That is the last one.
    widget.approve_all().await;
    assert_eq!(next(&widget), 0);
}
