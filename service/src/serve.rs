//! The service from start to stop: opens the database, listens, and ends in bounded time.

use std::future::Future;

use tokio::net::TcpListener;

use crate::{
    AppState, Error, Result, agents::Agents, app, config::Options, run::INTERRUPTED, store::Store,
};

/// Runs the service until it is told to stop (Ctrl-C or SIGTERM).
///
/// # Errors
///
/// Whatever keeps it from starting, as a sentence that says what to do.
pub async fn serve(options: Options) -> Result<()> {
    let settings = options.settings()?;
    let agents = Agents::load(options.agents.as_deref())?;
    let store = Store::open(&options.database).await?;
    let state = AppState::new(store, agents, settings);
    let listener = TcpListener::bind(options.listen)
        .await
        .map_err(|source| Error::Listen {
            address: options.listen.to_string(),
            source,
        })?;
    serve_on(listener, state, told_to_stop()).await
}

/// Serves on a listener until `stop` is done, then lets running answers end within the grace of the settings.
///
/// # Errors
///
/// [`Error::Database`] if what a crash left behind cannot be put in order; [`Error::Runtime`] if accepting fails.
pub async fn serve_on(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let interrupted = state.store().recover(INTERRUPTED).await?;
    if interrupted > 0 {
        tracing::warn!(
            interrupted,
            "answers were cut off when the service last ended"
        );
    }
    let address = listener.local_addr().map_err(Error::Runtime)?;
    let agents: Vec<_> = state.agents().ids().collect();
    tracing::info!(
        "listening on http://{address}; agents: {}",
        agents.join(", ")
    );

    let (stopping, stopped) = tokio::sync::oneshot::channel::<()>();
    let signal = async move {
        stop.await;
        tracing::info!("stopping");
        drop(stopping);
    };
    let serving = tokio::spawn(
        axum::serve(listener, app(state.clone()))
            .with_graceful_shutdown(signal)
            .into_future(),
    );
    // The sender is dropped, never used: either way the channel says that it is time.
    let _: std::result::Result<(), _> = stopped.await;
    state.runs().finish(state.settings().shutdown_grace).await;
    // Answers have ended; what still holds a connection open is a reader that does not read.
    let last_words = std::time::Duration::from_secs(1);
    let abort = serving.abort_handle();
    match tokio::time::timeout(last_words, serving).await {
        Ok(ended) => {
            if let Ok(Err(error)) = ended {
                return Err(Error::Runtime(error));
            }
        }
        Err(_) => abort.abort(),
    }
    state.store().close().await;
    Ok(())
}

async fn told_to_stop() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "Ctrl-C cannot be listened for");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::error!(%error, "SIGTERM cannot be listened for");
                std::future::pending::<()>().await;
            }
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
