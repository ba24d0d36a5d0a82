//! The probe of tests: it sees what is written and in which order, and lets it fail.

use std::fmt;

use crate::Result;

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

    /// Runs once a file of a user is at its place, and before its row is written; an error is that of
    /// the place, although it has the file.
    ///
    /// # Errors
    ///
    /// The error that keeping the file is to have.
    fn after_file(&self) -> Result<()> {
        Ok(())
    }
}
