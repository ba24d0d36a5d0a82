//! What is said while the network fails or the service is silent, and what can be done about it.

use assent_conversation::{
    Command, Failure, FailureKind, Input, Intent, Millis, StreamEnd, StreamId,
};
use assent_protocol::SessionThread;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick};

/// Sends a message that nothing has answered yet; returns its stream.
async fn posted(widget: &mut Widget) -> StreamId {
    widget.type_text("hello");
    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    let Some(Command::CreateThread { conversation, .. }) = widget.commands.last() else {
        panic!("{:?}", widget.commands)
    };
    widget.input(Input::ThreadCreated {
        conversation: *conversation,
        result: Ok(SessionThread {
            id: "t1".into(),
            ..SessionThread::default()
        }),
    });
    widget.post().0
}

fn lost() -> Failure {
    Failure::of(FailureKind::Unreachable)
}

#[wasm_bindgen_test]
async fn a_message_of_which_nobody_knows_is_sent_again_only_by_who_confirms_it() {
    let mut widget = Widget::new();
    let stream = posted(&mut widget).await;
    widget.input(Input::StreamEnded(stream, StreamEnd::Failed(lost())));
    tick().await;
    let shown = |widget: &Widget| widget.read("[part=message]");
    assert!(shown(&widget).contains("Checking whether it was delivered"));
    widget.read_messages(Err(lost()));
    tick().await;
    assert!(shown(&widget).contains("This may not have arrived"));
    widget.button("Check again");
    widget.button("Dismiss");
    let question = "It may appear twice.";
    assert_eq!(widget.press("Send again").await, []);
    assert!(shown(&widget).contains(question));
    assert_eq!(widget.press("Cancel").await, []);
    assert!(!shown(&widget).contains(question));
    assert_eq!(widget.press("Send again").await, []);
    let wanted = widget.press("Send anyway").await;
    assert!(
        matches!(wanted[..], [Intent::ResendMessage(_)]),
        "{wanted:?}"
    );
    assert_ne!(widget.post().0, stream);
}

#[wasm_bindgen_test]
async fn a_silent_stream_is_said_with_what_can_be_done_until_something_comes() {
    let note = "No response at the moment. It may still be working.";
    for wanted in [Intent::Stop, Intent::ReloadMessages] {
        let mut widget = Widget::new();
        let stream = widget.send("hello").await;
        assert!(widget.all(".composer [role=status]").is_empty());
        widget.input(Input::StreamStalled(stream, true));
        tick().await;
        assert!(widget.read(".composer [role=status]").contains(note));
        widget.input(Input::StreamStalled(stream, false));
        tick().await;
        assert!(widget.all(".composer [role=status]").is_empty());
        widget.input(Input::StreamStalled(stream, true));
        tick().await;
        // What stands in the place of Send has the same name.
        let name = if wanted == Intent::Stop {
            "Stop"
        } else {
            "Check again"
        };
        let buttons = widget.all(".composer [role=status] button");
        let button = buttons
            .iter()
            .find(|it| it.text_content().as_deref() == Some(name));
        button.unwrap().click();
        assert_eq!(widget.settle().await, [wanted]);
        assert!(widget.commands.contains(&Command::CancelStream(stream)));
        assert!(widget.all(".composer [role=status]").is_empty());
    }
}

#[wasm_bindgen_test]
async fn without_a_network_it_is_said_above_the_box_and_at_the_message() {
    let mut widget = Widget::new();
    let hint = "You’re offline. Your draft is saved.";
    widget.input(Input::Online(false));
    tick().await;
    assert!(widget.read("[part=composer]").contains(hint));
    let stream = posted(&mut widget).await;
    let offline = Failure::of(FailureKind::Offline);
    widget.input(Input::StreamEnded(stream, StreamEnd::Failed(offline)));
    tick().await;
    let said = widget.read("[part=message] [part=error]");
    assert!(
        said.contains("You’re offline. Try again when you’re connected."),
        "{said}"
    );
    widget.input(Input::Online(true));
    tick().await;
    assert!(!widget.read("[part=composer]").contains(hint));
    assert!(
        widget.all("[part=error]").is_empty(),
        "it is not so any more"
    );
    let note = widget.read("[part=message] .footnote");
    assert_eq!(note, "Not sent.Send nowDismiss");
    let wanted = widget.press("Send now").await;
    assert!(
        matches!(wanted[..], [Intent::RetryMessage(_)]),
        "{wanted:?}"
    );
}

