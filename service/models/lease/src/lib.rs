//! Replicas, their rows, one conversation with its answers, and the transactions that are open.

mod state;

use stateright::{Model, Property};

use state::{Id, Kind, Life, Owned, Replica, Row, State, Transaction};

pub const LATE_WRITE: &str = "no write of a former owner counts";
pub const STOLEN: &str = "nothing is taken from an owner whose row is there";
pub const ENDLESS: &str = "an answer ends, or a living replica owns it";

/// The way in which runs without an owner are taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Looked for at each beat, and taken by comparing owner and epoch.
    CompareAndSet,
    /// The same, but taken where no row of the owner is found.
    NotExists,
    /// Looked for once, by whoever removed the row of the owner.
    OnceAfterBurial,
}

/// What the replicas keep to, and how much happens.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub replicas: usize,
    /// A write compares its owner and its epoch with those of the run.
    pub checks_owner: bool,
    /// A write that stores a part of the answer locks its run until its end.
    pub locks_run: bool,
    /// An append to the log locks the row of its replica until its end.
    pub locks_own_row: bool,
    pub sweep: Sweep,
    /// Transactions in which a replica stands still are ended.
    pub ends_transactions: bool,
    pub budget: Budget,
}

/// How often what need not happen may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    accepts: u8,
    appends: u8,
    /// Leases of living replicas that end.
    late_beats: u8,
    /// Replicas that die, or stand still for ever.
    losses: u8,
}

impl Rules {
    pub const TWO: Self = Self {
        replicas: 2,
        checks_owner: true,
        locks_run: true,
        locks_own_row: true,
        sweep: Sweep::CompareAndSet,
        ends_transactions: true,
        budget: Budget {
            accepts: 2,
            appends: 2,
            late_beats: 2,
            losses: 1,
        },
    };
    pub const THREE: Self = Self {
        replicas: 3,
        budget: Budget {
            accepts: 1,
            appends: 1,
            late_beats: 1,
            losses: 2,
        },
        ..Self::TWO
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The lease is over.
    Expire(usize),
    /// It renews the lease, or comes back under a new id.
    Beat(usize),
    Begin(usize, Kind),
    Commit(usize),
    /// The database ends the transaction of one that stands still, or whose lease is over.
    EndTransaction(usize),
    /// The first removes the row of the second.
    Bury(usize, usize),
    /// It looks for a run without an owner.
    Look(usize),
    Take(usize),
    Die(usize),
    StandStill(usize),
}

impl Rules {
    fn may_begin(&self, state: &State, at: usize, kind: Kind) -> bool {
        let replica = &state.replicas[at];
        if replica.open.is_some() {
            return false;
        }
        let is_thread_free = !state.open(Kind::Accept) && !state.open(Kind::End);
        match kind {
            Kind::Accept => {
                let is_free = is_thread_free && state.running().is_none();
                is_free && state.has_row(replica.id) && state.left.accepts > 0
            }
            Kind::Append => replica.writes.is_some() && state.left.appends > 0,
            Kind::End => replica.writes.is_some() && is_thread_free,
        }
    }

    /// Carries out the statement that a transaction begins with.
    fn begin(&self, state: &mut State, at: usize, kind: Kind) {
        let run = state.run.map_or(0, |(run, _)| run.run);
        let replica = &state.replicas[at];
        let of = match kind {
            Kind::Accept => Owned {
                run: run + 1,
                owner: replica.id,
                epoch: 1,
            },
            Kind::Append | Kind::End => replica.writes.unwrap(),
        };
        let is_own = match kind {
            Kind::Accept => true,
            // Who cannot lock the own row has none.
            Kind::Append => state.has_row(of.owner) && state.running() == Some(of),
            Kind::End => state.running() == Some(of),
        };
        match kind {
            Kind::Accept => state.left.accepts -= 1,
            Kind::Append => state.left.appends -= 1,
            Kind::End => {}
        }
        let replica = &mut state.replicas[at];
        if is_own || !self.checks_owner {
            replica.open = Some(Transaction { kind, of });
        } else {
            replica.writes = None;
        }
    }

    fn commit(state: &mut State, at: usize) {
        let replica = &mut state.replicas[at];
        let Transaction { kind, of } = replica.open.take().unwrap();
        if kind == Kind::Accept {
            state.run = Some((of, false));
            replica.writes = Some(of);
            return;
        }
        state.is_late_written |= state.run != Some((of, false));
        if kind == Kind::End {
            replica.writes = None;
            state.run = state.run.map(|(run, _)| (run, true));
        }
    }

    fn may_bury(&self, state: &State, at: usize) -> bool {
        let is_locked = self.locks_own_row
            && state.replicas[at].open.is_some_and(|transaction| {
                transaction.kind == Kind::Append && state.has_row(transaction.of.owner)
            });
        state.rows[at].is_some_and(|row| row.is_expired) && !is_locked
    }

