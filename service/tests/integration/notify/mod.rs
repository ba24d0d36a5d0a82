//! A webhook is told of decisions that wait (`[notify]`): what, when, in which order, and what comes of
//! a receiver that is rude.

mod programs;
mod receiver;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use assent_service::Settings;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::common::{
    Folder, Service, THREADS, USER,
    asker::Asker,
    body, decided,
    desk::{Desk, POLICY, add},
    messages_of,
    model::calls,
    requests, service_in, settings, until,
};
use receiver::{Receiver, Reply};

const HOUR: Duration = Duration::from_secs(3600);

/// Settings of a service that tells a receiver, with `more` lines in the file.
fn telling(receiver: &Receiver, folder: &Folder, more: &str) -> Settings {
    let notify = receiver.settings(folder, more);
    Settings {
        notify: Some(notify),
        ..settings()
    }
}

async fn service(settings: Settings, folder: &Arc<Folder>) -> Service {
    service_in(Arc::clone(folder), settings, vec![Asker::new(3)]).await
}

/// Returns the number of messages that are still to be sent.
async fn left(folder: &Folder) -> i64 {
    let mut database = folder.connect().await;
    let left = database.number("SELECT COUNT(*) FROM notices").await;
    database.close().await;
    left
}

/// Waits until a query has this number for its answer.
async fn until_number(folder: &Folder, query: &str, number: i64) {
    // One connection: PostgreSQL starts a process for each.
    let database = Mutex::new(folder.connect().await);
    until(async || database.lock().await.number(query).await == number).await;
    database.into_inner().close().await;
}

/// Waits until so many messages are still to be sent.
async fn until_left(folder: &Folder, count: i64) {
    until_number(folder, "SELECT COUNT(*) FROM notices", count).await;
}

/// Lets the pauses be over.
async fn pass_time(folder: &Folder) {
    let mut database = folder.connect().await;
    let passed = "UPDATE notices SET due_ms = 0";
    database.execute(passed).await.unwrap();
    database.close().await;
}

/// Waits until the metrics have a line: what is counted is so after the row is gone.
async fn until_counted(service: &Service, line: &str) {
    let metrics = service.state.metrics();
    until(async || metrics.text(0, &[]).unwrap().lines().any(|it| it == line)).await;
}

fn ids(requests: &[Value]) -> Vec<&Value> {
    requests.iter().map(|request| &request["toolId"]).collect()
}

#[tokio::test]
async fn what_waits_is_told_once_signed_and_without_arguments() {
    let (folder, receiver) = (Folder::new(), Receiver::new(&[]).await);
    let more = "link = \"https://shop.example/chat?thread={thread}&user={user}\"";
    let service = service(telling(&receiver, &folder, more), &folder).await;
    let live = service.listen().await;
    let (thread, asked) = service.asked("approve three").await;
    let heard = receiver.hears(1).await.remove(0);
    assert!(heard.is_signed(), "{heard:?}");
    assert_eq!(heard.headers["content-type"], "application/json");
    let age = jiff::Timestamp::now().as_second()
        - heard.headers["webhook-timestamp"].parse::<i64>().unwrap();
    assert!((0..60).contains(&age), "{age}");
    let told = heard.json();
    assert_eq!(told["type"], "approval.waiting");
    let asking = &service.messages(&thread).await[1];
    assert_eq!(told["timestamp"], asking["timestamp"]);
    let data = &told["data"];
    let link = format!("https://shop.example/chat?thread={thread}&user=ada");
    for (field, value) in [
        ("userId", json!(USER)),
        ("agentId", json!("demo")),
        ("threadId", json!(thread)),
        ("count", json!(3)),
        ("link", json!(link)),
        (
            "toolExecutionBatchId",
            asked[0][0]["toolExecutionBatchId"].clone(),
        ),
    ] {
        assert_eq!(data[field], value, "{field}");
    }
    let tools = data["tools"].as_array().unwrap();
    assert_eq!(ids(tools), ids(&asked[0]));
    assert!(!heard.text.contains("toolArguments"), "{}", heard.text);
    // Nothing by which it could be decided.
    for secret in ["toolExecutionId\"", "toolMemoryId"] {
        assert!(!heard.text.contains(secret), "{}", heard.text);
    }
    until_left(&folder, 0).await;
    until_counted(&service, "assent_notices_total{end=\"sent\"} 1").await;
    live.stop().await;
    assert_eq!(receiver.heard().len(), 1);
}