#[wasm_bindgen_test]
async fn a_stop_is_said_and_one_that_fails_can_be_tried_again() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let effect = |widget: &Widget| widget.one("[part=stop]").get_attribute("title").unwrap();
    assert_eq!(effect(&widget), "Stops listening; the service goes on");
    widget.input(Input::CancelOffered(true));
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"So far.""#);
    tick().await;
    assert_eq!(effect(&widget), "Stops the answer");
    widget.one("[part=stop]").click();
    widget.settle().await;
    let asked = |widget: &Widget| {
        let cancels = widget.commands.iter();
        cancels
            .filter(|it| matches!(it, Command::CancelAnswer(_)))
            .count()
    };
    assert_eq!(asked(&widget), 1);
    assert!(
        widget
            .read("[part=composer]")
            .contains("Stopping the answer…")
    );
    assert_eq!(effect(&widget), "Stops listening; the service goes on");
    widget.input(Input::AnswerCancelled("t1".into(), Err(lost())));
    tick().await;
    assert!(
        widget
            .read(".notice")
            .contains("The answer was not stopped.")
    );
    assert_eq!(widget.press("Retry").await, [Intent::RetryNotice]);
    assert_eq!(asked(&widget), 2);
    assert!(widget.all(".notice").is_empty());
}

#[wasm_bindgen_test]
async fn too_many_requests_say_when_to_try_again() {
    let mut widget = Widget::new();
    let stream = posted(&mut widget).await;
    let end = StreamEnd::Failed(until(FailureKind::TooMany));
    widget.input(Input::StreamEnded(stream, end));
    tick().await;
    let said = widget.read("[part=message] [part=error]");
    let sentence = format!("Too many requests. Try again at {}", time());
    assert!(said.contains(&sentence), "{said}");
}

#[wasm_bindgen_test]
async fn a_service_that_failed_says_when_it_can_be_asked_again() {
    let mut widget = Widget::new();
    widget.input(Input::Threads(Err(until(FailureKind::Service))));
    tick().await;
    let said = widget.read("[part=thread-list]");
    let sentence = format!("The service has a problem. Try again at {}", time());
    assert!(said.contains(&sentence), "{said}");
}

/// Returns a failure after which the service can be asked again at [`time`].
fn until(kind: FailureKind) -> Failure {
    Failure {
        retry_at: Some(Millis(1_700_000_000_000)),
        ..Failure::of(kind)
    }
}

/// Returns that time as it is said, without the space before AM, which is another one.
fn time() -> String {
    let time = js_sys::eval("new Date(1_700_000_000_000).toLocaleTimeString('en')").unwrap();
    let time = time.as_string().unwrap();
    time.split_whitespace().next().unwrap().to_owned()
}

#[wasm_bindgen_test]
async fn stored_messages_that_cannot_be_read_can_be_asked_for_again() {
    let mut widget = Widget::new();
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    widget.read_messages(Err(Failure::of(FailureKind::Unreadable)));
    tick().await;
    let transcript = widget.one("[part=transcript]");
    assert_eq!(transcript.get_attribute("data-state").unwrap(), "failed");
    let said = widget.read("[part=transcript] [role=alert]");
    assert!(
        said.contains("Something other than the chat service answered."),
        "{said}"
    );
    assert_eq!(widget.press("Retry").await, [Intent::ReloadMessages]);
    let stored = r#"[{"id":"m1","role":"assistant","content":"Stored."}]"#;
    widget.read_messages(Ok(serde_json::from_str(stored).unwrap()));
    tick().await;
    assert!(widget.read("[part=message]").contains("Stored."));
}

#[wasm_bindgen_test]
async fn a_question_that_an_agent_failed_to_answer_can_be_asked_once_more() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, "ERROR", r#""content":"The model gave no answer.""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    let said = widget.read("[part=message] [part=error]");
    assert!(said.contains("The model gave no answer."), "{said}");
    let wanted = widget.press("Try again").await;
    assert!(
        matches!(wanted[..], [Intent::RetryMessage(_)]),
        "{wanted:?}"
    );
    assert!(widget.all("[part=error]").is_empty());
    assert_eq!(widget.all("[part=message]").len(), 2);
}
