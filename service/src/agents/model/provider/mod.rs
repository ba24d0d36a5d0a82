//! Servers of models: the connection to one, its answer, and the habits of servers: what they take,
//! what they refuse, and how they say things.
//!
//! - [`client`], [`endpoint`] – the models, and the connection to one of them; [`model_error`] – its
//!   failures.
//! - [`reply`], [`completion`] – the answer while it comes, put together from its pieces.
//! - [`object`], [`object_reader`] – a question to the model beside the conversation, answered by one
//!   JSON object.
//! - [`habits`] – the habits of one server; [`presets`] – those of the well-known ones; [`lessons`] –
//!   what a refusal teaches; [`learned`] – what was learned of one server.
//! - [`schema`], [`call_ids`], [`roles`] – requests: schemas of arguments, ids of calls, and roles.
//! - [`kept`] – what a server gives with calls and wants to have back.
//! - [`content`], [`thinking`], [`ending`], [`reason`] – answers: what is said, what is thought, how
//!   it ended, and why it failed.

pub(super) mod call_ids;
pub(super) mod client;
pub(super) mod completion;
pub(super) mod content;
pub(super) mod ending;
pub(super) mod endpoint;
pub(super) mod habits;
pub(super) mod kept;
pub(super) mod learned;
pub(super) mod lessons;
pub(super) mod model_error;
pub(super) mod object;
pub(super) mod object_reader;
pub(super) mod presets;
pub(super) mod reason;
pub(super) mod reply;
pub(super) mod roles;
pub(super) mod schema;
#[cfg(test)]
pub(super) mod test_server;
pub(super) mod thinking;
