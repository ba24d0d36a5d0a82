//! Whatever happens in whatever order, the core keeps its invariants.
#![allow(missing_docs, reason = "tests are named by what they show")]

use assent_conversation::invariants::check_sequence;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_inputs_keeps_the_invariants(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(check_sequence(&bytes), Ok(()));
    }
}