#[tokio::test]
async fn reasons_are_told_and_arguments_where_the_operator_wants_them() {
    let (folder, receiver) = (Folder::new(), Receiver::new(&[]).await);
    let settings = telling(&receiver, &folder, "include = \"arguments\"");
    let replies = vec![calls("", &[add("milk")])];
    let desk = Desk::in_folder(folder, replies, POLICY, settings).await;
    let live = desk.service.listen().await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "add").await).remove(0);
    let heard = receiver.hears(1).await.remove(0);
    let told = heard.json();
    let tool = &told["data"]["tools"][0];
    assert_eq!(told["data"]["agentName"], "Desk");
    assert_eq!(tool["toolId"], "notes/add");
    assert_eq!(tool["toolArguments"]["text"], "milk");
    assert_eq!(tool.get("reason"), asked[0].get("reason"));
    live.stop().await;
}

#[tokio::test]
async fn nothing_is_told_of_what_is_decided_or_deleted_before_its_time() {
    let (folder, receiver) = (Folder::new(), Receiver::new(&[]).await);
    let settings = telling(&receiver, &folder, "delay = \"1h\"");
    let service = service(settings, &folder).await;
    let live = service.listen().await;
    let (approved, asked) = service.asked("approve three").await;
    let (deleted, _) = service.asked("approve one").await;
    let (waiting, _) = service.asked("approve one").await;
    assert_eq!(left(&folder).await, 3);
    let approval = body(&[decided(&asked[0], &["APPROVED", "DENIED", "APPROVED"])]);
    service.stream(&approved, &approval).await;
    assert_eq!(left(&folder).await, 2);
    service.delete(&format!("{THREADS}/{deleted}")).await;
    assert_eq!(left(&folder).await, 1);
    pass_time(&folder).await;
    let heard = receiver.hears(1).await;
    assert_eq!(heard[0].json()["data"]["threadId"], waiting);
    until_left(&folder, 0).await;
    service.asked("approve one").await;
    service.state.store().delete_user(USER).await.unwrap();
    assert_eq!(left(&folder).await, 0);
    live.stop().await;
    assert_eq!(receiver.heard().len(), 1);
}

#[tokio::test]
async fn a_rude_receiver_is_told_again_under_the_same_id() {
    let folder = Folder::new();
    let rude = [
        Reply::Status(500),
        Reply::Status(404),
        Reply::Moved,
        Reply::Cut,
        Reply::Silence,
        Reply::Endless,
    ];
    let receiver = Receiver::new(&rude).await;
    let mut settings = telling(&receiver, &folder, "");
    let notify = settings.notify.as_mut().unwrap();
    notify.first_pause = Duration::ZERO;
    notify.timeout = Duration::from_millis(500);
    let service = service(settings, &folder).await;
    let live = service.listen().await;
    service.asked("approve one").await;
    let heard = receiver.hears(rude.len()).await;
    until_left(&folder, 0).await;
    assert_eq!(receiver.heard().len(), rude.len());
    for again in &heard {
        assert!(again.is_signed(), "{again:?}");
        assert_eq!(
            (&again.id(), again.path.as_str()),
            (&heard[0].id(), "/hook")
        );
        assert_eq!(again.text, heard[0].text);
    }
    for end in ["{end=\"failed\"} 5", "{end=\"sent\"} 1"] {
        until_counted(&service, &format!("assent_notices_total{end}")).await;
    }
    // Nobody else waited for that.
    assert!(service.takes_a_post(&service.thread("demo").await).await);
    live.stop().await;
}

