//! Any sequence of questions, decisions, edits, grants, ends and changes of tools: whatever runs is
//! something that a person approved as it ran, or allowed beforehand, and that the policy does not
//! deny ("Asked less, safely", docs/GRANTS.md).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use assent_service::operate::expiry::end_expired;
use axum::http::StatusCode;
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};

use crate::common::{
    body, decided,
    desk::Desk,
    messages_of,
    model::{calls, says},
    requests,
    tool_server::{Heard, said, tool_server},
};

const POLICY: &str = "[policy]\nexpires = \"1h\"\n\
    grants = { scopes = [\"thread\", \"agent\"], max = \"8h\" }\n\
    [[policy.rule]]\ntool = \"mail/never\"\ndo = \"deny\"\n\
    [[policy.rule]]\ntool = \"mail/send\"\ndo = \"ask\"\neditable = [\"/body\"]\n\
    [[policy.rule]]\ntool = \"mail/*\"\ndo = \"deny\"\nwhen = { \"/body\" = { glob = \"*secret*\" } }\n";

const TOOLS: [&str; 3] = ["free", "send", "never"];
const BODIES: [&str; 3] = ["one", "two", "a secret"];

/// Something that happens.
#[derive(Clone, Debug)]
enum Step {
    /// The model calls a tool in a thread.
    Ask {
        thread: usize,
        tool: &'static str,
        body: &'static str,
    },
    /// A person decides in the first thread that waits, or in the last one, with another body or a
    /// grant.
    Decide {
        in_last: bool,
        verdict: &'static str,
        edit: Option<&'static str>,
        grant: Option<Given>,
    },
    /// The time of all requests is over.
    End,
    /// A person takes back the oldest grant.
    Revoke,
    /// The server says something else of its tools.
    Change,
}

/// A grant as a person gives it.
#[derive(Clone, Copy, Debug)]
struct Given {
    everywhere: bool,
    same_body: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let given = (any::<bool>(), any::<bool>()).prop_map(|(everywhere, same_body)| Given {
        everywhere,
        same_body,
    });
    let ask = (0..2_usize, select(&TOOLS[..]), select(&BODIES[..]))
        .prop_map(|(thread, tool, body)| Step::Ask { thread, tool, body });
    let verdicts = ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"];
    let edit = || select(&BODIES[..]);
    // What is allowed as a rule, and anything else.
    let answer = prop_oneof![
        2 => Just(("APPROVED", None, None)),
        2 => select(verdicts.to_vec()).prop_map(|verdict| (verdict, None, None)),
        3 => edit().prop_map(|edit| ("APPROVED", Some(edit), None)),
        5 => given.clone().prop_map(|given| ("APPROVED", None, Some(given))),
        2 => (select(verdicts.to_vec()), option::of(edit()), option::of(given)),
    ];
    let decide =
        (any::<bool>(), answer).prop_map(|(in_last, (verdict, edit, grant))| Step::Decide {
            in_last,
            verdict,
            edit,
            grant,
        });
    let step = prop_oneof![
        14 => ask,
        14 => decide,
        1 => Just(Step::End),
        1 => Just(Step::Revoke),
        1 => Just(Step::Change),
    ];
    vec(step, 30..80)
}

/// A call as the tool server was given it.
#[derive(Clone, Debug)]
struct Ran {
    execution: String,
    tool: String,
    arguments: Value,
}

/// What waits for a decision.
struct Waiting {
    tool: &'static str,
    body: &'static str,
    asked: Vec<Value>,
    version: usize,
}

/// What a person allowed beforehand, as the table says it.
struct Allowed {
    id: String,
    thread: Option<usize>,
    body: Option<&'static str>,
    version: usize,
}

/// The service, and what may run in it by the words of the table.
struct World {
    desk: Desk,
    threads: Vec<String>,
    ran: Arc<Mutex<Vec<Ran>>>,
    /// How often the server has changed its tools.
    version: Arc<AtomicUsize>,
    waiting: BTreeMap<usize, Waiting>,
    /// The arguments that were approved, by the id of the execution.
    approved: BTreeMap<String, Value>,
    allowed: Vec<Allowed>,
    checked: usize,
    seen: Seen,
}

/// How often something ran, by why it could.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, usize>);

