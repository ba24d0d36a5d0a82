//! Generated values: timestamps and identifiers.

/// Returns the present time in the form `2026-01-31T12:00:00.000Z`.
pub(crate) fn now() -> String {
    format_time(jiff::Timestamp::now())
}

/// Returns a time in the form of [`now`].
pub(crate) fn format_time(time: jiff::Timestamp) -> String {
    format!("{time:.3}")
}

/// Returns a new random identifier.
pub(crate) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Returns the time since a moment that [`now`] wrote; zero for a text that is no time, and for a
/// moment that is still to come.
pub(crate) fn time_since(moment: &str) -> std::time::Duration {
    let since = moment.parse::<jiff::Timestamp>().map(|moment| {
        let since = jiff::Timestamp::now().duration_since(moment);
        since.try_into().unwrap_or_default()
    });
    since.unwrap_or_default()
}
