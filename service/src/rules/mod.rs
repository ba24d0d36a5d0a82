//! Rules without any I/O: the form of a posted message, the arguments of calls, the answers to a
//! question for approval, what was granted, the policy of an operator, the record of decisions as a
//! chain of hashes, and what became of a call.

pub mod approval;
pub(crate) mod arguments;
pub mod audit;
pub mod content;
pub mod execution;
pub mod grant;
pub(crate) mod policy;
