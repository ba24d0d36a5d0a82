//! The `assent-service` program: reads the command line, serves until it is told to stop.

use std::{io::IsTerminal as _, process::ExitCode};

#[cfg(feature = "otel")]
use assent_service::operate::otel::Exporter;
use assent_service::{
    Error, Result,
    documents::pdf_program::{self, PdfLimits},
    operate::config::Options,
    operate::serve,
    telemetry::spans::TARGET,
};
use clap::Parser as _;
use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt as _, dynamic_filter_fn},
    fmt,
    layer::SubscriberExt as _,
    registry::LookupSpan,
    util::SubscriberInitExt as _,
};

/// Targets that the log leaves out: the first two quote what tool servers and collectors answer,
/// which may be a key that they were sent, and spans are for traces.
const UNLOGGED_TARGETS: [&str; 3] = ["rmcp", "opentelemetry-otlp", TARGET];

fn main() -> ExitCode {
    // Before anything else: this process has no use for options, a log or threads.
    let arguments = std::env::args_os().skip(1);
    if let Some(limits) =
        PdfLimits::from_arguments(arguments.map_while(|word| word.into_string().ok()))
    {
        return pdf_program::run(limits);
    }
    match start(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the log, the exporter of traces and the runtime, and ends them in reverse order.
fn start(options: Options) -> Result<()> {
    let subscriber = tracing_subscriber::registry().with(log());
    #[cfg(feature = "otel")]
    let exporter = match options.command {
        None => Exporter::start(options.otlp_endpoint.as_deref()),
        Some(_) => Ok(None),
    };
    #[cfg(feature = "otel")]
    let subscriber = {
        let exporter = exporter.as_ref().ok().and_then(Option::as_ref);
        subscriber.with(exporter.map(Exporter::layer))
    };
    subscriber.init();
    #[cfg(unix)]
    hide_keys(&options);
    #[cfg(feature = "otel")]
    let _exporter = exporter?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    runtime.block_on(run(options))
}

/// Hides this process from the tool servers that it starts, as far as that is possible.
#[cfg(unix)]
fn hide_keys(options: &Options) {
    use assent_service::operate::own_process;
    own_process::hide();
    if options.command.is_none() && options.agents.is_some() && own_process::is_root() {
        tracing::warn!(
            "this service runs as root, and so do the tool servers that it starts: they can read \
             its keys and everything else; let it run as a user of its own"
        );
    }
}

/// Returns the layer that writes the log to the standard error output.
fn log<S>() -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    // Asked anew at each event. The answer of a `filter_fn` is kept, and then the event after a mere
    // look whether another one is on gets lost; sqlx looks after each statement
    // (https://github.com/tokio-rs/tracing/issues/2519).
    let shown = dynamic_filter_fn(|metadata, _| {
        let target = metadata.target();
        !UNLOGGED_TARGETS
            .iter()
            .any(|hidden| target.starts_with(hidden))
    });
    fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(has_colours())
        // Without a reader of the log, reporting that would panic.
        .log_internal_errors(false)
        .with_filter(filter.and(shown))
}

/// Returns true if the log is read on a terminal, by somebody who did not refuse colours
/// (<https://no-color.org>).
fn has_colours() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !refused
}

async fn run(mut options: Options) -> Result<()> {
    match options.command.take() {
        None => serve::serve(options).await,
        Some(command) => {
            command
                .run(&options.storage()?, options.agents.as_deref())
                .await
        }
    }
}
