//! References within a schema.

use serde_json::Value;

/// The outermost schema, in which references are looked up.
pub(super) struct Root<'a> {
    schema: &'a Value,
}

impl<'a> Root<'a> {
    pub(super) fn new(schema: &'a Value) -> Self {
        Self { schema }
    }

    /// Returns the target of the reference `to`; `None` if there is none, or if it is in another
    /// document, which is not fetched.
    pub(super) fn find(&self, to: &str) -> Option<&'a Value> {
        let pointer = to.strip_prefix('#')?;
        if let Some(found) = self.schema.pointer(pointer) {
            return Some(found);
        }
        // Both names of the place are in use, at times one of them for the other.
        let name = pointer
            .strip_prefix("/definitions/")
            .or_else(|| pointer.strip_prefix("/$defs/"))?;
        ["definitions", "$defs"]
            .iter()
            .find_map(|place| self.schema.pointer(&format!("/{place}/{name}")))
    }
}
