//! The log of a test. Each test has a thread of its own, and so has what it logs: this is for tests
//! whose runtime has no other thread.

use std::{cell::RefCell, io, sync::Once};

use tracing::Level;

thread_local! {
    static LOGGED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Writes to the log of the present thread.
struct OfThread;

impl io::Write for OfThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOGGED.with_borrow_mut(|log| log.push_str(&String::from_utf8_lossy(bytes)));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins to keep the log, from `INFO` on.
pub fn keep_log() {
    static ONCE: Once = Once::new();
    // For the whole program: with a subscriber of one thread, what another thread logs first at some
    // place decides that nobody wants to hear of that place.
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(Level::INFO)
            .with_ansi(false)
            .with_writer(|| OfThread)
            .init();
    });
}

/// Takes what was logged so far.
pub fn take_log() -> String {
    LOGGED.take()
}
