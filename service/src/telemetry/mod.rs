//! What can be measured of the service: metrics, and spans with the names of their attributes.

mod ends;
pub mod metrics;
pub(crate) mod notices;
mod replicas;
pub mod spans;

pub(crate) use replicas::Taken;
