//! The habits of servers of models: what they take, what they refuse, and how they say things.
//!
//! - [`schema`] – the schema of a tool's arguments as all of them take it.
//! - [`call_ids`] – ids of calls that all of them take.

pub(super) mod call_ids;
pub(super) mod schema;
