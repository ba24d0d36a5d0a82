//! The command line, and its conversion to settings.

mod oidc;
mod rates;

use std::{net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use axum::http::{HeaderName, HeaderValue, header};
use clap::Parser;
use tokio::sync::Semaphore;

use crate::{
    Error, Result,
    agents::MAX_PACE,
    operate::{
        address::{DatabaseAddress, FileAddress},
        command::CliCommand,
    },
    settings::key_file,
    settings::keys::{ApiKey, ApiKeys},
    settings::notify::NotifySettings,
    settings::{
        ConnectionLimits, MAX_UPLOAD_BYTES, NO_ORIGIN, Origins, PdfSettings, Settings, StoreLimits,
        USER_ID_HEADER, origin_fault,
    },
    store::Storage,
};

pub use oidc::OidcOptions;
pub use rates::RateOptions;

/// The longest timeout that can be set, in seconds: a day.
const MAX_TIMEOUT: u64 = 86_400;

const KEYS_VARIABLE: &str = "ASSENT_API_KEYS";

/// The session thread service: agents that answer over HTTP and ask before they act.
#[derive(Clone, Debug, Parser)]
#[command(name = "assent-service", version)]
pub struct Options {
    /// The command to run instead of serving.
    #[command(subcommand)]
    pub command: Option<CliCommand>,

    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787", value_parser = address)]
    pub listen: SocketAddr,

    /// Address and port of a listener of its own for the operator, which has `/metrics` and asks for
    /// no key.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub admin_listen: Option<SocketAddr>,

    /// Collector of traces that takes OTLP over HTTP; without this, OTEL_EXPORTER_OTLP_ENDPOINT in the
    /// environment names one.
    #[cfg(feature = "otel")]
    #[arg(long, value_name = "URL")]
    pub otlp_endpoint: Option<String>,

    /// Database: a SQLite file, which is created with its folder if missing, or
    /// postgres://USER@HOST/NAME. A password belongs into this environment variable, into
    /// PGPASSWORD, or into the password file of PostgreSQL.
    #[arg(long, value_name = "FILE|URL", default_value = "assent.sqlite")]
    #[arg(env = "ASSENT_DATABASE", hide_env_values = true)]
    pub database: DatabaseAddress,

    /// Place of the files that users send: a folder, file:///FOLDER or s3://BUCKET/PREFIX; without
    /// it, FILE.uploads beside the database file, or assent.uploads. Keys, region and endpoint of a
    /// bucket are AWS_… in the environment.
    #[arg(long, value_name = "DIR|URL")]
    pub uploads: Option<FileAddress>,

    /// Folder of further agents, one sub-folder each; one with the id of a shipped agent replaces
    /// it.
    #[arg(long, value_name = "DIR")]
    pub agents: Option<PathBuf>,

    /// File with the table `[notify]`: a webhook that is told of decisions that wait.
    #[arg(long, value_name = "FILE")]
    pub notify: Option<PathBuf>,

    /// API key that opens the service; may be repeated. The environment variable ASSENT_API_KEYS
    /// takes several, comma-separated.
    #[arg(long = "api-key", value_name = "KEY")]
    pub api_keys: Vec<ApiKey>,

    /// File with one API key a line; empty lines and lines that start with # are skipped.
    #[arg(long, value_name = "FILE")]
    pub api_key_file: Option<PathBuf>,

    /// An issuer of tokens.
    #[command(flatten)]
    pub oidc: OidcOptions,

    /// Origin whose pages may call the service: scheme, host and port without a path, or * for all;
    /// may be repeated.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub allow_origins: Vec<String>,

    /// Request header that these pages may send besides those of the interface, such as one of
    /// `requestHeaders`; may be repeated.
    #[arg(long = "allow-header", value_name = "NAME")]
    pub allow_headers: Vec<HeaderName>,

    /// Lets these pages send cookies, for `credentials="include"`; not with --allow-origin '*'.
    #[arg(long)]
    pub allow_credentials: bool,

    /// Name of the header that carries the user's id.
    #[arg(long, value_name = "NAME", default_value = USER_ID_HEADER)]
    pub user_id_header: String,

    /// Factor on the agents' pauses: 1 is pleasant to watch, 0 leaves them out.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub pace: f64,

    /// Longest file that is taken, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = MAX_UPLOAD_BYTES)]
    pub max_upload_bytes: usize,

    /// The most that all files of one user may take, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = StoreLimits::default().user_files)]
    pub max_user_upload_bytes: u64,

    /// The most text that is stored of one conversation, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = StoreLimits::default().thread_bytes)]
    pub max_thread_bytes: u64,

    /// Days after the last message of a conversation after which it is deleted with its files; 0 keeps
    /// them all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub keep_days: u32,

    /// Connections that may be open at the same time; a further one takes the place of the one that
    /// has waited longest for a request.
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().max_connections)]
    pub max_connections: usize,

    /// Seconds without the whole head of a request after which a connection is closed, when it is
    /// new and after an answer.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().header_timeout.as_secs())]
    pub header_timeout: u64,

    /// Seconds of silence in the body of a request after which it is refused.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().body_idle_timeout.as_secs())]
    pub body_idle_timeout: u64,

    /// Seconds that the whole body of a request may take.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().body_timeout.as_secs())]
    pub body_timeout: u64,

    /// Bytes of a request's body that have to come in a second, on average, once the seconds of
    /// --body-idle-timeout are over.
    #[arg(long, value_name = "BYTES", default_value_t = ConnectionLimits::default().body_rate)]
    pub body_rate: NonZeroU32,

    /// Bounds on what one user and one key may ask for.
    #[command(flatten)]
    pub rates: RateOptions,

    /// Seconds after which the other replicas on a PostgreSQL database go on with the answers of one
    /// that is not heard of any more.
    #[arg(long, value_name = "SECONDS", default_value_t = Settings::default().lease.as_secs())]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    pub lease: u64,

    /// Seconds from the order to stop until no new connection is taken; `/readyz` is 503 meanwhile, so
    /// that requests go to other replicas.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=600))]
    pub drain_delay: u64,

    /// Seconds that running answers may go on after the service was told to stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub shutdown_grace: u64,
}

