//! The service from start to stop: opens the database, listens, and ends in bounded time.

use std::{future::Future, io, net::SocketAddr, path::PathBuf, time::Duration};

use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    AppState, Error, Result, agents::Agents, app, http::listener, http::routes::admin,
    operate::config::Options, operate::expiry, operate::notify, operate::replica,
    operate::retention, store::Store,
};

/// The time that connections have to close once all answers have ended; one that is open after this
/// has a client that does not read.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// The number of open files that are no connections of clients: the database, its log, uploads
/// being written.
const OTHER_OPEN_FILES: usize = 256;

/// Runs the service until it is told to stop (Ctrl-C or SIGTERM).
///
/// # Errors
///
/// Anything that prevents the start, as a sentence that says what to do.
pub async fn serve(options: Options) -> Result<()> {
    let mut settings = options.settings()?;
    let connections = &mut settings.connections.max_connections;
    *connections = allowed_connections(*connections);
    let stop = stop_signal().map_err(Error::Runtime)?;
    let agents = Agents::load(options.agents.as_deref())?;
    let store = Store::open(&options.storage()?).await?;
    let state = AppState::new(store, agents, settings);
    let listener = listen("--listen", options.listen).await?;
    let ended = CancellationToken::new();
    let _ended = ended.clone().drop_guard();
    if let Some(address) = options.admin_listen {
        let admin = serve_admin(
            listen("--admin-listen", address).await?,
            state.clone(),
            ended.clone(),
        );
        tokio::spawn(admin);
    }
    #[cfg(unix)]
    tokio::spawn(reload_when_told(state.clone(), options.agents, ended)?);
    serve_on(listener, state, stop).await
}

async fn listen(option: &'static str, address: SocketAddr) -> Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source| Error::Listen {
        option,
        address,
        source,
    })
}

/// Serves the operator's endpoints, such as the metrics, on a listener of their own.
async fn serve_admin(listener: TcpListener, state: AppState, stop: CancellationToken) {
    if let Ok(address) = listener.local_addr() {
        tracing::info!("metrics at http://{address}/metrics, for whoever reaches that address");
    }
    let app = admin::app(state.clone());
    listener::serve(listener, app, state.settings(), stop).await;
}

/// Returns a task that reads the agents anew at each SIGHUP; signals count from the moment of the
/// call. Agents that cannot be read leave everything as it is.
#[cfg(unix)]
fn reload_when_told(
    state: AppState,
    folder: Option<PathBuf>,
    stop: CancellationToken,
) -> Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut told = signal(SignalKind::hangup()).map_err(Error::Runtime)?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = told.recv() => {}
                () = stop.cancelled() => return,
            }
            let folder = folder.clone();
            let loading = tokio::task::spawn_blocking(move || Agents::load(folder.as_deref()));
            match loading.await.unwrap_or(Err(Error::Panicked)) {
                Ok(agents) => {
                    let ids = agents.ids().collect::<Vec<_>>().join(", ");
                    state.replace_agents(agents);
                    // Whoever reads this line finds the new ones.
                    tracing::info!("agents are read anew: {ids}");
                }
                Err(error) => tracing::error!("the agents stay as they were: {error}"),
            }
        }
    })
}

/// Returns the number of connections that the system has room for, at most `wanted`: each needs an
/// open file, and so do the database and uploads.
fn allowed_connections(wanted: usize) -> usize {
    let files = u64::try_from(wanted.saturating_add(OTHER_OPEN_FILES)).unwrap_or(u64::MAX);
    let files = rlimit::increase_nofile_limit(files).unwrap_or(files);
    let allowed = usize::try_from(files).unwrap_or(usize::MAX);
    let allowed = allowed.saturating_sub(OTHER_OPEN_FILES).max(1);
    if allowed < wanted {
        tracing::warn!("the system allows {files} open files, and so {allowed} connections");
    }
    allowed.min(wanted)
}

/// Serves on a listener until `stop` is done, then lets running answers end within the grace of the
/// settings.
///
/// # Errors
///
/// [`Error::Database`] if answers that a crash interrupted cannot be repaired.
pub async fn serve_on(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    replica::recover(&state).await?;
    let address = listener.local_addr().map_err(Error::Runtime)?;
    {
        let agents = state.agents();
        let agents: Vec<_> = agents.ids().collect();
        tracing::info!(
            "listening on http://{address}; agents: {}",
            agents.join(", ")
        );
    }

    let stopping = CancellationToken::new();
    if let Some(days) = state.settings().keep_days {
        let keeping = retention::delete_old_threads(days, state.clone());
        let stopped = stopping.clone();
        tokio::spawn(stopped.run_until_cancelled_owned(keeping));
    }
    let expiring = expiry::end_waiting(state.clone());
    let stopped = stopping.clone();
    tokio::spawn(stopped.run_until_cancelled_owned(expiring));
    let trimming = retention::trim_log(state.store().clone());
    let stopped = stopping.clone();
    tokio::spawn(stopped.run_until_cancelled_owned(trimming));
    let files = retention::remove_orphans(state.store().clone());
    let stopped = stopping.clone();
    tokio::spawn(stopped.run_until_cancelled_owned(files));
    if let Some(settings) = state.settings().notify.clone() {
        let notices = notify::send_notices(state.clone(), settings);
        let stopped = stopping.clone();
        tokio::spawn(stopped.run_until_cancelled_owned(notices));
    }
    let ended = CancellationToken::new();
    let living = tokio::spawn(
        ended
            .clone()
            .run_until_cancelled_owned(replica::live(state.clone())),
    );
    let (app, serving_state, stopped) = (app(state.clone()), state.clone(), stopping.clone());
    let serving = tokio::spawn(async move {
        listener::serve(listener, app, serving_state.settings(), stopped).await;
    });
    stop.await;
    tracing::info!("stopping");
    // Whoever spreads requests over replicas has this time to send them to the others.
    state.health().drain();
    if let Err(error) = state.store().drain().await {
        tracing::warn!(%error, "the others do not know that this replica stops");
    }
    sleep(state.settings().drain_delay).await;
    stopping.cancel();
    let answers = state.runs().count();
    if answers > 0 {
        tracing::info!(answers, "waiting for answers that are being written");
    }
    state.runs().finish(state.settings().shutdown_grace).await;
    let abort = serving.abort_handle();
    if timeout(SHUTDOWN_GRACE, serving).await.is_err() {
        abort.abort();
    }
    state.close_agents().await;
    // Up to here its answers were its own.
    ended.cancel();
    living.await.ok();
    state.store().close().await;
    Ok(())
}

/// Returns a future that is done when the service is told to stop; signals count from the moment of
/// the call.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns a future that is done when the service is told to stop; signals count from the moment of
/// the call.
#[cfg(windows)]
fn stop_signal() -> io::Result<impl Future<Output = ()> + Send> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
    })
}
