//! The numbered cases of `EDGE_CASES.md`: each test's name begins with the number of its case.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    missing_docs,
    reason = "tests may fail loudly, and take literal JSON as it is written"
)]

mod approving;
mod asking;
mod attaching;
mod connection;
mod contributing;
mod doubts;
mod files;
mod finishing;
mod mirrored_streams;
mod queued;
mod approval_cache;
mod late;
mod listing;
mod long_arguments;
mod merging;
mod missing;
mod reading_position;
mod replay;
mod requests;
mod restoring;
mod sending;
mod settling;
mod streaming;
mod suggesting;
mod tabs;
mod host_events;
mod telling_page;
mod threads;
mod world;
