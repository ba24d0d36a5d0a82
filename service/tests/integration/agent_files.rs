//! Agent files with a model that cannot be right: each is refused with the line, and without any
//! key in the message.

use std::process::Command;

use assent_service::agents::Agents;

use crate::common::{self, Folder};

const AGENT: &str =
    "[agent]\nname = \"D\"\nhandle = \"@d\"\nbuild_id = \"1\"\nbuild_type = \"T\"\n";
const MODEL: &str = "[model]\nname = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";

/// Loads an agent file, with a key in the file `key` beside it; returns what is wrong with it.
fn fault(text: &str) -> Option<String> {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("desk")).unwrap();
    std::fs::write(folder.0.join("desk/agent.toml"), text).unwrap();
    common::key_file(&folder.0.join("desk/key"), "sk\u{7f}odd\n");
    let loaded = Agents::load(Some(&folder.0));
    loaded.err().map(|error| error.to_string())
}

#[test]
fn a_file_that_cannot_be_right_is_refused_with_the_line() {
    for (more, expected) in [
        // The line of what the parser refuses.
        (
            "api_key = \"sk-literal\"\n",
            "line 9: a key is never written",
        ),
        (
            "headers = { x = \"sk-literal\" }\n",
            "line 9: a key is never written",
        ),
        (
            "api_key = { value = \"sk-literal\" }\n",
            "line 9: a key is never written",
        ),
        ("[limits]\nhops = 1\n", "line 10: unknown field"),
        ("tools = \"sometimes\"\n", "line 9: unknown variant"),
        (
            "[limits]\nparallel = 0\n",
            "line 10: limits.parallel: it is a number from 1 to 64",
        ),
        (
            "[limits]\nparallel = 65\n",
            "line 10: limits.parallel: it is a number from 1 to 64",
        ),
        (
            "[limits]\n\nparallel = 1_000_000\n",
            "line 11: limits.parallel: it is a number from 1 to 64",
        ),
        ("[limits]\nparallel = -1\n", "line 10: invalid value"),
        // The line of what is found later.
        (
            "\napi_key = { file = \"none\" }\n",
            "line 10: model.api_key: the file none: No such file or directory",
        ),
        (
            "api_key = { file = \"key\" }\n",
            "line 9: model.api_key: the key has characters",
        ),
        (
            "headers = { \"a b\" = { file = \"key\" } }\n",
            "line 9: model.headers.a b: ",
        ),
        (
            "query = { k = { env = \"ASSENT_NONE\" } }\n",
            "line 9: model.query.k: the variable",
        ),
        (
            "output_tokens = 40000\n",
            "line 9: model.output_tokens: it leaves no room",
        ),
        (
            "id = \"main\"\n",
            "line 9: model.id: only [[models]] have one",
        ),
        (
            "fallback = [\"b\"]\n",
            "line 9: model.fallback[0]: \"b\" is none of [[models]]",
        ),
        (
            "tools = \"none\"\n[[mcp]]\nid = \"a\"\nurl = \"http://127.0.0.1:1\"\n",
            "line 9: model.tools: a model without tools has no use",
        ),
        (
            "[[models]]\nid = \"b\"\nname = \"b\"\nbase_url = \"http://127.0.0.1:1\"\n",
            "line 9: models[0]: fallback of [model] does not name it",
        ),
        (
            "fallback = [\"b\"]\n[[models]]\nid = \"b\"\nname = \"b\"\nbase_url = \"ftp://x\"\n",
            "line 13: models[0].base_url: it begins with http:// or https://",
        ),
        (
            "[[mcp]]\nid = \"a\"\n",
            "line 9: mcp[0]: give either command or url",
        ),
        (
            "[[mcp]]\nid = \"a/b\"\n",
            "line 10: mcp[0].id: it has letters",
        ),
        (
            "[[mcp]]\nid = \"a\"\ncommand = []\n",
            "line 11: mcp[0].command: it is empty",
        ),
        (
            "[[mcp]]\nid = \"a\"\nurl = \"http://u:p@127.0.0.1/\"\n",
            "line 11: mcp[0].url: a key does not belong into an address",
        ),
        (
            "[[mcp]]\nid = \"a\"\ncommand = [\"x\"]\n\n[[mcp]]\nid = \"a\"\ncommand = [\"y\"]\n",
            "line 14: mcp[1].id: \"a\" is there twice",
        ),
        (
            "[[mcp]]\nid = \"a\"\ncommand = [\"x\"]\nenv = { K = { file = \"none\" } }\n",
            "line 12: mcp[0].env.K: the file none: No such file or directory",
        ),
        (
            "[policy]\ntrust_read_only = [\"a\"]\n",
            "line 10: policy.trust_read_only[0]: \"a\" is no server",
        ),
        (
            "[policy]\nrule = [\n{ tool = \"*/b\", do = \"auto\" },\n{ tool = \"*/[\", do = \"ask\" }]\n",
            "line 12: policy.rule[1].tool: error parsing glob",
        ),
        (
            "[[policy.rule]]\ntool = \"*/b\"\ndo = \"ask\"\nwhen = { path = { equals = \"x\" } }\n",
            "line 12: policy.rule[0].when.path: this is no JSON pointer",
        ),
    ] {
        let text = format!("{AGENT}{MODEL}{more}");
        let found = fault(&text).unwrap_or_default();
        assert!(found.contains("desk/agent.toml"), "{more}: {found}");
        assert!(found.contains(expected), "{more}: {found}");
        assert!(!found.contains("sk-literal"), "{found}");
    }
    for more in ["", "[limits]\nparallel = 1\n", "[limits]\nparallel = 64\n"] {
        assert_eq!(fault(&format!("{AGENT}{MODEL}{more}")), None, "{more}");
    }
}

