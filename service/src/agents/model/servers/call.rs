//! A call of a tool: made once, never again by itself, and cancelled if nobody waits for it any more.

use futures_util::StreamExt as _;
use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, ErrorCode,
        ProgressNotificationParam, RequestMetaObject, ServerResult,
    },
    service::{PeerRequestOptions, RequestHandle, ServiceError},
};
use serde_json::{Map, Value};
use tokio::{sync::mpsc, time::timeout};
use tracing::Instrument as _;

use super::{
    Outcome,
    result::{cut, read},
    session::{Connection, Session},
};
use crate::{spans, transcript::CallEnd};

/// The name under which a server is told the id of an execution, so that it can see a repeat.
const EXECUTION_ID: &str = "assent/executionId";

/// Errors by which a server refuses a call before it does anything (JSON-RPC 2.0, 5.1). Any other,
/// such as that of a gateway whose time is over, may come from the middle of it.
const NOT_BEGUN: [ErrorCode; 3] = [
    ErrorCode::INVALID_REQUEST,
    ErrorCode::METHOD_NOT_FOUND,
    ErrorCode::INVALID_PARAMS,
];

/// Longest report of progress, in bytes.
const MAX_PROGRESS: usize = 200;

/// A call of a tool.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct ToolCall<'a> {
    /// The name at the server.
    pub(in crate::agents::model) tool: &'a str,
    pub(in crate::agents::model) arguments: Map<String, Value>,
    /// The id under which it runs at most once.
    pub(in crate::agents::model) execution_id: &'a str,
}

/// A call that was sent. Where nobody waits for it any more, the server is told.
struct Sent(Option<RequestHandle<RoleClient>>);

impl Drop for Sent {
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
        &self,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> Outcome {
        let span = spans::tools_call(self.id(), call.tool);
        self.call_once(call, progress).instrument(span).await
    }

    async fn call_once(&self, call: ToolCall<'_>, progress: &mpsc::Sender<String>) -> Outcome {
        loop {
            let connection = match self.connect().await {
                Ok(connection) => connection,
                Err(reason) => return (CallEnd::Failed, self.setup.fault(&reason)),
            };
            // Outside of the time that the call may take. Where the connection is replaced
            // meanwhile, the next one has it.
            if let Some(_under_way) = connection.calls.begin().await {
                let outcome = self.call_over(&connection, call, progress).await;
                let was_answered = outcome.0 != CallEnd::Unknown || !outcome.1.is_empty();
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
    ) -> Outcome {
        let tool = call.tool;
        let answered = timeout(
            self.setup.call_timeout,
            self.send(connection, call, progress),
        );
        let (end, text) = match answered.await {
            Ok(Ok(answer)) => read(&answer),
            Ok(Err(ServiceError::McpError(error))) => {
                let end = match NOT_BEGUN.contains(&error.code) {
                    true => CallEnd::Failed,
                    false => CallEnd::Unknown,
                };
                (end, error.message.to_string())
            }
            Ok(Err(error)) => {
                let error = self.setup.without_keys(error.to_string());
                tracing::warn!(server = self.id(), tool, error, "a call was lost");
                (CallEnd::Unknown, String::new())
            }
            Err(_) => (CallEnd::Unknown, String::new()),
        };
        let mut text = self.setup.without_keys(text);
        cut(&mut text, self.setup.max_result_bytes);
        (end, text)
    }

    async fn send(
        &self,
        connection: &Connection,
        call: ToolCall<'_>,
        progress: &mpsc::Sender<String>,
    ) -> Result<ServerResult, ServiceError> {
        let params =
            CallToolRequestParams::new(call.tool.to_owned()).with_arguments(call.arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut meta = RequestMetaObject::default();
        meta.insert(EXECUTION_ID.to_owned(), call.execution_id.into());
        let options = PeerRequestOptions::no_options().with_meta(meta);
        let handle = connection.peer.send_cancellable_request(request, options);
        let handle = handle.await?;
        let token = handle.progress_token.clone();
        let mut reports = connection.client.progress.subscribe(token).await;
        let mut sent = Sent(Some(handle));
        let Some(handle) = &mut sent.0 else {
            return Err(ServiceError::TransportClosed);
        };
        let answer = loop {
            tokio::select! {
                answer = &mut handle.rx => break answer,
                Some(report) = reports.next() => {
                    // Who is slow misses some of them.
                    let _is_full = progress.try_send(self.setup.without_keys(describe(&report)));
                }
            }
        };
        sent.0 = None;
        answer.map_err(|_| ServiceError::TransportClosed)?
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
    use rmcp::model::ProgressNotificationParam;
    use serde_json::{Value, json};

    use super::describe;

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
