//! HTTP: sockets with bounds, authentication, limits, the six endpoints and the extensions, every
//! failure as JSON, and the interface description.

mod bounded_socket;
mod drained_body;
pub(crate) mod listener;
pub(crate) mod oidc;
pub mod routes;
pub mod state;
