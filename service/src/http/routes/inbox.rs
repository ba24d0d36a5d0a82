//! The extension `inbox`: what waits for a decision of the user, over all threads and agents.

use assent_protocol::{Timestamp, WaitingBatch, WaitingTool};
use axum::{
    extract::{FromRequestParts, Query, State},
    http::request::Parts,
    response::Response,
};
use serde::Deserialize;

use super::{
    auth::Caller,
    pages::{self, AskedPage, Cursor, DEFAULT_LIMIT, PageOf},
    threads::parse_time,
};
use crate::{
    AppState, Error, Result,
    store::{InboxPosition, Waiting},
};

/// True if a client asks for the arguments of tools, too.
#[derive(Debug)]
pub(crate) struct WithArguments(bool);

#[derive(Deserialize)]
struct ArgumentsQuery {
    arguments: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for WithArguments {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Query(ArgumentsQuery { arguments }) = Query::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::BadRequest("The query cannot be read.".to_owned()))?;
        match arguments.as_deref() {
            Some("true") => Ok(Self(true)),
            None | Some("false") => Ok(Self(false)),
            Some(_) => Err(Error::BadRequest(
                "arguments must be true or false.".to_owned(),
            )),
        }
    }
}

/// List what waits for a decision of the user, over all threads and agents, newest first.
#[utoipa::path(
    get,
    path = "/api/assistants/approvals",
    operation_id = "listWaitingApprovals",
    tag = "inbox",
    params(
        (
            "limit" = Option<u8>,
            Query,
            minimum = 1,
            maximum = 200,
            description = "At most so many batches; 50 without it.",
        ),
        (
            "before" = Option<String>,
            Query,
            pattern = "^[0-9TZ:.-]{1,30},[0-9]{1,18},[0-9]{1,18}$",
            description = "Those after a place that a page has named.",
        ),
        (
            "arguments" = Option<bool>,
            Query,
            description = "Whether the arguments of tools are told.",
        ),
    ),
    responses(
        Caller,
        AskedPage<InboxPosition>,
        (
            status = 200,
            description = "A page of the batches that wait.",
            body = Vec<WaitingBatch>,
            headers(("Link" = String, description = "The newest page as `first`, and the following one as `next`.")),
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    AskedPage(asked): AskedPage<InboxPosition>,
    WithArguments(with_arguments): WithArguments,
) -> Result<Response> {
    let newest = PageOf {
        limit: DEFAULT_LIMIT,
        before: None,
    };
    let PageOf { limit, before } = asked.unwrap_or(newest);
    let store = state.store();
    let page = store.inbox(&caller.user_id, before.as_ref(), limit).await?;
    let waiting = page.waiting.into_iter();
    let batches: Vec<WaitingBatch> = waiting
        .map(|waiting| batch(waiting, with_arguments))
        .collect::<Result<_>>()?;
    let more = if with_arguments {
        "&arguments=true"
    } else {
        ""
    };
    Ok(pages::page(&batches, limit, page.next.as_ref(), more))
}

fn batch(waiting: Waiting, with_arguments: bool) -> Result<WaitingBatch> {
    let requests = waiting.requests()?;
    // A batch ends as one.
    let expires_at = requests.first().and_then(|first| first.expires_at.clone());
    let requests = requests.into_iter();
    Ok(WaitingBatch {
        tools: requests
            .map(|request| WaitingTool::of(request, with_arguments))
            .collect(),
        tool_execution_batch_id: waiting.batch_id.as_str().into(),
        thread_id: waiting.thread_id.as_str().into(),
        thread_name: waiting.thread_name,
        agent_id: waiting.agent_id.as_str().into(),
        agent_name: waiting.agent_name,
        agent_handle: waiting.agent_handle,
        requested_at: Timestamp(waiting.position.asked_at),
        expires_at,
    })
}

impl Cursor for InboxPosition {
    fn parse(text: &str) -> Option<Self> {
        let (time, numbers) = text.split_once(',')?;
        let (thread_number, number) = numbers.split_once(',')?;
        Some(Self {
            asked_at: parse_time(time)?,
            thread_number: pages::parse_row_number(thread_number)?,
            number: pages::parse_row_number(number)?,
        })
    }

    fn write(&self) -> String {
        format!("{},{},{}", self.asked_at, self.thread_number, self.number)
    }
}
