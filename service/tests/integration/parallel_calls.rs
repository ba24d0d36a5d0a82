//! Calls of one answer that run at the same time: which of them, how many, and what becomes of them
//! when one fails, the answer is stopped, or the service is killed.

#![cfg(unix)]

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use assent_protocol::SseEvent;
use assent_service::{
    AppState,
    agents::Agents,
    app,
    rules::audit::{Decision, DecisionSource},
    sentence::{INTERRUPTED, STOPPED},
    store::Store,
    transcript::{CallEnd, Item, NOT_RUN, UNKNOWN_OUTCOME},
};
use axum::http::Method;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::common::{
    self, Folder, THREADS, USER, body, content, decided,
    desk::Desk,
    faults::{Faults, Kind},
    messages_of,
    model::{Reply, calls, says},
    program::{Running, TYPED, program, start, storage},
    request, requests, text,
    tool_server::{Heard, said, tool_server},
    types, until,
};

/// A tool server whose calls end when the test lets them.
#[derive(Clone, Default)]
struct Far(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The numbers of all calls, as they began, each with the id of its execution.
    begun: Mutex<Vec<(u64, String)>>,
    under_way: Mutex<UnderWay>,
    /// The numbers of calls that may end.
    ends: watch::Sender<BTreeSet<u64>>,
}

#[derive(Default)]
struct UnderWay {
    numbers: BTreeSet<u64>,
    /// Most at the same time.
    most: usize,
}

/// A call that is under way.
struct Call(Far, u64);

impl Drop for Call {
    fn drop(&mut self) {
        self.0.0.under_way.lock().unwrap().numbers.remove(&self.1);
    }
}

impl Far {
    async fn start(&self) -> String {
        let far = self.clone();
        tool_server(move |heard| far.clone().answer(heard)).await
    }

    async fn answer(self, heard: Heard) -> Option<Value> {
        if heard.method == "tools/list" {
            let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
            return Some(json!({ "tools": [tool("look"), tool("write")] }));
        }
        if heard.method != "tools/call" {
            return None;
        }
        let arguments = &heard.params["arguments"];
        let number = arguments["n"].as_u64().unwrap();
        let execution = heard.params["_meta"]["assent/executionId"].as_str();
        let _call = self.begin(number, execution.unwrap());
        let mut ends = self.0.ends.subscribe();
        ends.wait_for(|ends| ends.contains(&number)).await.unwrap();
        let mut result = said(&number.to_string());
        result["isError"] = json!(arguments["fails"] == true);
        Some(result)
    }

    fn begin(&self, number: u64, execution: &str) -> Call {
        let begun = (number, execution.to_owned());
        self.0.begun.lock().unwrap().push(begun);
        let mut under_way = self.0.under_way.lock().unwrap();
        under_way.numbers.insert(number);
        under_way.most = under_way.most.max(under_way.numbers.len());
        Call(self.clone(), number)
    }

    fn begun(&self) -> Vec<(u64, String)> {
        self.0.begun.lock().unwrap().clone()
    }

    fn under_way(&self) -> Vec<u64> {
        let under_way = self.0.under_way.lock().unwrap();
        under_way.numbers.iter().copied().collect()
    }

    fn most(&self) -> usize {
        self.0.under_way.lock().unwrap().most
    }

    /// Lets calls with these numbers end.
    fn end(&self, numbers: &[u64]) {
        self.0.ends.send_modify(|ends| ends.extend(numbers));
    }
}

const READS: &str =
    "[policy]\nrule = [{ tool = \"far/look\", do = \"auto\", effect = \"read\" }]\n";

/// Returns a desk whose model says this, with the server and these tables in its file.
async fn desk(far: &Far, replies: Vec<Reply>, tables: &str) -> Desk {
    let url = far.start().await;
    let server = format!("[[mcp]]\nid = \"far\"\nurl = {url:?}\n");
    Desk::with(replies, &format!("{server}{tables}")).await
}

/// An answer of the model that calls `look` with the numbers below this one.
fn looks(count: u64) -> Reply {
    let calls_of: Vec<_> = (0..count)
        .map(|n| ("far__look", json!({ "n": n })))
        .collect();
    calls("", &calls_of)
}

fn ran(desk: &Desk, thread: &str) -> impl Future<Output = Vec<(String, CallEnd)>> {
    results(desk.service.state.store().clone(), thread.to_owned())
}

