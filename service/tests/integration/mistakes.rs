//! Plausible mistakes of an operator, and the words that help: what the program says, and that it
//! ends with a failure.

#![cfg(unix)]

use std::{net::TcpListener, path::Path, process::Command};

use crate::common::{
    Folder, example, key_file,
    model::{Model, Reply},
    program::{HELLO, TYPED, program, start},
};

const AGENT: &str =
    "[agent]\nname = \"D\"\nhandle = \"@d\"\nbuild_id = \"1\"\nbuild_type = \"T\"\n";
const MODEL: &str = "[model]\nname = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
/// A server that says why it ends.
const DYING: &str = "[[mcp]]\nid = \"crm\"\ncommand = [\"sh\", \"-c\", \"echo no licence >&2\"]\n";

/// Runs the program in a folder with its agents in `agents/`; returns whether it succeeded, and what
/// it printed.
fn run(folder: &Folder, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command.current_dir(&folder.0).args(arguments);
    command.env_remove("ASSENT_API_KEYS").env_remove("RUST_LOG");
    let output = command.output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), printed)
}

fn write(folder: &Path, file: &str, text: &str) {
    let file = folder.join(file);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

#[test]
fn an_agent_that_cannot_work_is_named_with_what_to_change() {
    let desk = |more: &str| ("agents/desk/agent.toml", format!("{AGENT}{MODEL}{more}"));
    let address = |url: &str| {
        let model = MODEL.replace("http://127.0.0.1:1/v1", url);
        ("agents/desk/agent.toml", format!("{AGENT}{model}"))
    };
    let whole = "line 8: model.base_url: it begins with http:// or https://, such as \
                   http://127.0.0.1:11434/v1";
    for ((file, text), said) in [
        (address("127.0.0.1:11434/v1"), whole),
        (address("localhost:11434/v1"), whole),
        (
            address("http://127.0.0.1:1/v1/chat/completions/"),
            "line 8: model.base_url: /chat/completions is added to it; leave it out",
        ),
        (
            address("http://127.0.0.1:1/v1?api-version=2"),
            "line 8: model.base_url: parameters do not belong into it",
        ),
        (
            desk("preset = \"mistrall\"\n"),
            "line 9: model.preset: \"mistrall\" is none of openai, azure, mistral, gemini, \
             anthropic-compatible, bedrock, ollama, vllm, llama.cpp, deepseek",
        ),
        (
            desk("parameters = { messages = [] }\n"),
            "line 9: model.parameters.messages: the service says this itself",
        ),
        (
            desk("omit = [\"stream\", \"tools\"]\n"),
            "line 9: model.omit: there is no request without tools",
        ),
        (
            (
                "agents/desk/agent.toml",
                format!("{AGENT}{}", MODEL.replace("model]", "modell]")),
            ),
            "line 6: modell: there is no such table; did you mean [model]?",
        ),
        (
            ("agents/desk/agent.toml", AGENT.to_owned()),
            "it has neither a table [model] nor a list of scenarios",
        ),
        (
            ("agents/desk/Agent.toml", format!("{AGENT}{MODEL}")),
            "desk/Agent.toml cannot be used: it has to be called agent.toml",
        ),
        (
            ("agents/agent.toml", format!("{AGENT}{MODEL}")),
            "give the folder above it",
        ),
        (
            ("agents/desk/old.toml", AGENT.to_owned()),
            "desk has no agent.toml: no agent",
        ),
        (
            desk("[[mcp]]\nid = \"crm\"\ncommand = [\"no-such-program\"]\n"),
            "no-such-program: No such file",
        ),
        (desk(DYING), "its last words were: no licence"),
        (
            desk("[[mcp]]\nid = \"crm\"\nurl = \"http://127.0.0.1:1/mcp\"\n"),
            "tool server crm: Connection refused",
        ),
        (
            desk(&format!(
                "{NOTES}[[policy.rule]]\ntool = \"notes/ad\"\ndo = \"deny\"\n"
            )),
            "the rule that says deny for \"notes/ad\" names no tool of this agent; did you mean \
             \"notes/add\"?",
        ),
        (
            desk(&format!(
                "{NOTES}[[policy.rule]]\ntool = \"note/*\"\ndo = \"deny\"\n"
            )),
            "policy.rule[0].tool: there is no server \"note\"; did you mean \"notes\"?",
        ),
    ] {
        let text = text.replace("NOTES", example("notes").to_str().unwrap());
        let folder = Folder::new();
        write(&folder.0, file, &text);
        let (success, printed) = run(&folder, &["--agents", "agents", "check-agents"]);
        assert!(printed.contains(said), "{text}: {printed}");
        // A folder beside those of agents may hold anything.
        assert_eq!(success, said.ends_with("no agent"), "{text}: {printed}");
    }
}

const NOTES: &str = "[[mcp]]\nid = \"notes\"\ncommand = [\"NOTES\", \"notes.txt\"]\n";

#[test]
fn rules_for_tools_to_come_are_no_mistakes() {
    let folder = Folder::new();
    let notes = NOTES.replace("NOTES", example("notes").to_str().unwrap());
    let rules = ["notes/add", "notes/delete_*", "*/delete"]
        .map(|tool| format!("[[policy.rule]]\ntool = {tool:?}\ndo = \"deny\"\n"))
        .concat()
        + "when = { \"/text\" = { glob = \"/srv/**\" } }\n";
    write(
        &folder.0,
        "agents/desk/agent.toml",
        &format!("{AGENT}{MODEL}{notes}{rules}"),
    );
    write(
        &folder.0,
        "agents/policy.toml",
        "[[deny]]\ntool = \"*/drop\"\n",
    );
    let (success, printed) = run(&folder, &["--agents", "agents", "check-agents"]);
    assert!(success, "{printed}");
    let warned = "the rule that says deny for \"*/delete\" compares /text letter by letter (glob)";
    assert!(printed.contains(warned), "{printed}");
    let misspelt = "[[deny]]\ntool = \"notes/ad\"\n";
    write(&folder.0, "agents/policy.toml", misspelt);
    let (success, printed) = run(&folder, &["--agents", "agents", "check-agents"]);
    let said = "policy.toml: the rule that says deny for \"notes/ad\" names no tool of any agent";
    assert!(!success && printed.contains(said), "{printed}");
    assert!(
        printed.contains("Faults in the lines above: 1."),
        "{printed}"
    );
}

#[test]
fn a_wrong_option_has_an_example_of_a_right_one() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let port = "or choose another one, such as --listen 127.0.0.1:0";
    for (arguments, said) in [
        (
            &["--listen", "localhost:8799"][..],
            "127.0.0.1:8799 for this machine alone",
        ),
        (
            &["--admin-listen", ":9000"],
            "127.0.0.1:9000 for this machine alone",
        ),
        (&["--api-key", "k", "--listen", &taken], port),
        (
            &["--oidc-issuer", "login.example", "--oidc-audience", "a"],
            "such as https://login.example",
        ),
        (
            &["--database", "none.db", "audit", "check"],
            "There is no database none.db. Name the file of the service with --database FILE",
        ),
        (
            &["--database", "none.db", "grants", "list"],
            "There is no database none.db. Name the file of the service with --database FILE",
        ),
    ] {
        let folder = Folder::new();
        let (success, printed) = run(&folder, arguments);
        assert!(
            !success && printed.contains(said),
            "{arguments:?}: {printed}"
        );
        assert!(!printed.contains('\u{1b}'), "{printed}");
        assert!(!folder.0.join("none.db").exists());
    }
}