impl World {
    async fn new() -> Self {
        let ran: Arc<Mutex<Vec<Ran>>> = Arc::default();
        let version = Arc::new(AtomicUsize::new(0));
        let (log, told) = (ran.clone(), version.clone());
        let url = tool_server(move |heard: Heard| {
            let answer = match heard.method.as_str() {
                "tools/list" => {
                    let version = told.load(Ordering::Relaxed);
                    let tool = |name: &str| {
                        json!({ "name": name, "description": format!("Version {version}."),
                            "inputSchema": { "type": "object" } })
                    };
                    Some(json!({ "tools": TOOLS.map(tool) }))
                }
                "tools/call" => {
                    let text = |value: &Value| value.as_str().unwrap().to_owned();
                    log.lock().unwrap().push(Ran {
                        execution: text(&heard.params["_meta"]["assent/executionId"]),
                        tool: text(&heard.params["name"]),
                        arguments: heard.params["arguments"].clone(),
                    });
                    Some(said("Sent."))
                }
                _ => None,
            };
            async move { answer }
        })
        .await;
        let server = format!("[[mcp]]\nid = \"mail\"\nurl = {url:?}\n{POLICY}");
        let desk = Desk::with(Vec::new(), &server).await;
        let threads = vec![
            desk.service.thread("desk").await,
            desk.service.thread("desk").await,
        ];
        Self {
            desk,
            threads,
            ran,
            version,
            waiting: BTreeMap::new(),
            approved: BTreeMap::new(),
            allowed: Vec::new(),
            checked: 0,
            seen: Seen::default(),
        }
    }

    fn version(&self) -> usize {
        self.version.load(Ordering::Relaxed)
    }

