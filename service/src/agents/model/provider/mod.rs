//! The habits of servers of models: what they take, what they refuse, and how they say things.
//!
//! - [`habits`] – the habits of one server; [`presets`] – those of the well-known ones; [`lessons`] –
//!   what a refusal teaches; [`learned`] – what was learned of one server.
//! - [`schema`], [`call_ids`], [`roles`] – requests: schemas of arguments, ids of calls, and roles.
//! - [`kept`] – what a server gives with calls and wants to have back.
//! - [`content`], [`thinking`], [`ending`], [`reason`] – answers: what is said, what is thought, how
//!   it ended, and why it failed.

pub(super) mod call_ids;
pub(super) mod content;
pub(super) mod ending;
pub(super) mod habits;
pub(super) mod kept;
pub(super) mod learned;
pub(super) mod lessons;
pub(super) mod presets;
pub(super) mod reason;
pub(super) mod roles;
pub(super) mod schema;
pub(super) mod thinking;
