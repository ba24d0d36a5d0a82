//! The results of a run of kills, as a table.

use std::{collections::BTreeMap, fmt};

use crate::{check::PostOutcome, program::Moment};

impl Moment {
    pub fn name(self) -> &'static str {
        match self {
            Self::Event => "after an event was read",
            Self::Post => "after a post was written",
            Self::Decision => "after a decision was written",
            Self::Statement => "after a statement of the database",
            Self::Listed => "before a tool was claimed",
            Self::Called => "between claim and call",
            Self::Done => "while a tool ran",
            Self::Answered => "between the answer of a tool and its result",
            Self::End => "when all was said",
        }
    }
}

#[derive(Debug, Default)]
pub struct Counts {
    kills: BTreeMap<&'static str, usize>,
    /// Last posts of threads, by their state after the kill.
    streams: BTreeMap<&'static str, usize>,
    /// Runs whose request a client read, and that were still pending.
    pub pending: usize,
    /// Pending runs whose request no client had read yet.
    pub unseen: usize,
    /// Decisions whose answer was cut, and that were kept.
    pub decisions: usize,
}

impl Counts {
    pub fn kill(&mut self, place: &'static str) {
        *self.kills.entry(place).or_default() += 1;
    }

    pub fn stream(&mut self, outcome: PostOutcome, ended: bool) {
        let name = match outcome {
            _ if ended => "had ended, and are whole",
            PostOutcome::Whole => "were stored to the end, unseen",
            PostOutcome::Cut(true) => "were cut, and are marked, with their first words",
            PostOutcome::Cut(false) => "were cut, and are marked, without a word",
            PostOutcome::Unstored => "had not been accepted",
        };
        *self.streams.entry(name).or_default() += 1;
    }

    pub fn add(&mut self, other: &Self) {
        for (name, count) in &other.kills {
            *self.kills.entry(name).or_default() += count;
        }
        for (name, count) in &other.streams {
            *self.streams.entry(name).or_default() += count;
        }
        self.pending += other.pending;
        self.unseen += other.unseen;
        self.decisions += other.decisions;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = |title: &str, rows: &BTreeMap<&str, usize>| {
            writeln!(to, "{:>6}  {title}", rows.values().sum::<usize>())?;
            rows.iter()
                .try_for_each(|(name, count)| writeln!(to, "{count:>10}  {name}"))
        };
        table("kills", &self.kills)?;
        table("last posts of their threads", &self.streams)?;
        let approvals = [
            ("were asked, and still waited", self.pending),
            (
                "were asked when nobody could read it any more, and waited",
                self.unseen,
            ),
            (
                "were decided in a post whose answer was cut, and stayed decided",
                self.decisions,
            ),
        ];
        table("runs of tools", &approvals.into_iter().collect())
    }
}
