//! Values that were measured, in order.

use std::time::Duration;

pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the value below which this part of the sorted values lies.
pub(crate) fn at(values: &[f64], part: f64) -> f64 {
    let last = values.len().saturating_sub(1);
    let index = (last as f64 * part).round() as usize;
    values.get(index).copied().unwrap_or(f64::NAN)
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
