//! Failures of the database: statements that fail when a test wants it, and a lock that is held.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
};

use assent_service::store::Probe;

use super::{Folder, database::Raw};

/// The statements that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One.
    Single,
    /// One, and all after it.
    Lasting,
    /// One, whose row the database does not take.
    Refused,
    /// None, but a commit is said to have failed although it happened.
    Commit,
}

/// Lets the n-th statement (or commit) from now on fail.
#[derive(Debug)]
pub struct Faults {
    kind: Kind,
    left: AtomicI64,
    armed: AtomicBool,
    struck: AtomicBool,
}

impl Faults {
    pub fn new(kind: Kind) -> Arc<Self> {
        Arc::new(Self {
            kind,
            left: AtomicI64::new(0),
            armed: AtomicBool::new(false),
            struck: AtomicBool::new(false),
        })
    }

    /// Lets the `n`-th one from now on fail.
    pub fn arm(&self, n: i64) {
        self.left.store(n, Ordering::SeqCst);
        self.struck.store(false, Ordering::SeqCst);
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Ends the failures; returns true if there was one.
    pub fn disarm(&self) -> bool {
        self.armed.store(false, Ordering::SeqCst);
        self.struck()
    }

    pub fn struck(&self) -> bool {
        self.struck.load(Ordering::SeqCst)
    }

    fn pass(&self) -> sqlx::Result<()> {
        if !self.armed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let left = self.left.fetch_sub(1, Ordering::SeqCst) - 1;
        if left == 0 || (left < 0 && self.kind == Kind::Lasting) {
            self.struck.store(true, Ordering::SeqCst);
            return Err(match self.kind {
                Kind::Refused => sqlx::Error::Encode("a row that is refused".into()),
                _ => io::Error::other("a fault of this test").into(),
            });
        }
        Ok(())
    }
}

impl Probe for Faults {
    fn before_statement(&self) -> sqlx::Result<()> {
        if self.kind == Kind::Commit {
            return Ok(());
        }
        self.pass()
    }

    fn after_commit(&self) -> sqlx::Result<()> {
        if self.kind == Kind::Commit {
            return self.pass();
        }
        Ok(())
    }
}

/// The write lock of a database, held by somebody else.
pub struct Locked(Raw);

impl Locked {
    pub async fn take(folder: &Folder) -> Self {
        let mut connection = folder.connect().await;
        connection.lock().await;
        Self(connection)
    }

    pub async fn release(self) {
        self.0.close().await;
    }
}
