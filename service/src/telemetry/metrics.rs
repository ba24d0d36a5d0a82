//! Counters for the operator, in the text format of Prometheus.
//!
//! Labels are ids of agents, tool servers and tools: never a user, an argument or a text.

use std::{fmt, sync::Arc, time::Duration};

use prometheus_client::{
    encoding::{
        EncodeLabelSet,
        text::{encode_eof, encode_registry},
    },
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::Registry,
};

pub use super::ends::{DecidedBy, RunEnd, ToolEnd};
use super::{notices::NoticeMetrics, replicas::ReplicaMetrics};

/// The media type of [`Metrics::text`].
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RunLabels {
    agent: String,
    end: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PhaseLabels {
    agent: String,
    phase: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TokenLabels {
    agent: String,
    direction: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    server: String,
    tool: String,
    decision: &'static str,
    end: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    server: String,
    tool: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ServerLabels {
    agent: String,
    server: String,
}

type Times<L> = Family<L, Histogram, fn() -> Histogram>;

/// The counters of one service; cheap to clone.
#[derive(Clone)]
pub struct Metrics(Arc<Counters>);

struct Counters {
    registry: Registry,
    runs: Family<RunLabels, Counter>,
    model_answers: Family<RunLabels, Counter>,
    model_time: Times<PhaseLabels>,
    tokens: Family<TokenLabels, Counter>,
    calls: Family<CallLabels, Counter>,
    tool_time: Times<ToolLabels>,
    unknown_outcomes: Counter,
    approval_wait: Histogram,
    streams: Gauge,
    replica: ReplicaMetrics,
    notices: NoticeMetrics,
}

/// Counts a connection that an answer is streamed to, until this is dropped.
#[derive(Debug)]
pub struct CountedStream(Gauge);

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// Returns a histogram of times from 50 ms to about seven minutes, in seconds.
fn seconds_histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.05, 2.0, 14))
}

/// Returns a histogram of times in seconds, from one to about three days: people decide.
fn long_seconds_histogram() -> Histogram {
    Histogram::new(exponential_buckets(1.0, 4.0, 10))
}

impl Default for Metrics {
    fn default() -> Self {
        let mut counters = Counters {
            registry: Registry::with_prefix("assent"),
            runs: Family::default(),
            model_answers: Family::default(),
            model_time: Times::new_with_constructor(seconds_histogram),
            tokens: Family::default(),
            calls: Family::default(),
            tool_time: Times::new_with_constructor(seconds_histogram),
            unknown_outcomes: Counter::default(),
            approval_wait: long_seconds_histogram(),
            streams: Gauge::default(),
            replica: ReplicaMetrics::default(),
            notices: NoticeMetrics::default(),
        };
        let registry = &mut counters.registry;
        registry.register("runs", "Answers that ended", counters.runs.clone());
        let help = "Answers of models, and how their servers ended them";
        registry.register("model_answers", help, counters.model_answers.clone());
        let help = "Time until the first token, and of the whole answer, of a model";
        registry.register("model_seconds", help, counters.model_time.clone());
        let help = "Tokens that models took and gave";
        registry.register("model_tokens", help, counters.tokens.clone());
        let help = "Calls of tools, with who decided and how they ended";
        registry.register("tool_calls", help, counters.calls.clone());
        let help = "Time of tools that ran";
        registry.register("tool_seconds", help, counters.tool_time.clone());
        let help = "Calls of which nobody knows whether they ran";
        registry.register("unknown_outcomes", help, counters.unknown_outcomes.clone());
        let help = "Time that requests for approval waited for their decision";
        registry.register(
            "approval_wait_seconds",
            help,
            counters.approval_wait.clone(),
        );
        let help = "Answers that are being streamed to a client";
        registry.register("streams", help, counters.streams.clone());
        counters.replica.register(registry);
        counters.notices.register(registry);
        Self(Arc::new(counters))
    }
}

impl Metrics {
    /// Counts an answer of `agent` that ended.
    pub fn run_ended(&self, agent: &str, end: RunEnd) {
        let (agent, end) = (agent.to_owned(), end.name());
        let labels = RunLabels { agent, end };
        self.0.runs.get_or_create(&labels).inc();
    }

    /// Records the time from a request to a model until the first token of its answer.
    pub fn model_began(&self, agent: &str, time: Duration) {
        self.model_time(agent, "first_token", time);
    }

    /// Counts a whole answer of a model by how it ended, and records how long it took.
    pub fn model_ended(&self, agent: &str, end: &'static str, time: Duration) {
        let labels = RunLabels {
            agent: agent.to_owned(),
            end,
        };
        self.0.model_answers.get_or_create(&labels).inc();
        self.model_time(agent, "whole", time);
    }

    fn model_time(&self, agent: &str, phase: &'static str, time: Duration) {
        let labels = PhaseLabels {
            agent: agent.to_owned(),
            phase,
        };
        let times = self.0.model_time.get_or_create(&labels);
        times.observe(time.as_secs_f64());
    }

    /// Counts the tokens of a request to a model (`input`) and of its answer (`output`). `cached`
    /// of the input were kept by the model's server.
    pub fn tokens(&self, agent: &str, input: u64, output: u64, cached: u64) {
        let all = [("input", input), ("output", output), ("cached", cached)];
        for (direction, tokens) in all {
            let agent = agent.to_owned();
            let labels = TokenLabels { agent, direction };
            self.0.tokens.get_or_create(&labels).inc_by(tokens);
        }
    }

