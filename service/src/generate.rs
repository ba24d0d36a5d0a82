//! Generated values: timestamps and identifiers.

/// The time now as `2026-01-31T12:00:00.000Z`.
pub(crate) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// A new identifier.
pub(crate) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
