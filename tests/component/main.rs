//! The widget in a browser: its interface to the page, its client against a scripted service, and
//! its components.
//!
//! All tests share one page and one module, because each page more costs a browser of its own: a
//! test's changes of either end with the test, also if it fails, by values that restore them
//! (`undone.rs`).
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

mod approval_request;
mod fake_service;
mod host_page;
mod renderer;
mod replaced_property;
mod undone;
mod widget;

mod host {
    mod approvals;
    mod attributes;
    mod instances;
    mod requests;
    mod texts;
}

mod client {
    mod access;
    mod approval_lock;
    mod following;
    mod history;
    mod images;
    mod inbox;
    mod outbox;
    mod pages;
    mod pending_approvals;
    mod reads;
    mod repeating;
    mod requests;
    mod resuming;
    mod runtime;
    mod stalls;
    mod storage;
    mod storage_events;
    mod uploads;
}

mod components {
    mod announcements;
    mod answer;
    mod answering;
    mod approval;
    mod arguments;
    mod attachments;
    mod beforehand;
    mod bounds;
    mod conversation;
    mod definitions;
    mod edits;
    mod faults;
    mod feedback;
    mod grants;
    mod inbox;
    mod many;
    mod menu;
    mod message;
    mod pending_decision;
    mod pictures;
    mod scroll;
    mod seen;
    mod stability;
    mod suggestions;
    mod texts;
    mod threads;
    mod unread;
}

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
