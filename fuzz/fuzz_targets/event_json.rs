//! Any bytes as JSON of the service: reading never panics, what is read is written back, and requests are echoed.
#![no_main]

use assent_protocol::invariants::check_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(broken) = check_text(&String::from_utf8_lossy(bytes)) {
        panic!("{broken}");
    }
});