/// Returns what is stored of the calls of a thread that ended, in the order of their ends.
async fn results(store: Store, thread: String) -> Vec<(String, CallEnd)> {
    let transcript = store.transcript(&common::key(&thread), "").await.unwrap();
    let items = transcript.items.into_iter();
    let ended = items.filter_map(|item| match item {
        Item::Result(result) => Some((result.text, result.end)),
        _ => None,
    });
    ended.collect()
}

/// Says something in a new thread, and does something until the answer has come.
async fn beside(desk: &Desk, work: impl AsyncFnOnce(&str)) -> Vec<SseEvent> {
    let thread = desk.service.thread("desk").await;
    tokio::join!(desk.service.say(&thread, "look"), work(&thread)).0
}

#[tokio::test]
async fn reads_are_all_under_way_at_once() {
    let far = Far::default();
    let desk = desk(&far, vec![looks(4), says("Seen.")], READS).await;
    let events = beside(&desk, async |_| {
        until(async || far.under_way() == [0, 1, 2, 3]).await;
        far.end(&[0, 1, 2, 3]);
    })
    .await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Seen.");
    assert_eq!(desk.results(), ["0", "1", "2", "3"]);
    let of = |name: &str| {
        let of_type = events.iter().filter(|e| e.event_type.name() == name);
        let texts: Vec<_> = of_type.map(|e| e.event_message.content.clone()).collect();
        texts
    };
    assert_eq!(
        of("NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS"),
        [
            "1 of 4: far/look",
            "2 of 4: far/look",
            "3 of 4: far/look",
            "4 of 4: far/look"
        ]
    );
    assert_eq!(of("NOTIFICATION_TOOL_EXECUTION_INITIATED").len(), 4);
}

#[tokio::test]
async fn no_more_of_them_than_the_file_allows_are_under_way() {
    for most in [1, 2] {
        let far = Far::default();
        let tables = format!("[limits]\nparallel = {most}\n{READS}");
        let desk = desk(&far, vec![looks(5), says("Seen.")], &tables).await;
        beside(&desk, async |_| {
            for number in 0..5 {
                let begun = (usize::try_from(number).unwrap() + most).min(5);
                until(async || far.begun().len() >= begun).await;
                far.end(&[number]);
            }
        })
        .await;
        assert_eq!((far.most(), far.begun().len()), (most, 5));
        assert_eq!(desk.results(), ["0", "1", "2", "3", "4"]);
    }
}

#[tokio::test]
async fn a_failure_is_that_of_one_call_and_the_model_reads_results_in_the_order_of_its_calls() {
    let far = Far::default();
    let wanted = [
        ("far__look", json!({ "n": 0 })),
        ("far__look", json!({ "n": 1, "fails": true })),
        ("far__look", json!({ "n": 2 })),
    ];
    let desk = desk(&far, vec![calls("", &wanted), says("Seen.")], READS).await;
    beside(&desk, async |thread| {
        until(async || far.under_way().len() == 3).await;
        for (stored, number) in (1..).zip([2, 1, 0]) {
            far.end(&[number]);
            until(async || ran(&desk, thread).await.len() == stored).await;
        }
        let ended = ["2", "1", "0"].map(str::to_owned);
        let ends = [CallEnd::Succeeded, CallEnd::Failed, CallEnd::Succeeded];
        let expected: Vec<_> = ended.into_iter().zip(ends).collect();
        assert_eq!(ran(&desk, thread).await, expected);
    })
    .await;
    assert_eq!(desk.results(), ["0", "1", "2"]);
}

#[tokio::test]
async fn approved_reads_run_at_once_and_what_writes_waits_and_runs_alone() {
    let far = Far::default();
    let wanted = [
        ("far__look", json!({ "n": 0 })),
        ("far__look", json!({ "n": 1 })),
        ("far__write", json!({ "n": 2 })),
        ("far__write", json!({ "n": 3 })),
        ("far__look", json!({ "n": 4 })),
    ];
    let asks = READS.replace("\"auto\"", "\"ask\"");
    let desk = desk(&far, vec![calls("", &wanted), says("Done.")], &asks).await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "go").await).remove(0);
    assert_eq!(far.begun(), []);
    let decisions = body(&[decided(&asked, &["APPROVED"; 5])]);
    let deciding = desk.service.stream(&thread, &decisions);
    let watching = async {
        for (number, begun) in [(0, 2), (1, 2), (2, 3), (3, 4), (4, 5)] {
            until(async || far.begun().len() >= begun).await;
            // Whatever else had begun with it would be there by now.
            assert_eq!(far.begun().len(), begun, "before {number} ended");
            far.end(&[number]);
            let stored = usize::try_from(number).unwrap() + 1;
            until(async || ran(&desk, &thread).await.len() == stored).await;
        }
    };
    tokio::join!(deciding, watching);
    assert_eq!(far.most(), 2);
    assert_eq!(desk.results(), ["0", "1", "2", "3", "4"]);
}

