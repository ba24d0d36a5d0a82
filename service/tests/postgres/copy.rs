//! A SQLite database is copied into PostgreSQL, and the service goes on there.

use std::{
    process::{Command, Output},
    sync::Arc,
};

use assent_service::{Settings, store::Store};
use serde_json::json;

use crate::common::{
    Folder, Service, THREADS, body, database::TestDatabase, decided, requests, service_in, settings,
};

fn copy(from: &Folder, to: &Folder) -> Output {
    let [_, target, _, uploads] = to.storage_options();
    Command::new(env!("CARGO_BIN_EXE_assent-service"))
        .args(["copy", "--from", &from.database().display().to_string()])
        .args(["--to", &target, "--uploads", &uploads])
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8([out.as_slice(), err].concat()).unwrap()
}

async fn service(folder: &Arc<Folder>) -> Service {
    service_in(Arc::clone(folder), Settings { ..settings() }, Vec::new()).await
}

#[tokio::test]
async fn everything_is_there_after_a_copy_and_goes_on() {
    let file = Folder::with(TestDatabase::File);
    let server = Folder::with(TestDatabase::postgres(""));
    let before = service(&file).await;
    let plain = before.thread("demo").await;
    before.say(&plain, "zero\0 and more").await;
    let waiting = before.thread("demo").await;
    let asked = requests(&before.say(&waiting, "approve twice").await);
    let upload = before.upload("a.txt", "text/plain", b"some words").await["fileId"].clone();
    let upload = upload.as_str().unwrap();
    let list = before.get(&format!("{THREADS}/demo")).await.json();
    let messages = before.messages(&waiting).await;
    before.state.store().close().await;
    drop(before);

    let copied = copy(&file, &server);
    assert!(copied.status.success(), "{}", said(&copied));
    assert!(
        said(&copied).contains("1 files; 0 files were missing"),
        "{}",
        said(&copied)
    );

    let after = service(&server).await;
    let text = |value: &serde_json::Value| value.to_string().replace("\\u0000", "\u{fffd}");
    assert_eq!(
        text(&after.get(&format!("{THREADS}/demo")).await.json()),
        text(&list)
    );
    assert_eq!(after.messages(&waiting).await, messages);
    assert_eq!(
        after.messages(&plain).await[0]["content"],
        "zero\u{fffd} and more"
    );
    let file_content = std::fs::read(server.uploads().join(upload)).unwrap();
    assert_eq!(file_content, b"some words");
    // What was asked before is decided, and new rows get numbers of their own.
    let events = after
        .stream(&waiting, &body(&[decided(&asked[0], &["APPROVED"])]))
        .await;
    assert!(!events.is_empty());
    let newest = after.thread("demo").await;
    after.say(&newest, "hi").await;
    let listed = after.get(&format!("{THREADS}/demo")).await.json();
    assert_eq!(listed[0]["id"], json!(newest));
    after.state.store().close().await;

    let again = copy(&file, &server);
    assert!(!again.status.success());
    assert!(
        said(&again).contains("give an empty database"),
        "{}",
        said(&again)
    );
    assert!(Store::attach(&server.storage()).await.is_ok());
}

#[tokio::test]
async fn a_copy_the_other_way_is_refused() {
    let file = Folder::with(TestDatabase::File);
    let refused = copy(&file, &file);
    assert!(!refused.status.success());
    assert!(
        said(&refused).contains("from a SQLite file (--from) to PostgreSQL"),
        "{}",
        said(&refused)
    );
    let server = Folder::with(TestDatabase::postgres(""));
    let missing = copy(&file, &server);
    assert!(
        said(&missing).contains("There is no database"),
        "{}",
        said(&missing)
    );
}

#[tokio::test]
async fn files_stay_where_the_folder_is_the_same_before_and_after() {
    let file = Folder::with(TestDatabase::File);
    let server = Folder::with(TestDatabase::postgres(""));
    let before = service(&file).await;
    before.upload("a.txt", "text/plain", b"some words").await;
    before.state.store().close().await;
    let uploads = file.uploads();
    let [_, target, _, _] = server.storage_options();
    let copied = Command::new(env!("CARGO_BIN_EXE_assent-service"))
        .args(["copy", "--from", &file.database().display().to_string()])
        .args(["--to", &target, "--uploads"])
        .arg(&uploads)
        .output()
        .unwrap();
    assert!(copied.status.success(), "{}", said(&copied));
    assert_eq!(std::fs::read_dir(uploads).unwrap().count(), 1);
}
