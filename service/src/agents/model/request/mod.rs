//! Requests to a model: the transcript, what of it has room, and files.
//!
//! - [`wire`], [`dialect`], [`entries`] – the request as it is written; [`notes`] – what the model
//!   reads of the orchestration.
//! - [`context`] – what of a conversation has room; [`estimate`] – tokens, where a server does not tell
//!   them.
//! - [`images`], [`documents`] – files of the person.
//! - [`schema_tools`] – tools for models that can call none.

pub(super) mod context;
pub(super) mod dialect;
pub(super) mod documents;
pub(super) mod entries;
pub(super) mod estimate;
pub(super) mod images;
pub(super) mod notes;
pub(super) mod schema_tools;
pub(super) mod wire;
