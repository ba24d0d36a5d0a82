//! A store that has a bad day: a person gets a sentence, an engineer the cause, and nobody a key.

use assent_service::{Error, store::UploadInfo};
use axum::http::Method;
use serde_json::Value;

use crate::{
    MB, PNG, UPLOADS,
    common::{Service, USER, until},
    server::{KEY_ID, Mood, SECRET, Server},
    service, upload, uploaded,
};

const ALWAYS: usize = usize::MAX;

/// Returns what the log says of an upload that fails.
async fn failure_of_upload(service: &Service, length: usize) -> String {
    let store = service.state.store();
    let stored = async {
        let mut file = store.begin_upload(USER, None).await?;
        file.write(vec![b'x'; length]).await?;
        let info = UploadInfo {
            name: String::new(),
            media_type: String::new(),
        };
        store.keep_upload(USER, file, info).await
    };
    let error = stored.await.unwrap_err();
    assert!(matches!(error, Error::FileStore { .. }), "{error:?}");
    let said = format!("{error} {error:?}");
    assert!(!said.contains(SECRET) && !said.contains(KEY_ID), "{said}");
    error.to_string()
}

fn is_for_people(failure: &Value) {
    let message = failure["message"].as_str().unwrap();
    assert_eq!(
        message,
        "Files cannot be stored or read at the moment. Try again in a moment."
    );
}

async fn nothing_is_left(service: &Service, server: &Server) {
    server.be_good();
    until(async || server.kept().is_empty() && server.parts() == 0).await;
    let rows = service.get(UPLOADS).await.json();
    assert_eq!(rows.as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn each_failure_is_a_sentence_for_the_person_and_a_cause_for_the_engineer() {
    let (service, server) = service().await;
    for (mood, cause) in [
        (Mood::Says(500, "InternalError"), "(InternalError)"),
        (Mood::Says(503, "SlowDown"), "asked too often"),
        (Mood::Says(403, "AccessDenied"), "the key may not do this"),
        (
            Mood::Says(403, "SignatureDoesNotMatch"),
            "the key is not accepted",
        ),
        (
            Mood::Says(403, "RequestTimeTooSkewed"),
            "the clock of this machine",
        ),
        (Mood::Says(404, "NoSuchBucket"), "there is no such bucket"),
        (
            Mood::Says(400, "AuthorizationHeaderMalformed"),
            "AWS_REGION",
        ),
        (Mood::Redirects(None), "AWS_REGION"),
        (
            Mood::Redirects(Some("http://127.0.0.1:1/elsewhere")),
            "AWS_REGION",
        ),
        (Mood::Hangs, "cannot be used"),
        (Mood::Sleeps, "does not answer in time"),
    ] {
        server.be(mood.clone(), Method::PUT, "", ALWAYS);
        let said = failure_of_upload(&service, 10).await;
        assert!(said.contains(cause), "{mood:?}: {said}");
        assert!(said.contains("s3://assent-files/of/users"), "{said}");
        assert!(server.be_good().len() <= 5, "no more than a few attempts");
    }
    server.be(Mood::Says(500, "InternalError"), Method::PUT, "", ALWAYS);
    is_for_people(&upload(&service, "x").await.failure(503));
    nothing_is_left(&service, &server).await;
}

#[tokio::test]
async fn a_bad_moment_is_nothing_that_a_person_sees() {
    let (service, server) = service().await;
    for mood in [
        Mood::Says(500, "InternalError"),
        Mood::Says(503, "SlowDown"),
        Mood::Says(429, "TooManyRequests"),
        Mood::Hangs,
    ] {
        server.be(mood.clone(), Method::PUT, "", 1);
        uploaded(&service, "x").await;
        server.be(mood, Method::POST, "uploads", 1);
        uploaded(&service, vec![b'x'; 6 * MB]).await;
    }
}

#[tokio::test]
async fn a_long_file_that_breaks_off_anywhere_leaves_nothing() {
    let (service, server) = service().await;
    let internal = Mood::Says(500, "InternalError");
    for (method, query) in [
        (Method::POST, "uploads"),
        (Method::PUT, "partNumber=1"),
        (Method::PUT, "partNumber=2"),
        (Method::POST, "uploadId"),
    ] {
        server.be(internal.clone(), method, query, ALWAYS);
        failure_of_upload(&service, 6 * MB).await;
        nothing_is_left(&service, &server).await;
    }
}

#[tokio::test]
async fn an_end_that_is_said_to_be_fine_and_is_not_is_a_failure() {
    let (service, server) = service().await;
    for code in ["InternalError", "SomethingElse"] {
        server.be(Mood::Says(200, code), Method::POST, "uploadId", ALWAYS);
        failure_of_upload(&service, 6 * MB).await;
        nothing_is_left(&service, &server).await;
    }
    // It was only this moment.
    server.be(Mood::Says(200, "SlowDown"), Method::POST, "uploadId", 1);
    uploaded(&service, vec![b'x'; 6 * MB]).await;
}

#[tokio::test]
async fn parts_are_given_up_even_if_that_takes_a_second_try() {
    let (service, server) = service().await;
    server.be(Mood::Says(503, "SlowDown"), Method::DELETE, "uploadId", 2);
    let store = service.state.store();
    let mut file = store.begin_upload(USER, None).await.unwrap();
    file.write(vec![b'x'; 6 * MB]).await.unwrap();
    assert_eq!(server.parts(), 1);
    drop(file);
    until(async || server.parts() == 0).await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_now_is_not_one_that_is_gone() {
    let (service, server) = service().await;
    let id = uploaded(&service, PNG).await;
    let path = format!("{UPLOADS}/{id}");
    for mood in [
        Mood::Says(500, "InternalError"),
        Mood::Says(403, "AccessDenied"),
        Mood::Says(404, "NoSuchBucket"),
        Mood::Truncates,
    ] {
        server.be(mood.clone(), Method::GET, "", ALWAYS);
        is_for_people(&service.get(&path).await.failure(503));
        let store = service.state.store();
        let read = store.read_upload(USER, &id, 100).await;
        assert!(matches!(read, Err(Error::FileStore { .. })), "{mood:?}");
        server.be_good();
    }
    std::fs::remove_file(server.files().join(&id)).unwrap();
    service.get(&path).await.failure(404);
    let store = service.state.store();
    let (_, content) = store.read_upload(USER, &id, 100).await.unwrap().unwrap();
    assert_eq!(content, None);
}

#[tokio::test]
async fn a_file_whose_removal_fails_is_not_the_users_any_more() {
    let (service, server) = service().await;
    let id = uploaded(&service, "x").await;
    server.be(Mood::Says(403, "AccessDenied"), Method::DELETE, "", ALWAYS);
    let path = format!("{UPLOADS}/{id}");
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(server.kept(), [id.as_str()]);
    service.get(&path).await.failure(404);
}
