//! Lists: pages of them, which are an extension (`pages`), and whole ones, which are sent a part at
//! a time so that neither all of a list nor a connection of the database is held while the client
//! reads.

use std::pin::Pin;

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{FromRequestParts, Query},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use futures_util::{Stream, StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use utoipa::IntoResponses;

use super::failure::{DescribedFailures, describe_failures};
use crate::{Error, Result};

/// The greatest number of entries of a page, and the number where a client gives a place and no
/// number.
const MAX_LIMIT: usize = 200;
pub(super) const DEFAULT_LIMIT: usize = 50;

#[derive(Deserialize)]
struct PageQuery {
    limit: Option<String>,
    before: Option<String>,
}

/// The page that a client asks for.
#[derive(Debug)]
pub(crate) struct PageOf<P> {
    /// The greatest number of entries of the page.
    pub(crate) limit: usize,
    /// The place before which the entries of the page are; `None` is the page of the newest
    /// entries.
    pub(crate) before: Option<P>,
}

/// A place in a list, as it is written in an address.
pub(crate) trait Cursor: Sized {
    /// Reads a place from its text in an address; `None` for a text that is no place.
    fn parse(text: &str) -> Option<Self>;

    /// Returns the text of the place for an address.
    fn write(&self) -> String;
}

/// The page that a client asks for, if it asks for one and not for the whole list.
#[derive(Debug)]
pub(crate) struct AskedPage<P>(pub(crate) Option<PageOf<P>>);

impl<P> IntoResponses for AskedPage<P> {
    fn responses() -> DescribedFailures {
        describe_failures([(
            StatusCode::BAD_REQUEST,
            "The user header has no plain id, or the page is none.",
        )])
    }
}

impl<P: Cursor, S: Send + Sync> FromRequestParts<S> for AskedPage<P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let bad = |reason: String| Error::BadRequest(reason);
        let Query(PageQuery { limit, before }) = Query::from_request_parts(parts, state)
            .await
            .map_err(|_| bad("The query cannot be read.".to_owned()))?;
        let limit = limit.map(|limit| {
            let limit = limit.parse().ok();
            limit
                .filter(|limit| (1..=MAX_LIMIT).contains(limit))
                .ok_or_else(|| bad(format!("limit must be a number from 1 to {MAX_LIMIT}.")))
        });
        let before = before.map(|before| {
            P::parse(&before)
                .ok_or_else(|| bad("before must be taken from the header Link of a page.".into()))
        });
        let (limit, before) = (limit.transpose()?, before.transpose()?);
        Ok(Self((limit.is_some() || before.is_some()).then(|| {
            PageOf {
                limit: limit.unwrap_or(DEFAULT_LIMIT),
                before,
            }
        })))
    }
}

/// Returns the number of a row that a text tells; `None` for anything but 1 to 18 digits, which
/// surely fit into the type.
pub(super) fn parse_row_number(text: &str) -> Option<i64> {
    let fits = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

/// Returns the response with a page, which names the addresses of the first page and of the
/// following one, if there is one. A client that sees the first address knows that a following page
/// would be named. Addresses are relative, so that they are right behind a proxy, too; `more` is
/// what else the query of each has, with an `&` in front.
pub(super) fn page<T: Serialize>(
    entries: &[T],
    limit: usize,
    next: Option<&impl Cursor>,
    more: &str,
) -> Response {
    let mut response = Json(entries).into_response();
    let next = next.map(|next| {
        let before = next.write();
        format!("<?limit={limit}&before={before}{more}>; rel=\"next\"")
    });
    let first = format!("<?limit={limit}{more}>; rel=\"first\"");
    for link in next.into_iter().chain([first]) {
        if let Ok(link) = HeaderValue::try_from(link) {
            response.headers_mut().append(header::LINK, link);
        }
    }
    response
}

/// Sends a whole list whose parts come one after another. After an error the array has no end, and
/// the connection is broken.
pub(super) fn list_response<T: Serialize + 'static>(
    parts: impl Stream<Item = Result<Vec<T>>> + Send + 'static,
) -> Response {
    let sending = ListSender {
        parts: Box::pin(parts),
        begun: false,
        ended: false,
    };
    let body = Body::from_stream(stream::try_unfold(sending, ListSender::next));
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], body).into_response()
}

/// A list while it is sent as one JSON array.
struct ListSender<S> {
    parts: Pin<Box<S>>,
    /// True once the array was opened.
    begun: bool,
    /// True once the array was closed.
    ended: bool,
}

impl<T: Serialize, S: Stream<Item = Result<Vec<T>>>> ListSender<S> {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        if self.ended {
            return Ok(None);
        }
        let mut text = String::new();
        match self.parts.next().await.transpose()? {
            Some(entries) => {
                for entry in &entries {
                    text.push(self.separator());
                    text.push_str(&serde_json::to_string(entry)?);
                }
            }
            None => {
                if !self.begun {
                    text.push('[');
                }
                text.push(']');
                self.ended = true;
            }
        }
        Ok(Some((text.into(), self)))
    }

    fn separator(&mut self) -> char {
        if std::mem::replace(&mut self.begun, true) {
            ','
        } else {
            '['
        }
    }
}
