//! What is true of every text that is read as JSON of the service. Property tests and fuzzing call
//! these functions.

use std::ops::Range;

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    ApprovalStatus, ErrorBody, RawApprovalRequest, SessionThread, SseEvent, StoredMessage,
};

/// Reads `text` as every type that the service sends. Checks that a value is the same after it is
/// written and read again, and that a decision is the request with one value changed.
///
/// # Errors
///
/// Describes the first violated invariant.
pub fn check_text(text: &str) -> Result<(), String> {
    check_round_trip::<SseEvent>(text)?;
    check_round_trip::<Vec<SessionThread>>(text)?;
    check_round_trip::<Vec<StoredMessage>>(text)?;
    check_round_trip::<ErrorBody>(text)?;
    if let Ok(request) = serde_json::from_str::<RawApprovalRequest>(text) {
        check_echo(&request)?;
    }
    let event = serde_json::from_str::<SseEvent>(text).unwrap_or_default();
    let requests = event.event_message.tool_execution_approval_request;
    requests.iter().flatten().try_for_each(check_echo)
}

fn check_round_trip<T>(text: &str) -> Result<(), String>
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    let Ok(read) = serde_json::from_str::<T>(text) else {
        return Ok(());
    };
    let written = serde_json::to_string(&read).map_err(|error| error.to_string())?;
    match serde_json::from_str::<T>(&written) {
        Ok(again) if again == read => Ok(()),
        Ok(_) => Err(format!("read back as something else: {written}")),
        Err(error) => Err(format!("not read back: {error}: {written}")),
    }
}

/// Checks that a decision has the members of the request in the same order, with the same values
/// except that of `approvalResult`.
fn check_echo(request: &RawApprovalRequest) -> Result<(), String> {
    let answer = request.answered(&ApprovalStatus::Denied);
    let fail = |what: &str| {
        Err(format!(
            "{what}: {} became {}",
            request.as_str(),
            answer.as_str()
        ))
    };
    let Some(asked) = request.members() else {
        return match answer == *request {
            true => Ok(()),
            false => fail("what is no object is not answered"),
        };
    };
    let Some(answered) = answer.members() else {
        return fail("an answer is an object");
    };
    let is_result = |key: &str| key == "approvalResult";
    let value = |text: &RawApprovalRequest, span| text.as_str().get(span).map(str::to_owned);
    let others = |text: &RawApprovalRequest, members: &[(String, Range<usize>)]| {
        let others = members.iter().filter(|(key, _)| !is_result(key));
        others
            .map(|(key, span)| (key.clone(), value(text, span.clone())))
            .collect::<Vec<_>>()
    };
    if others(request, &asked) != others(&answer, &answered) {
        return fail("an answer changes nothing else");
    }
    let mut results = answered.iter().filter(|(key, _)| is_result(key)).peekable();
    let denied = Some("\"DENIED\"".to_owned());
    if results.peek().is_none() || !results.all(|(_, span)| value(&answer, span.clone()) == denied)
    {
        return fail("an answer says the result");
    }
    if answer.answered(&ApprovalStatus::Denied) != answer {
        return fail("answering twice is answering once");
    }
    Ok(())
}