#[test]
fn sessions_that_cannot_be_meant_are_refused_with_the_line() {
    const COMMAND: &str = "command = [\"x\"]";
    const URL: &str = "url = \"http://127.0.0.1:1/mcp\"";
    for (place, keys, expected) in [
        (COMMAND, "scope = \"all\"", "line 12: unknown variant `all`"),
        (
            COMMAND,
            "sessions = 2",
            "line 12: mcp[0].sessions: it needs scope",
        ),
        (
            COMMAND,
            "scope = \"agent\"\nidle_seconds = 2",
            "line 13: mcp[0].idle_seconds: it needs scope",
        ),
        (
            COMMAND,
            "scope = \"user\"\nsessions = 0",
            "line 13: mcp[0].sessions: it is a number from 1 to 1000",
        ),
        (
            COMMAND,
            "scope = \"thread\"\nidle_seconds = 0",
            "line 13: mcp[0].idle_seconds: it is at least 1",
        ),
        (
            COMMAND,
            "forward_user = \"X-User\"",
            "line 12: mcp[0].forward_user: only a server with a url",
        ),
        (
            URL,
            "forward_user = \"X-User\"\nscope = \"agent\"",
            "line 13: mcp[0].scope: a server that is told the user",
        ),
        (
            URL,
            "forward_user = \"X User\"",
            "line 12: mcp[0].forward_user: this is no name",
        ),
        (
            URL,
            "forward_user = \"authorization\"",
            "line 12: mcp[0].forward_user: this header has a meaning",
        ),
        (
            URL,
            "forward_user = \"Mcp-Session-Id\"",
            "line 12: mcp[0].forward_user: this header has a meaning",
        ),
        (
            URL,
            "forward_user = \"X-Key\"\nheaders = { x-key = { env = \"PATH\" } }",
            "line 12: mcp[0].forward_user: headers has it",
        ),
    ] {
        let text = format!("{AGENT}{MODEL}[[mcp]]\nid = \"a\"\n{place}\n{keys}\n");
        let found = fault(&text).unwrap_or_default();
        assert!(found.contains(expected), "{keys}: {found}");
    }
    for keys in [
        "",
        "scope = \"thread\"\n",
        "scope = \"user\"\nsessions = 2\n",
    ] {
        let user = format!("{keys}forward_user = \"X-On-Behalf-Of\"");
        let text = format!("{AGENT}{MODEL}[[mcp]]\nid = \"a\"\n{URL}\n{user}\n");
        assert_eq!(fault(&text), None, "{keys}");
    }
}

#[test]
fn instructions_that_are_not_there_are_named_with_their_line() {
    let text = format!("\ninstructions = {{ file = \"none.md\" }}\n{AGENT}{MODEL}");
    let found = fault(&text).unwrap();
    assert!(found.contains("line 2: instructions: none.md: "), "{found}");
}

#[test]
fn check_agents_names_the_fault_of_a_file_and_takes_one_without() {
    for (parallel, taken, said) in [
        (
            "1_000_000",
            false,
            "line 10: limits.parallel: it is a number from 1 to 64",
        ),
        (
            "1",
            true,
            "model m at http://127.0.0.1:1/v1/chat/completions",
        ),
    ] {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.0.join("desk")).unwrap();
        let text = format!("{AGENT}{MODEL}[limits]\nparallel = {parallel}\n");
        std::fs::write(folder.0.join("desk/agent.toml"), text).unwrap();
        let mut check = Command::new(env!("CARGO_BIN_EXE_assent-service"));
        let output = check
            .arg("--agents")
            .arg(&folder.0)
            .arg("check-agents")
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.success(), taken, "{output:?}");
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(printed.contains(said), "{printed}");
    }
}
