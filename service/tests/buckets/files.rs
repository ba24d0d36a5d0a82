//! What holds for files in a folder holds for those in a bucket.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use assent_service::{
    Settings,
    settings::StoreLimits,
    store::{self, Store},
};
use axum::body::Body;
use futures_util::{StreamExt as _, stream};
use serde_json::json;
use tower::ServiceExt as _;

use crate::{
    MB, PNG, UPLOADS,
    common::{Folder, THREADS, USER, body, database::TestDatabase, service_over, settings, until},
    file,
    server::Server,
    service, service_in, service_with, storage, upload, uploaded,
};

/// Returns bytes that are not all alike.
fn long(length: usize) -> Vec<u8> {
    (0..length)
        .map(|n| u8::try_from(n % 251).unwrap())
        .collect()
}

#[tokio::test]
async fn a_file_is_kept_under_its_id_and_outlives_a_restart() {
    let folder = Folder::new();
    let server = Server::start(folder.0.join("buckets")).await;
    let before = service_in(&folder, &server, settings()).await;
    let id = uploaded(&before, "0123456789").await;
    assert_eq!(server.kept(), [id.as_str()]);
    assert_eq!(fs::read(server.files().join(&id)).unwrap(), b"0123456789");
    before.state.store().close().await;
    drop(before);
    let service = service_in(&folder, &server, settings()).await;
    let thread = service.thread("echo").await;
    let item = json!({ "type": "document", "fileId": id });
    service.stream(&thread, &body(&[item])).await;
    assert!(!folder.uploads().exists(), "no folder is made");
}

#[tokio::test]
async fn a_long_file_comes_in_equal_parts_and_is_read_back_whole() {
    let limits = Settings {
        upload_limit: 20 * MB,
        ..settings()
    };
    let (service, server) = service_with(limits).await;
    let bytes = [PNG, &long(12 * MB)].concat();
    let id = uploaded(&service, bytes.clone()).await;
    assert!(fs::read(server.files().join(&id)).unwrap() == bytes);
    let sent = server.be_good();
    let parts = sent.iter().filter(|line| line.contains("partNumber="));
    assert_eq!(parts.count(), 3);
    assert_eq!(server.parts(), 0);

    let read = crate::common::request(
        axum::http::Method::GET,
        &format!("{UPLOADS}/{id}"),
        USER,
        None,
    );
    let read = service.app.clone().oneshot(read).await.unwrap();
    assert_eq!(read.headers()["content-type"], "image/png");
    let read = axum::body::to_bytes(read.into_body(), usize::MAX).await;
    assert!(read.unwrap() == bytes);
}

#[tokio::test]
async fn exactly_one_part_is_a_whole_file() {
    let (service, server) = service().await;
    for length in [5 * MB - 1, 5 * MB, 5 * MB + 1] {
        let bytes = long(length);
        let id = uploaded(&service, bytes.clone()).await;
        assert!(
            fs::read(server.files().join(&id)).unwrap() == bytes,
            "{length}"
        );
    }
}

#[tokio::test]
async fn what_does_not_come_to_its_end_or_is_too_long_leaves_nothing() {
    let limits = Settings {
        upload_limit: 7 * MB,
        limits: StoreLimits {
            user_files: 8 * MB as u64,
            ..StoreLimits::default()
        },
        ..settings()
    };
    let (service, server) = service_with(limits).await;
    let begins = stream::iter([Ok::<_, std::convert::Infallible>(long(6 * MB))]);
    let endless = Body::from_stream(begins.chain(stream::pending()));
    let sending = tokio::spawn(service.app.clone().oneshot(file(endless)));
    until(async || server.parts() == 1).await;
    assert_eq!(server.kept(), [""; 0], "nobody can read it");
    // What is on its way counts.
    upload(&service, long(3 * MB)).await.failure(413);
    sending.abort();
    until(async || server.parts() == 0).await;

    let pieces = (0..8).map(|_| Ok::<_, std::convert::Infallible>(long(MB)));
    let undeclared = Body::from_stream(stream::iter(pieces));
    upload(&service, undeclared).await.failure(413);
    until(async || server.parts() == 0).await;
    upload(&service, "").await.failure(400);
    assert_eq!(server.kept(), [""; 0]);
}

