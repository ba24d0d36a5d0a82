//! Tools of an agent with a model under `kill -9`: before a call is claimed, between claim and call,
//! while the tool runs, between its answer and the stored result, and after any statement.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use assent_service::{rules::audit::Decision, store::Store, transcript::UNKNOWN_OUTCOME};
use axum::{Json, Router, extract::State, http::Method, routing};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    NEVER, chosen,
    client::{self, Seen, ask},
    common::{Folder, THREADS, body, decided, example, messages_of, requests, text},
    program::{Moment, Place, Program},
    summary::Counts,
    watcher::Watcher,
};

/// The events around a kill.
#[derive(Debug)]
pub struct Plan {
    /// The decision about each call of the one answer of the model.
    verdicts: Vec<&'static str>,
    kill: Place,
    /// A second kill: this statement of the next start, unless all is done before.
    again: Option<u32>,
}

const YES: &str = "APPROVED";
const NO: &str = "DENIED";
/// What is added to a number that a person changes.
const EDITED_BY: u64 = 100;
/// Approved with another number.
const EDITED: &str = "EDITED";
const PENDING: &str = "PENDING_HUMAN_APPROVAL";

pub fn plan(seed: u64) -> Plan {
    let verdicts = vec(select(vec![YES, EDITED, NO]), 1..4);
    let at = |moment, counts: std::ops::Range<u32>| {
        counts.prop_map(move |count| Place { moment, count })
    };
    let kill = prop_oneof![
        // The first list is that of the message.
        2 => at(Moment::Listed, 2..3),
        2 => at(Moment::Called, 1..3),
        2 => at(Moment::Done, 1..3),
        2 => at(Moment::Answered, 1..3),
        4 => at(Moment::Statement, 20..140),
    ];
    let again = option::weighted(0.3, 5..60_u32);
    let plans = (verdicts, kill, again).prop_map(|(verdicts, kill, again)| Plan {
        verdicts,
        kill,
        again,
    });
    chosen(&plans, seed)
}

/// What the model was asked.
pub type Asked = Arc<Mutex<Vec<Value>>>;