#[test]
fn a_log_that_is_no_terminal_has_no_colours_and_names_the_origin_to_allow() {
    let folder = Folder::new();
    let mut command = program(
        &folder,
        &["--api-key", "k", "--allow-origin", "http://127.0.0.1:8000"],
    );
    command.env_remove("NO_COLOR");
    let running = start(&folder, command);
    for origin in [
        "http://localhost:8000",
        "http://localhost:8000",
        "http://127.0.0.1:8000",
        "x y",
        "null",
    ] {
        let headers = format!("{TYPED}origin: {origin}\r\n");
        running.send("OPTIONS", "/api/assistants/threads", &headers, "");
        running.get("/api/assistants/threads/demo", &headers);
    }
    let log = running.terminate();
    assert!(!log.contains('\u{1b}'), "{log}");
    let advice = "start it with --allow-origin http://localhost:8000";
    assert_eq!(log.matches(advice).count(), 1, "{log}");
    assert_eq!(log.matches("not allowed to use").count(), 2, "{log}");
    assert!(log.contains("A page that is a file"), "{log}");
}

/// Asks an agent with this model something; returns the log, and what the person was told.
fn ask(url: &str) -> (String, String) {
    let folder = Folder::new();
    let model = MODEL.replace("http://127.0.0.1:1/v1", url);
    let query = "retries = 0\nquery = { key = { file = \"key\" } }\n";
    write(
        &folder.0,
        "agents/desk/agent.toml",
        &format!("{AGENT}{model}{query}"),
    );
    key_file(&folder.0.join("agents/desk/key"), "canary-of-the-model");
    let agents = folder.0.join("agents");
    let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
    let running = start(&folder, program(&folder, &arguments));
    let told = running.send("POST", &running.thread_of("desk", TYPED), TYPED, HELLO);
    (running.terminate(), told)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_does_not_answer_is_named_in_the_log_with_its_address_and_the_reason() {
    let nothing = "http://127.0.0.1:1/v1".to_owned();
    let status = |status, body: &str| Reply::Status(status, Vec::new(), body.to_owned());
    let ollama = "{\"error\":{\"message\":\"model 'm' not found\"}}";
    for (reply, said) in [
        (None, "Connection refused"),
        (
            Some(status(500, "{\"error\":\"out of memory\"}")),
            "status 500, out of memory",
        ),
        (
            Some(status(404, "404 page not found")),
            "Does base_url lack /v1, or have too much?",
        ),
        (Some(status(404, ollama)), "status 404, model 'm' not found"),
    ] {
        let model = match reply {
            Some(reply) => Some(Model::new(vec![reply]).await),
            None => None,
        };
        let url = model.as_ref().map_or(&nothing, |model| &model.url);
        let (log, told) = ask(url);
        let begin = format!("agent desk: m at {url}/chat/completions: ");
        let line = log.lines().find(|line| line.contains(&begin));
        assert!(
            line.is_some_and(|line| line.contains(said)),
            "{said}: {log}"
        );
        assert!(
            told.contains("ERROR")
                && !told.contains("127.0.0.1")
                && !told.contains("out of memory"),
            "{told}"
        );
        assert!(!log.contains("canary"), "{log}");
    }
}
