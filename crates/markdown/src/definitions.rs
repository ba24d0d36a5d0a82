//! Link reference definitions that are known.

use std::collections::HashMap;

use unicase::UniCase;

/// Addresses by label; labels are equal as CommonMark has it, without regard to case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions(HashMap<UniCase<String>, String>);

impl Definitions {
    pub(crate) fn get(&self, label: &str) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&key(label)).map(String::as_str)
    }
}

/// What labels are compared by. White space within them was made one space by the parser.
pub(crate) fn key(label: &str) -> UniCase<String> {
    UniCase::new(label.to_owned())
}
