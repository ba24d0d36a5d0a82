//! The extension for files: storage, ids, owners, limits, and the files that a message may name.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use assent_service::{
    Settings, rules::content::UserContent, settings::StoreLimits, store::ValidPost,
};
use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::common::{
    self, Answer, Folder, KEY, Service, THREADS, USER, body, messages_of, request, service,
    service_in, service_with, settings, until,
};

const UPLOADS: &str = "/api/assistants/uploads";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

fn file(query: &str, user: &str, bytes: &[u8]) -> Request<Body> {
    let request = Request::post(format!("{UPLOADS}{query}"))
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", user)
        .header("content-type", "text/plain");
    request.body(Body::from(bytes.to_vec())).unwrap()
}

async fn upload(service: &Service, query: &str, bytes: &[u8]) -> Answer {
    service.send(file(query, USER, bytes)).await
}

async fn uploaded(service: &Service, field: &str, bytes: &[u8]) -> String {
    let answer = upload(service, "?name=a.txt", bytes).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let body = answer.json();
    assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
    body[field].as_str().unwrap().to_owned()
}

fn kept(service: &Service) -> Vec<String> {
    service.folder.kept()
}

/// Waits until there are no files, and none is being received.
async fn nothing_is_left(service: &Service) {
    until(async || kept(service).is_empty()).await;
}

fn naming(item: &Value) -> Value {
    body(&[json!({ "type": "text", "text": "look" }), item.clone()])
}

#[tokio::test]
async fn a_file_is_kept_beside_the_database_under_its_id() {
    let service = service().await;
    let id = uploaded(&service, "fileId", b"0123456789").await;
    assert_eq!(kept(&service), [id.as_str()]);
    let path = service.folder.uploads().join(&id);
    assert_eq!(fs::read(path).unwrap(), b"0123456789");
    assert_ne!(uploaded(&service, "fileId", b"0123456789").await, id);
}

#[tokio::test]
async fn images_are_told_from_documents_by_their_content() {
    let service = service().await;
    uploaded(&service, "imageId", PNG).await;
    uploaded(&service, "fileId", b"<svg/>").await;
}

#[tokio::test]
async fn a_name_is_never_a_path() {
    let service = service().await;
    for name in [
        "?name=..%2F..%2Fetc%2Fpasswd",
        "?name=%00",
        "?name=",
        "",
        "?x=y",
    ] {
        let answer = upload(&service, name, b"x").await;
        assert_eq!(
            answer.status,
            StatusCode::CREATED,
            "{name}: {}",
            answer.text
        );
    }
    let odd = kept(&service);
    assert!(
        odd.iter().all(|name| name.starts_with("upload-")),
        "{odd:?}"
    );
    upload(&service, "?name=a&name=b", b"x").await.failure(400);
}

#[tokio::test]
async fn what_is_too_long_or_empty_is_refused_and_not_kept() {
    let limited = Settings {
        upload_limit: 8,
        ..settings()
    };
    let service = service_with(limited, Vec::new()).await;
    let failure = upload(&service, "", b"123456789").await.failure(413);
    let message = failure["message"].as_str().unwrap();
    assert!(
        message.contains("This file is larger than 8 bytes."),
        "{message}"
    );
    upload(&service, "", b"").await.failure(400);
    nothing_is_left(&service).await;
    uploaded(&service, "fileId", b"12345678").await;
}

#[tokio::test]
async fn a_file_may_be_longer_than_any_other_body() {
    let service = service().await;
    let long = vec![b'x'; 10 * 1024 * 1024];
    uploaded(&service, "fileId", &long).await;
    upload(&service, "", &[&long[..], b"x"].concat())
        .await
        .failure(413);
}

#[tokio::test]
async fn a_file_needs_both_headers() {
    let service = service().await;
    for header in ["authorization", "x-service-user-id"] {
        let mut request = file("", USER, b"x");
        request.headers_mut().remove(header);
        service.send(request).await.failure(401);
    }
    nothing_is_left(&service).await;
}

#[tokio::test]
async fn a_message_names_the_users_own_uploads_only() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let id = uploaded(&service, "fileId", b"x").await;
    let own = json!({ "type": "document", "fileId": id });
    let events = service.stream(&thread, &naming(&own)).await;
    assert!(format!("{events:?}").contains(&id), "the agent is given it");

    let bob = service.send(file("", "bob", b"x")).await.json();
    let unknown = json!("upload-00000000-0000-0000-0000-000000000000");
    for id in [&bob["fileId"], &unknown] {
        for item in [
            json!({ "type": "document", "fileId": id }),
            json!({ "type": "image", "imageId": id }),
            json!({ "type": "image_url", "url": id }),
        ] {
            let answer = service.post(&messages_of(&thread), &naming(&item)).await;
            let failure = answer.failure(400);
            let message = failure["message"].as_str().unwrap();
            assert!(message.contains(id.as_str().unwrap()), "{message}");
        }
    }
    assert_eq!(
        service.messages(&thread).await.len(),
        2,
        "nothing more is stored"
    );
    let other = json!({ "type": "document", "fileId": "another-uploaders-7" });
    service.stream(&thread, &naming(&other)).await;
}