    /// Counts a call of `server/tool` that ended.
    pub fn call_ended(&self, tool: &str, decision: DecidedBy, end: ToolEnd) {
        let ToolLabels { server, tool } = labels(tool);
        let labels = CallLabels {
            server,
            tool,
            decision: decision.name(),
            end: end.name(),
        };
        self.0.calls.get_or_create(&labels).inc();
        if end == ToolEnd::Unknown {
            self.0.unknown_outcomes.inc();
        }
    }

    /// Records the time that the tool `server/tool` ran.
    pub fn tool_ran(&self, tool: &str, time: Duration) {
        let times = self.0.tool_time.get_or_create(&labels(tool));
        times.observe(time.as_secs_f64());
    }

    /// Records the time that a request for approval waited for its decision.
    pub fn approval_decided(&self, waited: Duration) {
        self.0.approval_wait.observe(waited.as_secs_f64());
    }

    /// Counts a connection that an answer is streamed to.
    #[must_use]
    pub fn count_stream(&self) -> CountedStream {
        self.0.streams.inc();
        CountedStream(self.0.streams.clone())
    }

    /// Returns what is counted of this process as one of the replicas.
    pub(crate) fn replica(&self) -> &ReplicaMetrics {
        &self.0.replica
    }

    /// Returns what is counted of the webhook that is told of decisions that wait.
    pub(crate) fn notices(&self) -> &NoticeMetrics {
        &self.0.notices
    }

    /// Returns what was counted, and what is so now: the requests for approval that wait, and for
    /// each agent its tool servers and the number of their sessions.
    ///
    /// # Errors
    ///
    /// That of the format, which a text never has.
    pub fn text(
        &self,
        pending: i64,
        servers: &[(String, String, usize)],
    ) -> Result<String, fmt::Error> {
        let mut present = Registry::with_prefix("assent");
        let approvals: Gauge = Gauge::default();
        approvals.set(pending);
        let help = "Requests for approval that wait for a decision";
        present.register("approvals_pending", help, approvals);
        let up = Family::<ServerLabels, Gauge>::default();
        let sessions = Family::<ServerLabels, Gauge>::default();
        for (agent, server, connected) in servers {
            let labels = ServerLabels {
                agent: agent.clone(),
                server: server.clone(),
            };
            up.get_or_create(&labels).set(i64::from(*connected > 0));
            let connected = i64::try_from(*connected).unwrap_or(i64::MAX);
            sessions.get_or_create(&labels).set(connected);
        }
        let help =
            "1 for a tool server that is connected; one is connected when it is first needed";
        present.register("mcp_up", help, up);
        let help = "Connected sessions of a tool server: one, or one for each thread or user";
        present.register("mcp_sessions", help, sessions);
        let mut text = String::new();
        encode_registry(&mut text, &self.0.registry)?;
        encode_registry(&mut text, &present)?;
        encode_eof(&mut text)?;
        Ok(text)
    }
}

/// Returns the labels of `server/tool`; they are empty for what names no tool of a server.
fn labels(tool: &str) -> ToolLabels {
    let (server, tool) = tool.split_once('/').unwrap_or(("", ""));
    ToolLabels {
        server: server.to_owned(),
        tool: tool.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DecidedBy, Metrics, RunEnd, ToolEnd};

    #[test]
    fn what_is_counted_is_told_in_lines() {
        let metrics = Metrics::default();
        metrics.run_ended("desk", RunEnd::Done);
        metrics.model_began("desk", Duration::from_millis(200));
        metrics.model_ended("desk", "length", Duration::from_secs(3));
        metrics.tokens("desk", 30, 4, 0);
        metrics.call_ended("files/write", DecidedBy::Person, ToolEnd::Unknown);
        metrics.call_ended("what\"ever\n", DecidedBy::Policy, ToolEnd::Refused);
        metrics.tool_ran("files/write", Duration::from_secs(1));
        metrics.approval_decided(Duration::from_secs(5000));
        let stream = metrics.count_stream();
        let servers = [("desk".to_owned(), "files".to_owned(), 2)];
        let text = metrics.text(2, &servers).unwrap();
        for line in [
            "assent_runs_total{agent=\"desk\",end=\"done\"} 1",
            "assent_model_seconds_sum{agent=\"desk\",phase=\"first_token\"} 0.2",
            "assent_model_seconds_count{agent=\"desk\",phase=\"whole\"} 1",
            "assent_model_answers_total{agent=\"desk\",end=\"length\"} 1",
            "assent_model_tokens_total{agent=\"desk\",direction=\"input\"} 30",
            "assent_model_tokens_total{agent=\"desk\",direction=\"output\"} 4",
            "assent_tool_calls_total{server=\"files\",tool=\"write\",decision=\"person\",\
             end=\"unknown\"} 1",
            "assent_tool_calls_total{server=\"\",tool=\"\",decision=\"policy\",end=\"refused\"} 1",
            "assent_tool_seconds_count{server=\"files\",tool=\"write\"} 1",
            "assent_unknown_outcomes_total 1",
            "assent_approval_wait_seconds_sum 5000.0",
            "assent_approvals_pending 2",
            "assent_streams 1",
            "assent_mcp_up{agent=\"desk\",server=\"files\"} 1",
            "assent_mcp_sessions{agent=\"desk\",server=\"files\"} 2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(text.ends_with("# EOF\n") && text.matches("# EOF").count() == 1);
        drop(stream);
        assert!(metrics.text(0, &[]).unwrap().contains("assent_streams 0"));
    }
}
