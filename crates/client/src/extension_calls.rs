//! The requests of the service's extensions, each made only where the service has named it.

use assent_conversation::{Failure, FailureKind};
use assent_protocol::{ThreadId, read_waiting};
use gloo_net::http::{Request, RequestBuilder};
use js_sys::Promise;

use super::Connection;
use super::api::Api;
use super::call::{ApiRequest, IMAGE_TYPES};

/// The name under which the service has what waits for the user.
const WAITING: &str = "approvals";

/// The number of batches that are requested of those that wait: the most that a service returns at
/// once, and more than anybody lets wait.
const WAITING_COUNT: &str = "200";

/// What components read themselves.
pub(super) enum WantedBody {
    /// The image with this id, which the service keeps.
    Image(String),
    /// The text about what has this id, under this name; without an id it is a list. True if it is
    /// to be ended instead.
    Text(&'static str, String, bool),
}

impl Api {
    /// The extension `cancel`: ends the answer that is being written in a thread.
    pub(super) async fn cancel_answer(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = ApiRequest::new(Request::delete, thread_id.as_str(), "/answer");
        self.request_text(&call).await.map(drop)
    }

    /// The extension `inbox`: returns the threads in which tool runs wait for the user, newest first,
    /// each with the number of these; `None` if that could not be read.
    pub(super) async fn list_waiting(&self) -> Option<Vec<(ThreadId, usize)>> {
        let call = ApiRequest {
            of: WAITING,
            query: Some(("limit", WAITING_COUNT)),
            ..ApiRequest::new(Request::get, "", "")
        };
        let (_, body) = self.request_text(&call).await.ok()?;
        let Connection {
            agent, every_agent, ..
        } = &self.connection;
        read_waiting(&body, Some(agent).filter(|_| !every_agent))
    }

    /// Requests what components read themselves, and returns the promise of its body: a `Blob` of an
    /// image, or a text.
    pub(super) async fn fetch_body(&self, wanted: &WantedBody) -> Result<Promise, Failure> {
        let (open, of, id): (fn(&str) -> RequestBuilder, _, _) = match wanted {
            WantedBody::Image(id) => (Request::get, "uploads", id.as_str()),
            WantedBody::Text(of, id, false) => (Request::get, *of, id.as_str()),
            WantedBody::Text(of, id, true) => (Request::delete, *of, id.as_str()),
        };
        let mut call = ApiRequest::new(open, id, "");
        call.of = of;
        if of == WAITING {
            call.query = Some(("limit", WAITING_COUNT));
        }
        let is_image = matches!(wanted, WantedBody::Image(_));
        if is_image {
            call.accept = IMAGE_TYPES;
        }
        let response = self.send_for_success(&call).await?;
        let body = match is_image {
            true => response.blob(),
            false => response.text(),
        };
        body.map_err(|_| Failure::of(FailureKind::Unreachable))
    }
}
