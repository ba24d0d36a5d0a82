//! Each preset against a recorded conversation with such a server: `NAME.json` beside this has what
//! the service has to send, what the server answers, with its oddities, and what a reader and an
//! operator read. The records are made by hand of what documents and reports of faults say.
//!
//! In each the model makes two calls and a person allows one of them with a word added, a call comes
//! a second time, so that the next answer is asked for without tools, an answer ends oddly, and a
//! request is refused.

use std::collections::BTreeMap;

use assent_service::agents::Agents;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::common::{
    Folder, body, decided,
    desk::{Desk, POLICY, write_agent},
    log::{keep_log, take_log},
    model::{Model, Reply},
    providers::refuses_as,
    requests,
};

/// A record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// Addresses of what it is made of.
    known_by: Vec<String>,
    /// Fields of each frame that has none of them itself.
    in_each_frame: Map<String, Value>,
    exchanges: Vec<Exchange>,
    /// The type and the content of the last event of each stream.
    read: Vec<(String, String)>,
    /// The server's reason for the refusal, in the log.
    logged: String,
}

#[derive(Deserialize)]
struct Exchange {
    /// The request without its messages; of the tools it only says whether they are there.
    parameters: Value,
    /// The messages behind the instructions; ids of calls are numbered.
    messages: Vec<Value>,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// A stream with `[DONE]` at its end.
    Frames(Vec<Value>),
    /// A stream that ends without it.
    UnendedFrames(Vec<Value>),
    /// A stream as it is.
    Lines(Vec<String>),
    #[serde(untagged)]
    Refusal { status: u16, body: Value },
}

/// The names of all presets, as the fault of a file lists them.
async fn names() -> Vec<String> {
    let folder = Folder::new();
    write_agent(&folder, &Model::new(Vec::new()).await, "");
    let agents = folder.0.join("agents");
    let file = agents.join("desk/agent.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("[model]", "[model]\npreset = \"\"")).unwrap();
    let fault = Agents::load(Some(&agents)).unwrap_err().to_string();
    let (_, names) = fault.split_once("is none of ").unwrap();
    names.trim().split(", ").map(str::to_owned).collect()
}

impl Record {
    fn read(preset: &str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/presets");
        let file = format!("{folder}/{preset}.json");
        let text = std::fs::read_to_string(&file);
        let text = text.unwrap_or_else(|error| panic!("the preset has no record {file}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn replies(&self) -> Vec<Reply> {
        let frame = |frame: &Value| {
            let mut fields = self.in_each_frame.clone();
            fields.extend(frame.as_object().unwrap().clone());
            Value::from(fields)
        };
        let stream = |text| Reply::Status(200, vec![("content-type", "text/event-stream")], text);
        let replies = self.exchanges.iter().map(|it| match &it.answer {
            Answer::Frames(frames) => Reply::Stream(frames.iter().map(frame).collect()),
            Answer::UnendedFrames(frames) => {
                let frames = frames.iter().map(|it| format!("data: {}\n\n", frame(it)));
                stream(frames.collect())
            }
            Answer::Lines(lines) => stream(lines.join("\n")),
            Answer::Refusal { status, body } => Reply::Status(
                *status,
                vec![("content-type", "application/json")],
                body.to_string(),
            ),
        });
        replies.collect()
    }
}

/// Returns the parameters and the messages of a request as a record has them.
fn recorded(mut request: Value, ids: &mut BTreeMap<String, String>) -> (Value, Vec<Value>) {
    let fields = request.as_object_mut().unwrap();
    if let Some(tools) = fields.get_mut("tools") {
        let is_there = |name| {
            tools
                .as_array()
                .unwrap()
                .iter()
                .any(|it| it["function"]["name"] == name)
        };
        *tools = json!(is_there("notes__list") && is_there("notes__add"));
    }
    let messages = fields.remove("messages").unwrap();
    let mut messages = messages.as_array().unwrap().clone();
    assert_eq!(messages.remove(0)["role"], "system");
    let mut number = |id: &mut Value| {
        let next = format!("call {}", ids.len() + 1);
        *id = json!(ids.entry(id.as_str().unwrap().to_owned()).or_insert(next));
    };
    for message in &mut messages {
        let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
        calls
            .into_iter()
            .flatten()
            .for_each(|call| number(&mut call["id"]));
        if let Some(id) = message.get_mut("tool_call_id") {
            number(id);
        }
    }
    (request, messages)
}

#[tokio::test]
async fn each_preset_gets_along_with_a_record_of_its_server() {
    keep_log();
    let names = names().await;
    assert!(names.len() >= 10, "{names:?}");
    for preset in names {
        let record = Record::read(&preset);
        assert!(!record.known_by.is_empty(), "{preset}");
        let limits = format!("{POLICY}[limits]\nsame_call = 1\n[titles]\nenabled = false\n");
        let desk = Desk::with(record.replies(), &limits).await;
        let model = format!("name = \"small\"\npreset = {preset:?}\noutput_tokens = 50");
        desk.change("name = \"small\"", &model);
        // With the preset nothing has to be learned: each refusal would be one request more.
        let name = preset.clone();
        desk.model
            .refuses(move |request| refuses_as(&name, request));
        take_log();

        let thread = desk.service.thread("desk").await;
        let mut streams = vec![desk.service.say(&thread, "Note milk.").await];
        let asked = requests(&streams[0]).concat();
        assert_eq!(asked.len(), 1, "{preset}: {:?}", streams[0]);
        let word = json!({ "type": "text", "text": "Bread, too." });
        let decision = body(&[decided(&asked, &["APPROVED"]), word]);
        streams.push(desk.service.stream(&thread, &decision).await);
        for words in ["Thanks.", "Bye."] {
            streams.push(desk.service.say(&thread, words).await);
        }
        assert_eq!(desk.notes(), "milk\n", "{preset}");

        let mut ids = BTreeMap::new();
        let sent = desk.model.requests().into_iter();
        let sent: Vec<_> = sent.map(|it| recorded(it, &mut ids)).collect();
        let last = streams.iter().map(|events| {
            let last = events.last().unwrap();
            (
                last.event_type.name().to_owned(),
                last.event_message.content.clone(),
            )
        });
        let read: Vec<_> = last.collect();
        let exchanges = record.exchanges.iter();
        let expected: Vec<_> = exchanges
            .map(|it| (it.parameters.clone(), it.messages.clone()))
            .collect();
        for (at, (sent, expected)) in sent.iter().zip(&expected).enumerate() {
            assert_eq!(sent, expected, "{preset}, request {}", at + 1);
        }
        assert_eq!(sent.len(), expected.len(), "{preset}");
        assert_eq!(read, record.read, "{preset}");
        assert!(
            !format!("{streams:?}").contains("at once"),
            "{preset}: thoughts are not read"
        );
        let log = take_log();
        assert!(log.contains(&record.logged), "{preset}: {log}");
    }
}
