//! The program as it is started: options, refusals, agents from a folder, and its end.

#![cfg(unix)]

use std::{
    io::Read as _,
    net::TcpStream,
    process::{Command, Stdio},
};

use assent_service::sentence::INTERRUPTED;
use serde_json::Value;

use crate::common::{
    self, DEMO, Folder,
    database::on_postgres,
    program::{HELLO, Running, TYPED, program, start},
};

#[test]
fn options_of_the_command_line_reach_the_service() {
    let folder = Folder::new();
    let keys = folder.0.join("keys");
    common::key_file(&keys, "# ours\nfrom-file\n");
    let arguments = [
        "--allow-origin",
        "https://shop.example",
        "--allow-header",
        "X-Tenant",
        "--allow-credentials",
        "--header-timeout",
        "1",
        "--user-id-header",
        "x-acme-user-id",
        "--api-key-file",
        keys.to_str().unwrap(),
        "--pace",
        "0",
    ];
    let running = start(&folder, program(&folder, &arguments));
    let origin = "origin: https://shop.example\r\nauthorization: Bearer from-file\r\n";
    let headers = format!("{origin}x-acme-user-id: ada\r\n");
    let answer = running.get(DEMO, &headers);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("access-control-allow-origin: https://shop.example\r\n"));
    assert!(answer.contains("access-control-allow-credentials: true\r\n"));
    let preflight = running.send("OPTIONS", DEMO, origin, "");
    assert!(
        preflight.contains("x-acme-user-id,x-tenant\r\n"),
        "{preflight}"
    );
    let mut silent = TcpStream::connect(&running.address).unwrap();
    assert_eq!(silent.read_to_end(&mut Vec::new()).unwrap(), 0);
    let wrong = running.get(DEMO, &format!("{origin}x-service-user-id: ada\r\n"));
    assert!(wrong.starts_with("HTTP/1.1 401"), "{wrong}");
    // Half a minute of silences, which are left out.
    let slow = HELLO.replace("hello", "slow");
    let stream = running.send("POST", &running.thread(&headers), &headers, &slow);
    assert!(stream.contains("AGENT_RESPONSE_COMPLETE"), "{stream}");
    running.terminate();
}

#[test]
fn without_grace_an_answer_is_interrupted_at_once() {
    let folder = Folder::new();
    let arguments = ["--api-key", "k", "--pace", "1000", "--shutdown-grace", "0"];
    let running = start(&folder, program(&folder, &arguments));
    let mut reader = running.listen_to(&running.thread(TYPED), TYPED);
    let log = running.terminate();
    assert!(log.contains("waiting for answers"), "{log}");
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("The service is being stopped"), "{rest}");
}

#[test]
fn an_answer_cut_off_by_a_kill_is_stored_at_the_next_start() {
    let folder = Folder::new();
    let arguments = ["--api-key", "k", "--pace", "1000"];
    let mut running = start(&folder, program(&folder, &arguments));
    let messages = running.thread(TYPED);
    let reader = running.listen_to(&messages, TYPED);
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    folder.end_leases();
    drop(reader);
    let arguments = ["--api-key", "k", "--pace", "0"];
    let running = start(&folder, program(&folder, &arguments));
    let stored = running.get(&messages, TYPED);
    assert_eq!(count_saying(&stored, INTERRUPTED), 1, "{stored}");
    let stream = running.send("POST", &messages, TYPED, HELLO);
    assert!(stream.contains("AGENT_RESPONSE_COMPLETE"), "{stream}");
    running.terminate();
}

/// Counts the messages of a response whose content has these words.
fn count_saying(response: &str, words: &str) -> usize {
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    let messages: Vec<Value> = serde_json::from_str(body).unwrap();
    let contents = messages.iter().map(|it| it["content"].as_str().unwrap());
    contents.filter(|it| it.contains(words)).count()
}

