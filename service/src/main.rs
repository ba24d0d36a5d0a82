//! The `assent-service` program: reads the command line, serves until it is told to stop.

use std::process::ExitCode;

use assent_service::{
    Error, Result,
    config::Options,
    documents::pdf_program::{self, PdfLimits},
    serve,
};
use clap::Parser as _;
use tracing_subscriber::{
    EnvFilter, filter::filter_fn, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

fn main() -> ExitCode {
    // Before anything else: this process has no use for options, a log or threads.
    let arguments = std::env::args_os().skip(1);
    if let Some(limits) = PdfLimits::read(arguments.map_while(|word| word.into_string().ok())) {
        return pdf_program::run(limits);
    }
    let options = Options::parse();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        // Without a reader of the log, reporting that would panic.
        .log_internal_errors(false);
    tracing_subscriber::registry()
        .with(filter)
        // It quotes what tool servers answer, which may be a key that they were sent.
        .with(filter_fn(|metadata| !metadata.target().starts_with("rmcp")))
        .with(lines)
        .init();
    let ended = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::Runtime)
        .and_then(|runtime| runtime.block_on(run(options)));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(mut options: Options) -> Result<()> {
    match options.command.take() {
        None => serve::serve(options).await,
        Some(command) => {
            command
                .run(&options.database, options.agents.as_deref())
                .await
        }
    }
}
