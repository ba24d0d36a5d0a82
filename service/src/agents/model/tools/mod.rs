//! The tools that a model may ask for.
//!
//! - [`tool`] – a tool of a server, and its name as a function ([`function_name`]).
//! - [`own`] – tools of the agent itself.
//! - [`offer`] – which tools the model is offered.
//! - [`arguments`] – the arguments of a call.

pub(super) mod arguments;
pub(super) mod function_name;
pub(super) mod offer;
pub(super) mod own;
pub(super) mod tool;
