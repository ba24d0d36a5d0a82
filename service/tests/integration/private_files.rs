//! Files that only the service's user can read, and texts that are gone when they were deleted.

#![cfg(unix)]

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use assent_service::{settings::Settings, store::Store};
use axum::{body::Body, http::Request};

use crate::common::{Folder, KEY, Service, THREADS, USER, service_over, settings, soon};

/// Returns all that is in a folder.
fn all(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(all(&path));
        }
        found.push(path);
    }
    found
}

fn modes(folder: &Path) -> Vec<(PathBuf, u32)> {
    let mode = |path: PathBuf| {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        (path, mode)
    };
    all(folder).into_iter().map(mode).collect()
}

fn assert_private(folder: &Path) {
    let modes = modes(folder);
    assert!(modes.len() >= 6, "{modes:?}");
    for (path, mode) in modes {
        let right = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, right, "{} has {mode:o}", path.display());
    }
}

async fn open(folder: &std::sync::Arc<Folder>) -> Service {
    let store = Store::open(&folder.0.join("made/here/a.sqlite")).await;
    service_over(
        store.unwrap(),
        folder.clone(),
        Settings { ..settings() },
        Vec::new(),
    )
}

async fn use_it(service: &Service) {
    let thread = service.thread("demo").await;
    service.say(&thread, "hello").await;
    let upload = Request::post("/api/assistants/uploads")
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", USER)
        .body(Body::from("x"))
        .unwrap();
    assert_eq!(service.send(upload).await.status.as_u16(), 201);
}

#[tokio::test]
async fn database_and_uploads_are_readable_by_their_owner_alone() {
    let folder = Folder::new();
    let service = open(&folder).await;
    use_it(&service).await;
    assert_private(&folder.0);
}

#[tokio::test]
async fn files_of_an_older_service_are_taken_away_from_others() {
    let folder = Folder::new();
    let service = open(&folder).await;
    use_it(&service).await;
    service.state.store().close().await;
    drop(service);
    for path in all(&folder.0.join("made/here")) {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    }
    let service = open(&folder).await;
    use_it(&service).await;
    assert_private(&folder.0);
}

#[tokio::test]
async fn a_deleted_conversation_is_in_no_file_any_more() {
    const SECRET: &str = "the combination is 7319";
    let folder = Folder::new();
    let service = open(&folder).await;
    let contains = || {
        let holds = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap_or_default();
            bytes
                .windows(SECRET.len())
                .any(|part| part == SECRET.as_bytes())
        };
        all(&folder.0).iter().any(holds)
    };
    let thread = service.thread("echo").await;
    for _ in 0..20 {
        service
            .say(&thread, &format!("{SECRET} {}", "x".repeat(5_000)))
            .await;
    }
    assert!(contains());
    service.delete(&format!("{THREADS}/{thread}")).await;
    soon(async || !contains()).await;
}
