//! The requests of the host page that wait for an event: each is answered once.

use crate::{AwaitedEvent, Command, ConversationKey, Failure, FailureKind, Output, RequestId};

/// Gives `result` to all requests of the host page that wait for the event `awaited`.
pub(crate) fn resolve_all(
    requests: &mut Vec<(RequestId, AwaitedEvent)>,
    output: &mut Output,
    awaited: &AwaitedEvent,
    result: &Result<(), Failure>,
) {
    while resolve_first(requests, output, awaited, result) {}
}

/// Gives `result` to the request of the host page that has waited longest for the event `awaited`;
/// returns false if none waits for it.
pub(crate) fn resolve_first(
    requests: &mut Vec<(RequestId, AwaitedEvent)>,
    output: &mut Output,
    awaited: &AwaitedEvent,
    result: &Result<(), Failure>,
) -> bool {
    let Some(at) = requests.iter().position(|(_, it)| it == awaited) else {
        return false;
    };
    let (id, _) = requests.remove(at);
    output.command(Command::Resolve(id, result.clone()));
    true
}

/// Gives the result "stopped" to the requests of the host page that wait for an answer in this
/// conversation: the user stopped it.
pub(crate) fn resolve_stopped(
    requests: &mut Vec<(RequestId, AwaitedEvent)>,
    output: &mut Output,
    conversation: ConversationKey,
) {
    let waiting = requests.iter().map(|(_, awaited)| awaited);
    let of_this =
        |it: &&AwaitedEvent| matches!(it, AwaitedEvent::Answer(of, _) if *of == conversation);
    let waiting: Vec<AwaitedEvent> = waiting.filter(of_this).cloned().collect();
    for awaited in waiting {
        let stopped = Err(Failure::of(FailureKind::Stopped));
        resolve_all(requests, output, &awaited, &stopped);
    }
}