impl Options {
    /// Returns the places where the service is to keep what it stores.
    ///
    /// # Errors
    ///
    /// [`Error::Option`].
    pub fn storage(&self) -> Result<Storage> {
        let mut storage = Storage::from(self.database.database("--database")?);
        if let Some(uploads) = &self.uploads {
            storage.uploads = uploads.place()?;
        }
        Ok(storage)
    }

    /// Returns the settings that these options stand for: reads the key file and the environment,
    /// and checks every value.
    ///
    /// # Errors
    ///
    /// A sentence that names the option and what to do about it.
    pub fn settings(&self) -> Result<Settings> {
        if !(0.0..=MAX_PACE).contains(&self.pace) {
            return Err(option_error(
                "--pace",
                "it must be a number from 0 to 1000.",
            ));
        }
        Ok(Settings {
            api_keys: self.keys(std::env::var(KEYS_VARIABLE).unwrap_or_default().as_str())?,
            user_id_header: user_id_header(&self.user_id_header)?,
            allowed_origins: self.origins()?,
            allowed_headers: self.allow_headers.clone(),
            allow_credentials: self.allow_credentials,
            pace: self.pace,
            upload_limit: self.max_upload_bytes,
            limits: StoreLimits {
                thread_bytes: self.max_thread_bytes,
                user_files: self.max_user_upload_bytes,
            },
            shutdown_grace: Duration::from_secs(self.shutdown_grace),
            lease: Duration::from_secs(self.lease),
            drain_delay: Duration::from_secs(self.drain_delay),
            connections: self.connection_limits()?,
            keep_days: NonZeroU32::new(self.keep_days),
            rates: self.rates.limits(),
            oidc: self.oidc.settings()?,
            notify: self
                .notify
                .as_deref()
                .map(NotifySettings::read)
                .transpose()?,
            pdf: std::env::current_exe().ok().map(PdfSettings::new),
            ..Settings::default()
        })
    }

