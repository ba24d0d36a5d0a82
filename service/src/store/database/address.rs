//! The address of a database, as an operator gives it.

use std::{fmt, path::PathBuf, str::FromStr};

use sqlx::postgres::PgConnectOptions;

use super::sqlite::path_beside;
use crate::store::files::FilePlace;

/// The places where a service keeps what it stores.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The database.
    pub database: Database,
    /// The place of the files that users send.
    pub uploads: FilePlace,
}

impl From<Database> for Storage {
    /// Returns the storage of a service whose operator names the database alone: the files are
    /// beside the database file, or in the folder that the service runs in.
    fn from(database: Database) -> Self {
        let uploads = match &database {
            Database::File(path) => path_beside(path, ".uploads"),
            Database::Server(_) => "assent.uploads".into(),
        };
        Self {
            database,
            uploads: FilePlace::Folder(uploads),
        }
    }
}

/// A database: a file of SQLite, or one on a server of PostgreSQL.
#[derive(Clone)]
pub enum Database {
    /// The path of a SQLite file.
    File(PathBuf),
    /// The options of a connection to PostgreSQL, with its password.
    Server(Box<PgConnectOptions>),
}

impl FromStr for Database {
    type Err = String;

    /// Reads `postgres://USER@HOST/NAME`, `sqlite:FILE` or the path of a file.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let options = text.parse().map_err(|error| match error {
                // Without the address: it holds a password.
                sqlx::Error::Configuration(error) => error.to_string(),
                _ => "it is no address of a PostgreSQL database".to_owned(),
            })?;
            return Ok(Self::Server(Box::new(options)));
        }
        let path = text.strip_prefix("sqlite:").unwrap_or(text);
        let path = if path.len() < text.len() {
            path.strip_prefix("//").unwrap_or(path)
        } else {
            path
        };
        match path.split_once("://") {
            Some((scheme, _)) => Err(format!(
                "{scheme}:// is no database that the service knows: give FILE, sqlite:FILE or \
                 postgres://USER@HOST/NAME"
            )),
            None if path.is_empty() => Err("it names no file".to_owned()),
            None => Ok(Self::File(path.into())),
        }
    }
}

impl fmt::Debug for Database {
    /// Writes the address without its password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for Database {
    /// Writes the address without its password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Server(options) => {
                let name = options.get_database().unwrap_or(options.get_username());
                match options.get_socket() {
                    Some(folder) => write!(formatter, "postgres:{name} at {}", folder.display()),
                    None => {
                        let (host, port) = (options.get_host(), options.get_port());
                        write!(formatter, "postgres://{host}:{port}/{name}")
                    }
                }
            }
        }
    }
}