#[tokio::test]
async fn uploads_outlive_a_restart() {
    let folder = Folder::new();
    let before = service_in(folder.clone(), settings(), Vec::new()).await;
    let id = uploaded(&before, "fileId", b"x").await;
    before.state.store().close().await;
    drop(before);
    let service = service_in(folder, settings(), Vec::new()).await;
    let thread = service.thread("echo").await;
    let item = json!({ "type": "document", "fileId": id });
    service.stream(&thread, &naming(&item)).await;
}

#[tokio::test]
async fn a_file_that_cannot_be_kept_is_a_failure_and_leaves_nothing() {
    let service = service().await;
    service.state.store().close().await;
    upload(&service, "", b"x").await.failure(500);
    nothing_is_left(&service).await;

    let service = common::service().await;
    fs::write(service.folder.uploads(), "no folder").unwrap();
    let failure = upload(&service, "", b"x").await.failure(503);
    let message = failure["message"].as_str().unwrap();
    assert!(message.starts_with("Files cannot be stored"), "{message}");
}

#[tokio::test]
async fn the_address_answers_to_nothing_else() {
    let service = service().await;
    let replace = request(Method::PUT, UPLOADS, USER, None);
    service.send(replace).await.failure(405);
    let change = format!("{UPLOADS}/upload-1");
    let change = request(Method::PUT, &change, USER, None);
    service.send(change).await.failure(405);
}

#[tokio::test]
async fn a_file_is_written_as_it_comes_and_gone_if_it_does_not_come_to_its_end() {
    let service = service().await;
    let (pieces, receiver) = futures_channel();
    let request = Request::post(UPLOADS)
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", USER)
        .body(Body::from_stream(receiver))
        .unwrap();
    let folder = service.folder.uploads();
    let sending = {
        let service = service.clone();
        tokio::spawn(async move { service.send(request).await })
    };
    pieces.send(b"0123456789".to_vec()).await.unwrap();
    until(async || {
        let name = kept(&service).pop();
        // Nobody takes it for the file.
        name.is_some_and(|name| {
            assert!(name.ends_with("#1"), "{name}");
            fs::read(folder.join(name)).unwrap() == b"0123456789"
        })
    })
    .await;
    sending.abort();
    until(async || kept(&service).is_empty()).await;
}

/// A body in pieces that a test sends.
fn futures_channel() -> (
    tokio::sync::mpsc::Sender<Vec<u8>>,
    impl futures_util::Stream<Item = std::io::Result<Vec<u8>>>,
) {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    let stream = futures_util::stream::unfold(receiver, async |mut receiver| {
        let piece: Vec<u8> = receiver.recv().await?;
        Some((Ok(piece), receiver))
    });
    (sender, stream)
}

#[tokio::test]
async fn a_user_removes_own_files_and_no_others() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let id = uploaded(&service, "fileId", b"x").await;
    let image = uploaded(&service, "imageId", PNG).await;
    let path = format!("{UPLOADS}/{id}");
    let bob = request(axum::http::Method::DELETE, &path, "bob", None);
    service.send(bob).await.failure(404);
    assert_eq!(kept(&service).len(), 2);

    assert_eq!(service.delete(&path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(kept(&service), [image.as_str()]);
    service.delete(&path).await.failure(404);
    let item = json!({ "type": "document", "fileId": id });
    let answer = service.post(&messages_of(&thread), &naming(&item)).await;
    answer.failure(400);
    service
        .delete(&format!("{UPLOADS}/..%2Ftest.sqlite"))
        .await
        .failure(404);
}

#[tokio::test]
async fn the_files_of_a_user_have_a_limit_together() {
    let limits = StoreLimits {
        user_files: 10,
        ..StoreLimits::default()
    };
    let limited = Settings {
        limits,
        ..settings()
    };
    let service = service_with(limited, Vec::new()).await;
    let id = uploaded(&service, "fileId", b"123456").await;
    let failure = upload(&service, "", b"12345").await.failure(413);
    let message = failure["message"].as_str().unwrap();
    assert!(message.contains("may take 10 bytes"), "{message}");
    until(async || kept(&service) == [id.as_str()]).await;
    let bob = service.send(file("", "bob", b"12345")).await;
    assert_eq!(bob.status, StatusCode::CREATED, "{}", bob.text);

    service.delete(&format!("{UPLOADS}/{id}")).await;
    let both = tokio::join!(
        upload(&service, "", b"123456"),
        upload(&service, "", b"123456")
    );
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 413]);
    until(async || kept(&service).len() == 2).await;
}

