//! Any bytes as a sequence of inputs: the core never panics, keeps its invariants, and comes to rest.
#![no_main]

use assent_conversation::invariants::check_sequence;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(broken) = check_sequence(bytes) {
        panic!("{broken}");
    }
});
