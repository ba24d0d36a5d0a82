//! The tools that a model may ask for.
//!
//! - [`offered`] – a tool as a function, and its name as one ([`function_name`]).
//! - [`own`] – tools of the agent itself.
//! - [`offer`] – which tools the model is offered.

pub(super) mod function_name;
pub(super) mod offer;
pub(super) mod offered;
pub(super) mod own;
