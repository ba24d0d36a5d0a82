//! Endpoints 5 and 6: read the messages of a thread, and post one whose answer is streamed back.

use assent_protocol::StoredMessage;
use axum::{Json, extract::State};

use super::{
    extract::{Body, Id},
    threads::NO_AGENT,
};
use crate::{
    AppState, Error, Result,
    approval::read_answer,
    auth::Caller,
    content::read_post,
    run::{self, Job},
    store::Offer,
    stream::{Inlet, channel},
};

/// Endpoint 5.
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Id(thread_id): Id,
) -> Result<Json<Vec<StoredMessage>>> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    Ok(Json(state.store().messages(&thread.id).await?))
}

/// Endpoint 6.
pub(crate) async fn post(
    State(state): State<AppState>,
    caller: Caller,
    Id(thread_id): Id,
    body: Body,
) -> Result<Inlet> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let agent = state.agents().get(&thread.agent_id).ok_or(NO_AGENT)?;
    let post = read_post(&body.0)?;
    let answer = read_answer(&post.results).map_err(Error::RejectedApproval)?;
    // A task of its own: a client that goes away between acceptance and start must not leave the thread waiting.
    let accepting = tokio::spawn(async move {
        let offer = Offer {
            thread_id: &thread.id,
            handle: &agent.profile().handle,
            content: &post.content,
            answer: &answer,
        };
        let accepted = state.store().accept(offer).await?;
        let (outlet, inlet) = channel(state.settings());
        let job = Job {
            thread_id: thread.id,
            content: post.content,
            accepted,
        };
        run::start(&state, agent, job, outlet);
        Ok(inlet)
    });
    accepting.await.map_err(|_| Error::Panicked)?
}
