//! The numbered cases of `EDGE_CASES.md`: each test's name begins with the number of its case.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

mod approving;
mod finishing;
mod merging;
mod sending;
mod settling;
mod streaming;
mod threads;
mod world;
