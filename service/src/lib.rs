//! The session thread service: an HTTP/JSON interface for conversing with agents.
//!
//! Its folders are storeys, from top to bottom:
//!
//! - [`operate`] – start and stop, the command line, and what else the program can do.
//! - [`http`] – sockets, authentication, limits, and the endpoints.
//! - [`answers`] – answers being written, and the connection's side of them.
//! - [`agents`] – the agents: one trait, scenario files, an echo, and those with a model; they know
//!   no HTTP, and of the store the handles that an answer gives them.
//! - [`store`] – SQLite: threads, messages, approvals; it knows no HTTP and no agents.
//! - [`rules`] – the form of a message, approvals, the policy, grants and the audit, without any I/O.
//! - [`documents`] – documents of users as text; a PDF is read in a process of its own.
//! - [`transcript`] – what an agent with a model has said and done, and its knowledge.
//! - [`settings`] – what the operator sets, keys, and faults of files. [`telemetry`] – metrics and spans.
//!
//! The files beside this one are values that all others share.
//! A module imports only from its own storey and from those below it, and never in a circle; two on
//! one line of this list do not know each other.

pub mod agents;
pub mod answers;
pub mod documents;
pub mod error;
mod generate;
pub mod http;
mod http_client;
pub mod operate;
pub mod profile;
pub mod rules;
pub mod sentence;
pub mod settings;
pub mod store;
pub mod telemetry;
pub mod transcript;

pub use error::{Error, Result};
pub use http::routes::app;
pub use http::state::AppState;
pub use settings::Settings;