#[tokio::test]
async fn a_search_of_the_agent_itself_runs_beside_other_reads() {
    let far = Far::default();
    let wanted = [
        ("far__look", json!({ "n": 0 })),
        ("assent__search_knowledge", json!({ "query": "refund" })),
        ("assent__search_knowledge", json!({ "query": "parking" })),
        ("far__look", json!({ "n": 3 })),
    ];
    let knowledge = "[[knowledge]]\nid = \"handbook\"\nfolder = \"handbook\"\n";
    let desk = {
        let folder = Folder::new();
        let handbook = folder.0.join("agents/desk/handbook");
        std::fs::create_dir_all(&handbook).unwrap();
        std::fs::write(handbook.join("a.md"), "A refund is paid.").unwrap();
        let server = format!("[[mcp]]\nid = \"far\"\nurl = {:?}\n", far.start().await);
        let replies = vec![calls("", &wanted), says("Seen.")];
        let more = format!("{server}{knowledge}{READS}");
        Desk::in_folder(folder, replies, &more, common::settings()).await
    };
    beside(&desk, async |thread| {
        until(async || far.under_way() == [0, 3]).await;
        until(async || ran(&desk, thread).await.len() == 2).await;
        far.end(&[0, 3]);
    })
    .await;
    let results = desk.results();
    assert_eq!((results[0].as_str(), results[3].as_str()), ("0", "3"));
    assert!(results[1].contains("A refund is paid."), "{results:?}");
    assert_eq!(results[2], "Nothing was found.");
}

#[tokio::test]
async fn after_stop_what_runs_comes_to_its_end_and_nothing_else_begins() {
    let far = Far::default();
    let tables = format!("[limits]\nparallel = 2\n{READS}");
    let desk = desk(&far, vec![looks(4), says("I see.")], &tables).await;
    let thread = desk.service.thread("desk").await;
    let live = desk.service.listen().await;
    let look = text("look");
    let mut stream = live.post(&messages_of(&thread), USER, &look).await;
    until(async || far.under_way() == [0, 1]).await;
    let answer = format!("{THREADS}/{thread}/answer");
    let stop = request(Method::DELETE, &answer, USER, None);
    assert_eq!(live.send(stop).await.status, 202);
    far.end(&[1]);
    until(async || ran(&desk, &thread).await.len() == 1).await;
    // The other one runs still.
    assert!(!desk.service.takes_a_post(&thread).await);
    far.end(&[0, 2, 3]);
    let complete = stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    assert_eq!(complete.event_message.content, STOPPED);
    desk.service.say(&thread, "and?").await;
    assert_eq!(desk.results(), ["0", "1", NOT_RUN, NOT_RUN]);
    assert_eq!(far.begun().len(), 2);
    live.stop().await;
}

#[tokio::test]
async fn nothing_begins_when_the_time_of_the_answer_is_over() {
    let far = Far::default();
    let tables = format!("[limits]\nparallel = 2\nseconds = 6\ntool_seconds = 7\n{READS}");
    let desk = desk(&far, vec![looks(3), says("Not asked.")], &tables).await;
    let events = beside(&desk, async |_| {}).await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "*I stopped after 6 seconds, the limit of one answer.*"
    );
    assert_eq!((far.begun().len(), desk.model.left()), (2, 1));
}

#[tokio::test]
async fn one_session_has_sixteen_calls_under_way_and_the_others_wait_for_their_turn() {
    let far = Far::default();
    let tables = format!("[limits]\nparallel = 20\n{READS}");
    let turns_beside = [says("Hello."), says("Hello."), says("Hello.")];
    let replies = [looks(20)].into_iter().chain(turns_beside);
    let replies = replies.chain([says("I see.")]).collect();
    let desk = desk(&far, replies, &tables).await;
    let events = beside(&desk, async |_| {
        until(async || far.begun().len() >= 16).await;
        // All have been handed to the session. It is asked for its tools three times over, so that
        // one too many would have begun by then.
        for _ in 0..3 {
            let thread = desk.service.thread("desk").await;
            desk.service.say(&thread, "hello").await;
        }
        assert_eq!(far.under_way().len(), 16);
        for n in 0..20_u64 {
            let begun = usize::try_from(n).unwrap() + 16;
            until(async || far.begun().len() >= begun.min(20)).await;
            far.end(&[n]);
        }
    })
    .await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "I see.");
    assert_eq!((far.most(), desk.results().len()), (16, 20));
}

