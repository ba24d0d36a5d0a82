//! Approval requests and their answers: the echo rule (specification, ToolApprovalResponse).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

use assent_protocol::{
    ApprovalRequest, ApprovalStatus, ContentItem, Dialect, PostMessage, RawApprovalRequest,
    SseEvent, StoredToolApproval,
};
use serde_json::{Value, json};

fn raw(text: &str) -> RawApprovalRequest {
    serde_json::from_str(text).unwrap()
}

/// Answers `request` with APPROVED and compares byte for byte.
fn check(request: &str, expected: &str) {
    assert_eq!(
        raw(request).answered(&ApprovalStatus::Approved).as_str(),
        expected
    );
}

#[test]
fn a_streamed_request_has_all_its_fields() {
    let event: SseEvent =
        serde_json::from_str(include_str!("../test_data/event_approval.json")).unwrap();
    let requests = event.event_message.tool_execution_approval_request.unwrap();
    assert_eq!(requests.len(), 1);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = ApprovalRequest {
        tool_id: "tool-1".to_owned(),
        tool_name: "send_mail".to_owned(),
        tool_provider: "Acme".to_owned(),
        tool_category: "office".to_owned(),
        tool_execution_id: "execution-1".into(),
        tool_execution_batch_id: "batch-1".into(),
        tool_memory_id: "memory-1".to_owned(),
        tool_arguments: vec![pair("to", "ann@example.org"), pair("body", "Hi")],
        ..ApprovalRequest::default()
    };
    assert_eq!(requests[0].read(), Some(expected.clone()));
    assert_eq!(RawApprovalRequest::from(&expected).read(), Some(expected));
}

