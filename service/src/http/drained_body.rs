//! Bodies that a response did not need: read behind it, within the time that any body may take.
//!
//! hyper closes a connection whose body is not read. A proxy that has written the head alone by then
//! sends its next request into the closed connection and tells the visitor 502, and a browser that
//! still sends a long file never learns why it was refused. nginx calls the cure a lingering close.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use axum::{
    Error,
    body::{Body, Bytes, HttpBody},
    http::{Request, header},
};
use hyper::body::{Frame, SizeHint};

use crate::{http::routes, settings::ConnectionLimits};

/// The body of a request, which its handler reads first; the service reads what is left.
#[derive(Clone)]
pub(crate) struct UnreadBody(Arc<Mutex<Body>>);

impl UnreadBody {
    /// Gives the handler the body of a request in a form that it can leave unread; returns that
    /// request, and the same body for [`Self::drain`]. The body is `None` where the request has
    /// none, and where the client sends it only if it is told to continue.
    pub(crate) fn lend(request: Request<Body>) -> (Request<Body>, Option<Self>) {
        if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
            return (request, None);
        }
        let (parts, body) = request.into_parts();
        let unread = Self(Arc::new(Mutex::new(body)));
        let lent = Body::new(unread.clone());
        (Request::from_parts(parts, lent), Some(unread))
    }

    /// Reads what the handler has left of the body, and discards that.
    pub(crate) async fn drain(self, limits: ConnectionLimits) {
        routes::discard(Body::new(self), &limits).await;
    }

    fn lock(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for UnreadBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut *self.lock()).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().size_hint()
    }
}