#[tokio::test]
async fn where_a_grant_is_taken_back_meanwhile_nothing_more_begins_by_it() {
    let far = Far::default();
    let write = |n: u64| ("far__write", json!({ "n": n }));
    let replies = vec![
        says("Hello."),
        calls("", &[write(0), write(1)]),
        says("One."),
    ];
    let desk = desk(&far, replies, "").await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "hello").await;
    let store = desk.service.state.store();
    let grant = store.grant(USER, "desk", "far/write", "{}").await.unwrap();
    let taking_back = async {
        until(async || far.under_way() == [0]).await;
        assert!(store.revoke_grant(&grant.unwrap()).await.unwrap());
        far.end(&[0]);
    };
    tokio::join!(desk.service.say(&thread, "write"), taking_back);
    let withdrawn = "This did not run: the user's permission for it has ended.";
    let ended = [
        ("0".to_owned(), CallEnd::Succeeded),
        (withdrawn.to_owned(), CallEnd::Refused),
    ];
    assert_eq!(ran(&desk, &thread).await, ended);
    assert_eq!(far.begun().len(), 1);
    let audited = store.audit().await.unwrap().lines;
    let refused = (Decision::Refused, DecisionSource::Grant);
    assert!(
        audited
            .iter()
            .any(|line| (line.decision, line.source) == refused)
    );
}

/// A desk over a database whose writes fail.
async fn faulty_desk(far: &Far, replies: Vec<Reply>, kind: Kind) -> (Desk, Arc<Faults>) {
    let tables = format!("[limits]\nparallel = 2\n{READS}");
    let mut desk = desk(far, replies, &tables).await;
    let faults = Faults::new(kind);
    let store = desk.service.state.store().clone();
    let store = store.with_probe(faults.clone());
    let agents = Agents::load(Some(&desk.service.folder.0.join("agents"))).unwrap();
    let state = AppState::new(store, agents, common::settings());
    desk.service.app = app(state.clone());
    desk.service.state = state;
    (desk, faults)
}

#[tokio::test]
async fn a_result_that_cannot_be_stored_leaves_the_other_calls_theirs() {
    let far = Far::default();
    let replies = vec![looks(3), says("I see.")];
    let (desk, faults) = faulty_desk(&far, replies, Kind::Refused).await;
    let thread = desk.service.thread("desk").await;
    let breaking = async {
        until(async || far.under_way() == [0, 1]).await;
        desk.service.wait_until_logged(&thread).await;
        faults.arm(1);
        far.end(&[0]);
        until(async || faults.struck()).await;
        far.end(&[1]);
    };
    let (events, ()) = tokio::join!(desk.service.say(&thread, "look"), breaking);
    assert!(types(&events).contains(&"ERROR"), "{events:?}");
    let stored = [("1".to_owned(), CallEnd::Succeeded)];
    assert_eq!(ran(&desk, &thread).await, stored);
    desk.service.say(&thread, "and?").await;
    assert_eq!(desk.results(), [UNKNOWN_OUTCOME, "1", NOT_RUN]);
    assert_eq!(far.begun().len(), 2);
}

/// A tool ran, and its result meets a fault that passes.
async fn a_result_outlives(kind: Kind) {
    let far = Far::default();
    let replies = vec![looks(1), says("I see.")];
    let (desk, faults) = faulty_desk(&far, replies, kind).await;
    let thread = desk.service.thread("desk").await;
    let breaking = async {
        until(async || far.under_way() == [0]).await;
        desk.service.wait_until_logged(&thread).await;
        faults.arm(1);
        far.end(&[0]);
        until(async || faults.struck()).await;
        faults.disarm();
    };
    let (events, ()) = tokio::join!(desk.service.say(&thread, "look"), breaking);
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "I see.");
    let stored = [("0".to_owned(), CallEnd::Succeeded)];
    assert_eq!(ran(&desk, &thread).await, stored);
    assert_eq!(desk.results(), ["0"]);
}

#[tokio::test]
async fn the_result_of_a_tool_that_ran_outlives_a_database_that_is_away() {
    a_result_outlives(Kind::Lasting).await;
}

