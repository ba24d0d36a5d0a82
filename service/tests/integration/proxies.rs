//! The proxy of the environment: it is asked for what is elsewhere, and never for this machine's own
//! servers, whatever kind of server it is.

#![cfg(target_os = "linux")]

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::header::CONTENT_TYPE,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::common::{
    Folder,
    desk::write_agent,
    model::{Model, calls, says},
    program::{HELLO, TYPED, program, start},
    tool_server::{one_tool, said, tool_server},
};

const CHAT: &str = "/v1/chat/completions";
const TOOLS: &str = "/mcp";
const VECTORS: &str = "/v1/embeddings";

/// The host that requests for a path were to be passed on to; `None` where they came directly.
type Heard = Arc<Mutex<BTreeMap<String, Option<String>>>>;

/// Starts a proxy that passes nothing on: whatever host is asked for, and also where it is asked
/// itself, the answer is that of a model, of a tool server, or of a server of vectors.
async fn proxy(model: &Model, heard: Heard) -> SocketAddr {
    let chat = format!("{}/chat/completions", model.url);
    let tools = tool_server(|heard| async move {
        match heard.method.as_str() {
            "tools/list" => Some(one_tool("find", "Finds.")),
            "tools/call" => Some(said("Found.")),
            _ => None,
        }
    })
    .await;
    let behind = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = move |request: Request| async move {
        let (head, body) = request.into_parts();
        let path = head.uri.path().to_owned();
        let host = head.uri.host().map(str::to_owned);
        heard.lock().unwrap().insert(path.clone(), host);
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let address = match path.as_str() {
            CHAT => chat,
            TOOLS => tools,
            _ => return vectors(&serde_json::from_slice(&body).unwrap()),
        };
        let sent = behind.request(head.method, address).body(body);
        let came = sent.send().await.unwrap();
        let mut answer = Response::builder().status(came.status());
        if let Some(kind) = came.headers().get(CONTENT_TYPE) {
            answer = answer.header(CONTENT_TYPE, kind);
        }
        answer
            .body(Body::from(came.bytes().await.unwrap()))
            .unwrap()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

fn vectors(request: &Value) -> Response {
    let texts = request["input"].as_array().unwrap().iter().enumerate();
    let data: Vec<Value> = texts
        .map(|(index, _)| json!({ "index": index, "embedding": [1.0, 0.0] }))
        .collect();
    axum::Json(json!({ "data": data })).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn models_tool_servers_and_embeddings_are_reached_by_the_proxy_unless_they_are_here() {
    for (host, no_proxy, passed_on) in [
        ("assistants.example", "", true),
        ("127.0.0.1", "", false),
        ("localhost", "", false),
        // Not known as an address of this machine, so that it is the variable that counts.
        ("0.0.0.0", "", true),
        ("0.0.0.0", "0.0.0.0", false),
    ] {
        let wanted = [
            ("assent__search_knowledge", json!({ "query": "refund" })),
            ("crm__find", json!({})),
        ];
        let model = Model::new(vec![calls("", &wanted), says("Done.")]).await;
        let heard = Heard::default();
        let proxy = proxy(&model, Arc::clone(&heard)).await;
        let folder = Folder::new();
        let base = format!("http://{host}:{}", proxy.port());
        let more = format!(
            "[[mcp]]\nid = \"crm\"\nurl = \"{base}{TOOLS}\"\n\
             [[knowledge]]\nid = \"handbook\"\nfolder = \".\"\n\
             embeddings = {{ base_url = \"{base}/v1\", name = \"vectors\" }}\n\
             [policy]\ndefault = \"auto\"\n[titles]\nenabled = false\n"
        );
        write_agent(&folder, &model, &more);
        let agents = folder.0.join("agents");
        std::fs::write(agents.join("desk/a.md"), "A refund is paid.").unwrap();
        let file = agents.join("desk/agent.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace(&model.url, &format!("{base}/v1"))).unwrap();

        let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
        let mut command = program(&folder, &arguments);
        for name in ["http_proxy", "all_proxy", "ALL_PROXY", "no_proxy"] {
            command.env_remove(name);
        }
        command.env("HTTP_PROXY", format!("http://{proxy}"));
        command.env("NO_PROXY", no_proxy);
        let running = start(&folder, command);
        let messages = running.thread_of("desk", TYPED);
        let answer = running.send("POST", &messages, TYPED, HELLO);
        assert!(answer.contains("Done."), "{host}: {answer}");
        let via = passed_on.then(|| host.to_owned());
        let expected = [CHAT, TOOLS, VECTORS].map(|path| (path.to_owned(), via.clone()));
        assert_eq!(*heard.lock().unwrap(), expected.into(), "{host}");
        running.terminate();
    }
}
