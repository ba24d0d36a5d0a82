//! A call of a tool: made once, never again by itself, and cancelled if nobody waits for it any more.

use std::{pin::pin, sync::Arc, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture};
use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientNotification, ClientRequest,
        CustomNotification, ErrorCode, ProgressNotificationParam, RequestMetaObject, ServerResult,
    },
    service::{PeerRequestOptions, RequestHandle, ServiceError},
};
use serde_json::{Map, Value, json};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until, timeout_at},
};
use tracing::Instrument as _;

use super::{
    CallOutcome,
    result::{cut, read},
    session::{Connection, Session},
};
use crate::{telemetry::spans, transcript::CallEnd};

/// The name of the field in which a server is told the id of an execution, so that it can recognise
/// a repeated call.
const EXECUTION_ID: &str = "assent/executionId";

/// Errors by which a server refuses a call before it does anything (JSON-RPC 2.0, 5.1). Any other
/// error, such as that of a gateway whose time is over, may come while the tool already works.
const REFUSAL_CODES: [ErrorCode; 3] = [
    ErrorCode::INVALID_REQUEST,
    ErrorCode::METHOD_NOT_FOUND,
    ErrorCode::INVALID_PARAMS,
];

/// Longest report of a call's progress that the reader is told, in bytes; the rest is cut off.
const MAX_PROGRESS: usize = 200;

/// The time that a server has for an answer once the user wants the answer to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A call of a tool, as it is sent to the tool's server.
pub(in crate::agents::model) struct ToolCall<'a> {
    /// The name of the tool at its server.
    pub(in crate::agents::model) tool: &'a str,
    pub(in crate::agents::model) arguments: Map<String, Value>,
    /// The id of this execution, under which the call runs at most once.
    pub(in crate::agents::model) execution_id: &'a str,
    /// A future that ends when the user wants the answer to stop.
    pub(in crate::agents::model) stopped: BoxFuture<'a, ()>,
}

/// A call that was sent. If it is dropped before its answer came, the server is told that nobody
/// waits for it any more.
struct SentCall(Option<RequestHandle<RoleClient>>);

impl Drop for SentCall {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            tokio::spawn(async move {
                let reason = "nobody waits for it any more".to_owned();
                if let Err(error) = handle.cancel(Some(reason)).await {
                    tracing::debug!(%error, "a call could not be cancelled");
                }
            });
        }
    }
}

