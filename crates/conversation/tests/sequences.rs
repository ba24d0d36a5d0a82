//! The invariants of the core hold for any inputs in any order.
#![allow(missing_docs, reason = "tests are named by what they show")]

use assent_conversation::invariants::check_sequence;
use proptest::prelude::*;

/// Returns the number of cases: as many as `PROPTEST_CASES` says, for long runs.
fn cases() -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    wanted.and_then(|cases| cases.parse().ok()).unwrap_or(3_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_inputs_keeps_the_invariants(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(check_sequence(&bytes), Ok(()));
    }
}
