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

mod approval_cache;
mod approving;
mod asking;
mod attaching;
mod cancelling;
mod connection;
mod contributing;
mod covered;
mod doubts;
mod extensions;
mod files;
mod finishing;
mod following;
mod held_open;
mod host_events;
mod inbox;
mod known_arguments;
mod late;
mod late_streams;
mod latest_first;
mod listing;
mod long_arguments;
mod merging;
mod mirrored_streams;
mod missing;
mod page_requests;
mod queued;
mod reading_position;
mod repeating;
mod replay;
mod requests;
mod restoring;
mod sending;
mod settling;
mod streaming;
mod suggesting;
mod tabs;
mod threads;
mod tool_images;
mod world;
