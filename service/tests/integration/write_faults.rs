//! Writes that fail: after any of them each thread takes a post again within 8 s, without a restart,
//! and what was accepted is stored once.

use std::{
    cell::RefCell,
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use assent_service::{
    Error,
    agents::Agent,
    store::{Probe, Store},
    transcript::knowledge::{Passage, Shelf},
};
use axum::http::StatusCode;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::common::{
    self, Answer, Folder, Service, THREADS,
    agents::Gate,
    body, chunk,
    database::on_postgres,
    decided, events,
    faults::{Faults, Kind, Locked},
    messages_of, requests, service, service_over, service_with, settings, soon, text, types, until,
};

async fn faulty(kind: Kind, more: Vec<Arc<dyn Agent>>) -> (Service, Arc<Faults>) {
    let folder = Folder::new();
    let faults = Faults::new(kind);
    let store = Store::open(&folder.storage()).await.unwrap();
    let store = store.with_probe(faults.clone());
    (service_over(store, folder, settings(), more), faults)
}

/// Posts until it is accepted, and returns the stream.
async fn accepted(service: &Service, thread: &str, body: &Value) -> String {
    let stream = RefCell::new(String::new());
    soon(async || {
        let answer = service.post(&messages_of(thread), body).await;
        if answer.status == StatusCode::OK {
            *stream.borrow_mut() = answer.text;
            return true;
        }
        answer.failure(500);
        false
    })
    .await;
    stream.into_inner()
}

/// Asks, decides and talks in one thread; returns what is stored of it.
async fn conversation(service: &Service, thread: &str) -> Vec<String> {
    let stream = accepted(service, thread, &text("approve one")).await;
    let asked = requests(&events(stream.as_bytes())).remove(0);
    let approved = body(&[decided(&asked, &["APPROVED"])]);
    accepted(service, thread, &approved).await;
    accepted(service, thread, &text("collaborate")).await;
    let messages = service.settled(thread).await;
    let summary = messages.iter().map(|message| {
        let tools = message["toolExecutionHumanApprovalRequest"].as_array();
        let statuses = tools.map(|tools| tools.iter().map(|tool| &tool["status"]));
        let statuses: Vec<_> = statuses.into_iter().flatten().collect();
        format!("{} {} {statuses:?}", message["handle"], message["content"])
    });
    summary.collect()
}

/// For n = 1, 2, … until the conversation has no n-th statement that could fail.
async fn any_single_fault_is_survived(kind: Kind) {
    let (service, faults) = faulty(kind, Vec::new()).await;
    let whole = conversation(&service, &service.thread("demo").await).await;
    for n in 1.. {
        let thread = service.thread("demo").await;
        faults.arm(n);
        let stored = conversation(&service, &thread).await;
        let struck = faults.disarm();
        assert_eq!(stored, whole, "{kind:?} {n}");
        assert!(service.takes_a_post(&thread).await, "{kind:?} {n}");
        if !struck {
            assert!(n > 3, "nothing failed");
            return;
        }
    }
}

#[tokio::test]
async fn after_any_statement_that_fails_a_conversation_goes_on_as_if_nothing_had_been() {
    any_single_fault_is_survived(Kind::Single).await;
}

#[tokio::test]
async fn a_commit_that_happened_although_it_failed_counts() {
    any_single_fault_is_survived(Kind::Commit).await;
}

/// From the n-th statement on nothing can be written, until the answer was broken off.
async fn an_answer_breaks_off_at(n: i64) -> bool {
    let gate = Gate::new();
    let (service, faults) = faulty(Kind::Lasting, vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let path = messages_of(&thread);
    let say = text("go");
    let posting = service.send_and_read(&path, &say);
    let breaking_off = async {
        until(async || service.has_logged(&thread, 3).await).await;
        faults.arm(n);
        gate.open.add_permits(1);
        until(async || {
            service.state.runs().count() == 0 || service.state.runs().unstored_count() > 0
        })
        .await;
        let unstored = service.state.runs().unstored_count() > 0;
        if unstored {
            service.get("/readyz").await.failure(503);
            let alive = service.get("/healthz").await;
            assert_eq!(alive.status, StatusCode::OK);
            let taken = service.post(&path, &say).await;
            assert!(taken.status.is_client_error() || taken.status.is_server_error());
        }
        faults.disarm();
        unstored
    };
    let ((read, is_cut), unstored) = tokio::join!(posting, breaking_off);
    // What is in no log is told to nobody: the reader comes back for it.
    assert_eq!(is_cut, unstored, "{n}");
    let read = if unstored {
        let last = read.last().unwrap().event_id.as_str();
        let rest = service.get(&format!("{path}/stream?after={last}")).await;
        assert_eq!(rest.status, StatusCode::OK);
        events(rest.text.as_bytes())
    } else {
        read
    };
    let ending = if unstored {
        "ERROR"
    } else {
        "AGENT_RESPONSE_COMPLETE"
    };
    assert_eq!(types(&read).last(), Some(&ending), "{n}");
    gate.open.add_permits(1);
    soon(async || service.takes_a_post(&thread).await).await;
    soon(async || service.get("/readyz").await.status == StatusCode::OK).await;
    let messages = service.settled(&thread).await;
    let contents: Vec<_> = messages
        .iter()
        .map(|m| m["content"].as_str().unwrap())
        .collect();
    let note = "*The answer failed: The service had an internal problem. Please try again.*";
    let first = if unstored {
        format!("first second\n\n{note}")
    } else {
        "first second".to_owned()
    };
    assert_eq!(contents, ["go", &first, "hello", "first second"], "{n}");
    faults.struck()
}

#[tokio::test]
async fn an_answer_whose_end_cannot_be_stored_is_stored_when_that_works_again() {
    // Three log the last piece of text (one by itself with PostgreSQL), and twelve store the end of
    // the answer.
    let last = if on_postgres() { 13 } else { 15 };
    let struck = join_all((1..=last + 1).map(an_answer_breaks_off_at)).await;
    let expected: Vec<bool> = (1..=last + 1).map(|n| n <= last).collect();
    assert_eq!(struck, expected);
}

#[tokio::test]
async fn an_answer_that_ends_while_the_database_is_locked_is_stored_after_that() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let path = messages_of(&thread);
    let say = text("go");
    let posting = service.send_and_read(&path, &say);
    let locking = async {
        until(async || service.state.runs().count() == 1).await;
        let locked = Locked::take(&service.folder).await;
        gate.open.add_permits(2);
        until(async || service.state.runs().unstored_count() > 0).await;
        service.get("/readyz").await.failure(503);
        locked.release().await;
        soon(async || service.takes_a_post(&thread).await).await;
    };
    let ((_, is_cut), ()) = tokio::join!(posting, locking);
    assert!(is_cut);
    let messages = service.settled(&thread).await;
    assert_eq!(messages.len(), 4, "{messages:?}");
    soon(async || service.get("/readyz").await.status == StatusCode::OK).await;
}

#[tokio::test]
async fn while_writers_wait_for_a_locked_database_everybody_can_read() {
    let service = service().await;
    let thread = service.thread("demo").await;
    service.say(&thread, "hello").await;
    let locked = Locked::take(&service.folder).await;
    let writers: Vec<_> = (0..50)
        .map(|_| {
            let (service, path) = (service.clone(), messages_of(&thread));
            tokio::spawn(async move { service.post(&path, &text("hello")).await })
        })
        .collect();
    soon(async || service.get("/readyz").await.status == StatusCode::SERVICE_UNAVAILABLE).await;
    let (list, messages) = (format!("{THREADS}/demo"), messages_of(&thread));
    for path in ["/healthz", &list, &messages] {
        soon(async || service.get(path).await.status == StatusCode::OK).await;
    }
    assert!(!writers.iter().any(tokio::task::JoinHandle::is_finished));
    locked.release().await;
    soon(async || service.takes_a_post(&thread).await).await;
    join_all(writers).await;
}

#[tokio::test]
async fn other_writes_fail_as_a_whole_and_work_again() {
    let (service, faults) = faulty(Kind::Single, Vec::new()).await;
    for n in 1.. {
        let thread = service.thread("demo").await;
        let name = json!({ "threadName": format!("name {n}") });
        faults.arm(n);
        let path = format!("{THREADS}/{thread}");
        let renamed = service.put(&path, &name).await;
        let created = service.post(THREADS, &json!({ "agentId": "demo" })).await;
        let deleted = service.delete(&path).await;
        let struck = faults.disarm();
        let statuses = [renamed.status, created.status, deleted.status];
        let failed = statuses.iter().filter(|s| s.is_server_error()).count();
        assert_eq!(failed, usize::from(struck), "{n}: {statuses:?}");
        let list = service.get(&format!("{THREADS}/demo")).await;
        assert_eq!(
            list.text.contains(&thread),
            deleted.status.is_server_error()
        );
        if !struck {
            return;
        }
    }
}

/// Whatever went wrong with the task that should have ended it.
#[tokio::test]
async fn an_answer_that_nobody_writes_does_not_keep_its_thread() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let accepted = common::accept_text(store, &thread, "a long story").await;
    let begun = chunk(&accepted.run, 1, None, "Once");
    assert_eq!(store.append_events(&[begun]).await.unwrap().len(), 1);
    assert!(!service.takes_a_post(&thread).await);
    drop(accepted);
    assert!(service.takes_a_post(&thread).await);
    let messages = service.messages(&thread).await;
    let broken_off = messages[1]["content"].as_str().unwrap();
    assert!(broken_off.starts_with("Once\n\n*This answer was interrupted"));
    assert_eq!(messages[2]["content"], "hello");
}

