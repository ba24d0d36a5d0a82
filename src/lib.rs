//! Assent, an embeddable chat widget for assistants that ask before they act.
//!
//! This package is the widget itself and exists for wasm32 only; the core it stands on is in `crates/`.
//!
//! - [`embed`]: what a page can call. The only wasm-bindgen surface, and the only place that joins the rest.
//! - [`shell`]: HTTP, event streams, storage, clock. No Leptos.
//! - [`view`]: from the core's state to signals.
//! - [`ui`]: the components, one a file.
#![cfg(target_arch = "wasm32")]

pub mod embed;
pub mod shell;
pub mod ui;
pub mod view;

/// Smaller than the standard one: it is a part of the first download.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