    fn take(&self, state: &mut State, at: usize) {
        let replica = &mut state.replicas[at];
        let (found, rows) = replica.found.take().unwrap();
        let id = replica.id;
        let Some(run) = state.running() else {
            return;
        };
        let is_free = match self.sweep {
            Sweep::NotExists => {
                let row = rows[run.owner.replica];
                run.run == found.run && row.is_none_or(|row| row.number != run.owner.number)
            }
            Sweep::CompareAndSet | Sweep::OnceAfterBurial => run == found,
        };
        if !is_free {
            return;
        }
        state.is_stolen |= state.has_row(run.owner);
        let taken = Owned {
            owner: id,
            epoch: run.epoch + 1,
            ..run
        };
        state.run = Some((taken, false));
        state.replicas[at].writes = Some(taken);
    }

    fn look(&self, state: &mut State, at: usize) {
        let orphan = state.orphan();
        let rows = match self.sweep {
            Sweep::NotExists => state.rows.clone(),
            Sweep::CompareAndSet | Sweep::OnceAfterBurial => Vec::new(),
        };
        let replica = &mut state.replicas[at];
        replica.has_buried = false;
        replica.found = orphan.map(|run| (run, rows));
    }

    /// Adds what a replica that lives may do.
    fn act(&self, state: &State, at: usize, actions: &mut Vec<Action>) {
        let replica = &state.replicas[at];
        if state.rows[at].is_none_or(|row| row.is_expired) {
            actions.push(Action::Beat(at));
        }
        for kind in [Kind::Accept, Kind::Append, Kind::End] {
            if self.may_begin(state, at, kind) {
                actions.push(Action::Begin(at, kind));
            }
        }
        if replica.open.is_some() {
            actions.push(Action::Commit(at));
        }
        let others = (0..self.replicas).filter(|other| self.may_bury(state, *other));
        actions.extend(others.map(|other| Action::Bury(at, other)));
        let looks = match self.sweep {
            // One that has lost its row comes back before it looks again.
            Sweep::CompareAndSet | Sweep::NotExists => {
                state.orphan().is_some() && state.has_row(replica.id)
            }
            Sweep::OnceAfterBurial => replica.has_buried,
        };
        if looks && replica.found.is_none() {
            actions.push(Action::Look(at));
        }
        // It waits for whoever has the run locked.
        let is_locked = self.locks_run && state.open(Kind::End);
        if replica.found.is_some() && !is_locked {
            actions.push(Action::Take(at));
        }
    }
}

impl Model for Rules {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let row = Row {
            number: 0,
            is_expired: false,
        };
        let replica = |at| Replica {
            life: Life::Lives,
            id: Id {
                replica: at,
                number: 0,
            },
            writes: None,
            open: None,
            found: None,
            has_buried: false,
        };
        vec![State {
            rows: vec![Some(row); self.replicas],
            run: None,
            replicas: (0..self.replicas).map(replica).collect(),
            left: self.budget,
            is_late_written: false,
            is_stolen: false,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (at, replica) in state.replicas.iter().enumerate() {
            let row = state.rows[at];
            let lives = replica.life == Life::Lives;
            if row.is_some_and(|row| !row.is_expired) && (!lives || state.left.late_beats > 0) {
                actions.push(Action::Expire(at));
            }
            let is_over = row.is_none_or(|row| row.is_expired);
            if self.ends_transactions && replica.open.is_some() && is_over {
                actions.push(Action::EndTransaction(at));
            }
            if lives {
                self.act(state, at, actions);
                if state.left.losses > 0 {
                    actions.extend([Action::Die(at), Action::StandStill(at)]);
                }
            }
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Expire(at) => {
                if state.replicas[at].life == Life::Lives {
                    state.left.late_beats -= 1;
                }
                state.rows[at].as_mut().unwrap().is_expired = true;
            }
            Action::Beat(at) => {
                let replica = &mut state.replicas[at];
                if state.rows[at].is_none() {
                    // A transaction that is open goes on under the old id.
                    replica.id.number += 1;
                    replica.writes = None;
                }
                state.rows[at] = Some(Row {
                    number: replica.id.number,
                    is_expired: false,
                });
            }
            Action::Begin(at, kind) => self.begin(&mut state, at, kind),
            Action::Commit(at) => Self::commit(&mut state, at),
            Action::EndTransaction(at) => state.replicas[at].open = None,
            Action::Bury(by, at) => {
                state.rows[at] = None;
                state.replicas[by].has_buried = self.sweep == Sweep::OnceAfterBurial;
            }
            Action::Look(at) => self.look(&mut state, at),
            Action::Take(at) => self.take(&mut state, at),
            Action::Die(at) => {
                state.left.losses -= 1;
                let replica = &mut state.replicas[at];
                replica.life = Life::Dead;
                // Its connections break, and what it knew is gone.
                replica.open = None;
                replica.writes = None;
                replica.found = None;
            }
            Action::StandStill(at) => {
                state.left.losses -= 1;
                let replica = &mut state.replicas[at];
                replica.life = Life::StandsStill;
                replica.writes = None;
                replica.found = None;
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(LATE_WRITE, |_, state: &State| !state.is_late_written),
            Property::always(STOLEN, |_, state: &State| !state.is_stolen),
            // Failures are counted, so that whatever happens comes to its end.
            Property::always(ENDLESS, |model: &Self, state: &State| {
                let mut actions = Vec::new();
                model.actions(state, &mut actions);
                !actions.is_empty() || state.is_settled()
            }),
        ]
    }
}
