//! The exporter of traces: the spans of [`crate::telemetry::spans`], and nothing else, sent to a collector by
//! OTLP over HTTP.
//!
//! Spans are queued and sent by a thread of their own. Nothing waits for it: where the collector is
//! away or slow, spans are lost. Without an address nothing is made and nothing is asked for.

use std::{env, time::Duration};

use futures_util::future::{BoxFuture, ready};
use opentelemetry::{KeyValue, trace::TracerProvider as _};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use reqwest::{Client, Url};
use tokio::runtime::{Builder, Runtime};
use tracing::Subscriber;
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, filter_fn},
    registry::LookupSpan,
};

use crate::{Error, Result, http_client::client_for, telemetry::spans::TARGET};

/// The time that the last spans have to be sent when the service ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// The time of one request, unless a variable sets another (OTLP, "Exporter configuration").
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

const NAME: &str = "assent-service";
const ENDPOINT_OPTION: &str = "--otlp-endpoint";
const ENDPOINT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const TIMEOUT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_TIMEOUT";
const TRACES_TIMEOUT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT";

/// The exporter of the program's spans. When it is dropped it sends those that are left, for at
/// most `FLUSH_TIMEOUT`.
#[derive(Debug)]
pub struct Exporter(SdkTracerProvider);

impl Exporter {
    /// Starts an exporter to a collector, below whose address `/v1/traces` is. Without `collector`
    /// the standard variables of the environment are read; `None` is returned if these name no
    /// address.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for an address or a variable that cannot be used, [`Error::Runtime`].
    pub fn start(collector: Option<&str>) -> Result<Option<Self>> {
        let Some(endpoint) = endpoint(collector)? else {
            return Ok(None);
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::new(&endpoint)?)
            .with_endpoint(endpoint.as_str())
            .build()
            .map_err(|error| option_error("OTEL_EXPORTER_OTLP_…", error.to_string()))?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource())
            .build();
        Ok(Some(Self(provider)))
    }

    /// Returns the layer that hands the service's spans to the exporter.
    #[must_use]
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer(NAME))
            .with_context_activation(false)
            // Of the service's own attributes only, and of no line of the log.
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(
                filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET)
                    .with_max_level_hint(LevelFilter::INFO),
            )
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_TIMEOUT) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// An HTTP client that sends requests from the exporter's thread, which has no runtime.
///
/// The blocking client of reqwest does the same, as another build of reqwest and of all that uses it.
#[derive(Debug)]
struct Sender {
    client: Client,
    runtime: Runtime,
}

impl Sender {
    fn new(collector: &Url) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let client = client_for(collector).timeout(timeout()).build();
        Ok(Self {
            client: client.map_err(|error| option_error(ENDPOINT_OPTION, error.to_string()))?,
            runtime: runtime.map_err(Error::Runtime)?,
        })
    }
}

impl HttpClient for Sender {
    fn send_bytes<'client, 'sent>(
        &'client self,
        request: Request<Bytes>,
    ) -> BoxFuture<'sent, std::result::Result<Response<Bytes>, HttpError>>
    where
        'client: 'sent,
        Self: 'sent,
    {
        Box::pin(ready(
            self.runtime.block_on(self.client.send_bytes(request)),
        ))
    }
}

/// Returns the address that traces are sent to; `None` if neither the option nor a variable names
/// one.
fn endpoint(collector: Option<&str>) -> Result<Option<Url>> {
    let below = |address: &str| format!("{}/v1/traces", address.trim_end_matches('/'));
    let (name, endpoint) = if let Some(collector) = collector {
        (ENDPOINT_OPTION, below(collector))
    } else if let Some(endpoint) = variable(TRACES_ENDPOINT_VARIABLE) {
        (TRACES_ENDPOINT_VARIABLE, endpoint)
    } else if let Some(collector) = variable(ENDPOINT_VARIABLE) {
        (ENDPOINT_VARIABLE, below(&collector))
    } else {
        return Ok(None);
    };
    let url = Url::parse(&endpoint).ok();
    let url = url.filter(|url| ["http", "https"].contains(&url.scheme()));
    if url.is_some() {
        return Ok(url);
    }
    let reason = "it must be an address such as http://127.0.0.1:4318.";
    Err(option_error(name, reason.to_owned()))
}

fn timeout() -> Duration {
    let milliseconds = variable(TRACES_TIMEOUT_VARIABLE).or_else(|| variable(TIMEOUT_VARIABLE));
    let milliseconds = milliseconds.and_then(|text| text.parse().ok());
    milliseconds.map_or(DEFAULT_TIMEOUT, Duration::from_millis)
}

/// Returns who sends the spans: the service, unless `OTEL_SERVICE_NAME` or
/// `OTEL_RESOURCE_ATTRIBUTES` say otherwise.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let named = Resource::builder().with_attribute(version.clone());
    let attributes = variable("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let has_name = variable("OTEL_SERVICE_NAME").is_some() || attributes.contains("service.name=");
    if has_name {
        named.build()
    } else {
        named.with_service_name(NAME).build()
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn option_error(option: &'static str, reason: String) -> Error {
    Error::Option { option, reason }
}
