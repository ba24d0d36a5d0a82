//! What is counted of the webhook that is told of decisions that wait.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// How an attempt to tell of a decision that waits ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoticeEnd {
    /// The receiver has it.
    Sent,
    /// The receiver does not have it, and it is tried again.
    Failed,
    /// The receiver does not have it, and it is not tried again.
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EndLabels {
    end: &'static str,
}

/// The counters of the webhook.
#[derive(Debug, Default)]
pub(crate) struct NoticeMetrics(Family<EndLabels, Counter>);

impl NoticeMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Attempts to tell the webhook of a decision that waits";
        registry.register("notices", help, self.0.clone());
    }

    /// Counts an attempt.
    pub(crate) fn count(&self, end: NoticeEnd) {
        let end = match end {
            NoticeEnd::Sent => "sent",
            NoticeEnd::Failed => "failed",
            NoticeEnd::GivenUp => "given-up",
        };
        self.0.get_or_create(&EndLabels { end }).inc();
    }
}
