//! The requests of the service's extensions, each made only where the service has named it.

use assent_conversation::{Failure, FailureKind};
use assent_protocol::{ThreadId, read_waiting};
use gloo_net::http::Request;
use js_sys::Promise;

use super::api::Api;
use super::call::{ApiRequest, IMAGE_TYPES};

/// The number of batches that are requested of those that wait: the most that a service returns at
/// once, and more than anybody lets wait.
const WAITING_COUNT: &str = "200";

impl Api {
    /// The extension `cancel`: ends the answer that is being written in a thread.
    pub(super) async fn cancel_answer(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = ApiRequest::new(Request::delete, thread_id.as_str(), "/answer");
        self.request_text(&call).await.map(drop)
    }

    /// The extension `inbox`: returns the threads with the agent in which tool runs wait for the
    /// user, newest first, each with the number of these; `None` if that could not be read.
    pub(super) async fn list_waiting(&self) -> Option<Vec<(ThreadId, usize)>> {
        let call = ApiRequest {
            of: "approvals",
            query: Some(("limit", WAITING_COUNT)),
            ..ApiRequest::new(Request::get, "", "")
        };
        let (_, body) = self.request_text(&call).await.ok()?;
        read_waiting(&body, &self.connection.agent)
    }

    /// The extension `grants`: ends the grant with this id, or returns the JSON text of the list of all
    /// that are in effect.
    pub(super) async fn grants(&self, ended: Option<&str>) -> Result<String, Failure> {
        let open = match ended {
            Some(_) => Request::delete,
            None => Request::get,
        };
        let call = ApiRequest {
            of: "grants",
            ..ApiRequest::new(open, ended.unwrap_or_default(), "")
        };
        self.request_text(&call).await.map(|(_, text)| text)
    }

    /// Requests an image that the service keeps, by an extension of the service. Returns a promise
    /// of a `Blob`.
    pub(super) async fn fetch_image(&self, id: &str) -> Result<Promise, Failure> {
        let call = ApiRequest {
            of: "uploads",
            accept: IMAGE_TYPES,
            ..ApiRequest::new(Request::get, id, "")
        };
        let response = self.send_for_success(&call).await?;
        let blob = response.blob();
        blob.map_err(|_| Failure::of(FailureKind::Unreachable))
    }
}
