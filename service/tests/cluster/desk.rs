//! An agent with a model and a tool server, both of this test: what its tools do is counted here,
//! outside of all replicas.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_service::{rules::audit::Decision, store::Store};
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

/// How often each call has had its effect.
pub type Effects = Arc<Mutex<BTreeMap<String, usize>>>;

/// Writes the file of the agent `desk` into a folder. A person is asked about `count`; `note` and `wait`
/// run by themselves, and all three write. `wait` has no end.
pub async fn write_agent(folder: &Folder) -> Effects {
    let effects = Effects::default();
    let counted = Arc::clone(&effects);
    let tools = tool_server(move |heard| serve(heard, Arc::clone(&counted))).await;
    let agent = folder.0.join("agents/desk");
    std::fs::create_dir_all(&agent).unwrap();
    let rule = |tool| {
        format!("[[policy.rule]]\ntool = \"counter/{tool}\"\ndo = \"auto\"\neffect = \"write\"\n")
    };
    let file = format!(
        "[agent]\nname = \"Desk\"\nhandle = \"@desk\"\nbuild_id = \"1\"\nbuild_type = \"TEST\"\n\
         [model]\nname = \"small\"\nbase_url = {:?}\n[titles]\nenabled = false\n{}{}\
         [[mcp]]\nid = \"counter\"\nurl = {tools:?}\n",
        model().await,
        rule("note"),
        rule("wait"),
    );
    std::fs::write(agent.join("agent.toml"), file).unwrap();
    effects
}

async fn serve(heard: Heard, effects: Effects) -> Option<Value> {
    match heard.method.as_str() {
        "tools/list" => {
            let schema = json!({ "type": "object", "properties": { "n": { "type": "number" } } });
            let tool = |name| json!({ "name": name, "description": name, "inputSchema": schema });
            let tools: Vec<Value> = ["count", "note", "wait"].map(tool).into();
            Some(json!({ "tools": tools }))
        }
        "tools/call" => {
            let id = heard.params["_meta"]["assent/executionId"].as_str();
            let id = id.unwrap().to_owned();
            if heard.params["name"] == "wait" {
                std::future::pending::<()>().await;
            }
            pause(HALF_A_CALL).await;
            *effects.lock().unwrap().entry(id).or_default() += 1;
            pause(HALF_A_CALL).await;
            Some(said("counted"))
        }
        _ => None,
    }
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
/// never, and each other one at most once; and that each was decided once.
pub async fn check(folder: &Folder, effects: &Effects) -> States {
    let mut database = folder.connect().await;
    let calls = database
        .texts("SELECT state || ' ' || id FROM tool_calls")
        .await;
    let results = "SELECT body FROM transcript_items WHERE body LIKE '%\"kind\":\"result\"%'";
    let results = database.texts(results).await;
    database.close().await;
    let mut effects = effects.lock().unwrap().clone();
    for result in &results {
        let result: Value = serde_json::from_str(result).unwrap();
        if result["end"] == "succeeded" {
            let id = result["call"].as_str().unwrap();
            assert_eq!(effects.get(id), Some(&1), "{result}");
        }
    }
    let mut states = States::new();
    for call in &calls {
        let (state, id) = call.split_once(' ').unwrap();
        let times = effects.remove(id).unwrap_or_default();
        match state {
            "succeeded" => assert_eq!(times, 1, "{call}"),
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
    let mut decided = BTreeMap::new();
    for line in &audit.lines {
        if matches!(line.decision, Decision::Approved | Decision::Denied) {
            *decided.entry(&line.execution_id).or_insert(0) += 1;
        }
    }
    assert!(decided.values().all(|times| *times == 1), "{decided:?}");
    states
}
