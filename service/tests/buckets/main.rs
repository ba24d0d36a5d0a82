//! Files of users in a bucket: what holds for those in a folder, and what a store does that has a bad
//! day.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

#[path = "../common/mod.rs"]
mod common;

mod bad_days;
mod files;
mod server;
mod starts;

use std::sync::Arc;

use assent_service::{
    Settings,
    store::{Storage, Store},
};
use axum::{body::Body, http::Request};

use common::{Answer, Folder, KEY, Service, USER, service_over, settings};
use server::Server;

const UPLOADS: &str = "/api/assistants/uploads";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
const MB: usize = 1024 * 1024;

/// Returns the storage of a service whose files are in a bucket.
fn storage(folder: &Folder, server: &Server) -> Storage {
    Storage {
        uploads: server.place(),
        ..folder.storage()
    }
}

async fn service_with(settings: Settings) -> (Service, Server) {
    let folder = Folder::new();
    let server = Server::start(folder.0.join("buckets")).await;
    let service = service_in(&folder, &server, settings).await;
    (service, server)
}

async fn service_in(folder: &Arc<Folder>, server: &Server, settings: Settings) -> Service {
    let store = Store::open(&storage(folder, server)).await.unwrap();
    service_over(store, Arc::clone(folder), settings, Vec::new())
}

async fn service() -> (Service, Server) {
    service_with(settings()).await
}

fn file(body: Body) -> Request<Body> {
    let request = Request::post(format!("{UPLOADS}?name=a.txt"))
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", USER)
        .header("content-type", "text/plain");
    request.body(body).unwrap()
}

async fn upload(service: &Service, bytes: impl Into<Body>) -> Answer {
    service.send(file(bytes.into())).await
}

/// Uploads a file and returns its id.
async fn uploaded(service: &Service, bytes: impl Into<Body>) -> String {
    let answer = upload(service, bytes).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let ids = answer.json();
    let id = ids["fileId"].as_str().or(ids["imageId"].as_str());
    id.unwrap().to_owned()
}