#[tokio::test]
async fn what_is_deleted_is_gone() {
    let (service, server) = service().await;
    let id = uploaded(&service, "x").await;
    let path = format!("{UPLOADS}/{id}");
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(server.kept(), [""; 0]);
    service.delete(&path).await.failure(404);

    let id = uploaded(&service, "x").await;
    let thread = service.thread("echo").await;
    let item = json!({ "type": "document", "fileId": id });
    service.stream(&thread, &body(&[item])).await;
    service.delete(&format!("{THREADS}/{thread}")).await;
    assert_eq!(server.kept(), [""; 0]);

    for _ in 0..20 {
        uploaded(&service, "x").await;
    }
    service.state.store().delete_user(USER).await.unwrap();
    assert_eq!(server.kept(), [""; 0]);
    let sent = server.be_good();
    // Google has no such request.
    assert!(
        !sent
            .iter()
            .any(|line| line.starts_with("POST") && line.contains("delete"))
    );
}

#[tokio::test]
async fn an_agent_reads_a_file_of_its_user() {
    let (service, _server) = service().await;
    let id = uploaded(&service, "the words of the file").await;
    let store = service.state.store();
    let read = store.read_upload(USER, &id, 100).await.unwrap().unwrap();
    assert_eq!(read.1.unwrap(), b"the words of the file");
    let (_, content) = store.read_upload(USER, &id, 3).await.unwrap().unwrap();
    assert_eq!(content, None);
    assert!(store.read_upload("bob", &id, 100).await.unwrap().is_none());
}

#[tokio::test]
async fn files_that_no_row_names_are_removed_once_nobody_can_be_writing_them() {
    const AGE: Duration = Duration::from_hours(49);
    let (service, server) = service().await;
    let id = uploaded(&service, "x").await;
    let write = |name: &str, is_old: bool| {
        let path = server.files().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(path).unwrap();
        if is_old {
            file.set_modified(SystemTime::now() - AGE).unwrap();
        }
    };
    write("upload-of-another-database", true);
    service.state.store().remove_orphans().await.unwrap();
    assert_eq!(server.kept().len(), 2, "it is older than the database");

    let mut database = service.folder.connect().await;
    let older = "UPDATE _sqlx_migrations SET installed_on = '2020-01-01 00:00:00'";
    database.execute(older).await.unwrap();
    write("upload-of-a-replica", false);
    write("else/upload-of-others", true);
    // More than one list has.
    for number in 0..1_100 {
        write(&format!("upload-cut-short-{number}"), true);
    }
    service.state.store().remove_orphans().await.unwrap();
    let mut left = server.kept();
    left.sort();
    assert_eq!(left, ["else", id.as_str(), "upload-of-a-replica"]);
}

#[tokio::test]
async fn a_first_start_with_an_empty_database_removes_nothing() {
    let (service, server) = service().await;
    let mut database = service.folder.connect().await;
    let older = "UPDATE _sqlx_migrations SET installed_on = '2020-01-01 00:00:00'";
    database.execute(older).await.unwrap();
    fs::create_dir_all(server.files()).unwrap();
    let file = fs::File::create(server.files().join("upload-of-another")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_hours(49))
        .unwrap();
    service.state.store().remove_orphans().await.unwrap();
    assert_eq!(server.kept(), ["upload-of-another"]);
}

#[tokio::test]
async fn files_are_copied_into_a_bucket_with_their_rows() {
    let file = Folder::with(TestDatabase::File);
    let source = Store::open(&file.storage()).await.unwrap();
    let before = service_over(source, file.clone(), settings(), Vec::new());
    let bytes = long(6 * MB);
    let id = uploaded(&before, bytes.clone()).await;
    let gone = uploaded(&before, "x").await;
    fs::remove_file(file.uploads().join(gone)).unwrap();
    before.state.store().close().await;
    drop(before);

    let target = Folder::with(TestDatabase::postgres(""));
    let server = Server::start(target.0.join("buckets")).await;
    let storage = storage(&target, &server);
    let copied = store::copy(&file.storage(), &storage).await.unwrap();
    assert_eq!((copied.files, copied.missing), (1, 1));
    assert!(fs::read(server.files().join(&id)).unwrap() == bytes);
    let after = Store::open(&storage).await.unwrap();
    let read = after.read_upload(USER, &id, u64::MAX).await.unwrap();
    assert!(read.unwrap().1.unwrap() == bytes);
    after.close().await;
}
