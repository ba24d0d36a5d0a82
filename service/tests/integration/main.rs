//! The service as a client meets it, and as an operator starts it. These tests are one program:
//! linking the service takes longer than most of them. The programs beside this one need a feature,
//! take numbers of runs from `cargo xtask`, or have modules of their own.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

#[path = "../common/mod.rs"]
mod common;

mod agent_files;
mod any_body;
mod any_decisions;
mod approval_errors;
mod approval_scenarios;
mod approvals;
mod audit_export;
mod batch_rules;
mod cancel;
mod claims;
mod connections;
mod decisions;
mod deploy;
mod edits;
mod endings;
mod event_types;
mod executions;
mod expiry;
mod grants;
mod handed_on;
mod haproxy;
mod inbox;
mod long_threads;
mod messages;
mod metrics;
mod mistakes;
mod model_agents;
mod notify;
mod oidc;
mod openapi;
mod origins;
mod pages;
mod parallel_calls;
mod presets;
mod private_files;
mod program;
mod providers;
mod proxies;
mod rates;
mod readme;
mod reload;
mod repeated_posts;
mod requests;
mod restart;
mod resume;
mod rude_lists;
mod rude_results;
mod rude_servers;
mod rude_tools;
mod signatures;
mod slow_starts;
mod streams;
mod threads;
mod titles;
mod tool_choice;
mod tool_images;
mod tool_sessions;
mod unread_bodies;
mod upgrade;
mod uploads;
mod words;
mod write_faults;
