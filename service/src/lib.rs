//! The session thread service: an HTTP/JSON interface for conversing with agents.
//!
//! - [`routes`] – the six endpoints and the extensions, [`auth`] – both headers, [`error`] – every failure as JSON.
//! - [`content`] and [`approval`] – what a posted message may say, strictly checked, without any I/O.
//! - [`agents`] – who answers: one trait, scenario files, an echo.
//! - [`run`] – an answer being written, a task apart from the connection; [`answer`] – what an agent writes to; [`stream`] – the connection's side of it.
//! - [`store`] – SQLite: threads, messages, approvals.
//! - `connection` – sockets that do not wait for ever for a reader.
//! - [`config`] – the command line; [`state`] – what all requests share; [`openapi`] – the interface description.

pub mod agents;
pub mod answer;
pub mod approval;
pub mod auth;
pub mod config;
mod connection;
pub mod content;
pub mod error;
pub mod openapi;
pub mod routes;
pub mod run;
pub mod serve;
pub mod state;
pub mod store;
pub mod stream;

pub use error::{Error, Result};
pub use routes::app;
pub use state::{AppState, Settings};
