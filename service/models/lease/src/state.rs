//! What the database holds, and what each replica knows.

use crate::Budget;

/// The id of a row of a replica: whoever comes back gets the next number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    pub(crate) replica: usize,
    pub(crate) number: u8,
}

/// A run by one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owned {
    pub(crate) run: u8,
    pub(crate) owner: Id,
    pub(crate) epoch: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It begins a run, and locks the conversation.
    Accept,
    /// It appends to the log.
    Append,
    /// It stores the end of the run, and locks run and conversation.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transaction {
    pub(crate) kind: Kind,
    pub(crate) of: Owned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    Lives,
    StandsStill,
    Dead,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replica {
    pub(crate) life: Life,
    pub(crate) id: Id,
    /// The run that it believes to own.
    pub(crate) writes: Option<Owned>,
    /// Its transaction, as long as the database has it open.
    pub(crate) open: Option<Transaction>,
    /// The run without an owner that it has found, and the rows that were there.
    pub(crate) found: Option<(Owned, Vec<Option<Row>>)>,
    /// True once after it has removed a row.
    pub(crate) has_buried: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    pub(crate) number: u8,
    pub(crate) is_expired: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The rows in the database, each at the place of its replica.
    pub(crate) rows: Vec<Option<Row>>,
    /// The last run; `true` once it has ended.
    pub(crate) run: Option<(Owned, bool)>,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) left: Budget,
    pub(crate) is_late_written: bool,
    pub(crate) is_stolen: bool,
}

impl State {
    pub(crate) fn has_row(&self, id: Id) -> bool {
        self.rows[id.replica].is_some_and(|row| row.number == id.number)
    }

    pub(crate) fn running(&self) -> Option<Owned> {
        self.run
            .and_then(|(run, is_ended)| (!is_ended).then_some(run))
    }

    pub(crate) fn orphan(&self) -> Option<Owned> {
        self.running().filter(|run| !self.has_row(run.owner))
    }

    pub(crate) fn open(&self, kind: Kind) -> bool {
        let mut open = self.replicas.iter().filter_map(|replica| replica.open);
        open.any(|transaction| transaction.kind == kind)
    }

    /// Returns true if nothing waits for anybody who does not come.
    pub(crate) fn is_settled(&self) -> bool {
        self.running().is_none_or(|run| {
            self.has_row(run.owner) && self.replicas[run.owner.replica].life == Life::Lives
        })
    }
}
