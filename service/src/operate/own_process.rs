//! Hides this process, which has keys in its environment and its memory, from tool servers, which
//! run as the same user.

use nix::{sys::prctl, unistd::Uid};

/// Keeps other processes of the user from reading the environment and the memory of this one, and
/// both out of core dumps (`PR_SET_DUMPABLE`). Programs that this process starts are not hidden.
pub fn hide() {
    #[cfg(target_os = "linux")]
    if let Err(error) = prctl::set_dumpable(false) {
        tracing::warn!(%error, "tool servers may read the keys of this process");
    }
}

/// Returns true if this process runs as root, from whom nothing can be hidden.
#[must_use]
pub fn is_root() -> bool {
    Uid::effective().is_root()
}
