//! The addresses of a database and of a place for files on the command line.

use std::fmt;

use crate::{
    Error, Result,
    store::{Database, FilePlace},
};

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

/// The address of a place for files as it was typed. By mistake it may hold a key: no text shows it.
#[derive(Clone)]
pub struct FileAddress(String);

impl From<String> for FileAddress {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for FileAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FileAddress")
    }
}

impl FileAddress {
    /// Returns the place, with what the environment says of buckets.
    ///
    /// # Errors
    ///
    /// [`Error::Option`].
    pub fn place(&self) -> Result<FilePlace> {
        // What is no text is no setting of a bucket.
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        FilePlace::parse(&self.0, environment).map_err(|reason| Error::Option {
            option: "--uploads",
            reason,
        })
    }
}
