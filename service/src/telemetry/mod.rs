//! What can be measured of the service: metrics, and spans with the names of their attributes.

pub mod metrics;
pub mod spans;
