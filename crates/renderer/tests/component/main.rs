//! The renderer in a browser: rendered answers and requests.
//!
//! All tests share one page and one module, because each further page costs a browser of its own: a
//! test's changes to either end with the test, by values that restore them. A failing test restores
//! nothing, so the first failure is the one to look at. Tests that can run only once in the life of
//! a module are in `lost`.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

mod page;
#[path = "../../../../tests/component/replaced_property.rs"]
mod replaced_property;
mod spare_time;
#[path = "../../../../tests/component/undone.rs"]
mod undone;

mod content;
mod copying;
mod direction;
mod idle;
mod later;
mod request;
mod risk;
mod streaming;
mod warm_up;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