/// A body that begins with these bytes and never ends.
fn endless(bytes: &'static [u8]) -> Request<Body> {
    let begins = futures_util::stream::iter([Ok::<_, std::convert::Infallible>(bytes)]);
    let body = Body::from_stream(begins.chain(futures_util::stream::pending()));
    file("", USER, b"").map(|_| body)
}

#[tokio::test]
async fn files_that_never_come_to_their_end_take_the_room_of_their_user_and_no_more() {
    let limits = StoreLimits {
        user_files: 10,
        ..StoreLimits::default()
    };
    let limited = Settings {
        limits,
        ..settings()
    };
    let service = service_with(limited, Vec::new()).await;
    let on_disk = || {
        let folder = service.folder.uploads();
        let files = fs::read_dir(folder).into_iter().flatten();
        files
            .filter_map(|it| it.ok()?.metadata().ok())
            .map(|it| it.len())
            .sum::<u64>()
    };
    let sending: Vec<_> = (0..2)
        .map(|_| tokio::spawn(service.app.clone().oneshot(endless(b"1234"))))
        .collect();
    until(async || on_disk() == 8).await;
    upload(&service, "", b"123").await.failure(413);
    assert_eq!(service.send(endless(b"123")).await.status, 413);
    until(async || on_disk() == 8).await;
    let bob = service.send(file("", "bob", b"12345")).await;
    assert_eq!(bob.status, StatusCode::CREATED);
    for sending in sending {
        sending.abort();
    }
    // Room that was not used is there again.
    until(async || on_disk() == 5).await;
    uploaded(&service, "fileId", b"0123456789").await;
}

/// Writes a file as somebody did some days ago.
fn write_old(path: &Path) {
    const AGE: Duration = Duration::from_hours(49);
    let file = fs::File::create(path).unwrap();
    file.set_modified(SystemTime::now() - AGE).unwrap();
}

/// Lets a database be older than all files.
async fn make_old(folder: &Folder) {
    let mut database = folder.connect().await;
    let older = "UPDATE _sqlx_migrations SET installed_on = '2020-01-01 00:00:00'";
    database.execute(older).await.unwrap();
    database.close().await;
}

#[tokio::test]
async fn files_that_no_row_names_are_removed_once_nobody_can_be_writing_them() {
    let service = service().await;
    let uploads = service.folder.uploads();
    let id = uploaded(&service, "fileId", b"x").await;
    make_old(&service.folder).await;
    for (name, is_old) in [
        ("upload-cut-short", true),
        ("upload-cut-short#1", true),
        ("upload-of-a-replica", false),
        ("upload-of-a-replica#1", false),
        ("notes of the operator", true),
    ] {
        if is_old {
            write_old(&uploads.join(name));
        } else {
            fs::write(uploads.join(name), "x").unwrap();
        }
    }
    service.state.store().remove_orphans().await.unwrap();
    let mut left = kept(&service);
    left.sort();
    let wanted = [
        "notes of the operator",
        &id,
        "upload-of-a-replica",
        "upload-of-a-replica#1",
    ];
    assert_eq!(left, wanted.map(str::to_owned));
}

#[tokio::test]
async fn files_of_another_database_are_never_removed() {
    let service = service().await;
    let uploads = service.folder.uploads();
    fs::create_dir(&uploads).unwrap();
    write_old(&uploads.join("upload-of-another-database"));
    // Neither by a database that is younger, also when it has files of its own…
    service.state.store().remove_orphans().await.unwrap();
    let id = uploaded(&service, "fileId", b"x").await;
    service.state.store().remove_orphans().await.unwrap();
    assert_eq!(kept(&service).len(), 2);
    // …nor by an older one that names none of them.
    make_old(&service.folder).await;
    service.delete(&format!("{UPLOADS}/{id}")).await;
    service.state.store().remove_orphans().await.unwrap();
    assert_eq!(kept(&service), ["upload-of-another-database"]);
}

