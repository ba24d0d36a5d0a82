//! Assent, an embeddable chat widget for assistants that ask before they act.
//!
//! This package is the widget itself and exists for wasm32 only; the core it stands on is in
//! `crates/`.
//!
//! - [`host`]: the functions that a page can call. The only wasm-bindgen surface, and the only
//!   place that joins the rest.
//! - [`store`]: from the core's state to signals.
//! - [`components`]: the components, one a file.
#![cfg(target_arch = "wasm32")]

pub mod components;
pub mod host;
pub mod store;

use assent_allocator as _;
