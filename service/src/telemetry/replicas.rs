//! What is counted of a process as one of the replicas that share a database.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

/// The way in which a replica came to a run that it did not accept itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Its replica was gone, and it goes on.
    Resumed,
    /// Its replica was gone, and it is ended with a sentence.
    Ended,
    /// The replica that accepted it handed it on.
    HandedOn,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TakenLabels {
    r#as: &'static str,
}

/// The counters of one replica.
#[derive(Debug, Default)]
pub(crate) struct ReplicaMetrics {
    replicas: Gauge,
    failed_beats: Counter,
    lost_leases: Counter,
    gone: Counter,
    taken: Family<TakenLabels, Counter>,
}

impl ReplicaMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Replicas that share the database; 0 with SQLite";
        registry.register("replicas", help, self.replicas.clone());
        let help = "Times that the lease of this replica could not be renewed";
        registry.register("lease_failures", help, self.failed_beats.clone());
        let help = "Times that others counted this replica as gone while it lived";
        registry.register("leases_lost", help, self.lost_leases.clone());
        let help = "Other replicas that this one found gone";
        registry.register("replicas_gone", help, self.gone.clone());
        let help = "Answers that this replica took from another one";
        registry.register("runs_taken", help, self.taken.clone());
    }

    /// Notes the number of replicas.
    pub(crate) fn set_replicas(&self, count: usize) {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.replicas.set(count);
    }

    /// Counts a renewal of the lease that failed.
    pub(crate) fn beat_failed(&self) {
        self.failed_beats.inc();
    }

    /// Counts that others had removed the row of this replica.
    pub(crate) fn lease_lost(&self) {
        self.lost_leases.inc();
    }

    /// Counts replicas whose rows this one removed.
    pub(crate) fn found_gone(&self, count: usize) {
        self.gone.inc_by(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Counts a run that another replica had.
    pub(crate) fn run_taken(&self, how: Taken) {
        let r#as = match how {
            Taken::Resumed => "resumed",
            Taken::Ended => "ended",
            Taken::HandedOn => "handed-on",
        };
        self.taken.get_or_create(&TakenLabels { r#as }).inc();
    }
}