impl Session {
    /// Calls a tool once, never again by itself. What the server reports meanwhile goes to
    /// `progress`, as far as there is room in it. The text of an outcome that is unknown is what the
    /// server said, if it said anything.
    pub(in crate::agents::model) async fn call(
        self: &Arc<Self>,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> CallOutcome {
        let span = spans::server_call_span(self.id(), call.tool);
        self.call_once(call, progress).instrument(span).await
    }

    async fn call_once(
        self: &Arc<Self>,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> CallOutcome {
        loop {
            let connection = match self.connect().await {
                Ok(connection) => connection,
                Err(reason) => {
                    return CallOutcome::new(CallEnd::Failed, &self.setup.log_fault(&reason));
                }
            };
            // Outside of the time that the call may take. Where the connection is replaced
            // meanwhile, the next one has it.
            if let Some(_under_way) = connection.calls.begin().await {
                let mut outcome = self.call_over(&connection, call, progress).await;
                let was_answered = outcome.end != CallEnd::Unknown || !outcome.text.is_empty();
                outcome.state_is_new =
                    self.setup.has_state && was_answered && connection.calls.is_first_answer();
                self.note_answer(&connection.calls, was_answered).await;
                return outcome;
            }
        }
    }

    async fn call_over(
        &self,
        connection: &Connection,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> CallOutcome {
        let tool = call.tool;
        let answered = self.send(connection, call, progress);
        let mut outcome = match answered.await {
            Ok(Some(answer)) => read(&answer),
            Ok(None) => CallOutcome::new(CallEnd::Unknown, ""),
            Err(ServiceError::McpError(error)) => {
                let end = match REFUSAL_CODES.contains(&error.code) {
                    true => CallEnd::Failed,
                    false => CallEnd::Unknown,
                };
                CallOutcome::new(end, &error.message)
            }
            Err(error) => {
                let error = self.setup.without_keys(error.to_string());
                tracing::warn!(server = self.id(), tool, error, "a call was lost");
                CallOutcome::new(CallEnd::Unknown, "")
            }
        };
        outcome.text = self.setup.without_keys(outcome.text);
        cut(&mut outcome.text, self.setup.max_result_bytes);
        outcome
    }

    /// Sends a call; returns its answer, or `None` if it did not come in time.
    async fn send(
        &self,
        connection: &Connection,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> Result<Option<ServerResult>, ServiceError> {
        let mut deadline = Deadline::new(
            Instant::now(),
            self.setup.call_timeout,
            self.setup.progress_extends,
        );
        let params =
            CallToolRequestParams::new(call.tool.to_owned()).with_arguments(call.arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut meta = RequestMetaObject::default();
        meta.insert(EXECUTION_ID.to_owned(), call.execution_id.into());
        let options = PeerRequestOptions::no_options().with_meta(meta);
        let handle = connection.peer.send_cancellable_request(request, options);
        let handle = match timeout_at(deadline.at, handle).await {
            Ok(handle) => handle?,
            Err(_) => return Ok(None),
        };
        let token = handle.progress_token.clone();
        let mut reports = connection.client.progress.subscribe(token).await;
        let mut sent = SentCall(Some(handle));
        let Some(handle) = &mut sent.0 else {
            return Err(ServiceError::TransportClosed);
        };
        let mut stopped = pin!(call.stopped.fuse());
        let answer = loop {
            tokio::select! {
                answer = &mut handle.rx => break answer,
                Some(report) = reports.next() => {
                    deadline.extend(Instant::now());
                    // A reader who is slow misses some reports.
                    let _is_full = progress.try_send(self.setup.without_keys(describe(&report)));
                }
                () = &mut stopped => {
                    deadline.shorten_for_stop(Instant::now());
                    tell_of_stop(handle).await;
                }
                () = sleep_until(deadline.at) => {
                    if deadline.is_stopped {
                        // The server was told already.
                        sent.0 = None;
                    }
                    return Ok(None);
                }
            }
        };
        sent.0 = None;
        answer.map_err(|_| ServiceError::TransportClosed)?.map(Some)
    }
}

/// Tells the server that a call is of no use any more. The answer is still waited for, since it may
/// have been made before; `RequestHandle::cancel` would drop it.
async fn tell_of_stop(handle: &RequestHandle<RoleClient>) {
    let params = json!({ "requestId": handle.id, "reason": "the user stopped the answer" });
    let notification = CustomNotification::new("notifications/cancelled", Some(params));
    let notification = ClientNotification::CustomNotification(notification);
    if let Err(error) = handle.peer.send_notification(notification).await {
        tracing::debug!(%error, "a call could not be cancelled");
    }
}

/// The end of the time that a call has.
#[derive(Debug)]
struct Deadline {
    at: Instant,
    /// The time that a call has after each report of progress, and the end that no report extends;
    /// `None`: reports change nothing.
    extends: Option<(Duration, Instant)>,
    is_stopped: bool,
}

impl Deadline {
    /// Returns a deadline after `time`. Reports of progress extend it until `most` after `now`, if
    /// that is given.
    fn new(now: Instant, time: Duration, most: Option<Duration>) -> Self {
        Self {
            at: now + time,
            extends: most.map(|most| (time, now + most.max(time))),
            is_stopped: false,
        }
    }

    fn extend(&mut self, now: Instant) {
        if let Some((time, last)) = self.extends.filter(|_| !self.is_stopped) {
            self.at = (now + time).min(last);
        }
    }

    fn shorten_for_stop(&mut self, now: Instant) {
        self.is_stopped = true;
        self.at = self.at.min(now + STOP_TIMEOUT);
    }
}

/// Returns a report of progress in words, on one line.
fn describe(report: &ProgressNotificationParam) -> String {
    let mut text = match report.total {
        Some(total) => format!("{} of {total}", report.progress),
        None => report.progress.to_string(),
    };
    if let Some(message) = &report.message {
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        text = format!("{text}: {message}");
    }
    text.truncate(text.floor_char_boundary(MAX_PROGRESS));
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rmcp::model::ProgressNotificationParam;
    use serde_json::{Value, json};
    use tokio::time::Instant;

    use super::{Deadline, STOP_TIMEOUT, describe};

    #[test]
    fn progress_extends_the_time_of_a_call_up_to_a_bound_where_that_is_wanted() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let time = Duration::from_secs(60);
        let mut plain = Deadline::new(begun, time, None);
        plain.extend(at(50));
        assert_eq!(plain.at, at(60));
        let mut extended = Deadline::new(begun, time, Some(Duration::from_secs(150)));
        extended.extend(at(50));
        assert_eq!(extended.at, at(110));
        extended.extend(at(100));
        assert_eq!(extended.at, at(150));
        extended.shorten_for_stop(at(110));
        extended.extend(at(111));
        assert_eq!(extended.at, at(110) + STOP_TIMEOUT);
        extended.shorten_for_stop(at(130));
        assert_eq!(extended.at, at(110) + STOP_TIMEOUT);
        // Less than a call has anyway bounds nothing.
        let mut short = Deadline::new(begun, time, Some(Duration::from_secs(1)));
        short.extend(at(30));
        assert_eq!(short.at, at(60));
    }

    #[test]
    fn progress_is_one_short_line() {
        let said = |report: Value| {
            let report: ProgressNotificationParam = serde_json::from_value(report).unwrap();
            describe(&report)
        };
        let report = json!({ "progressToken": 1, "progress": 2, "total": 4 });
        assert_eq!(said(report), "2 of 4");
        let report = json!({ "progressToken": 1, "progress": 0.5, "message": "ha\nlf" });
        assert_eq!(said(report), "0.5: ha lf");
        let report = json!({ "progressToken": 1, "progress": 1, "message": "ä".repeat(500) });
        assert!(said(report).len() <= 200);
    }
}