#[tokio::test]
async fn files_are_listed_for_their_user_and_go_with_the_only_thread_that_names_them() {
    let service = service().await;
    let upload = async |name: &str| {
        let uploaded = service.upload(name, "text/plain", b"hello").await;
        uploaded["fileId"].as_str().unwrap().to_owned()
    };
    let (own, shared, unnamed) = (
        upload("own.txt").await,
        upload("shared.txt").await,
        upload("unnamed.txt").await,
    );
    let name = |ids: &[&String]| {
        let items: Vec<_> = ids
            .iter()
            .map(|id| json!({ "type": "document", "fileId": id }))
            .collect();
        body(&items)
    };
    let (first, second) = (service.thread("echo").await, service.thread("echo").await);
    service.stream(&first, &name(&[&own, &shared])).await;
    service.stream(&second, &name(&[&shared])).await;
    let listed = async |user: &str| -> Vec<String> {
        let list = request(Method::GET, "/api/assistants/uploads", user, None);
        let list = service.send(list).await.json();
        let names = list.as_array().unwrap().iter();
        let mut names: Vec<_> = names
            .map(|file| file["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let whole = service.get("/api/assistants/uploads").await.json();
    let file = whole
        .as_array()
        .unwrap()
        .iter()
        .find(|file| file["id"] == own)
        .unwrap();
    assert_eq!(
        (&file["mediaType"], &file["size"]),
        (&json!("text/plain"), &json!(5))
    );
    assert!(file["storedAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(listed("bob").await, [""; 0]);
    let on_disk = |id: &String| {
        service
            .folder
            .0
            .join("test.sqlite.uploads")
            .join(id)
            .exists()
    };
    let there = on_disk(&own);
    service.delete(&format!("{THREADS}/{first}")).await;
    assert_eq!(listed(USER).await, ["shared.txt", "unnamed.txt"]);
    assert!(there && !on_disk(&own) && on_disk(&shared));
    service.delete(&format!("{THREADS}/{second}")).await;
    assert_eq!(listed(USER).await, ["unnamed.txt"]);
    assert!(on_disk(&unnamed));
}

/// Returns the files of the first message that is stored in a thread.
async fn files_of_first(service: &Service, thread: &str) -> Value {
    service.messages(thread).await[0]["files"].take()
}

#[tokio::test]
async fn a_stored_message_names_its_files_beside_its_text() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let plan = service.upload("plan.txt", "text/plain", b"12345").await;
    let photo = service.upload("photo.png", "text/plain", PNG).await;
    let content = body(&[
        json!({ "type": "text", "text": "look" }),
        json!({ "type": "document", "fileId": plan["fileId"] }),
        json!({ "type": "image", "imageId": photo["imageId"] }),
        json!({ "type": "document", "fileId": "another-uploaders-7" }),
    ]);
    service.stream(&thread, &content).await;
    let stored = service.messages(&thread).await;
    let document = json!({
        "fileId": plan["fileId"], "name": "plan.txt", "mediaType": "text/plain", "size": 5,
    });
    let image = json!({
        "imageId": photo["imageId"], "name": "photo.png", "mediaType": "image/png",
        "size": PNG.len(),
    });
    assert_eq!(stored[0]["content"], "look");
    assert_eq!(stored[0]["files"], json!([document, image]));
    assert_eq!(stored[1].get("files"), None, "an agent sent none");
    let page = format!("{}?limit=2", messages_of(&thread));
    assert_eq!(service.get(&page).await.json()[0], stored[0]);
}

#[tokio::test]
async fn a_file_that_was_removed_is_no_longer_named() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let id = uploaded(&service, "fileId", b"x").await;
    let item = json!({ "type": "document", "fileId": id });
    service.stream(&thread, &naming(&item)).await;
    assert_eq!(files_of_first(&service, &thread).await[0]["fileId"], id);
    service.delete(&format!("{UPLOADS}/{id}")).await;
    assert_eq!(files_of_first(&service, &thread).await, Value::Null);
    assert_eq!(service.messages(&thread).await[0]["content"], "look");
}

#[tokio::test]
async fn a_file_of_another_user_is_never_named() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let bob = service.send(file("", "bob", b"x")).await.json();
    let content = UserContent {
        text: "look".to_owned(),
        documents: vec![bob["fileId"].as_str().unwrap().to_owned()],
        ..UserContent::default()
    };
    // Past the check of the route: the store itself keeps users apart.
    let post = ValidPost {
        thread: &common::key(&thread),
        handle: "@echo",
        content: &content,
        answer: &[],
        key: None,
        state: None,
        judge: &|_, _| None,
    };
    common::accept(service.state.store(), post).await;
    assert_eq!(files_of_first(&service, &thread).await, Value::Null);
}
