//! The files of users in a bucket of S3, or of a service with its interface.

use std::{fmt, sync::Arc, time::Duration};

use jiff::SignedDuration;
use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    client::{HttpClient, HttpConnector},
    path::Path,
};
use reqwest::Url;

use super::fault;
use crate::{
    Error, Result,
    http_client::{client_for, is_loopback_url},
};

/// The time that a bucket may be silent, before its answer and in it. There is no limit for the whole:
/// a person may read an image slowly.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// A request that failed is sent a few times more, after growing pauses of random lengths: a store
/// that has a bad moment must not get all requests at once again, and a person waits for the end.
const RETRIES: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);

/// A bucket with its settings.
#[derive(Clone)]
pub struct Bucket {
    name: String,
    /// What the names of all files begin with.
    pub(super) prefix: Path,
    /// The variables that begin with `AWS_`, keys among them.
    settings: Vec<(String, String)>,
    /// True for a server of this machine, which needs no certificate.
    is_on_this_machine: bool,
}

impl fmt::Display for Bucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "s3://{}/{}", self.name, self.prefix)
    }
}

impl fmt::Debug for Bucket {
    /// Writes the address alone: the settings hold keys.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Bucket {
    /// Reads `BUCKET/PREFIX`.
    pub(super) fn parse(
        address: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> std::result::Result<Self, String> {
        let (name, prefix) = address.split_once('/').unwrap_or((address, ""));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(
                "a bucket's address is s3://BUCKET/PREFIX; its keys are AWS_ACCESS_KEY_ID and \
                 AWS_SECRET_ACCESS_KEY in the environment."
                    .to_owned(),
            );
        }
        let prefix = Path::parse(prefix.trim_end_matches('/'))
            .map_err(|_| "the prefix has letters that no name of a file has.".to_owned())?;
        let settings = environment
            .into_iter()
            .filter(|(name, value)| name.starts_with("AWS_") && !value.is_empty());
        let mut bucket = Self {
            name: name.to_owned(),
            prefix,
            settings: settings.collect(),
            is_on_this_machine: false,
        };
        bucket.check_endpoint()?;
        Ok(bucket)
    }

    /// Refuses an endpoint that keys and files would be sent to in the clear.
    fn check_endpoint(&mut self) -> std::result::Result<(), String> {
        let is_endpoint = |name: &str| name.starts_with("AWS_ENDPOINT");
        let allows = |(name, value): &(String, String)| {
            name == "AWS_ALLOW_HTTP" && ["1", "true"].contains(&value.as_str())
        };
        let is_allowed = self.settings.iter().any(allows);
        for (name, value) in &self.settings {
            if !is_endpoint(name) {
                continue;
            }
            let Ok(url) = Url::parse(value) else {
                return Err(format!("{name} is no address: give https://HOST."));
            };
            self.is_on_this_machine = is_loopback_url(&url);
            if url.scheme() != "https" && !self.is_on_this_machine && !is_allowed {
                return Err(format!(
                    "{name} does not begin with https://, so that files could be read on their \
                     way. Where the network is your own, set AWS_ALLOW_HTTP=true."
                ));
            }
        }
        Ok(())
    }
}

/// What requests to a bucket go through.
#[derive(Clone)]
pub(super) struct Client(Arc<dyn ObjectStore>);

impl fmt::Debug for Client {
    /// Writes nothing of it: it holds keys.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Client")
    }
}

impl Client {
    pub(super) fn new(bucket: &Bucket) -> Result<Self> {
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_read_timeout(READ_TIMEOUT);
        let mut builder = AmazonS3Builder::new().with_client_options(options);
        for (name, value) in &bucket.settings {
            // Other programs have variables of that form, too.
            if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                builder = builder.with_config(key, value);
            }
        }
        let retry = RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(100),
                max_backoff: Duration::from_secs(4),
                base: 3.0,
            },
            max_retries: RETRIES,
            retry_timeout: RETRY_TIMEOUT,
        };
        builder = builder
            .with_bucket_name(&bucket.name)
            .with_retry(retry)
            // Google and others do not have the request that deletes many.
            .with_disable_bulk_delete(true);
        if bucket.is_on_this_machine {
            builder = builder
                .with_allow_http(true)
                .with_http_connector(OwnMachine);
        }
        let client = builder.build().map_err(|error| Error::FileStore {
            place: bucket.to_string(),
            cause: fault::describe(&error),
        })?;
        Ok(Self(Arc::new(client)))
    }

    pub(super) fn objects(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.0)
    }
}

/// Makes the HTTP client for a server of this machine, for which no proxy is asked.
#[derive(Debug)]
struct OwnMachine;

impl HttpConnector for OwnMachine {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let failure = |source| object_store::Error::Generic {
            store: "S3",
            source,
        };
        let time = |key| -> Option<Duration> {
            let time: SignedDuration = options.get_config_value(&key)?.parse().ok()?;
            time.try_into().ok()
        };
        let url = Url::parse("http://localhost").map_err(|error| failure(error.into()))?;
        let mut client = client_for(&url);
        if let Some(time) = time(ClientConfigKey::Timeout) {
            client = client.timeout(time);
        }
        if let Some(time) = time(ClientConfigKey::ReadTimeout) {
            client = client.read_timeout(time);
        }
        if let Some(time) = time(ClientConfigKey::ConnectTimeout) {
            client = client.connect_timeout(time);
        }
        let client = client.build().map_err(|error| failure(error.into()))?;
        Ok(HttpClient::new(client))
    }
}