#[tokio::test]
async fn after_its_time_it_is_given_up() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Status(503)]).await;
    let mut settings = telling(&receiver, &folder, "");
    settings.notify.as_mut().unwrap().give_up_after = Duration::ZERO;
    let service = service(settings, &folder).await;
    let live = service.listen().await;
    service.asked("approve one").await;
    until_left(&folder, 0).await;
    until_counted(&service, "assent_notices_total{end=\"given-up\"} 1").await;
    live.stop().await;
    assert_eq!(receiver.heard().len(), 1);
}

#[tokio::test]
async fn a_receiver_that_asks_for_time_gets_it() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Busy(1800)]).await;
    let service = service(telling(&receiver, &folder, ""), &folder).await;
    let live = service.listen().await;
    service.asked("approve one").await;
    receiver.hears(1).await;
    let is_postponed =
        "SELECT COUNT(*) FROM notices WHERE attempts = 1 AND due_ms - since_ms >= 1800000";
    until_number(&folder, is_postponed, 1).await;
    pass_time(&folder).await;
    receiver.hears(2).await;
    live.stop().await;
}

#[tokio::test]
async fn a_thread_is_told_in_order_and_no_other_one_waits_for_it() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Status(500)]).await;
    let mut settings = telling(&receiver, &folder, "");
    settings.notify.as_mut().unwrap().first_pause = HOUR;
    let service = service(settings, &folder).await;
    let live = service.listen().await;
    let thread = service.thread("asker").await;
    let asked = requests(&service.say(&thread, "hello").await);
    let batches: Vec<Value> = asked
        .iter()
        .flatten()
        .map(|request| request["toolExecutionBatchId"].clone())
        .collect();
    assert_eq!(batches.len(), 3);
    receiver.hears(1).await;
    let (other, _) = service.asked("approve one").await;
    receiver.hears(2).await;
    until_left(&folder, 3).await;
    // The pause of the first is an hour, once it is stored.
    let is_stored =
        "SELECT COUNT(*) FROM notices WHERE attempts = 1 AND due_ms - since_ms > 1800000";
    until_number(&folder, is_stored, 1).await;
    pass_time(&folder).await;
    let heard = receiver.hears(5).await;
    let told: Vec<Value> = heard
        .iter()
        .map(|heard| heard.json()["data"]["toolExecutionBatchId"].clone())
        .collect();
    assert_eq!(heard[1].json()["data"]["threadId"], other);
    let in_order = [&told[0], &told[2], &told[3], &told[4]];
    assert_eq!(
        in_order,
        [&batches[0], &batches[0], &batches[1], &batches[2]]
    );
    assert_eq!(heard[0].id(), heard[2].id());
    live.stop().await;
}

#[tokio::test]
async fn the_next_one_does_not_wait_for_what_is_decided() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Status(500)]).await;
    let mut settings = telling(&receiver, &folder, "");
    settings.notify.as_mut().unwrap().first_pause = HOUR;
    let service = service_in(Arc::clone(&folder), settings, vec![Asker::new(2)]).await;
    let live = service.listen().await;
    let thread = service.thread("asker").await;
    let asked = requests(&service.say(&thread, "hello").await);
    let asked: Vec<Value> = asked.into_iter().flatten().collect();
    receiver.hears(1).await;
    let deny = body(&[decided(&asked[..1], &["DENIED"])]);
    let denied = service.post(&messages_of(&thread), &deny).await;
    assert!(denied.status.is_success(), "{}", denied.text);
    let heard = receiver.hears(2).await;
    let told = &heard[1].json()["data"]["toolExecutionBatchId"];
    assert_eq!(*told, asked[1]["toolExecutionBatchId"]);
    live.stop().await;
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_told_nothing_until_the_next_start() {
    let folder = Folder::new();
    let receiver = Receiver::new(&[Reply::Status(410)]).await;
    let first = service(telling(&receiver, &folder, ""), &folder).await;
    let live = first.listen().await;
    first.asked("approve one").await;
    receiver.hears(1).await;
    first.asked("approve one").await;
    assert_eq!(left(&folder).await, 2);
    live.stop().await;
    drop(first);
    assert_eq!(receiver.heard().len(), 1);
    let second = service(telling(&receiver, &folder, ""), &folder).await;
    let live = second.listen().await;
    pass_time(&folder).await;
    let heard = receiver.hears(3).await;
    assert_ne!(heard[1].id(), heard[2].id());
    live.stop().await;
}

