//! Lease, epoch and sweep as a model, all of whose states are looked at: every order in which replicas
//! beat, write, stand still, die, count others as gone and take over.
//!
//! What `service/src/store/replicas.rs` and `service/src/operate/replica.rs` rely on is an option of the
//! model; without it the model has to have a fault.

use stateright::{Checker as _, HasDiscoveries, Model as _};

use assent_lease_model::{ENDLESS, LATE_WRITE, Rules, STOLEN, Sweep};

/// Looks at all states, or at those before the first fault; returns the properties that do not hold.
fn faults(rules: Rules) -> Vec<&'static str> {
    let checker = rules.checker().finish_when(HasDiscoveries::AnyFailures);
    let checker = checker.spawn_bfs().join();
    println!("{} states", checker.unique_state_count());
    checker.discoveries().into_keys().collect()
}

#[test]
fn as_it_is_nothing_is_lost_or_stolen_and_no_answer_stays_without_its_owner() {
    for rules in [Rules::TWO, Rules::THREE] {
        assert_eq!(faults(rules), [""; 0], "{rules:?}");
    }
}

#[test]
fn without_owner_and_epoch_a_former_owner_writes() {
    let rules = Rules {
        checks_owner: false,
        ..Rules::TWO
    };
    assert_eq!(faults(rules), [LATE_WRITE]);
}

#[test]
fn without_the_lock_of_its_run_a_former_owner_writes() {
    let rules = Rules {
        locks_run: false,
        ..Rules::TWO
    };
    assert_eq!(faults(rules), [LATE_WRITE]);
}

#[test]
fn without_the_lock_of_its_own_row_a_former_owner_appends() {
    let rules = Rules {
        locks_own_row: false,
        ..Rules::TWO
    };
    assert_eq!(faults(rules), [LATE_WRITE]);
}

/// What PostgreSQL does with `UPDATE … WHERE NOT EXISTS (SELECT 1 FROM replicas …)` that has waited for
/// another taker: the row is looked at again, and the replicas are those of before.
#[test]
fn a_sweep_that_looks_for_a_missing_row_steals_from_a_living_owner() {
    let rules = Rules {
        sweep: Sweep::NotExists,
        ..Rules::THREE
    };
    assert_eq!(faults(rules), [STOLEN]);
}

#[test]
fn without_a_sweep_at_each_beat_an_answer_stays_without_an_owner() {
    let rules = Rules {
        sweep: Sweep::OnceAfterBurial,
        ..Rules::TWO
    };
    assert_eq!(faults(rules), [ENDLESS]);
}

#[test]
fn where_nobody_ends_what_stands_still_an_answer_has_no_end() {
    let rules = Rules {
        ends_transactions: false,
        ..Rules::TWO
    };
    assert_eq!(faults(rules), [ENDLESS]);
}
