//! The session thread service: an HTTP/JSON interface for conversing with agents.
//!
//! - [`serve`] – start and stop; [`config`] – the command line, [`command`] – what else it can do; `connections` – the sockets of all
//!   clients, with bounds; `connection` – one that does not wait for ever for its client; `unread` –
//!   bodies that nobody needed; `otel` – the exporter of traces (feature `otel`).
//! - [`routes`] – HTTP: the six endpoints and the extensions, authentication, every failure as
//!   JSON, the interface description.
//! - [`state`] – what all requests share.
//! - [`run`] – an answer being written, a task apart from the connection; [`answer`] – the writer
//!   that an agent is given; [`cancellation`] – its early end; [`stream`] – the connection's side
//!   of it.
//! - `titles` – titles that agents make of conversations.
//! - `current_agents` – the agents of the moment, which can be replaced.
//! - `oidc` – tokens of an issuer: whose they are.
//! - `rates` – how much a user and a key may ask for.
//! - [`agents`] – the agents: one trait, scenario files, an echo; they know no HTTP and no
//!   database.
//! - `own_process` – what other processes can read of this one.
//! - [`documents`] – documents of users as text; a PDF is read in a process of its own.
//! - [`store`] – SQLite: threads, messages, approvals; it knows no HTTP and no agents.
//! - [`content`] and [`approval`] – the form of a posted message, strictly checked, without any
//!   I/O.
//! - [`audit`] – the record of decisions about tools, as a chain of hashes.
//! - [`settings`], [`keys`], [`metrics`], [`profile`], [`grant`], [`transcript`], [`knowledge`],
//!   [`error`], [`sentence`], [`spans`], `html`, `media`, `http_client` and `generate` – values that the
//!   others share.
//!
//! A module imports only from its own line of this list and from lines below it, and never in a
//! circle.

pub mod agents;
pub mod answer;
pub mod approval;
pub mod audit;
pub mod cancellation;
pub mod command;
pub mod config;
mod connection;
mod connections;
pub mod content;
mod current_agents;
pub mod documents;
pub mod error;
mod generate;
pub mod grant;
mod html;
mod http_client;
mod key_file;
pub mod keys;
pub mod knowledge;
mod media;
pub mod metrics;
mod oidc;
#[cfg(feature = "otel")]
pub mod otel;
#[cfg(unix)]
pub mod own_process;
pub mod profile;
mod rates;
mod retention;
pub mod routes;
pub mod run;
pub mod sentence;
pub mod serve;
pub mod settings;
pub mod spans;
pub mod state;
pub mod store;
pub mod stream;
mod titles;
pub mod transcript;
mod turns;
mod unread;

pub use error::{Error, Result};
pub use routes::app;
pub use settings::Settings;
pub use state::AppState;
