//! An agent with a model and a tool server, both of this test: what its tools do is counted here,
//! outside of all replicas.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_service::{
    rules::audit::{Decision, DecisionSource},
    store::Store,
};
use axum::{Json, Router, routing};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    common::{
        Folder,
        tool_server::{Heard, said, tool_server},
    },
    random::pause,
};

/// The time that a call takes before its effect, and after it: kills are to fall between.
const HALF_A_CALL: Duration = Duration::from_millis(40);

/// The arguments with which each call has had its effect.
pub type Effects = Arc<Mutex<BTreeMap<String, Vec<Value>>>>;

/// Writes the file of the agent `desk` into a folder. A person is asked about `count`, and can
/// allow what comes; about `change`, and can correct it; and about `late`, in a time. `note` and `wait`
/// run by themselves. All of them write, and `wait` has no end.
pub async fn write_agent(folder: &Folder) -> Effects {
    let effects = Effects::default();
    let counted = Arc::clone(&effects);
    let tools = tool_server(move |heard| serve(heard, Arc::clone(&counted))).await;
    let agent = folder.0.join("agents/desk");
    std::fs::create_dir_all(&agent).unwrap();
    let rule = |tool, does| {
        format!("[[policy.rule]]\ntool = \"counter/{tool}\"\neffect = \"write\"\ndo = {does}\n")
    };
    let file = format!(
        "[agent]\nname = \"Desk\"\nhandle = \"@desk\"\nbuild_id = \"1\"\nbuild_type = \"TEST\"\n\
         [model]\nname = \"small\"\nbase_url = {:?}\n[titles]\nenabled = false\n{}{}{}{}\
         [[mcp]]\nid = \"counter\"\nurl = {tools:?}\n",
        model().await,
        rule("note", r#""auto""#),
        rule("wait", r#""auto""#),
        rule("change", "\"ask\"\neditable = [\"/n\"]"),
        rule("late", "\"ask\"\nexpires = \"2s\""),
    );
    std::fs::write(agent.join("agent.toml"), file).unwrap();
    effects
}

async fn serve(heard: Heard, effects: Effects) -> Option<Value> {
    match heard.method.as_str() {
        "tools/list" => {
            let schema = json!({ "type": "object", "properties": { "n": { "type": "number" } } });
            let tool = |name| json!({ "name": name, "description": name, "inputSchema": schema });
            let tools: Vec<Value> = ["count", "note", "wait", "change", "late"].map(tool).into();
            Some(json!({ "tools": tools }))
        }
        "tools/call" => {
            let id = heard.params["_meta"]["assent/executionId"].as_str();
            let id = id.unwrap().to_owned();
            if heard.params["name"] == "wait" {
                std::future::pending::<()>().await;
            }
            pause(HALF_A_CALL).await;
            let arguments = heard.params["arguments"].clone();
            note(&effects, id, arguments);
            pause(HALF_A_CALL).await;
            Some(said("counted"))
        }
        _ => None,
    }
}

fn note(effects: &Effects, id: String, arguments: Value) {
    let mut effects = effects.lock().unwrap();
    effects.entry(id).or_default().push(arguments);
}

/// Starts a model that calls a tool as often as a message says, such as "count 2", and then says
/// "Done.".
async fn model() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let app = Router::new().route("/v1/chat/completions", routing::post(answer));
    // It ends with the runtime of the test.
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn answer(Json(request): Json<Value>) -> Json<Value> {
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let wanted = last["content"].as_str().filter(|_| last["role"] == "user");
    let mut words = wanted.unwrap_or_default().split(' ');
    let (tool, times) = (words.next().unwrap(), words.next());
    let times = times.map_or(0, |times| times.parse().unwrap());
    let calls: Vec<Value> = (0..times)
        .map(|n| {
            let arguments = json!({ "n": n }).to_string();
            let function = json!({ "name": format!("counter__{tool}"), "arguments": arguments });
            json!({ "id": format!("call_{n}"), "type": "function", "function": function })
        })
        .collect();
    let message = if calls.is_empty() {
        json!({ "role": "assistant", "content": "Done." })
    } else {
        json!({ "role": "assistant", "content": "Let me count.", "tool_calls": calls })
    };
    Json(json!({ "choices": [{ "index": 0, "message": message }] }))
}

/// What is stored of calls, by their states.
pub type States = BTreeMap<String, usize>;

/// Checks each call: one that is stored as finished has had its effect once, one that nobody allowed
/// never, and each other one at most once, with the arguments that were shown or that a person wrote;
/// and that each was decided once.
pub async fn check(folder: &Folder, effects: &Effects) -> States {
    let mut database = folder.connect().await;
    let calls = database
        .texts("SELECT state || ' ' || id || ' ' || COALESCE(edited_arguments, arguments) FROM tool_calls")
        .await;
    let results = "SELECT body FROM transcript_items WHERE body LIKE '%\"kind\":\"result\"%'";
    let results = database.texts(results).await;
    database.close().await;
    let mut effects = effects.lock().unwrap().clone();
    for result in &results {
        let result: Value = serde_json::from_str(result).unwrap();
        if result["end"] == "succeeded" {
            let id = result["call"].as_str().unwrap();
            assert_eq!(effects.get(id).map(Vec::len), Some(1), "{result}");
        }
    }
    let (mut states, mut ran) = (States::new(), Vec::new());
    for call in &calls {
        let mut parts = call.splitn(3, ' ');
        let (state, id) = (parts.next().unwrap(), parts.next().unwrap());
        let arguments: Value = serde_json::from_str(parts.next().unwrap()).unwrap();
        let effects = effects.remove(id).unwrap_or_default();
        assert!(
            effects.iter().all(|it| *it == arguments),
            "{call}: {effects:?}"
        );
        let times = effects.len();
        match state {
            "succeeded" => {
                assert_eq!(times, 1, "{call}");
                ran.push(id);
            }
            "running" | "unknown" => assert!(times <= 1, "{call} had its effect {times} times"),
            _ => assert_eq!(times, 0, "{call}"),
        }
        *states.entry(state.to_owned()).or_default() += 1;
    }
    assert!(effects.is_empty(), "calls that nobody knows: {effects:?}");
    let store = Store::attach(&folder.storage()).await.unwrap();
    let audit = store.audit().await.unwrap();
    store.close().await;
    assert_eq!(audit.fault(None), None);
    let mut decided: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for line in &audit.lines {
        let decision = (line.decision, line.source);
        if matches!(
            line.decision,
            Decision::Approved | Decision::Denied | Decision::Allowed
        ) {
            decided
                .entry(&line.execution_id)
                .or_default()
                .push(decision);
        }
    }
    let is_decision = |it: &&(Decision, DecisionSource)| it.0 != Decision::Allowed;
    for (id, lines) in &decided {
        // Whoever takes over judges again what did not begin to run.
        let decisions = lines.iter().filter(is_decision).count();
        assert!(decisions <= 1, "{id}: {lines:?}");
    }
    for id in ran {
        assert_ne!(decided[id][0].0, Decision::Denied, "{id}");
    }
    let by_grant = (Decision::Allowed, DecisionSource::Grant);
    let granted = decided.values().filter(|it| it.contains(&by_grant)).count();
    states.insert("allowed by a grant".to_owned(), granted);
    states
}
