//! The reader in a browser: answers and requests as they are drawn.
//!
//! All tests share one page and one module, because each page more costs a browser of its own: what a test changes in
//! either ends with the test, by values that put it back. One that fails puts nothing back, so that the first failure is
//! the one to look at. What can be tested but once in the life of a module is in `lost`.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

#[path = "../../../../tests/component/instead.rs"]
mod instead;
mod page;
mod spare_time;

mod content;
mod copying;
mod idle;
mod later;
mod request;
mod streaming;
mod warm_up;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
