//! The probe of tests: it sees what is written and in which order, and lets it fail.

use std::{fmt, fs::File, io};

/// What tests put into a store to see what is written and in which order, and to let it fail.
pub trait Probe: fmt::Debug + Send + Sync {
    /// Runs before each statement; an error is that of the statement, which does not run.
    ///
    /// # Errors
    ///
    /// The error that the statement is to have.
    fn before_statement(&self) -> sqlx::Result<()> {
        Ok(())
    }

    /// Runs after each commit; an error is that of the commit, although it happened.
    ///
    /// # Errors
    ///
    /// The error that the commit is to have.
    fn after_commit(&self) -> sqlx::Result<()> {
        Ok(())
    }

    /// Runs after a file, or the names in a folder, were written to the disk; an error is that of
    /// writing, although it happened.
    ///
    /// # Errors
    ///
    /// The error that writing is to have.
    fn after_sync(&self, _: &File) -> io::Result<()> {
        Ok(())
    }
}
