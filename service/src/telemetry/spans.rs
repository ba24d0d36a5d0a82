//! Spans of requests, answers, calls of models and calls of tools: what a trace of OpenTelemetry
//! consists of.
//!
//! They are spans of `tracing` with a target of their own, and cost nothing where nobody takes them:
//! the exporter (feature `otel`) takes them and nothing else, and the log leaves them out. Names and
//! attributes are those of the semantic conventions for HTTP (1.41), and for generative AI and the
//! Model Context Protocol, which are in development (semantic-conventions-genai, November 2026); what
//! they have no word for begins with `assent.`.
//!
//! A span has ids of the service's own, names that an operator chose, numbers, and words of closed
//! lists: never a user, a text, an argument, a result, a key, or the address of a request.

use std::time::Duration;

use tracing::{Span, field::Empty, info_span};

use crate::{
    profile::Profile,
    telemetry::metrics::{DecidedBy, RunEnd, ToolEnd},
};

/// The target of all spans of this module.
pub const TARGET: &str = "assent::spans";

/// Makes the span of a request, with its method, if the service knows that, and with the pattern of
/// its address, which has no ids in it.
pub(crate) fn request_span(method: Option<&str>, route: &str) -> Span {
    info_span!(
        target: TARGET,
        "request",
        otel.name = format!("{} {route}", method.unwrap_or("HTTP")),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method.unwrap_or("_OTHER"),
        http.route = route,
        http.response.status_code = Empty,
        error.type = Empty,
    )
}

/// Records the status that a request was answered with.
pub(crate) fn record_status(span: &Span, status: u16) {
    span.record("http.response.status_code", i64::from(status));
    if status >= 500 {
        record_failure(span, &status.to_string());
    }
}

/// Makes the span of an answer, or of a colleague's part in one.
pub(crate) fn agent_span(agent: &Profile, thread_id: &str) -> Span {
    info_span!(
        target: TARGET,
        "invoke_agent",
        otel.name = format!("invoke_agent {}", agent.id),
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.id = agent.id,
        gen_ai.agent.name = agent.name,
        gen_ai.conversation.id = thread_id,
        assent.run.end = Empty,
        assent.approval.requests = Empty,
        assent.approval.wait_seconds = Empty,
        error.type = Empty,
    )
}

/// Records how an answer ended.
pub(crate) fn record_run_end(span: &Span, end: RunEnd) {
    span.record("assent.run.end", end.name());
    if matches!(end, RunEnd::Failed | RunEnd::Internal) {
        record_failure(span, end.name());
    }
}

/// Records on the present span that a person is asked about so many calls. The span ends soon
/// after: whoever decides begins a trace of its own, which leads back to this span.
pub(crate) fn record_question(requests: usize) {
    Span::current().record("assent.approval.requests", number(requests));
}

/// Records on an answer's span the questions that a person has decided: links to the places where
/// they were asked, and the longest time that one has waited.
pub(crate) fn record_decisions<'a>(span: &Span, asked: impl Iterator<Item = (&'a str, Duration)>) {
    let mut longest = None;
    for (place, waited) in asked {
        link(span, place);
        longest = longest.max(Some(waited));
    }
    let seconds = longest.map(|waited| waited.as_secs_f64());
    span.record("assent.approval.wait_seconds", seconds);
}

/// Makes the span of a title that is made after an answer.
pub(crate) fn title_span(agent: &Profile, thread_id: &str) -> Span {
    info_span!(
        target: TARGET,
        "make_title",
        gen_ai.agent.id = agent.id,
        gen_ai.agent.name = agent.name,
        gen_ai.conversation.id = thread_id,
    )
}

/// The kind of a request to a model, as the semantic conventions name it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModelOperation {
    /// A request for the next answer of a conversation.
    Chat,
    /// A request for vectors of texts.
    Embeddings,
}

/// Makes the span of a request to a model at `address`, of which only host and port are recorded:
/// the rest may hold a key. The span ends when it is dropped.
pub(crate) fn model_span(operation: ModelOperation, model: &str, address: &reqwest::Url) -> Span {
    let operation = match operation {
        ModelOperation::Chat => "chat",
        ModelOperation::Embeddings => "embeddings",
    };
    info_span!(
        target: TARGET,
        "model",
        otel.name = format!("{operation} {model}"),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = operation,
        // The interface that is spoken, whoever's the model is.
        gen_ai.provider.name = "openai",
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        server.address = address.host_str(),
        server.port = address.port_or_known_default().map(i64::from),
        error.type = Empty,
    )
}

/// Records the tokens that a request to a model and its answer took.
pub(crate) fn record_tokens(span: &Span, input: u64, output: u64) {
    span.record("gen_ai.usage.input_tokens", number(input));
    span.record("gen_ai.usage.output_tokens", number(output));
}

/// Makes the span of a call of a tool; `tool` is empty where no tool has the name that the model
/// wrote.
pub(crate) fn tool_span(tool: &str, call_id: &str, decision: DecidedBy) -> Span {
    info_span!(
        target: TARGET,
        "execute_tool",
        otel.name = format!("execute_tool {tool}").trim_end(),
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        gen_ai.tool.call.id = call_id,
        assent.tool.decision = decision.name(),
        assent.tool.end = Empty,
        error.type = Empty,
    )
}

/// Records how a call of a tool ended.
pub(crate) fn record_tool_end(span: &Span, end: ToolEnd) {
    span.record("assent.tool.end", end.name());
    if end != ToolEnd::Succeeded {
        record_failure(span, end.name());
    }
}

/// Makes the span of a request to a tool server: its start, if it does not run, and the call.
pub(crate) fn server_call_span(server: &str, tool: &str) -> Span {
    info_span!(
        target: TARGET,
        "tools/call",
        otel.name = format!("tools/call {tool}"),
        otel.kind = "client",
        mcp.method.name = "tools/call",
        gen_ai.tool.name = tool,
        assent.mcp.server = server,
    )
}

/// Records that what a span stands for failed, with a word of a closed list.
pub(crate) fn record_failure(span: &Span, kind: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}

fn number<T: TryInto<i64>>(number: T) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

#[cfg(feature = "otel")]
use context::link;
#[cfg(feature = "otel")]
pub(crate) use context::traceparent;

#[cfg(feature = "otel")]
mod context {
    use std::collections::HashMap;

    use opentelemetry::{propagation::TextMapPropagator as _, trace::TraceContextExt as _};
    use opentelemetry_sdk::propagation::TraceContextPropagator;
    use tracing::Span;
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;

    const TRACEPARENT: &str = "traceparent";

    /// Returns the present span's place in a trace, as the header `traceparent` (W3C Trace
    /// Context); empty where there is no trace.
    pub(crate) fn traceparent() -> String {
        let mut headers = HashMap::new();
        let propagator = TraceContextPropagator::new();
        propagator.inject_context(&Span::current().context(), &mut headers);
        headers.remove(TRACEPARENT).unwrap_or_default()
    }

    /// Links a span to a place in a trace, which is a header `traceparent`.
    pub(super) fn link(span: &Span, place: &str) {
        let headers = HashMap::from([(TRACEPARENT.to_owned(), place.to_owned())]);
        let place = TraceContextPropagator::new().extract(&headers);
        let place = place.span().span_context().clone();
        if place.is_valid() {
            span.add_link(place);
        }
    }
}

/// Returns an empty text: without an exporter there are no traces.
#[cfg(not(feature = "otel"))]
pub(crate) fn traceparent() -> String {
    String::new()
}

#[cfg(not(feature = "otel"))]
fn link(_: &Span, _: &str) {}
