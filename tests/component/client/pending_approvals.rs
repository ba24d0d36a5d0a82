//! The approval requests that outlive the page.

use assent_client::{KeyValueStore, PendingApprovals, ScopedStorage, StorageKind, browser_storage};
use assent_conversation::{AnswerSummary, CachedRequest, Millis};
use assent_protocol::{RawApprovalRequest, ThreadId};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::{full_storage, holds, js, keep_nothing, request, text};

const SCOPE: &str = "assent:service|agent|user:";

fn storage() -> ScopedStorage {
    ScopedStorage::new(browser_storage(StorageKind::Local), SCOPE.to_owned())
}

fn pending_approvals() -> PendingApprovals {
    PendingApprovals::new(storage())
}

fn kept(at: i64, raw: &str) -> CachedRequest {
    let raw: RawApprovalRequest = assent_protocol::read(raw).unwrap();
    CachedRequest::new(ThreadId::from("t1"), Millis(at), raw).unwrap()
}

/// Returns the runs in the cache, oldest first.
fn runs(pending_approvals: &PendingApprovals) -> Vec<String> {
    let all = pending_approvals.all().into_iter();
    all.map(|kept| format!("{}/{}", kept.batch.as_str(), kept.execution.as_str()))
        .collect()
}

fn summary(batch: &str, executions: &[&str]) -> AnswerSummary {
    let raw = |execution: &&str| assent_protocol::read(&request(batch, execution)).unwrap();
    AnswerSummary {
        thread: "t1".into(),
        batch: batch.into(),
        decisions: Vec::new(),
        requests: executions.iter().map(raw).collect(),
        granting: Vec::new(),
        feedback: None,
    }
}

#[wasm_bindgen_test]
fn a_request_comes_back_byte_for_byte() {
    keep_nothing();
    let raw = r#"{ "toolName":"caf\u00e9 🙂 \ud83d\ude42 \ud800","amount":0.10, "big":1E400,"new":[1,{"a":null}],
        "toolExecutionId":"x|1","toolExecutionBatchId":"b%1","toolMemoryId":"m","toolArguments":{"a":"1","a":"2\n"}}"#;
    let mut kept = kept(1_700_000_000_000, raw);
    kept.thread = ThreadId::from("t\"1\n");
    pending_approvals().store(std::slice::from_ref(&kept));
    assert_eq!(
        text("Object.keys(localStorage).join()"),
        format!("{SCOPE}approval:b%251|x%7C1")
    );
    let again = pending_approvals().all();
    assert_eq!(again, [kept]);
    assert_eq!(again[0].request.as_str(), raw);
}

#[wasm_bindgen_test]
fn each_run_has_one_request_the_last_and_the_oldest_is_first() {
    keep_nothing();
    let pending_approvals = pending_approvals();
    pending_approvals.store(&[kept(3, &request("b1", "x1")), kept(3, &request("b1", "x2"))]);
    pending_approvals.store(&[kept(1, &request("b2", "x1"))]);
    let again = kept(5, &request("b1", "x1").replace("10", "11"));
    pending_approvals.store(std::slice::from_ref(&again));
    assert_eq!(runs(&pending_approvals), ["b2/x1", "b1/x2", "b1/x1"]);
    assert_eq!(pending_approvals.all()[2], again);
    pending_approvals.store(&[kept(9, again.request.as_str())]);
    assert_eq!(pending_approvals.all()[2].at, Millis(5));
    pending_approvals.forget(&[again, kept(9, &request("b2", "x1"))]);
    assert_eq!(runs(&pending_approvals), ["b1/x2"]);
}