#[test]
fn the_fields_of_extensions_are_written_only_where_they_say_something() {
    let plain = ApprovalRequest::default();
    let text = RawApprovalRequest::from(&plain).as_str().to_owned();
    assert!(
        !text.contains("reason") && !text.contains("definitionChanged") && !text.contains("effect"),
        "{text}"
    );
    let told = ApprovalRequest {
        tool_execution_id: "e".into(),
        tool_execution_batch_id: "b".into(),
        reason: "More than 100.".to_owned(),
        effect: "deletes".to_owned(),
        effect_source: "policy".to_owned(),
        definition_changed: true,
        ..plain
    };
    let raw = RawApprovalRequest::from(&told);
    assert!(
        raw.as_str().contains(r#""definitionChanged":true"#),
        "{raw:?}"
    );
    let effect = r#""effect":"deletes","effectSource":"policy""#;
    assert!(raw.as_str().contains(effect), "{raw:?}");
    assert_eq!(raw.read(), Some(told));
}

#[test]
fn an_effect_that_is_not_known_is_read_and_takes_nothing_away() {
    for (effect, read) in [
        (r#""burns""#, "burns"),
        ("null", ""),
        ("7", "7"),
        (r#"["reads"]"#, r#"["reads"]"#),
    ] {
        let text = format!(r#"{{"toolId":"t","effect":{effect},"toolName":"n"}}"#);
        let request: ApprovalRequest = serde_json::from_str(&text).unwrap();
        assert_eq!(request.tool_name, "n", "{text}");
        assert_eq!(request.effect, read, "{text}");
    }
}

#[test]
fn an_answer_changes_one_value_and_nothing_else() {
    check(
        r#"{"approvalResult":"PENDING_HUMAN_APPROVAL","toolId":"a"}"#,
        r#"{"approvalResult":"APPROVED","toolId":"a"}"#,
    );
    check(
        r#"{ "b" : 0.10 , "a":1e2,"big":123456789012345678901234567890,"approvalResult" :  "X"  ,"z":[ 1 , 2 ] }"#,
        r#"{ "b" : 0.10 , "a":1e2,"big":123456789012345678901234567890,"approvalResult" :  "APPROVED"  ,"z":[ 1 , 2 ] }"#,
    );
    check(
        "{\n\t\"text\": \"\\u00fc \\/ \\ud83c\\udf0d \\\\\",\n\t\"approvalResult\": null\n}",
        "{\n\t\"text\": \"\\u00fc \\/ \\ud83c\\udf0d \\\\\",\n\t\"approvalResult\": \"APPROVED\"\n}",
    );
}

#[test]
fn fields_never_seen_before_and_repeated_ones_are_echoed() {
    check(
        r#"{"new":{"approvalResult":"inner"},"x":1,"x":2,"approvalResult":"P","approvalResult":"Q"}"#,
        r#"{"new":{"approvalResult":"inner"},"x":1,"x":2,"approvalResult":"APPROVED","approvalResult":"APPROVED"}"#,
    );
}

#[test]
fn an_approval_result_among_the_arguments_is_the_tools_own() {
    check(
        r#"{"toolArguments":{"approvalResult":"mine","json":"{\"approvalResult\":1}"},"approvalResult":"P"}"#,
        r#"{"toolArguments":{"approvalResult":"mine","json":"{\"approvalResult\":1}"},"approvalResult":"APPROVED"}"#,
    );
}

#[test]
fn a_request_without_a_result_gets_one() {
    check(
        r#"{"toolId":"}"}"#,
        r#"{"toolId":"}","approvalResult":"APPROVED"}"#,
    );
    check("{ }", r#"{ "approvalResult":"APPROVED"}"#);
    check(
        r#"{"approval\u0052esult":"escaped"}"#,
        r#"{"approval\u0052esult":"APPROVED"}"#,
    );
}

#[test]
fn what_is_no_object_is_left_alone_and_cannot_be_read() {
    for text in [
        "[]",
        r#"["a","b","c","d","e","f","g",{},"h"]"#,
        "7",
        "null",
        r#""{}""#,
    ] {
        check(text, text);
        assert_eq!(raw(text).read(), None, "{text}");
    }
}

#[test]
fn every_status_is_answered_in_the_services_spelling() {
    for status in [
        "PENDING_HUMAN_APPROVAL",
        "APPROVED",
        "DENIED",
        "ABORTED_WITH_FEEDBACK",
    ] {
        let answered = raw(r#"{"approvalResult":""}"#).answered(&status.into());
        assert_eq!(
            answered.as_str(),
            format!(r#"{{"approvalResult":"{status}"}}"#)
        );
    }
    let hostile = ApprovalStatus::Other(r#"","toolId":"evil"#.to_owned());
    let answered = raw(r#"{"approvalResult":""}"#).answered(&hostile);
    let read: Value = serde_json::from_str(answered.as_str()).unwrap();
    assert_eq!(read, json!({"approvalResult": hostile.as_str()}));
}

#[test]
fn a_request_is_read_if_it_names_its_run_and_batch() {
    let named = r#"{"toolExecutionId":"x","toolExecutionBatchId":"b","toolArguments":null}"#;
    let read = raw(named).read().unwrap();
    assert_eq!(
        (read.tool_name.as_str(), read.tool_arguments.len()),
        ("", 0)
    );
    for nameless in [
        r#"{"toolExecutionId":"x"}"#,
        r#"{"toolExecutionBatchId":"b"}"#,
        r#"{"toolExecutionId":"","toolExecutionBatchId":"b"}"#,
        r#"{"toolExecutionId":null,"toolExecutionBatchId":"b"}"#,
        "{}",
    ] {
        assert_eq!(raw(nameless).read(), None, "{nameless}");
    }
}

#[test]
fn of_a_repeated_field_the_last_one_is_read() {
    let repeated = r#"{"toolExecutionId":"x","toolExecutionId":"y","toolExecutionBatchId":"b","toolName":"one","toolName":"two"}"#;
    let read = raw(repeated).read().unwrap();
    assert_eq!(
        (read.tool_execution_id, read.tool_name.as_str()),
        ("y".into(), "two")
    );
}

#[test]
fn arguments_keep_their_order_and_spelling() {
    let read = raw(
        r#"{"toolExecutionId":"x","toolExecutionBatchId":"b","toolArguments":
            {"z":"1","a":"\u00fc","number":0.10,"list":[1, 2],"nothing":null,"z":"again"}}"#,
    );
    let arguments = read.read().unwrap().tool_arguments;
    let arguments: Vec<_> = arguments
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        arguments,
        [
            ("z", "1"),
            ("a", "ü"),
            ("number", "0.10"),
            ("list", "[1, 2]"),
            ("nothing", "null"),
            ("z", "again")
        ]
    );
    let odd =
        raw(r#"{"toolExecutionId":"x","toolExecutionBatchId":"b","toolArguments":"all in one"}"#);
    let whole = (String::new(), "all in one".to_owned());
    assert_eq!(odd.read().unwrap().tool_arguments, [whole]);
}

#[test]
fn an_answer_goes_through_a_post_byte_for_byte() {
    let text =
        r#"{ "a":0.10,"toolExecutionId" : "x","toolExecutionBatchId":"b","approvalResult":"P" }"#;
    let event = format!(
        r#"{{"type":"TOOL_EXECUTION_APPROVAL_REQUEST","eventMessage":{{"toolExecutionApprovalRequest":[{text}]}}}}"#
    );
    let event: SseEvent = serde_json::from_str(&event).unwrap();
    let request = &event.event_message.tool_execution_approval_request.unwrap()[0];
    assert_eq!(request.as_str(), text);
    let post = PostMessage {
        content: vec![ContentItem::ToolApprovalResult(vec![
            request.answered(&ApprovalStatus::Denied),
        ])],
        dialect: Dialect::Declared,
    };
    assert_eq!(
        post.to_json(),
        r#"{"content":[{"type":"tool_approval_result","toolApprovalResult":[{ "a":0.10,"toolExecutionId" : "x","toolExecutionBatchId":"b","approvalResult":"DENIED" }]}]}"#
    );
}

/// Returns a request with everything that parsing and serializing would lose; `{result}` is the
/// place of its result.
fn odd(result: &str) -> String {
    let text = r#"{  "toolMemoryId":"m\u00e9m-é","toolExecutionId" : "x", "toolExecutionBatchId":"b",
	"approvalResult"  :  {result} ,
  "zeta":1,"alpha":{"z":[ 0.10,1e3 , -0.0,1E+2, 100000000000000000000000000000001 ],"a":{ }, "a":null},
  "same":"first","same":"second", "":"nameless", "\u0061lpha":"escaped name",
  "toolArguments":{"approvalResult":"the tool's own","text":"\ud83c\udf0d 🌍 \/ / \u003c < \t \\","amount":0.10,"amount":"0.1"},
  "nested":{"approvalResult":{"approvalResult":"inner"}}, "text":"\"approvalResult\":\"quoted\"" } "#;
    text.trim().replace("{result}", result)
}

/// Reads `text` as one request of a streamed event, and extracts it again.
fn streamed(text: &str) -> RawApprovalRequest {
    let event = format!(
        r#"{{"type":"TOOL_EXECUTION_APPROVAL_REQUEST","eventMessage":{{"toolExecutionApprovalRequest":[ {text} ,null]}}}}"#
    );
    let event: SseEvent = serde_json::from_str(&event).unwrap();
    let mut requests = event.event_message.tool_execution_approval_request.unwrap();
    requests.swap_remove(0)
}

#[test]
fn every_other_byte_of_the_oddest_request_is_echoed() {
    for before in [
        r#""PENDING_HUMAN_APPROVAL""#,
        "null",
        "0.10",
        r#"{ "a" : [1] }"#,
    ] {
        let request = streamed(&odd(before));
        assert_eq!(request.as_str(), odd(before));
        for status in ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"] {
            let answer = request.answered(&status.into());
            assert_eq!(answer.as_str(), odd(&format!("\"{status}\"")));
            assert_eq!(answer.read().unwrap().approval_result.as_str(), status);
        }
        let again = request.answered(&ApprovalStatus::Denied);
        let again = again.answered(&ApprovalStatus::Approved);
        assert_eq!(
            again.as_str(),
            odd(r#""APPROVED""#),
            "the last decision counts"
        );
    }
}

#[test]
fn what_is_shown_of_an_odd_request_is_what_it_says() {
    let read = streamed(&odd("null")).read().unwrap();
    assert_eq!(read.tool_memory_id, "mém-é");
    let arguments: Vec<_> = read.tool_arguments.iter().collect();
    let names: Vec<_> = arguments.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["approvalResult", "text", "amount", "amount"]);
    assert_eq!(arguments[1].1, "🌍 🌍 / / < < \t \\");
    assert_eq!(
        (arguments[2].1.as_str(), arguments[3].1.as_str()),
        ("0.10", "0.1")
    );
}

#[test]
fn an_answer_without_the_field_keeps_its_bytes_in_front_of_it() {
    let missing = odd("null").replace("\n\t\"approvalResult\"  :  null ,", "");
    let request = streamed(&missing);
    assert_eq!(request.as_str(), missing);
    let answer = request.answered(&ApprovalStatus::Approved);
    let body = missing.strip_suffix('}').unwrap();
    let expected = format!(r#"{body},"approvalResult":"APPROVED"}}"#);
    assert_eq!(answer.as_str(), expected);
}

#[test]
fn a_field_that_comes_twice_says_the_same_twice() {
    let twice = |result: &str| {
        odd(result).replace(
            r#""zeta":1"#,
            &format!(r#""zeta":1,"approval\u0052esult":{result}"#),
        )
    };
    let answer = streamed(&twice("null")).answered(&ApprovalStatus::Denied);
    assert_eq!(answer.as_str(), twice(r#""DENIED""#));
}

#[test]
fn the_dialect_changes_the_name_of_the_array_and_no_byte_of_a_request() {
    let requests = [odd("null"), odd(r#""P""#)];
    let stopped = requests.iter().map(|text| {
        let request = streamed(text);
        request.answered(&ApprovalStatus::Aborted)
    });
    let content = vec![
        ContentItem::ToolApprovalResult(stopped.collect()),
        ContentItem::Text("toolApprovalResult stays".to_owned()),
        ContentItem::Document("file-1".to_owned()),
    ];
    let body = |dialect| {
        let content = content.clone();
        PostMessage { content, dialect }.to_json()
    };
    let answered = odd(r#""ABORTED_WITH_FEEDBACK""#);
    let array = format!(r#":[{answered},{answered}]}}"#);
    let declared = body(Dialect::Declared);
    assert!(declared.contains(&format!(
        r#"{{"type":"tool_approval_result","toolApprovalResult"{array}"#
    )));
    let renamed = declared.replacen(r#""toolApprovalResult""#, r#""tool_approval_results""#, 1);
    assert_eq!(body(Dialect::Guide), renamed);
    assert_ne!(renamed, declared);
}

#[test]
fn a_stored_request_that_is_told_whole_can_be_echoed() {
    let whole = r#"{ "toolId":"t","name":"m\u00e9il", "provider":"p","category":"c","toolExecutionId":"x",
        "executionBatchId":"b","toolArguments":{"amount":10.00,"a":"\ud83c\udf0d"},"status":"PENDING_HUMAN_APPROVAL",
        "toolMemoryId":"m","reason":"It \u0077rites.","definitionChanged":true,"new":[1E+2] }"#;
    let stored: StoredToolApproval = serde_json::from_str(whole).unwrap();
    assert_eq!(
        stored
            .request
            .unwrap()
            .answered(&ApprovalStatus::Denied)
            .as_str(),
        r#"{"toolId":"t","toolName":"m\u00e9il","toolProvider":"p","toolCategory":"c","toolExecutionId":"x","toolExecutionBatchId":"b","toolArguments":{"amount":10.00,"a":"\ud83c\udf0d"},"approvalResult":"DENIED","toolMemoryId":"m","reason":"It \u0077rites.","definitionChanged":true,"new":[1E+2]}"#
    );
    assert_eq!(stored.reason, "It writes.");
    assert!(stored.definition_changed);
    for part in [
        r#","toolMemoryId":"m""#,
        r#","toolArguments":{"amount":10.00,"a":"\ud83c\udf0d"}"#,
    ] {
        let text = whole.replace(part.trim_start_matches(','), r#""else":1"#);
        assert_ne!(text, whole);
        let stored: StoredToolApproval = serde_json::from_str(&text).unwrap();
        assert_eq!(stored.request, None, "{text}");
    }
}