    async fn step(&mut self, step: &Step) {
        match *step {
            Step::Ask { thread, tool, body } => self.ask(thread, tool, body).await,
            Step::Decide {
                in_last,
                verdict,
                edit,
                grant,
            } => {
                let mut waiting = self.waiting.keys();
                let thread = if in_last {
                    waiting.next_back()
                } else {
                    waiting.next()
                };
                if let Some(thread) = thread.copied() {
                    self.decide(thread, verdict, edit, grant).await;
                }
            }
            Step::End => self.end().await,
            Step::Revoke if !self.allowed.is_empty() => {
                let path = format!("/api/assistants/grants/{}", self.allowed.remove(0).id);
                let gone = self.desk.service.delete(&path).await;
                assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.text);
            }
            Step::Revoke => {}
            Step::Change => {
                self.version.fetch_add(1, Ordering::Relaxed);
                self.desk.change("", "");
            }
        }
    }

    async fn ask(&mut self, thread: usize, tool: &'static str, body: &'static str) {
        if self.waiting.contains_key(&thread) {
            return;
        }
        let call = (
            format!("mail__{tool}"),
            json!({ "to": "ann", "body": body }),
        );
        self.desk
            .model
            .say(vec![calls("", &[(&call.0, call.1)]), says("Done.")]);
        let events = self.desk.service.say(&self.threads[thread], "go on").await;
        if let Some(asked) = requests(&events).into_iter().next() {
            assert!(tool != "never" && body != "a secret", "{asked:?}");
            let is_offered = asked[0].get("grantScopes").is_some();
            assert!(!is_offered || tool == "free", "a rule asks: {asked:?}");
            let version = self.version();
            self.waiting.insert(
                thread,
                Waiting {
                    tool,
                    body,
                    asked,
                    version,
                },
            );
        }
        self.check(Some(thread));
    }

    async fn decide(
        &mut self,
        thread: usize,
        verdict: &'static str,
        edit: Option<&'static str>,
        grant: Option<Given>,
    ) {
        let waiting = &self.waiting[&thread];
        let mut answer = decided(&waiting.asked, &[verdict]);
        let item = &mut answer["toolApprovalResult"][0];
        let effective = json!({ "to": "ann", "body": edit.unwrap_or(waiting.body) });
        if edit.is_some() {
            item["editedArguments"] = effective.clone();
        }
        if let Some(given) = grant {
            item["grant"] = json!({ "scope": "thread", "when": {} });
            if given.everywhere {
                let end = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
                item["grant"]["scope"] = json!("agent");
                item["grant"]["until"] = json!(end.to_string());
            }
            if given.same_body {
                item["grant"]["when"] = json!({ "/body": "same" });
            }
        }
        self.desk.model.say(vec![says("Done.")]);
        let path = messages_of(&self.threads[thread]);
        let answered = self.desk.service.post(&path, &body(&[answer])).await;
        let is_changed = edit.is_some_and(|edit| edit != waiting.body);
        let is_approved = verdict == "APPROVED";
        let is_forbidden = (edit.is_some() || grant.is_some()) && !is_approved
            || is_changed && (waiting.tool != "send" || edit == Some("a secret"))
            || grant.is_some() && waiting.asked[0].get("grantScopes").is_none();
        let expected = if is_forbidden { 400 } else { 200 };
        assert_eq!(answered.status.as_u16(), expected, "{}", answered.text);
        if is_forbidden {
            return self.check(None);
        }
        let waiting = self.waiting.remove(&thread).unwrap();
        // A tool that was changed meanwhile does not run.
        if is_approved && waiting.version == self.version() {
            let id = waiting.asked[0]["toolExecutionId"].as_str().unwrap();
            self.approved.insert(id.to_owned(), effective);
            *self.seen.0.entry("changed").or_default() += usize::from(is_changed);
        }
        if let Some(given) = grant {
            let grants = self.desk.service.get("/api/assistants/grants").await.json();
            self.allowed.push(Allowed {
                id: grants[0]["id"].as_str().unwrap().to_owned(),
                thread: (!given.everywhere).then_some(thread),
                body: given.same_body.then_some(waiting.body),
                version: waiting.version,
            });
        }
        self.check(None);
    }

    /// Lets the time of all requests be over, and waits until the agent has gone on.
    async fn end(&mut self) {
        let mut database = self.desk.service.folder.connect().await;
        let over = "UPDATE approvals SET expires_at = '2026-01-01T00:00:00.000Z' \
                    WHERE status = 'PENDING_HUMAN_APPROVAL'";
        database.execute(over).await.unwrap();
        self.desk
            .model
            .say(self.waiting.iter().map(|_| says("Done.")).collect());
        end_expired(&self.desk.service.state).await.unwrap();
        let left = "SELECT (SELECT COUNT(*) FROM approvals WHERE status = 'PENDING_HUMAN_APPROVAL') \
                    + (SELECT COUNT(*) FROM runs WHERE ended_at IS NULL)";
        while database.number(left).await > 0 {
            tokio::task::yield_now().await;
        }
        database.close().await;
        *self.seen.0.entry("ended").or_default() += self.waiting.len();
        self.waiting.clear();
        self.check(None);
    }

    /// Checks what ran since the last step; `asked` is the thread in which the model called a tool.
    fn check(&mut self, asked: Option<usize>) {
        let ran = self.ran.lock().unwrap().clone();
        for call in &ran[self.checked..] {
            let body = call.arguments["body"].as_str().unwrap();
            assert!(
                call.tool != "never" && body != "a secret",
                "denied: {call:?}"
            );
            // Each decision is for one call.
            let by_decision = self.approved.remove(&call.execution);
            let is_allowed = |grant: &Allowed| {
                grant.version == self.version()
                    && grant.thread.is_none_or(|thread| Some(thread) == asked)
                    && grant.body.is_none_or(|it| it == body)
            };
            let by_grant =
                asked.is_some() && call.tool == "free" && self.allowed.iter().any(is_allowed);
            assert!(
                by_decision.as_ref() == Some(&call.arguments) || by_grant,
                "neither approved so nor allowed: {call:?}"
            );
            let why = if by_grant { "allowed" } else { "approved" };
            *self.seen.0.entry(why).or_default() += 1;
        }
        self.checked = ran.len();
        // What was approved has run with the decision, in the same answer.
        assert_eq!(self.approved, BTreeMap::new());
        let executions: BTreeSet<_> = ran.iter().map(|call| &call.execution).collect();
        assert_eq!(executions.len(), ran.len(), "a call ran twice");
    }
}

#[test]
fn whatever_happens_nothing_runs_that_was_not_approved_or_allowed() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[38; 32]);
    let config = Config {
        cases: 10,
        failure_persistence: None,
        ..Config::default()
    };
    let seen = Mutex::new(Seen::default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&steps(), |steps| {
        runtime.block_on(async {
            let mut world = World::new().await;
            for step in &steps {
                world.step(step).await;
            }
            let mut seen = seen.lock().unwrap();
            for (what, times) in world.seen.0 {
                *seen.0.entry(what).or_default() += times;
            }
        });
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
    // The sequences reach what they are about.
    let seen = seen.into_inner().unwrap().0;
    for what in ["approved", "allowed", "changed", "ended"] {
        assert!(seen.get(what).is_some_and(|times| *times > 4), "{seen:?}");
    }
}