#[wasm_bindgen_test]
fn what_cannot_be_read_is_removed_and_what_is_later_or_elses_stays() {
    keep_nothing();
    pending_approvals().store(&[kept(1, &request("b1", "x1"))]);
    let good = text(&format!("localStorage['{SCOPE}approval:b1|x1']"));
    let broken = [
        ("b2|x1", "no JSON".to_owned()),
        ("b3|x1", "[]".to_owned()),
        ("b4|x1", good.clone()),
        ("b1|x2", good.replace("x1", "x3")),
        ("", good.clone()),
        (
            "b1|x4",
            good.replace("x1", "x4").replace("\"at\":1", "\"at\":-1"),
        ),
        (
            "b1|x5",
            good.replace("x1", "x5")
                .replace("\"at\":1", "\"at\":9223372036854775807"),
        ),
        ("b1|x6", good.replace("x1", "x6").replace("\"at\":1,", "")),
        (
            "b1|x7",
            good.replace("x1", "x7")
                .replace("\"version\":1", "\"version\":0"),
        ),
        (
            "b1|x8",
            r#"{"version":1,"thread":"t1","at":1,"request":"x"}"#.to_owned(),
        ),
    ];
    for (key, value) in &broken {
        storage().set(&format!("approval:{key}"), value);
    }
    let later = good.replace("\"version\":1", "\"version\":2");
    storage().set("approval:b9|x9", &later);
    storage().set("last-thread", "t1");
    browser_storage(StorageKind::Local).set("approval:b1|x1", "of the page");
    assert_eq!(runs(&pending_approvals()), ["b1/x1"]);
    let left = text("Object.keys(localStorage).sort().join(' ')");
    assert_eq!(
        left,
        format!("approval:b1|x1 {SCOPE}approval:b1|x1 {SCOPE}approval:b9|x9 {SCOPE}last-thread")
    );
}

#[wasm_bindgen_test]
fn services_agents_and_users_share_nothing() {
    keep_nothing();
    pending_approvals().store(&[kept(1, &request("b1", "x1"))]);
    for scope in [
        "assent:service|agent|other:",
        "assent:service|agent|user:x:",
    ] {
        let other = PendingApprovals::new(ScopedStorage::new(
            browser_storage(StorageKind::Local),
            scope.to_owned(),
        ));
        assert_eq!(other.all(), []);
        other.store(&[kept(2, &request("b2", "x1"))]);
    }
    assert_eq!(runs(&pending_approvals()), ["b1/x1"]);
}

#[wasm_bindgen_test]
fn more_than_a_hundred_are_not_kept_and_the_oldest_batches_go_whole() {
    keep_nothing();
    let pending_approvals = pending_approvals();
    let three = |at: i64, batch: &str| {
        ["x", "y", "z"].map(|execution| kept(at, &request(batch, execution)))
    };
    for at in 0..33 {
        pending_approvals.store(&three(at, &format!("b{at}")));
    }
    pending_approvals.store(&[kept(40, &request("b40", "x"))]);
    assert_eq!(pending_approvals.all().len(), 100);
    // b0 is older than all others, but of a batch that is being stored now.
    pending_approvals.store(&[
        kept(200, &request("b0", "new")),
        kept(200, &request("new", "x")),
    ]);
    let all = runs(&pending_approvals);
    assert_eq!(all.len(), 99);
    let of = |batch: &str| all.iter().filter(|run| run.starts_with(batch)).count();
    assert_eq!(
        ["b0/", "b1/", "b2/", "new/"].map(of),
        [4, 0, 3, 1],
        "{all:?}"
    );
}

#[wasm_bindgen_test]
fn more_than_a_mebibyte_of_text_is_not_kept_and_the_oldest_go() {
    keep_nothing();
    let pending_approvals = pending_approvals();
    pending_approvals.store(&[large(1, "b1", 500_000)]);
    pending_approvals.store(&[large(2, "b2", 500_000)]);
    pending_approvals.store(&[large(3, "b3", 10_000)]);
    assert_eq!(pending_approvals.all().len(), 3);
    pending_approvals.store(&[large(4, "b4", 100_000)]);
    assert_eq!(runs(&pending_approvals), ["b2/x", "b3/x", "b4/x"]);
}