#[tokio::test]
async fn replicas_tell_each_message_once() {
    let folder = Folder::new();
    if !folder.is_on_postgres() {
        return;
    }
    let receiver = Receiver::new(&[]).await;
    let mut services = Vec::new();
    for _ in 0..3 {
        let service = service(telling(&receiver, &folder, ""), &folder).await;
        services.push((service.listen().await, service));
    }
    for round in 0..10 {
        services[round % 3].1.asked("approve one").await;
    }
    until_left(&folder, 0).await;
    for (live, _) in services {
        live.stop().await;
    }
    let heard = receiver.heard();
    let ids: BTreeSet<String> = heard.iter().map(receiver::Heard::id).collect();
    assert_eq!((heard.len(), ids.len()), (10, 10));
}

/// A desk whose requests end after this time, and that tells a receiver.
async fn ending(receiver: &Receiver, expires: &str) -> Desk {
    let folder = Folder::new();
    let more = format!("[policy]\ntrust_read_only = [\"notes\"]\nexpires = {expires:?}\n");
    let settings = telling(receiver, &folder, "");
    Desk::in_folder(folder, vec![calls("", &[add("milk")])], &more, settings).await
}

#[tokio::test]
async fn who_was_told_is_reminded_before_the_end_and_not_after_a_decision() {
    let receiver = Receiver::new(&[]).await;
    let desk = ending(&receiver, "1h").await;
    let live = desk.service.listen().await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "go on").await);
    let first = receiver.hears(1).await.remove(0);
    assert_eq!(first.json()["data"]["expiresAt"], asked[0][0]["expiresAt"]);
    let folder = &desk.service.folder;
    let reminders = "SELECT COUNT(*) FROM notices WHERE reminds = 1";
    until_number(folder, reminders, 1).await;
    assert_eq!(receiver.heard().len(), 1, "not yet");
    pass_time(folder).await;
    let second = receiver.hears(2).await.remove(1);
    assert!(second.is_signed());
    assert_eq!(first.json()["type"], "approval.waiting");
    assert_eq!(second.json()["type"], "approval.reminder");
    assert_eq!(first.json()["data"], second.json()["data"]);
    assert_ne!(first.headers["webhook-id"], second.headers["webhook-id"]);
    until_left(folder, 0).await;
    live.stop().await;

    let receiver = Receiver::new(&[]).await;
    let desk = ending(&receiver, "1h").await;
    let live = desk.service.listen().await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "go on").await);
    receiver.hears(1).await;
    let folder = &desk.service.folder;
    until_number(folder, reminders, 1).await;
    let answer = body(&[decided(&asked[0], &["DENIED"])]);
    desk.service.stream(&thread, &answer).await;
    assert_eq!(left(folder).await, 0);
    live.stop().await;
    assert_eq!(receiver.heard().len(), 1);
}

#[tokio::test]
async fn nobody_is_reminded_of_what_ends_too_soon_for_that() {
    let receiver = Receiver::new(&[]).await;
    let desk = ending(&receiver, "9m").await;
    let live = desk.service.listen().await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "go on").await;
    receiver.hears(1).await;
    until_left(&desk.service.folder, 0).await;
    live.stop().await;
    assert_eq!(receiver.heard().len(), 1);
}