    fn origins(&self) -> Result<Origins> {
        let origins = origins(&self.allow_origins)?;
        match (&origins, self.allow_credentials) {
            (Origins::Any, true) => Err(option_error(
                "--allow-credentials",
                "every page could act for its visitors; name the origins with --allow-origin.",
            )),
            _ => Ok(origins),
        }
    }

    fn connection_limits(&self) -> Result<ConnectionLimits> {
        for (name, value) in [
            ("--header-timeout", self.header_timeout),
            ("--body-idle-timeout", self.body_idle_timeout),
            ("--body-timeout", self.body_timeout),
        ] {
            if !(1..=MAX_TIMEOUT).contains(&value) {
                let reason = format!("it must be a number of seconds from 1 to {MAX_TIMEOUT}.");
                return Err(option_error(name, &reason));
            }
        }
        if !(1..=Semaphore::MAX_PERMITS).contains(&self.max_connections) {
            return Err(option_error("--max-connections", "it must be at least 1."));
        }
        Ok(ConnectionLimits {
            max_connections: self.max_connections,
            header_timeout: Duration::from_secs(self.header_timeout),
            body_idle_timeout: Duration::from_secs(self.body_idle_timeout),
            body_timeout: Duration::from_secs(self.body_timeout),
            body_rate: self.body_rate,
        })
    }

    fn keys(&self, environment: &str) -> Result<ApiKeys> {
        let mut keys: Vec<String> = self.api_keys.iter().map(|key| key.0.clone()).collect();
        if let Some(path) = &self.api_key_file {
            let text = key_file::read(path).map_err(|source| Error::File {
                path: path.clone(),
                source,
            })?;
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with('#'));
            keys.extend(lines.map(str::to_owned));
        }
        keys.extend(environment.split(',').map(str::to_owned));
        let keys = ApiKeys::new(keys);
        if keys.is_empty() && self.oidc.issuer.is_none() {
            return Err(Error::NoApiKey);
        }
        Ok(keys)
    }
}

/// Parses an address to listen on, given as a number: a name would stand for several addresses.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let port = text
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        let port: u16 = port.unwrap_or(8787);
        format!(
            "give the number of an address and a port: 127.0.0.1:{port} for this machine alone, \
             or 0.0.0.0:{port} for whoever reaches it"
        )
    })
}

fn origins(listed: &[String]) -> Result<Origins> {
    if listed.iter().any(|origin| origin == "*") {
        return Ok(Origins::Any);
    }
    let parsed = listed.iter().map(|origin| match origin_fault(origin) {
        Some(fault) => Err(option_error(
            "--allow-origin",
            &format!("{origin:?} {fault}"),
        )),
        None => HeaderValue::from_str(origin)
            .map_err(|_| option_error("--allow-origin", &format!("{origin:?} {NO_ORIGIN}"))),
    });
    Ok(Origins::Listed(parsed.collect::<Result<_>>()?))
}

fn user_id_header(name: &str) -> Result<HeaderName> {
    const OPTION: &str = "--user-id-header";
    let name =
        HeaderName::try_from(name).map_err(|_| option_error(OPTION, "it is not a header name."))?;
    let taken = [
        header::AUTHORIZATION,
        header::CONTENT_LENGTH,
        header::CONTENT_TYPE,
        header::HOST,
        header::ORIGIN,
    ];
    if taken.contains(&name) {
        return Err(option_error(
            OPTION,
            &format!("{name} has another meaning."),
        ));
    }
    Ok(name)
}

fn option_error(option: &'static str, reason: &str) -> Error {
    Error::Option {
        option,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests;