#[wasm_bindgen_test]
fn a_large_batch_takes_no_other_one_off_the_device() {
    let stored = "Object.keys(localStorage).map((key) => key.split('approval:')[1]).sort().join()";
    keep_nothing();
    let pending_approvals = pending_approvals();
    pending_approvals.store(&[large(1, "small", 1_000), large(1, "large", 600_000)]);
    pending_approvals.store(&[large(2, "larger", 600_000)]);
    assert_eq!(text(stored), "large|x,small|x");
    assert_eq!(
        runs(&pending_approvals),
        ["small/x", "large/x", "larger/x"],
        "the page has it all the same"
    );
    keep_nothing();
    let many = |at: i64, batch: &str| -> Vec<_> {
        let runs = (0..60).map(|run| kept(at, &request(batch, &format!("x{run}"))));
        runs.collect()
    };
    pending_approvals.store(&many(1, "b1"));
    pending_approvals.store(&many(2, "b2"));
    assert_eq!(text("localStorage.length"), "60");
    assert_eq!(pending_approvals.all().len(), 120);
}

fn large(at: i64, batch: &str, bytes: usize) -> CachedRequest {
    let request = request(batch, "x");
    kept(
        at,
        &request.replace("\"10\"", &format!("\"{}\"", "1".repeat(bytes))),
    )
}

#[wasm_bindgen_test]
fn what_is_too_much_by_itself_is_remembered_by_the_page_alone_and_takes_nobodys_room() {
    keep_nothing();
    let pending_approvals = pending_approvals();
    pending_approvals.store(&[kept(1, &request("b1", "x"))]);
    let many: Vec<_> = (0..101)
        .map(|run| kept(2, &request("many", &format!("x{run}"))))
        .collect();
    pending_approvals.store(&many);
    pending_approvals.store(&[large(3, "large", 1_200_000)]);
    pending_approvals.store(&[kept(4, &request("b4", "x"))]);
    let stored = "Object.keys(localStorage).sort().map((key) => key.split('approval:')[1]).join()";
    assert_eq!(text(stored), "b1|x,b4|x");
    assert_eq!(pending_approvals.all().len(), 104);
    pending_approvals.forget(&pending_approvals.all());
    assert_eq!(pending_approvals.all(), []);
}

#[wasm_bindgen_test]
fn where_the_storage_refuses_the_page_remembers() {
    keep_nothing();
    let full = full_storage();
    pending_approvals().store(&[kept(1, &request("b1", "x1"))]);
    drop(full);
    assert!(holds("localStorage.length === 0"));
    assert_eq!(runs(&pending_approvals()), ["b1/x1"]);
    pending_approvals().forget(&pending_approvals().all());
    assert_eq!(pending_approvals().all(), []);
}

#[wasm_bindgen_test]
fn an_answer_differs_from_what_was_asked_anew_and_not_from_what_is_gone() {
    keep_nothing();
    let pending_approvals = pending_approvals();
    pending_approvals.store(&[kept(1, &request("b1", "x1")), kept(1, &request("b1", "x2"))]);
    let both = summary("b1", &["x1", "x2"]);
    assert!(!pending_approvals.differ_from(&both));
    js(&format!("localStorage.removeItem('{SCOPE}approval:b1|x2')"));
    assert!(!pending_approvals.differ_from(&both));
    let otherwise = request("b1", "x1").replace("m-x1", "m-other");
    pending_approvals.store(&[kept(2, &otherwise)]);
    assert!(pending_approvals.differ_from(&both));
}

#[wasm_bindgen_test]
fn what_nobody_waits_for_is_forgotten_whoever_was_asked() {
    keep_nothing();
    let day = 24 * 60 * 60 * 1000;
    let other = PendingApprovals::new(ScopedStorage::new(
        browser_storage(StorageKind::Local),
        "assent:service|agent|other:".to_owned(),
    ));
    for pending_approvals in [pending_approvals(), other] {
        pending_approvals.store(&[
            kept(day, &request("old", "x")),
            kept(2 * day + 1, &request("young", "x")),
        ]);
    }
    browser_storage(StorageKind::Local).set("assent:user-id", "approval:");
    browser_storage(StorageKind::Local).set("approval:of the page", "1");
    PendingApprovals::remove_expired(&*browser_storage(StorageKind::Local), Millis(32 * day));
    assert_eq!(
        text("Object.keys(localStorage).sort().join(' ')"),
        "approval:of the page assent:service|agent|other:approval:young|x \
         assent:service|agent|user:approval:young|x assent:user-id"
    );
}
