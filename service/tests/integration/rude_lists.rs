//! Tool servers whose lists of tools are not as the protocol has them.

#![cfg(target_os = "linux")]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use crate::common::{
    content,
    desk::Desk,
    log::{keep_log, take_log},
    model::{calls, says},
    requests,
    tool_server::{Heard, error, said, tool_server},
};

/// Returns a desk with a server `crm` that answers requests for its list so, and says "Found." to
/// calls; and the number of its starts.
async fn desk(
    turns: usize,
    list: impl Fn(Heard) -> Value + Send + Sync + 'static,
) -> (Desk, Arc<AtomicUsize>) {
    let begun = Arc::<AtomicUsize>::default();
    let starts = Arc::clone(&begun);
    let url = tool_server(move |heard| {
        let answer = match heard.method.as_str() {
            "initialize" => {
                starts.fetch_add(1, Ordering::SeqCst);
                None
            }
            "tools/list" => Some(list(heard)),
            "tools/call" => Some(said("Found.")),
            _ => None,
        };
        async move { answer }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
    let replies = (0..turns).flat_map(|_| {
        let find = calls("", &[("crm__find", json!({}))]);
        [find, says("Done.")]
    });
    (Desk::with(replies.collect(), &server).await, begun)
}

fn find() -> Value {
    json!({ "name": "find", "description": "Finds.", "inputSchema": { "type": "object" } })
}

/// Returns what `check-agents` says of the server.
async fn checked(desk: &Desk) -> Vec<String> {
    let mut lines = desk.service.state.agents().check(None).await.lines;
    lines.retain(|line| line.contains("crm") && !line.ends_with("(start_seconds)"));
    lines
}

/// Returns the names of the server's tools in the model's first request.
fn offered(desk: &Desk) -> Vec<String> {
    let request = desk.model.requests().remove(0);
    let tools = request["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned());
    names.filter(|name| name.starts_with("crm__")).collect()
}

#[tokio::test]
async fn an_entry_that_is_malformed_takes_no_other_tool_away_and_is_named() {
    let with = |name: &str, value: Value| {
        let mut entry = find();
        entry["name"] = json!("other");
        entry[name] = value;
        entry
    };
    let mut without_schema = with("name", json!("other"));
    without_schema
        .as_object_mut()
        .unwrap()
        .remove("inputSchema");
    let mut without_name = find();
    without_name.as_object_mut().unwrap().remove("name");
    for (bad, who, why) in [
        (without_schema, "\"other\"", "it has no inputSchema"),
        (
            with("inputSchema", Value::Null),
            "\"other\"",
            "it has no inputSchema",
        ),
        (
            with("inputSchema", json!([])),
            "\"other\"",
            "its inputSchema is no object",
        ),
        (
            with("annotations", json!({ "readOnlyHint": "yes" })),
            "\"other\"",
            "its hint readOnlyHint is neither true nor false",
        ),
        (
            with("annotations", json!("safe")),
            "\"other\"",
            "its annotations are no object",
        ),
        (with("title", json!(5)), "\"other\"", "its title is no text"),
        (
            with("description", json!(["a"])),
            "\"other\"",
            "its description is no text",
        ),
        (Value::Null, "number 1", "it is no object"),
        (json!("other"), "number 1", "it is no object"),
        (without_name, "number 1", "it has no name"),
        (with("name", json!(7)), "number 1", "its name is no text"),
        (
            with("name", json!("find")),
            "\"find\"",
            "another one has its name",
        ),
        (
            with("name", json!("orders/find all")),
            "\"orders/find all\"",
            "its name has to be 1 to 128 of the characters a-z, A-Z, 0-9, _, - and .",
        ),
    ] {
        let entries = if why.starts_with("another") {
            [find(), bad.clone()]
        } else {
            [bad.clone(), find()]
        };
        let (desk, begun) = desk(2, move |_| json!({ "tools": entries })).await;
        let thread = desk.service.thread("desk").await;
        for _ in 0..2 {
            let events = desk.service.say(&thread, "find it").await;
            assert_eq!(
                content(&events, "AGENT_RESPONSE_COMPLETE"),
                "Done.",
                "{bad}"
            );
            assert_eq!(desk.results().pop().as_deref(), Some("Found."));
        }
        assert_eq!(offered(&desk), ["crm__find"], "{bad}");
        assert_eq!(begun.load(Ordering::SeqCst), 1, "{bad}");
        let lines = checked(&desk).await;
        let named = format!("  tool server crm: the tool {who} is left out: {why}");
        assert_eq!(
            lines,
            ["  crm/find: auto, by default".to_owned(), named],
            "{bad}"
        );
    }
}

#[tokio::test]
async fn what_nobody_here_reads_of_a_tool_takes_it_not_away() {
    for (name, value) in [
        ("outputSchema", json!("any")),
        ("icons", json!({})),
        ("_meta", json!([])),
        ("execution", json!(1)),
        ("annotations", Value::Null),
        ("description", Value::Null),
    ] {
        let list = move |_| {
            let mut entry = find();
            entry[name] = value.clone();
            json!({ "tools": [entry], "ttlMs": "soon", "cacheScope": 4 })
        };
        let (desk, _) = desk(1, list).await;
        let thread = desk.service.thread("desk").await;
        desk.service.say(&thread, "find it").await;
        assert_eq!(desk.results(), ["Found."], "{name}");
    }
}

/// Returns what is told of a tool with these hints, under a policy that says this of it.
async fn told(hints: Value, rules: &str) -> [Value; 2] {
    let url = tool_server(move |heard| {
        let mut entry = find();
        entry["annotations"] = hints.clone();
        let answer = (heard.method == "tools/list").then(|| json!({ "tools": [entry] }));
        async move { answer }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n[policy]\nrule = [{rules}]\n");
    let find = calls("", &[("crm__find", json!({}))]);
    let desk = Desk::with(vec![find], &server).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "find").await;
    let asked = requests(&events).pop();
    let asked = asked.unwrap_or_else(|| panic!("nobody is asked: {events:?}"));
    let stored = desk.service.messages(&thread).await;
    let stored = &stored.last().unwrap()["toolExecutionHumanApprovalRequest"][0];
    let told = |tool: &Value| ["effect", "effectSource"].map(|name| tool[name].clone());
    assert_eq!(told(stored), told(&asked[0]));
    told(&asked[0])
}

#[tokio::test]
async fn what_a_tool_does_is_told_with_who_says_it_and_a_hint_never_lowers_it() {
    let deletes = "{ tool = \"crm/find\", do = \"ask\", effect = \"delete\" }";
    let writes = "{ tool = \"crm/find\", do = \"ask\", effect = \"idempotent\" }";
    let reads = json!({ "readOnlyHint": true, "destructiveHint": true });
    let destroys = json!({ "readOnlyHint": false, "destructiveHint": true });
    for (hints, rules, expected) in [
        (json!({}), "", [Value::Null, Value::Null]),
        (reads.clone(), "", ["reads".into(), "server".into()]),
        (destroys.clone(), "", ["deletes".into(), "server".into()]),
        (reads.clone(), deletes, ["deletes".into(), "policy".into()]),
        (reads, writes, ["writes".into(), "policy".into()]),
        (destroys, writes, ["deletes".into(), "server".into()]),
    ] {
        assert_eq!(
            told(hints.clone(), rules).await,
            expected,
            "{hints} {rules}"
        );
    }
}

#[tokio::test]
async fn a_second_page_that_is_malformed_takes_no_other_tool_away_and_is_named() {
    let other = json!({ "name": "other", "inputSchema": { "type": "object" } });
    let broken = "tool server crm: its list breaks off after 1 of its tools";
    for (page, tools, said) in [
        (
            json!({ "tools": [null, other] }),
            vec!["crm__find", "crm__other"],
            "tool server crm: the tool number 2 is left out: it is no object".to_owned(),
        ),
        (
            json!({ "tools": {} }),
            vec!["crm__find"],
            format!("{broken}: what it answers is no list of tools"),
        ),
        (
            error(-32602, "Invalid cursor"),
            vec!["crm__find"],
            format!("{broken}: Mcp error: -32602: Invalid cursor"),
        ),
    ] {
        let list = move |heard: Heard| match heard.params.get("cursor") {
            None => json!({ "tools": [find()], "nextCursor": "2" }),
            Some(_) => page.clone(),
        };
        let (desk, begun) = desk(2, list).await;
        let thread = desk.service.thread("desk").await;
        for _ in 0..2 {
            desk.service.say(&thread, "find it").await;
            assert_eq!(desk.results().pop().as_deref(), Some("Found."));
        }
        assert_eq!(offered(&desk), tools);
        assert_eq!(begun.load(Ordering::SeqCst), 1);
        assert_eq!(checked(&desk).await.pop(), Some(format!("  {said}")));
    }
}

#[tokio::test]
async fn a_cursor_that_leads_back_to_the_same_page_ends_the_list() {
    for cursor in ["", "1"] {
        let asked = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&asked);
        let (desk, _) = desk(1, move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            json!({ "tools": [find()], "nextCursor": cursor })
        })
        .await;
        let thread = desk.service.thread("desk").await;
        desk.service.say(&thread, "find it").await;
        assert_eq!(offered(&desk), ["crm__find"]);
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        assert_eq!(checked(&desk).await, ["  crm/find: auto, by default"]);
    }
}

#[tokio::test]
async fn an_answer_that_is_no_list_is_told_and_starts_no_server_anew() {
    for list in [
        json!({}),
        json!({ "tools": null }),
        json!({ "tools": "find" }),
        json!([]),
    ] {
        let answer = list.clone();
        let (desk, begun) = desk(1, move |_| answer.clone()).await;
        let lines = checked(&desk).await;
        let told = "  tool server crm: what it answers is no list of tools";
        assert_eq!(lines, [told], "{list}");
        checked(&desk).await;
        assert_eq!(begun.load(Ordering::SeqCst), 1, "{list}");
    }
}

#[tokio::test]
async fn what_is_left_out_is_named_once_in_the_log_however_often_it_is_listed() {
    keep_log();
    let lists = Arc::<AtomicUsize>::default();
    let listed = Arc::clone(&lists);
    let bad = |name: &str| json!({ "name": name });
    let (desk, _) = desk(4, move |_| {
        let at = listed.fetch_add(1, Ordering::SeqCst);
        let mut tools = vec![find(), bad("first")];
        // The second one is bad from some time on.
        if at >= 2 {
            tools.push(bad("second"));
        }
        json!({ "tools": tools })
    })
    .await;
    let named = |log: &str| {
        let lines = log
            .lines()
            .filter(|line| line.contains("a list of tools is not used whole"));
        let count = |name: &str| lines.clone().filter(|line| line.contains(name)).count();
        [count("first"), count("second")]
    };
    let thread = desk.service.thread("desk").await;
    take_log();
    for counts in [[1, 0], [0, 0], [0, 1]] {
        desk.service.say(&thread, "go").await;
        assert_eq!(named(&take_log()), counts, "{lists:?}");
    }
    // Whoever has the agents read anew is told anew.
    desk.change("name = \"small\"", "name = \"small\"\nretries = 0");
    desk.service.say(&thread, "go").await;
    assert_eq!(named(&take_log()), [1, 1]);
    assert_eq!(
        lists.load(Ordering::SeqCst),
        4,
        "each turn asks for the list"
    );
}
