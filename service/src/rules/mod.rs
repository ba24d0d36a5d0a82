//! Rules without any I/O: the form of a posted message, the answers to a question for approval, what
//! was granted, and the record of decisions as a chain of hashes.

pub mod approval;
pub mod audit;
pub mod content;
pub mod grant;
