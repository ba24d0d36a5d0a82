//! The program at its start, and what its log says.

use std::process::Command;

use axum::http::Method;

use crate::{
    common::{
        Folder,
        program::{HELLO, TYPED, program, start},
    },
    server::{KEY_ID, Mood, SECRET, Server},
};

/// Returns the program with its files in a bucket.
fn with_bucket(folder: &Folder, server: &Server, url: &str) -> Command {
    let mut command = program(folder, &["--api-key", "k", "--uploads", url]);
    command.envs(server.environment());
    command
}

/// Returns what a program says that does not start.
fn refusal(mut command: Command) -> String {
    let ended = command.output().unwrap();
    assert!(!ended.status.success());
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!said.contains(SECRET) && !said.contains(KEY_ID), "{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_cannot_be_used_is_said_at_the_start() {
    let folder = Folder::new();
    let server = Server::start(folder.0.join("buckets")).await;
    let started = |url: &str| refusal(with_bucket(&folder, &server, url));
    let url = server.url();
    let missing = started("s3://another");
    assert!(
        missing.contains("s3://another/ cannot be used: there is no such bucket"),
        "{missing}"
    );
    for (mood, cause) in [
        (Mood::Says(403, "AccessDenied"), "the key may not do this"),
        (Mood::Redirects(None), "AWS_REGION"),
        (Mood::Sleeps, "does not answer in time"),
    ] {
        server.be(mood, Method::GET, "list-type", usize::MAX);
        let said = started(&url);
        assert!(said.contains(cause), "{said}");
        server.be_good();
    }
    let mut wrong = with_bucket(&folder, &server, &url);
    wrong.env("AWS_SECRET_ACCESS_KEY", "canary-of-another-bucket");
    let said = refusal(wrong);
    assert!(
        said.contains("the key is not accepted") && !said.contains("canary"),
        "{said}"
    );
    let mut away = with_bucket(&folder, &server, &url);
    away.env("AWS_ENDPOINT", "http://127.0.0.1:1");
    let said = refusal(away);
    assert!(said.contains("it cannot be reached"), "{said}");
    let mut open = with_bucket(&folder, &server, &url);
    open.env("AWS_ENDPOINT", "http://files.example");
    let said = refusal(open);
    assert!(
        said.contains("The option --uploads cannot be used: AWS_ENDPOINT"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_line_of_the_log_has_a_key() {
    let folder = Folder::new();
    let server = Server::start(folder.0.join("buckets")).await;
    let url = server.url();
    let running = tokio::task::spawn_blocking(move || {
        let mut command = with_bucket(&folder, &server, &url);
        command.env("RUST_LOG", "trace");
        let running = start(&folder, command);
        let stored = running.send("POST", crate::UPLOADS, TYPED, HELLO);
        assert!(stored.contains("201 Created"), "{stored}");
        assert_eq!(server.kept().len(), 1);
        server.be(Mood::Says(403, "AccessDenied"), Method::PUT, "", usize::MAX);
        let refused = running.send("POST", crate::UPLOADS, TYPED, HELLO);
        assert!(refused.contains("503 Service Unavailable"), "{refused}");
        running.terminate()
    });
    let log = running.await.unwrap();
    assert!(log.contains("the key may not do this"), "{log}");
    assert!(!log.contains(SECRET), "the log has the key");
}