/// Starts a model that calls a tool as often as a message says, such as "count 3", and then says
/// "Done.".
async fn model(asked: Asked) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let app = Router::new()
        .route("/v1/chat/completions", routing::post(answer))
        .with_state(asked);
    // It ends with the runtime of the trial.
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn answer(State(asked): State<Asked>, Json(request): Json<Value>) -> Json<Value> {
    let last = request["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    asked.lock().unwrap().push(request);
    let wanted = last["content"].as_str().filter(|_| last["role"] == "user");
    let wanted = wanted.and_then(|content| content.split_once(' '));
    let (tool, times) = wanted.map_or(("", 0), |(tool, times)| (tool, times.parse().unwrap()));
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

pub struct Trial {
    pub folder: Arc<Folder>,
    watcher: Watcher,
    pub asked: Asked,
}

impl Trial {
    pub async fn new() -> Self {
        let folder = Folder::new();
        let watcher = Watcher::new(&folder);
        let asked = Asked::default();
        let agent = folder.0.join("agents/desk");
        std::fs::create_dir_all(&agent).unwrap();
        let file = format!(
            "[agent]\nname = \"Desk\"\nhandle = \"@desk\"\nbuild_id = \"1\"\nbuild_type = \"TEST\"\n\
             [model]\nname = \"small\"\nbase_url = {:?}\n\
             [titles]\nenabled = false\n\
             [policy]\nexpires = \"1h\"\n\
             [[policy.rule]]\ntool = \"counter/look\"\ndo = \"auto\"\neffect = \"read\"\n\
             [[policy.rule]]\ntool = \"counter/count\"\ndo = \"ask\"\neditable = [\"/n\"]\n\
             [[mcp]]\nid = \"counter\"\ncommand = [{:?}, \"../../counted\", \"{}\"]\n",
            model(Arc::clone(&asked)).await,
            example("counter"),
            watcher.address,
        );
        std::fs::write(agent.join("agent.toml"), file).unwrap();
        Self {
            folder,
            watcher,
            asked,
        }
    }

    pub fn start(&self, place: Place) -> Program {
        let program = Program::start(&self.folder, 0.0, place);
        self.watcher.watch(program.counter());
        program
    }

    /// Returns how often each execution was counted by the tool.
    pub fn counted(&self) -> BTreeMap<String, usize> {
        let text = std::fs::read_to_string(self.folder.0.join("counted")).unwrap_or_default();
        let mut counted = BTreeMap::new();
        for line in text.lines() {
            let (id, _) = line.split_once(' ').unwrap();
            *counted.entry(id.to_owned()).or_default() += 1;
        }
        counted
    }

    /// Returns the number that each execution was given.
    fn numbers(&self) -> BTreeMap<String, u64> {
        let text = std::fs::read_to_string(self.folder.0.join("counted")).unwrap_or_default();
        let lines = text.lines().map(|line| line.split_once(' ').unwrap());
        lines
            .map(|(id, number)| (id.to_owned(), number.parse().unwrap()))
            .collect()
    }
}

/// Plays a plan, kills, starts again and checks.
pub async fn kill(plan: &Plan) -> Counts {
    let mut counts = Counts::default();
    let trial = Trial::new().await;
    let program = trial.start(plan.kill);
    let mut posted = Posted::default();
    posted.play(&program, plan).await;
    counts.kill(if program.was_killed_in_time() {
        plan.kill.moment.name()
    } else {
        Moment::End.name()
    });
    let killed = program.was_killed_in_time();
    program.kill();
    let mut twice = false;
    if let Some(count) = plan.again {
        let moment = Moment::Statement;
        let program = trial.start(Place { moment, count });
        if program.address.is_some() {
            free(&trial, &program).await;
        }
        twice = program.was_killed_in_time();
        if twice {
            counts.kill("while it went on");
        }
        program.kill();
    }
    let Some(thread) = posted.thread.clone() else {
        return counts;
    };
    let program = trial.start(NEVER);
    free(&trial, &program).await;
    let exact = killed && !twice && posted.decided;
    let unknown = check(&trial, &program, &thread, plan, exact).await;
    go_on(&trial, &program, &thread, &posted, plan).await;
    // The model is told of what is unknown, with its next request.
    let told = trial.asked.lock().unwrap().last().unwrap().to_string();
    assert_eq!(told.contains(UNKNOWN_OUTCOME), unknown, "{told}");
    let messages = stored(&program, &thread).await;
    program.kill();
    check_numbers(&trial, &messages, plan);
    check_at_most_once(&trial).await;
    counts
}

/// What a client did, and saw.
#[derive(Default)]
struct Posted {
    thread: Option<String>,
    asked: Vec<Value>,
    /// True if the decisions were posted.
    decided: bool,
}

impl Posted {
    async fn play(&mut self, program: &Program, plan: &Plan) {
        let new = json!({ "agentId": "desk" });
        let Some((201, thread)) = ask(program, Method::POST, THREADS, Some(&new)).await else {
            return;
        };
        let thread = thread["id"].as_str().unwrap().to_owned();
        self.thread = Some(thread.clone());
        let count = text(&format!("count {}", plan.verdicts.len()));
        let seen = post(program, &thread, &count, false).await;
        self.asked = requests(&seen.events).into_iter().flatten().collect();
        if self.asked.is_empty() {
            return;
        }
        self.decided = true;
        let decisions = decisions(&self.asked, plan);
        post(program, &thread, &decisions, true).await;
    }
}

/// Returns the post with the decisions of a plan; what is edited gets a number that is larger by 100.
fn decisions(asked: &[Value], plan: &Plan) -> Value {
    let verdicts = plan.verdicts.iter();
    let verdicts: Vec<_> = verdicts
        .map(|verdict| if *verdict == EDITED { YES } else { verdict })
        .collect();
    let mut item = decided(asked, &verdicts);
    for (at, verdict) in plan.verdicts.iter().enumerate() {
        if *verdict == EDITED {
            let item = &mut item["toolApprovalResult"][at];
            item["editedArguments"] = json!({ "n": number_of(item) + EDITED_BY });
        }
    }
    body(&[item])
}

/// Returns the number in the arguments of a request.
fn number_of(request: &Value) -> u64 {
    request["toolArguments"]["n"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

pub async fn post(program: &Program, thread: &str, body: &Value, decides: bool) -> Seen {
    client::post(program, &messages_of(thread), body, decides).await
}

/// Waits until nothing is being written, or the program is gone.
pub async fn free(trial: &Trial, program: &Program) {
    let mut database = trial.folder.connect().await;
    let waiting = async {
        loop {
            let writing = database.number("SELECT COUNT(*) FROM runs WHERE ended_at IS NULL");
            if writing.await == 0 || program.was_killed_in_time() {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await;
    waited.unwrap();
}

pub async fn stored(program: &Program, thread: &str) -> Vec<Value> {
    let path = messages_of(thread);
    let (status, messages) = ask(program, Method::GET, &path, None).await.unwrap();
    assert_eq!(status, 200);
    messages.as_array().unwrap().clone()
}

/// Returns the status of each execution that was asked about.
fn statuses(messages: &[Value]) -> BTreeMap<String, String> {
    let asked = messages
        .iter()
        .filter_map(|message| message["toolExecutionHumanApprovalRequest"].as_array())
        .flatten();
    asked
        .map(|tool| {
            let text = |name: &str| tool[name].as_str().unwrap().to_owned();
            (text("toolExecutionId"), text("status"))
        })
        .collect()
}

/// Checks what was found after the restart; returns true if an outcome is unknown. `exact`: it was
/// killed once, at the moment of the plan, after the decisions.
async fn check(trial: &Trial, program: &Program, thread: &str, plan: &Plan, exact: bool) -> bool {
    let messages = stored(program, thread).await;
    let said: String = messages.iter().map(|m| m["content"].to_string()).collect();
    let counted = trial.counted();
    let statuses = statuses(&messages);
    let approved: Vec<&String> = statuses
        .iter()
        .filter(|(_, status)| *status == YES)
        .map(|(id, _)| id)
        .collect();
    let ran = approved
        .iter()
        .filter(|id| counted.contains_key(**id))
        .count();
    let unknown = said.contains("It is not known whether");
    let ended = unknown || said.contains("interrupted");
    assert!(
        ran == approved.len() || ended,
        "approved, not run, and nothing says so: {messages:#?}"
    );
    if exact {
        let done = usize::try_from(plan.kill.count).unwrap();
        match plan.kill.moment {
            // Nothing is unknown: it went on by itself, to the end.
            Moment::Listed => {
                assert_eq!((ran, ended), (approved.len(), false), "{messages:#?}");
                assert!(said.contains("goes on by itself"), "{messages:#?}");
            }
            Moment::Called => assert_eq!((ran, unknown), (done - 1, true), "{messages:#?}"),
            Moment::Done | Moment::Answered => {
                assert_eq!((ran, unknown), (done, true), "{messages:#?}");
            }
            _ => {}
        }
    }
    unknown
}

/// Decides what is still pending, and sees that the thread takes another message.
async fn go_on(trial: &Trial, program: &Program, thread: &str, posted: &Posted, plan: &Plan) {
    let messages = stored(program, thread).await;
    let pending = statuses(&messages)
        .values()
        .filter(|s| *s == PENDING)
        .count();
    if pending > 0 {
        let asked = if posted.asked.is_empty() {
            asked_in(&messages)
        } else {
            posted.asked.clone()
        };
        let decisions = decisions(&asked, plan);
        let seen = post(program, thread, &decisions, true).await;
        assert_eq!(seen.texts("AGENT_RESPONSE_COMPLETE"), ["Done."]);
        let approved = plan.verdicts.iter().filter(|v| **v != NO).count();
        assert_eq!(trial.counted().len(), approved);
    }
    let seen = post(program, thread, &text("hello"), false).await;
    assert_eq!(seen.texts("AGENT_RESPONSE_COMPLETE"), ["Done."], "{seen:?}");
}

/// Returns the requests that stored messages tell, in the form in which they are streamed.
fn asked_in(messages: &[Value]) -> Vec<Value> {
    let asked = messages
        .iter()
        .filter_map(|message| message["toolExecutionHumanApprovalRequest"].as_array())
        .flatten();
    asked
        .map(|tool| {
            json!({
                "toolId": tool["toolId"],
                "toolName": tool["name"],
                "toolProvider": tool["provider"],
                "toolCategory": tool["category"],
                "toolExecutionId": tool["toolExecutionId"],
                "toolExecutionBatchId": tool["executionBatchId"],
                "toolMemoryId": tool["toolMemoryId"],
                "toolArguments": tool["toolArguments"],
                "approvalResult": tool["status"],
            })
        })
        .collect()
}

/// Checks that each call ran with the number that was approved, and that the messages say so.
fn check_numbers(trial: &Trial, messages: &[Value], plan: &Plan) {
    let numbers = trial.numbers();
    let asked = messages
        .iter()
        .filter_map(|message| message["toolExecutionHumanApprovalRequest"].as_array())
        .flatten();
    for tool in asked {
        let proposed = number_of(tool);
        let edited = tool["editedArguments"]["n"].as_str();
        let edited: Option<u64> = edited.map(|it| it.parse().unwrap());
        let is_decided = tool["status"] == YES;
        let is_edited = is_decided && plan.verdicts[usize::try_from(proposed).unwrap()] == EDITED;
        assert_eq!(edited, is_edited.then_some(proposed + EDITED_BY), "{tool}");
        if let Some(ran) = numbers.get(tool["toolExecutionId"].as_str().unwrap()) {
            assert_eq!(*ran, edited.unwrap_or(proposed), "{tool}");
        }
    }
}

/// Checks what holds whatever happened: no execution was counted twice, each that was counted had
/// been approved before, and the audit is whole and has the decisions.
async fn check_at_most_once(trial: &Trial) {
    let store = Store::attach(&trial.folder.storage()).await.unwrap();
    let audit = store.audit().await.unwrap();
    store.close().await;
    assert_eq!(audit.fault(None), None);
    let decisions = |id: &str| -> Vec<Decision> {
        let of_call = audit.lines.iter().filter(|line| line.execution_id == id);
        of_call.map(|line| line.decision).collect()
    };
    for (id, times) in trial.counted() {
        assert_eq!(times, 1, "{id} ran more than once");
        let decisions = decisions(&id);
        assert!(decisions.contains(&Decision::Asked), "{decisions:?}");
        let approved = |decision: &&Decision| **decision == Decision::Approved;
        assert_eq!(
            decisions.iter().filter(approved).count(),
            1,
            "{decisions:?}"
        );
        assert!(!decisions.contains(&Decision::Denied), "{decisions:?}");
    }
}