#[tokio::test]
async fn a_result_whose_commit_happened_although_it_failed_is_stored_once() {
    a_result_outlives(Kind::Commit).await;
}

/// The program with the agents of a desk; it is killed and started again.
struct Killed {
    folder: Arc<Folder>,
    agents: String,
    running: Running,
    thread: String,
}

impl Killed {
    async fn new(desk: &Desk) -> Self {
        let agents = desk.service.folder.0.join("agents");
        let agents = agents.to_str().unwrap().to_owned();
        let folder = Folder::new();
        let running = begin(&folder, &agents);
        let new = running.send("POST", THREADS, TYPED, r#"{"agentId":"desk"}"#);
        let new: Value = serde_json::from_str(new.split_once("\r\n\r\n").unwrap().1).unwrap();
        Self {
            folder,
            agents,
            running,
            thread: new["id"].as_str().unwrap().to_owned(),
        }
    }

    /// Posts a message, and reads nothing of the answer.
    fn post(&self) -> std::net::TcpStream {
        let look = text("look").to_string();
        let messages = messages_of(&self.thread);
        self.running.open("POST", &messages, TYPED, &look)
    }

    fn kill(&mut self) {
        self.running.child.kill().unwrap();
        self.running.child.wait().unwrap();
        self.folder.end_leases();
        self.running = begin(&self.folder, &self.agents);
    }

    async fn store(&self) -> Store {
        Store::attach(&storage(&self.folder)).await.unwrap()
    }

    async fn results(&self) -> Vec<(String, CallEnd)> {
        let store = self.store().await;
        let results = results(store.clone(), self.thread.clone()).await;
        store.close().await;
        results
    }

    /// Returns the last message of the thread.
    fn last(&self) -> String {
        let stored = self.running.get(&messages_of(&self.thread), TYPED);
        let stored = stored.split_once("\r\n\r\n").unwrap().1;
        let stored: Value = serde_json::from_str(stored).unwrap();
        let last = stored.as_array().unwrap().last().unwrap();
        last["content"].as_str().unwrap().to_owned()
    }
}

fn begin(folder: &Arc<Folder>, agents: &str) -> Running {
    start(
        folder,
        program(folder, &["--api-key", "k", "--agents", agents]),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_that_were_under_way_at_a_kill_are_made_again_and_no_others() {
    let far = Far::default();
    let desk = desk(&far, vec![looks(3), says("Seen.")], READS).await;
    let mut service = Killed::new(&desk).await;
    let post = service.post();
    until(async || far.under_way() == [0, 1, 2]).await;
    far.end(&[0]);
    until(async || service.results().await.len() == 1).await;
    service.kill();
    drop(post);
    until(async || far.begun().len() == 5).await;
    far.end(&[1, 2]);
    until(async || service.last().ends_with("Seen.")).await;
    let mut begun = far.begun();
    begun.sort_unstable();
    let numbers: Vec<_> = begun.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 1, 1, 2, 2]);
    begun.dedup();
    assert_eq!(begun.len(), 3, "each under the id that it had: {begun:?}");
    assert_eq!(desk.results(), ["0", "1", "2"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_read_that_was_under_way_at_a_second_kill_is_unknown() {
    let far = Far::default();
    let desk = desk(&far, vec![looks(3), says("I see.")], READS).await;
    let mut service = Killed::new(&desk).await;
    let post = service.post();
    until(async || far.under_way() == [0, 1, 2]).await;
    service.kill();
    drop(post);
    until(async || far.begun().len() == 6).await;
    far.end(&[1]);
    until(async || service.results().await.len() == 1).await;
    service.kill();
    let unknown = "*It is not known whether `far/look`, `far/look` ran. \
                   Check before you ask for it again.*";
    let last = service.last();
    assert!(
        last.ends_with(&format!("{INTERRUPTED}\n\n{unknown}")),
        "{last}"
    );
    let store = service.store().await;
    let lines = store.audit().await.unwrap().lines;
    store.close().await;
    let unknown = lines
        .iter()
        .filter(|line| (line.decision, line.source) == (Decision::Unknown, DecisionSource::Crash));
    assert_eq!(unknown.count(), 2);
    let answer = service.running.send(
        "POST",
        &messages_of(&service.thread),
        TYPED,
        common::program::HELLO,
    );
    assert!(answer.contains("I see."), "{answer}");
    assert_eq!(desk.results(), [UNKNOWN_OUTCOME, "1", UNKNOWN_OUTCOME]);
    assert_eq!(far.begun().len(), 6, "nothing is made a third time");
}
