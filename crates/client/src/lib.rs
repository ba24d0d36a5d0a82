//! The client: everything that touches the network, the browser's storage and locks, or the clock.
//!
//! [`Runtime`] owns the conversation's state, feeds inputs to the core one at a time and carries
//! out its commands.
//! No component and no signal lives here; the widget's `src/store` and `src/components` show the
//! state.
#![cfg(target_arch = "wasm32")]

mod access;
mod api;
mod approval_lock;
mod body;
mod call;
mod clock;
mod connection;
mod drafts;
mod extension_calls;
mod extensions;
mod failure;
mod fetch;
mod headers;
mod history;
mod identity;
mod lock;
mod log_position;
mod outbox;
mod page;
mod pending_approvals;
mod presence;
mod records;
mod runtime;
mod setup;
mod storage;
mod storage_events;
mod stream;
mod uploads;
mod warning;

pub use connection::{Connection, Credentials};
pub use headers::{is_header_name, is_header_value};
pub use history::{HistoryModule, set_history};
pub use identity::load_or_create_user_id;
pub use page::Page;
pub use pending_approvals::PendingApprovals;
pub use runtime::{ChangeSink, FileTaker, FirstThread, Resolver, Runtime};
pub use storage::{KeyValueStore, ScopedStorage, StorageKind, browser_storage};
pub use warning::warn;
