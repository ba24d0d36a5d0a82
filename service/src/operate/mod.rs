//! What the operator starts and asks for: the program's options, its start and end, and the commands
//! beside serving.

mod address;
pub mod command;
pub mod config;
pub mod expiry;
mod notify;
#[cfg(feature = "otel")]
pub mod otel;
#[cfg(unix)]
pub mod own_process;
mod replica;
mod retention;
pub mod serve;
