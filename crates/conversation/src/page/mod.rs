//! The host page and what is outside of conversations: the page's requests, notices, unread
//! answers.

pub(crate) mod notices;
pub(crate) mod reports;
pub(crate) mod waiting;
