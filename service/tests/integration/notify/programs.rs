//! The program with `--notify`, killed while it sends, and the receivers of docs/notify.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use axum::{Router, extract::State, routing::post};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader as AsyncBufReader},
    net::TcpListener,
};

use super::{
    left, pass_time,
    receiver::{Receiver, Reply, SECRET, settings_file},
    service, until_left,
};
use crate::common::{Folder, key_file, program, settings};
use assent_service::{Settings, settings::notify::NotifySettings};

fn command(folder: &Folder, file: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command
        .args(folder.storage_options())
        .args(["--listen", "127.0.0.1:0", "--api-key", "k", "--pace", "0"])
        .args(["--notify", file])
        .env_remove("RUST_LOG")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_being_sent_when_the_service_was_killed_is_sent_again() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Silence]).await;
    let file = receiver.file(&folder, "");
    let file = file.to_str().unwrap();
    let mut first = program::start(&folder, command(&folder, file));
    let messages = first.thread(program::TYPED);
    let body = r#"{"content":[{"type":"text","text":"approve one"}]}"#;
    first.send("POST", &messages, program::TYPED, body);
    let heard = receiver.hears(1).await;
    // SIGKILL, in the middle of the request.
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    folder.end_leases();
    assert_eq!(left(&folder).await, 1);
    pass_time(&folder).await;
    let _second = program::start(&folder, command(&folder, file));
    let again = receiver.hears(2).await;
    assert_eq!(again[1].id(), heard[0].id());
    assert_eq!(again[1].text, heard[0].text);
    assert!(again[1].is_signed());
}

#[test]
fn a_file_that_cannot_be_used_prevents_the_start_and_shows_no_secret() {
    let folder = Folder::new();
    let path = settings_file(&folder, "http://hooks.example/canary", "");
    key_file(&folder.0.join("notify-key"), "whsec_canary!\n");
    let ended = command(&folder, path.to_str().unwrap()).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success());
    assert!(
        said.contains("The option --notify cannot be used: "),
        "{said}"
    );
    assert!(said.contains("notify.toml, line 2: notify.url: "), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

/// A receiver of docs/notify, which ends with the test.
struct Script(Child, u16);

impl Script {
    fn start(name: &str, variables: &[(&str, &str)]) -> Self {
        let script = format!("{}/../docs/notify/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut child = Command::new("python3")
            .arg(script)
            .envs(variables.iter().copied())
            .envs([("NOTIFY_SECRET", SECRET), ("PORT", "0")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut port = String::new();
        let said = child.stdout.take().unwrap();
        BufReader::new(said).read_line(&mut port).unwrap();
        Self(child, port.trim().parse().unwrap())
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Lets a service tell a script of a decision that waits, and waits until it has taken it.
async fn tell(script: &Script, link: &str) {
    let folder = Folder::new();
    let url = format!("http://127.0.0.1:{}/", script.1);
    // What is not signed is not taken, however it looks.
    let forged = reqwest::Client::new()
        .post(&url)
        .header("webhook-id", "msg_1")
        .header("webhook-timestamp", jiff::Timestamp::now().as_second())
        .header("webhook-signature", "v1,AAAA")
        .body("{}")
        .send();
    assert_eq!(forged.await.unwrap().status(), 401);
    let more = format!("link = {link:?}");
    let notify = NotifySettings::read(&settings_file(&folder, &url, &more)).unwrap();
    let settings = Settings {
        notify: Some(notify),
        ..settings()
    };
    let service = service(settings, &folder).await;
    let live = service.listen().await;
    service.asked("approve one").await;
    until_left(&folder, 0).await;
    live.stop().await;
}

#[tokio::test]
async fn the_receiver_for_team_chats_posts_to_an_incoming_webhook() {
    type Texts = Arc<Mutex<Vec<String>>>;
    let posted = Texts::default();
    let take = async |State(posted): State<Texts>, body: String| {
        posted.lock().unwrap().push(body);
    };
    let chat = Router::new()
        .route("/incoming", post(take))
        .with_state(Arc::clone(&posted));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let webhook = format!("http://{}/incoming", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, chat).await });
    let script = Script::start("chat.py", &[("CHAT_WEBHOOK", &webhook)]);
    tell(&script, "https://shop.example/?a=1&thread={thread}").await;
    let posted = posted.lock().unwrap().clone();
    assert_eq!(posted.len(), 1);
    let text: serde_json::Value = serde_json::from_str(&posted[0]).unwrap();
    let text = text["text"].as_str().unwrap();
    assert!(text.contains(" waits for a decision of ada: "), "{text}");
    assert!(
        text.contains("https://shop.example/?a=1&amp;thread="),
        "{text}"
    );
}

/// Takes mails as a server of SMTP, and returns their lines.
async fn mail_server() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mails = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&mails);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let mut socket = AsyncBufReader::new(socket);
            socket.write_all(b"220 mail\r\n").await.unwrap();
            let mut is_text = false;
            let mut line = String::new();
            while socket.read_line(&mut line).await.is_ok_and(|read| read > 0) {
                let said = line.trim_end().to_owned();
                line.clear();
                let answer = match said.as_str() {
                    "." => "250 taken\r\n",
                    _ if is_text => "",
                    "data" | "DATA" => "354 go on\r\n",
                    "quit" | "QUIT" => "221 bye\r\n",
                    _ => "250 fine\r\n",
                };
                is_text = answer.starts_with("354") || is_text && said != ".";
                socket.write_all(answer.as_bytes()).await.ok();
                taken.lock().unwrap().push(said);
            }
        }
    });
    (port, mails)
}

#[tokio::test]
async fn the_receiver_for_mail_sends_one() {
    let (port, mails) = mail_server().await;
    let variables = [
        ("SMTP_HOST", "127.0.0.1"),
        ("SMTP_PORT", &port.to_string()),
        ("MAIL_FROM", "desk@shop.example"),
        ("MAIL_TO", "ada@shop.example"),
    ];
    let script = Script::start("mail.py", &variables);
    tell(&script, "https://shop.example/?thread={thread}").await;
    let lines = mails.lock().unwrap().clone();
    for expected in [
        "Subject: 1 waiting for your decision",
        "To: ada@shop.example",
        "Message-ID: <msg_",
        "https://shop.example/?thread=",
    ] {
        let found = lines.iter().any(|line| line.starts_with(expected));
        assert!(found, "{expected}\n{lines:?}");
    }
}
