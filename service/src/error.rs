//! Errors of the service.

use std::{error, io, net::SocketAddr, path::PathBuf};

use assent_protocol::BadPost;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// All failures: those of a request first, then those of the start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request cannot be understood or is not allowed now.
    #[error("{0}")]
    BadRequest(String),
    /// 400: the body is no JSON.
    #[error("The request body is not valid JSON.")]
    NotJson(#[source] serde_json::Error),
    /// 400: an answer to a batch is rejected, with one of the two shapes of the specification
    /// (Approval validation errors).
    #[error("the approval answer was rejected")]
    RejectedApproval(Box<BadPost>),
    /// 401: a header is missing or the key is unknown.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// 403: a page of another site let a browser send the request.
    #[error("Pages of this origin are not allowed to use the service.")]
    OtherSite,
    /// 403: the token and the user header do not name the same user.
    #[error("The token belongs to another user than the header names.")]
    OtherUser,
    /// 404: the agent, the thread or the address does not exist (for this user).
    #[error("{0}")]
    NotFound(&'static str),
    /// 405: the address exists, the method does not.
    #[error("This address does not answer to that method.")]
    MethodNotAllowed,
    /// 408: the body was not sent to its end in time.
    #[error("The request body was not sent in time.")]
    TooSlow,
    /// 409: the request does not fit the present state of what it is about.
    #[error("{0}")]
    Conflict(&'static str),
    /// 410: the log of an answer does not have what follows an event.
    #[error("What follows this event is not there any more: read the messages.")]
    Gone,
    /// 413: the body is longer than `limit` bytes.
    #[error(
        "This {what} is larger than {}.",
        format_size(u64::try_from(*limit).unwrap_or(u64::MAX))
    )]
    TooLarge {
        /// What the body is, in a word for people.
        what: &'static str,
        /// The greatest length of the body, in bytes.
        limit: usize,
    },
    /// 413: the files of a user would take more than `limit` bytes.
    #[error(
        "There is no room for this file: all your files together may take {}. \
         Remove files that are not needed any more, then send it again.",
        format_size(*limit)
    )]
    NoRoom {
        /// The greatest number of bytes of all files of a user.
        limit: u64,
    },
    /// 400: the text of a thread would take more than `limit` bytes.
    #[error(
        "This conversation is full: it can hold {} of text. \
         Start a new conversation to go on.",
        format_size(*limit)
    )]
    ThreadFull {
        /// The greatest number of bytes of the text of a thread.
        limit: u64,
    },
    /// 422: a post has the key of another one.
    #[error("This Idempotency-Key was used for another message: give each message its own.")]
    KeyReused,
    /// 429: a user or a key asks for too much in a short time.
    #[error("There were too many requests in a short time. Try again in {seconds} s.")]
    TooManyRequests {
        /// The time until a request is accepted again, in seconds.
        seconds: u64,
    },
    /// 429: `limit` requests of a user or with a key are being answered.
    #[error("{limit} of your requests are being answered already. Try again in a moment.")]
    TooManyOpen {
        /// The limit of requests at the same time.
        limit: usize,
    },
    /// 429: `limit` answers are being written for a user.
    #[error(
        "{limit} answers are being written for you already. \
         Wait until one of them is complete, then send again."
    )]
    TooManyAnswers {
        /// The limit of answers at the same time.
        limit: usize,
    },
    /// 429: as many answers are being written as may be, for all users together.
    #[error("So many people are asking at the moment that there is no room. Try again soon.")]
    Crowded,
    /// 503: another replica of the service goes on with the answer.
    #[error("Another replica of the service goes on with this answer.")]
    TakenOver,
    /// 503: the database cannot be written.
    #[error("The database cannot be written at the moment.")]
    NotReady,
    /// 503: others wrote the same rows each time that a transaction was tried.
    #[error("Too many write at the same moment. Try again soon.")]
    Busy,
    /// 503: the service is about to stop.
    #[error("The service is about to stop.")]
    Draining,
    /// 503: the keys of the issuer of tokens are not known.
    #[error(
        "Tokens cannot be checked at the moment, because their issuer does not answer. \
             Try again in a moment."
    )]
    IssuerUnreachable,
    /// 415: the body is not declared as JSON.
    #[error("The request body must be JSON: send the header Content-Type: application/json.")]
    UnsupportedMediaType,
    /// 503: files of users cannot be stored or read; and a place for them that does not work at the
    /// start.
    #[error("The files of users at {place} cannot be used: {cause}.")]
    FileStore {
        /// The folder or the bucket.
        place: String,
        /// The cause, without keys.
        cause: String,
    },
    /// 500: the database failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// 500: stored data cannot be read back.
    #[error("stored data cannot be read: {0}")]
    Stored(#[from] serde_json::Error),
    /// 500: the metrics cannot be written.
    #[error("the metrics cannot be written: {0}")]
    Metrics(#[from] std::fmt::Error),
    /// 500: code panicked while answering.
    #[error("a request handler panicked")]
    Panicked,

    /// The database file is of another version or damaged.
    #[error("The database cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database cannot be opened.
    #[error("The database {database} cannot be opened: {source}")]
    OpenDatabase {
        /// The path of the database file, or the server's address without its password.
        database: String,
        /// The cause.
        source: sqlx::Error,
    },
    /// The database file that a command is to read does not exist.
    #[error(
        "There is no database {database}. Name the file of the service with --database FILE, \
         before the command: assent-service --database FILE audit check."
    )]
    NoDatabase {
        /// The path of the database file.
        database: String,
    },
    /// The database that a command is to read has no tables yet.
    #[error(
        "The database {database} has no tables of the service: start the service with it once, or \
         run assent-service --database URL migrate."
    )]
    NoTables {
        /// The server's address without its password.
        database: String,
    },
    /// Another process uses the database.
    #[error(
        "The database {database} is in use by another assent-service. \
         Stop that one, or choose another one with --database."
    )]
    InUse {
        /// The path of the database file, or the server's address without its password.
        database: String,
    },
    /// No API key was given.
    #[error(
        "No API key is configured. Give at least one with --api-key KEY, --api-key-file FILE \
         or the environment variable ASSENT_API_KEYS, or an issuer of tokens with --oidc-issuer URL."
    )]
    NoApiKey,
    /// An option has a value that does not work.
    #[error("The option {option} cannot be used: {reason}")]
    Option {
        /// The name of the option, as it is typed.
        option: &'static str,
        /// The fault of the option's value.
        reason: String,
    },
    /// A file could not be read, or a folder not be made.
    #[error("{path} cannot be used: {source}")]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An agent's files do not describe an agent.
    #[error("The agent file {file} cannot be used: {reason}")]
    AgentFile {
        /// The name of the agent file.
        file: String,
        /// The fault in the file.
        reason: String,
    },
    /// The audit was tampered with.
    #[error("The audit is not whole: {0}.")]
    Audit(String),
    /// A database cannot be copied into another one.
    #[error("Nothing was copied: {0}")]
    CopyDatabases(String),
    /// A grant cannot be given or revoked.
    #[error("The grant cannot be changed: {0}.")]
    Grant(String),
    /// The check of agents found this number of faults, which were printed.
    #[error("Faults in the lines above: {0}.")]
    Checked(usize),
    /// The address cannot be listened on.
    #[error(
        "{address} cannot be listened on: {source}. Stop the program that uses this port, or choose \
         another one, such as {option} {}:0 for any that is free.",
        .address.ip()
    )]
    Listen {
        /// The option that gives the address.
        option: &'static str,
        /// The address to listen on.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
    /// The runtime could not be started.
    #[error("The service could not start: {0}")]
    Runtime(io::Error),
}

/// Returns the innermost cause of an error: what the system said.
pub(crate) fn cause(error: &(dyn error::Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// Returns a number of bytes for people, in the largest unit that says it in whole numbers.
pub(crate) fn format_size(bytes: u64) -> String {
    for (unit, length) in [("MB", 1024 * 1024), ("kB", 1024)] {
        if bytes >= length && bytes.is_multiple_of(length) {
            return format!("{} {unit}", bytes / length);
        }
    }
    format!("{bytes} bytes")
}

/// The message to a client for a file that cannot be stored or read.
pub(crate) const FILE_STORE_MESSAGE: &str =
    "Files cannot be stored or read at the moment. Try again in a moment.";

/// The message to a client for every failure that is the service's own fault.
pub(crate) const INTERNAL_ERROR_MESSAGE: &str =
    "The service had an internal problem. Please try again.";