/// Lets every write to a file fail, or work again.
#[cfg(target_os = "linux")]
fn limit_file_size(running: &Running, soft: &str) {
    let set = Command::new("prlimit")
        .args(["--pid", &running.child.id().to_string()])
        .arg(format!("--fsize={soft}:"))
        .status();
    assert!(set.unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn after_writes_that_the_system_refused_a_thread_takes_a_post_again() {
    if on_postgres() {
        // The server writes there, and no file of the service is refused.
        return;
    }
    let folder = Folder::new();
    // It asks as fast as it can until it is answered.
    let arguments = ["--api-key", "k", "--pace", "0.2", "--user-rate", "0"];
    let inner = program(&folder, &arguments);
    // Writing past the limit is an error then, and no signal.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    command.arg(inner.get_program()).args(inner.get_args());
    command.env("NO_COLOR", "1").env_remove("ASSENT_API_KEYS");
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    let mut running = start(&folder, command);
    // Failures fill a log that nobody reads.
    running.stderr = None;
    let messages = running.thread(TYPED);
    let mut reader = running.listen_to(&messages, TYPED);
    limit_file_size(&running, "0");
    // What is in no log is told to nobody: the stream breaks off.
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("AGENT_RESPONSE_COMPLETE"), "{rest}");
    assert!(!rest.contains(r#""ERROR""#), "{rest}");
    let ready = running.get("/readyz", "");
    assert!(ready.starts_with("HTTP/1.1 503"), "{ready}");
    let alive = running.get("/healthz", "");
    assert!(alive.starts_with("HTTP/1.1 200"), "{alive}");

    limit_file_size(&running, "unlimited");
    let since = std::time::Instant::now();
    let mut stream = String::new();
    while !stream.contains("AGENT_RESPONSE_COMPLETE") {
        assert!(since.elapsed().as_secs() < 8, "still refused: {stream}");
        stream = running.send("POST", &messages, TYPED, HELLO);
    }
    let stored = running.get(&messages, TYPED);
    assert_eq!(count_saying(&stored, "The answer failed"), 1, "{stored}");
    assert!(running.get("/readyz", "").starts_with("HTTP/1.1 200"));
    running.terminate();
}

#[test]
fn a_second_program_on_the_same_database_refuses_to_start() {
    if on_postgres() {
        return;
    }
    let folder = Folder::new();
    let running = start(&folder, program(&folder, &["--api-key", "k"]));
    // An address in use, so that this program ends in any case.
    let in_use = ["--api-key", "k", "--listen", &running.address];
    let output = program(&folder, &in_use).output().unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("is in use by another assent-service"), "{log}");
    running.terminate();
}

#[test]
fn without_a_key_it_refuses_to_start_and_says_what_to_do() {
    let folder = Folder::new();
    let output = program(&folder, &[]).output().unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains("No API key is configured. Give at least one with --api-key"),
        "{log}"
    );
}

#[test]
fn it_serves_until_it_is_terminated_and_never_logs_a_key() {
    let folder = Folder::new();
    let mut command = program(&folder, &["--api-key", "typed-key"]);
    command
        .env("ASSENT_API_KEYS", "env-key,other-key")
        .env("RUST_LOG", "trace");
    let running = start(&folder, command);
    assert!(running.get("/healthz", "").starts_with("HTTP/1.1 200"));
    for key in ["typed-key", "env-key", "other-key"] {
        let headers = format!("authorization: Bearer {key}\r\nx-service-user-id: ada\r\n");
        assert!(
            running.get(DEMO, &headers).starts_with("HTTP/1.1 200"),
            "{key}"
        );
    }
    assert!(running.get(DEMO, "").starts_with("HTTP/1.1 401"));
    let log = running.terminate();
    assert!(log.contains("stopping"));
    for key in ["typed-key", "env-key", "other-key"] {
        assert!(!log.contains(key), "the key is in the log");
    }
}

#[test]
fn it_ends_when_nobody_reads_its_log_any_more() {
    let folder = Folder::new();
    let mut command = program(&folder, &["--api-key", "key"]);
    command.env("RUST_LOG", "trace");
    let mut running = start(&folder, command);
    running.stderr = None;
    assert!(running.get("/healthz", "").starts_with("HTTP/1.1 200"));
    running.terminate();
}

#[test]
fn agents_of_a_folder_add_to_the_shipped_ones_and_replace_them() {
    let folder = Folder::new();
    for (id, name) in [("demo", "Mine"), ("tiny", "Tiny")] {
        let path = folder.0.join("agents").join(id);
        std::fs::create_dir_all(&path).unwrap();
        let text = format!(
            "scenarios = []\n[agent]\nname = \"{name}\"\nhandle = \"@{id}\"\nbuild_id = \"1\"\nbuild_type = \"X\"\n\
             [[fallback]]\ndo = \"say\"\ntext = \"hello\"\n"
        );
        std::fs::write(path.join("agent.toml"), text).unwrap();
    }
    let agents = folder.0.join("agents");
    let command = program(
        &folder,
        &["--api-key", "k", "--agents", agents.to_str().unwrap()],
    );
    let running = start(&folder, command);
    assert!(
        running.log.contains("agents: demo, echo, tiny, travel"),
        "{}",
        running.log
    );
    running.terminate();
}

/// Returns the arguments of a command that is written on several lines, with these texts replaced.
fn arguments_of(unit: &str, replaced: &[(&str, &str)]) -> Vec<String> {
    let (_, command) = unit.split_once("ExecStart=").unwrap();
    let lines = command.split_inclusive('\n');
    let mut ends = false;
    let lines = lines.take_while(|line| !std::mem::replace(&mut ends, !line.ends_with("\\\n")));
    let mut text: String = lines.collect::<String>().replace("\\\n", "");
    for (from, to) in replaced {
        text = text.replace(from, to);
    }
    text.split_whitespace().skip(1).map(str::to_owned).collect()
}

#[test]
fn the_unit_of_systemd_starts_the_service() {
    let unit = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/production/assent.service"
    );
    let unit = std::fs::read_to_string(unit).unwrap();
    let folder = Folder::new();
    let here = folder.0.to_str().unwrap();
    common::key_file(&folder.0.join("keys"), "key\n");
    std::fs::create_dir_all(folder.0.join("agents")).unwrap();
    let replaced = [
        ("%d", here),
        ("/var/lib/assent", here),
        ("/etc/assent", here),
        (":9464", ":0"),
    ];
    let arguments = arguments_of(&unit, &replaced);
    assert_eq!(arguments.len(), 8, "{arguments:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command.args(arguments).args(["--listen", "127.0.0.1:0"]);
    command.stderr(Stdio::piped());
    let running = start(&folder, command);
    let ready = running.get("/readyz", "");
    assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
    running.terminate();
    assert!(folder.0.join("assent.sqlite").exists());
}

#[test]
fn an_agent_file_that_cannot_be_used_is_named_with_its_fault() {
    for (text, fault) in [
        ("scenarios = [\"gone\"]", "missing field"),
        ("colour = 1", "unknown field"),
        ("not toml", "agent.toml"),
    ] {
        let folder = Folder::new();
        let path = folder.0.join("agents/odd");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("agent.toml"), text).unwrap();
        let agents = folder.0.join("agents");
        let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
        let output = program(&folder, &arguments).output().unwrap();
        assert!(!output.status.success());
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(
            log.contains("odd/agent.toml") && log.contains(fault),
            "{text}: {log}"
        );
    }
}

#[test]
fn an_address_in_use_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command.args(["--api-key", "k", "--listen", &address, "--database"]);
    let output = command.arg(folder.database()).output().unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains(&format!("{address} cannot be listened on")),
        "{log}"
    );
}
