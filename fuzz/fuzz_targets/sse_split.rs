//! Any bytes, any limit, any cuts: the decoder never panics and gives the same frames.
#![no_main]

use assent_sse::invariants::check_split_invariance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, u8, Vec<u8>)| {
    let (bytes, limit, lengths) = input;
    let lengths: Vec<usize> = lengths.into_iter().map(usize::from).collect();
    check_split_invariance(&bytes, usize::from(limit), &lengths);
    check_split_invariance(&bytes, usize::MAX, &lengths);
});
