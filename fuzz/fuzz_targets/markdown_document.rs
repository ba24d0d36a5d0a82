//! Any text, any cuts: a text that grows gives the blocks of the whole text.
#![no_main]

use assent_markdown::invariants::check_pieces;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (String, Vec<u8>)| {
    let (text, lengths) = input;
    let lengths: Vec<usize> = lengths.into_iter().map(usize::from).collect();
    check_pieces(&text, &lengths);
    check_pieces(&text, &vec![1; text.len()]);
});