async fn upload(service: &Service) -> Answer {
    let upload = axum::http::Request::post("/api/assistants/uploads")
        .header("authorization", format!("Bearer {}", common::KEY))
        .header("x-service-user-id", common::USER)
        .body(axum::body::Body::from("0123456789"));
    service.send(upload.unwrap()).await
}

#[tokio::test]
async fn an_upload_that_cannot_be_recorded_leaves_no_file() {
    for kind in [Kind::Single, Kind::Commit] {
        let (service, faults) = faulty(kind, Vec::new()).await;
        for n in 1.. {
            faults.arm(n);
            let answer = upload(&service).await;
            let struck = faults.disarm();
            if struck && kind == Kind::Single {
                answer.failure(500);
                until(async || service.folder.kept().is_empty()).await;
            } else {
                assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
            }
            if !struck {
                break;
            }
        }
    }
}

/// What was written of an upload, in order.
#[derive(Debug, Default)]
struct Order {
    steps: Mutex<Vec<&'static str>>,
    /// True if the file cannot be kept.
    fails: bool,
    folder: PathBuf,
}

impl Probe for Order {
    fn before_statement(&self) -> sqlx::Result<()> {
        self.steps.lock().unwrap().push("statement");
        Ok(())
    }

    fn after_file(&self) -> Result<(), Error> {
        self.steps.lock().unwrap().push("file");
        let mut files = fs::read_dir(&self.folder).unwrap();
        let file = files.next().unwrap().unwrap();
        assert!(files.next().is_none());
        assert_eq!(fs::read(file.path()).unwrap(), b"0123456789", "all of it");
        if self.fails {
            return Err(Error::Panicked);
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_file_is_whole_and_has_its_name_before_its_row_is_written() {
    for fails in [false, true] {
        let folder = Folder::new();
        let order = Arc::new(Order {
            fails,
            folder: folder.uploads(),
            ..Order::default()
        });
        let store = Store::open(&folder.storage()).await.unwrap();
        let store = store.with_probe(order.clone());
        let service = service_over(store, folder, settings(), Vec::new());
        let answer = upload(&service).await;
        let steps = order.steps.lock().unwrap().clone();
        if fails {
            answer.failure(500);
            assert_eq!(steps, ["file"]);
            until(async || service.folder.kept().is_empty()).await;
        } else {
            assert_eq!(answer.status, StatusCode::CREATED);
            assert_eq!(steps[..2], ["file", "statement"]);
            assert_eq!(service.folder.kept().len(), 1);
        }
    }
}

/// Counts the statements of each transaction.
#[derive(Debug, Default)]
struct Lengths {
    now: AtomicUsize,
    longest: AtomicUsize,
    commits: AtomicUsize,
}

impl Probe for Lengths {
    fn before_statement(&self) -> sqlx::Result<()> {
        let length = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.longest.fetch_max(length, Ordering::SeqCst);
        Ok(())
    }

    fn after_commit(&self) -> sqlx::Result<()> {
        self.now.store(0, Ordering::SeqCst);
        self.commits.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[tokio::test]
async fn a_folder_is_indexed_in_parts_between_which_others_write() {
    let folder = Folder::new();
    let shelf = Shelf {
        agent: "desk".to_owned(),
        source: "handbook".to_owned(),
    };
    let passages: Vec<Passage> = (0..1_000)
        .map(|n| Passage {
            file: "a.md".to_owned(),
            heading: String::new(),
            text: format!("word{n} of the handbook"),
        })
        .collect();
    let lengths = Arc::new(Lengths::default());
    let store = Store::open(&folder.storage()).await.unwrap();
    let knowledge = store.knowledge(&common::key("a thread"));
    let counted = store.clone().with_probe(lengths.clone());
    let counted = counted.knowledge(&common::key("a thread"));
    for time in [1, 2] {
        counted.fill(&shelf, "one", &passages).await.unwrap();
        assert!(lengths.commits.load(Ordering::SeqCst) > 10 * time);
    }
    let longest = lengths.longest.load(Ordering::SeqCst);
    assert!(longest < 250, "{longest} statements at once");
    assert_eq!(knowledge.passages(&shelf).await.unwrap().len(), 1_000);

    // One that was interrupted is no revision of any folder, and is filled anew.
    let faults = Faults::new(Kind::Refused);
    let faulty = store.clone().with_probe(faults.clone());
    let faulty = faulty.knowledge(&common::key("a thread"));
    faults.arm(1_000);
    faulty.fill(&shelf, "two", &passages).await.unwrap_err();
    let indexed = knowledge.folder_state(&shelf).await.unwrap().unwrap();
    assert_eq!(indexed.revision, "");
    knowledge
        .fill(&shelf, "two", &passages[..10])
        .await
        .unwrap();
    assert_eq!(knowledge.passages(&shelf).await.unwrap().len(), 10);
    // Vectors of another revision are none of this one, and those of another model go.
    let vectors = [(3, vec![1.0]), (4, vec![0.5])];
    let put = async |revision, model, vectors| {
        let stored = knowledge
            .put_vectors(&shelf, revision, model, vectors)
            .await;
        stored.unwrap();
        knowledge.vectors(&shelf).await.unwrap()
    };
    assert_eq!(put("one", "letters", &vectors).await, []);
    assert_eq!(put("two", "letters", &vectors[..1]).await, vectors[..1]);
    assert_eq!(put("two", "letters", &vectors[1..]).await, vectors);
    assert_eq!(put("two", "words", &vectors[..1]).await, vectors[..1]);
    let words = ["word7".to_owned(), "word900".to_owned()];
    assert_eq!(knowledge.search(&shelf, &words, 5).await.unwrap(), [7]);
}
