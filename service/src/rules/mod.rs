//! Rules without any I/O: the form of a posted message, the answers to a question for approval, what
//! was granted, the policy of an operator, and the record of decisions as a chain of hashes.

pub mod approval;
pub mod audit;
pub mod content;
pub mod grant;
pub(crate) mod policy;
pub(crate) mod shown;
