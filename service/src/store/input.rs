//! The input that an answer was begun with, as it is kept for the case of a crash.

use serde::{Deserialize, Serialize};

use crate::rules::content::UserContent;

/// The input of an answer.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredInput {
    pub(super) content: UserContent,
    /// The ids of the memories of the questions that were decided; empty for a plain message.
    pub(super) memories: Vec<String>,
}
