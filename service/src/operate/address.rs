//! The address of a database on the command line.

use std::fmt;

use crate::{Error, Result, store::Database};

/// The address of a database as it was typed. It may hold a password: no text shows it, not even that
/// about an address that cannot be read.
#[derive(Clone)]
pub struct DatabaseAddress(String);

impl From<String> for DatabaseAddress {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DatabaseAddress")
    }
}

impl DatabaseAddress {
    /// Returns the database. `option` is the name of the option that the address was given to.
    ///
    /// # Errors
    ///
    /// [`Error::Option`].
    pub fn database(&self, option: &'static str) -> Result<Database> {
        let database = self.0.parse();
        database.map_err(|reason| Error::Option { option, reason })
    }
}
