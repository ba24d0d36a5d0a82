//! This process, which has keys in its environment and its memory. Tool servers run as the same user.

use nix::{sys::prctl, unistd::Uid};

/// Keeps other processes of the user from reading the environment and the memory of this one, and
/// both out of core dumps (`PR_SET_DUMPABLE`). Programs that it starts are not concerned.
pub fn hide() {
    #[cfg(target_os = "linux")]
    if let Err(error) = prctl::set_dumpable(false) {
        tracing::warn!(%error, "tool servers may read the keys of this process");
    }
}

/// Returns true if it runs as root, whom nothing is hidden from.
#[must_use]
pub fn is_root() -> bool {
    Uid::effective().is_root()
}
