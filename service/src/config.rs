//! The command line, and how it becomes settings.

use std::{fs, net::SocketAddr, path::PathBuf, time::Duration};

use axum::http::{HeaderName, HeaderValue};
use clap::Parser;

use crate::{
    Error, Result, Settings,
    auth::{ApiKeys, USER_ID_HEADER},
    state::Origins,
};

const KEYS_VARIABLE: &str = "ASSENT_API_KEYS";

/// Largest factor on pauses, here and in agent files.
pub(crate) const SLOWEST: f64 = 1000.0;

/// The session thread service: agents that answer over HTTP and ask before they act.
#[derive(Clone, Debug, Parser)]
#[command(name = "assent-service", version)]
pub struct Options {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    pub listen: SocketAddr,

    /// SQLite file; it and its folder are created if missing.
    #[arg(long, value_name = "FILE", default_value = "assent.sqlite")]
    pub database: PathBuf,

    /// Folder of further agents, one sub-folder each; one with the id of a shipped agent replaces it.
    #[arg(long, value_name = "DIR")]
    pub agents: Option<PathBuf>,

    /// API key that opens the service; may be repeated. The environment variable ASSENT_API_KEYS takes several, comma-separated.
    #[arg(long = "api-key", value_name = "KEY")]
    pub api_keys: Vec<String>,

    /// File with one API key a line; empty lines and lines that start with # are skipped.
    #[arg(long, value_name = "FILE")]
    pub api_key_file: Option<PathBuf>,

    /// Origin whose pages may call the service: scheme, host and port without a path, or * for all; may be repeated.
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub allow_origins: Vec<String>,

    /// Name of the header that carries the user's id.
    #[arg(long, value_name = "NAME", default_value = USER_ID_HEADER)]
    pub user_id_header: String,

    /// Factor on the agents' pauses: 1 is pleasant to watch, 0 leaves them out.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub pace: f64,

    /// Seconds that running answers may go on after the service was told to stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub shutdown_grace: u64,
}

impl Options {
    /// Reads the key file and the environment, and checks every value.
    ///
    /// # Errors
    ///
    /// A sentence that names the option and what to do about it.
    pub fn settings(&self) -> Result<Settings> {
        if !(0.0..=SLOWEST).contains(&self.pace) {
            return Err(option("--pace", "it must be a number from 0 to 1000."));
        }
        let user_id_header = HeaderName::try_from(self.user_id_header.as_str())
            .map_err(|_| option("--user-id-header", "it is not a header name."))?;
        Ok(Settings {
            api_keys: self.keys(std::env::var(KEYS_VARIABLE).unwrap_or_default().as_str())?,
            user_id_header,
            allowed_origins: origins(&self.allow_origins)?,
            pace: self.pace,
            shutdown_grace: Duration::from_secs(self.shutdown_grace),
            ..Settings::default()
        })
    }

    fn keys(&self, environment: &str) -> Result<ApiKeys> {
        let mut keys = self.api_keys.clone();
        if let Some(path) = &self.api_key_file {
            let text = fs::read_to_string(path).map_err(|source| Error::File {
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
        if keys.is_empty() {
            return Err(Error::NoApiKey);
        }
        Ok(keys)
    }
}

fn origins(listed: &[String]) -> Result<Origins> {
    if listed.iter().any(|origin| origin == "*") {
        return Ok(Origins::Any);
    }
    let parsed = listed.iter().map(|origin| {
        let host = origin.split_once("://").map(|(_, host)| host);
        let plausible = host.is_some_and(|host| !host.is_empty() && !host.contains('/'));
        match HeaderValue::from_str(origin) {
            Ok(value) if plausible => Ok(value),
            _ => Err(option(
                "--allow-origin",
                "an origin is a scheme and a host without a path, such as https://shop.example, or *.",
            )),
        }
    });
    Ok(Origins::Listed(parsed.collect::<Result<_>>()?))
}

fn option(option: &'static str, reason: &str) -> Error {
    Error::Option {
        option,
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::Options;
    use crate::{Error, state::Origins};

    fn options(arguments: &[&str]) -> Options {
        Options::parse_from([&["assent-service"], arguments].concat())
    }

    #[test]
    fn without_any_key_the_sentence_says_what_to_do() {
        let error = options(&[]).keys("").unwrap_err();
        assert!(matches!(error, Error::NoApiKey));
        assert!(error.to_string().contains("--api-key"));
    }

    #[test]
    fn keys_come_from_option_file_and_environment_together() {
        let file = std::env::temp_dir().join(format!("assent-keys-{}", uuid::Uuid::new_v4()));
        std::fs::write(&file, "# comment\n\nfrom-file\n").unwrap();
        let path = file.to_str().unwrap();
        let keys = options(&["--api-key", "typed", "--api-key-file", path]).keys("one, two");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(format!("{:?}", keys.unwrap()), "ApiKeys(4 hidden)");
    }

    #[test]
    fn an_origin_with_a_path_is_refused() {
        let parse = |origin| super::origins(&[String::from(origin)]);
        assert!(parse("https://shop.example/").is_err());
        assert!(parse("shop.example").is_err());
        assert!(
            matches!(parse("http://127.0.0.1:8080"), Ok(Origins::Listed(list)) if list.len() == 1)
        );
        assert!(matches!(parse("*"), Ok(Origins::Any)));
    }

    #[test]
    fn a_pace_out_of_range_is_refused() {
        assert!(
            options(&["--pace=-1", "--api-key", "k"])
                .settings()
                .is_err()
        );
        assert!(
            options(&["--pace=NaN", "--api-key", "k"])
                .settings()
                .is_err()
        );
        assert!(options(&["--pace=0", "--api-key", "k"]).settings().is_ok());
    }
}
