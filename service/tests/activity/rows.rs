//! A run for each kind of activity, and the same run with the activity switched off.

use serde_json::json;

use crate::{
    common::model::{Reply, calls, says},
    desk::{
        Act::{self, BreakMemories, Decide, Say},
        Setup, object,
    },
    embeddings::Embeddings,
};

/// One row: what is done, the event types that come of it, and what is done without the activity.
pub struct Row {
    pub name: &'static str,
    pub on: Setup,
    pub types: &'static [&'static str],
    /// `None` for what comes with every answer.
    pub off: Option<Setup>,
}

pub const NOTES: &str = "[[mcp]]\nid = \"notes\"\ncommand = [NOTES, \"../../notes.txt\"]\n";
pub const ASKS: &str = "[policy]\ntrust_read_only = [\"notes\"]\n";
pub const AUTO: &str = "[policy]\ndefault = \"auto\"\n";
pub const HANDBOOK: &str = "[[knowledge]]\nid = \"handbook\"\nfolder = \"handbook\"\n";
pub const ROUTE: &str = "[orchestration]\nroute = \"model\"\n";
pub const PLAN: &str = "[orchestration]\nroute = \"model\"\nplan = true\n";
pub const REVIEW: &str = "[orchestration]\nroute = \"model\"\nplan = true\nreview = true\n";
pub const COLLEAGUES: &str = "[[colleague]]\nagent = \"billing\"\nwhen = \"invoices\"\n\
                              [[colleague]]\nagent = \"travel\"\nwhen = \"trips\"\n";

pub fn setup(tables: &[&str], replies: Vec<Reply>, acts: &[Act]) -> Setup {
    Setup {
        tables: tables.concat(),
        replies,
        acts: acts.to_vec(),
        ..Setup::default()
    }
}

pub fn kind(kind: &str) -> Reply {
    object(&json!({ "kind": kind }))
}

pub fn add(note: &str) -> Reply {
    calls("", &[("notes__add", json!({ "text": note }))])
}

pub fn search(query: &str) -> Reply {
    calls(
        "",
        &[("assent__search_knowledge", json!({ "query": query }))],
    )
}

pub fn plan(steps: &[(&str, &str)]) -> Reply {
    let steps: Vec<_> = steps
        .iter()
        .map(|(task, search)| json!({ "task": task, "search": search }))
        .collect();
    object(&json!({ "steps": steps }))
}

pub fn tasks(agents: &[&str]) -> Reply {
    let tasks: Vec<_> = agents
        .iter()
        .map(|agent| json!({ "agent": agent, "task": "Look at it." }))
        .collect();
    object(&json!({ "tasks": tasks }))
}

/// A run in which two colleagues answer.
pub fn two_colleagues() -> Setup {
    let replies = vec![
        kind("collaboration"),
        tasks(&["billing", "travel"]),
        says("Both say yes."),
    ];
    Setup {
        billing: vec![says("Billing says yes.")],
        travel: vec![says("Travel says yes.")],
        ..setup(&[ROUTE, COLLEAGUES], replies, &[Say("ask both")])
    }
}

/// A run in which one colleague answers for all.
pub fn one_colleague() -> Setup {
    Setup {
        billing: vec![says("It is paid.")],
        ..setup(
            &[ROUTE, COLLEAGUES],
            vec![kind("collaboration"), tasks(&["billing"])],
            &[Say("is it paid?")],
        )
    }
}

/// A run in which the only colleague fails.
pub fn failing_colleague() -> Setup {
    let replies = vec![
        kind("collaboration"),
        tasks(&["billing"]),
        says("Nobody knows."),
    ];
    setup(&[ROUTE, COLLEAGUES], replies, &[Say("is it paid?")])
}

/// The same request of an agent that only answers.
fn plain() -> Option<Setup> {
    Some(setup(&[NOTES, AUTO], vec![says("Yes.")], &[Say("go")]))
}

fn routes(name: &'static str, word: &str, event: &'static [&'static str]) -> Row {
    let tables = [ROUTE, "plan = true\n", NOTES, ASKS, HANDBOOK, COLLEAGUES];
    let replies = match word {
        "complex" => vec![kind(word), plan(&[]), says("Yes.")],
        "collaboration" => vec![kind(word), tasks(&[]), says("Yes.")],
        "knowledge-base" => vec![
            kind(word),
            object(&json!({ "queries": ["refund"] })),
            says("Yes."),
        ],
        _ => vec![kind(word), says("Yes.")],
    };
    Row {
        name,
        on: setup(&tables, replies, &[Say("go")]),
        types: event,
        off: Some(setup(&tables[2..5], vec![says("Yes.")], &[Say("go")])),
    }
}

fn decides(name: &'static str, decision: &'static str, types: &'static [&'static str]) -> Row {
    let replies = || vec![add("milk"), says("So.")];
    let acts = [Say("add milk"), Decide(decision)];
    Row {
        name,
        on: setup(&[NOTES, ASKS], replies(), &acts),
        types,
        off: Some(setup(&[NOTES, AUTO], replies(), &acts)),
    }
}

fn reflects(name: &'static str, verdict: Reply, types: &'static [&'static str]) -> Row {
    let replies = vec![add("milk"), says("Added."), verdict, says("Added, once.")];
    let reflect = "[orchestration]\nreflect = \"after-tools\"\n";
    Row {
        name,
        on: setup(&[NOTES, AUTO, reflect], replies.clone(), &[Say("add milk")]),
        types,
        off: Some(setup(&[NOTES, AUTO], replies, &[Say("add milk")])),
    }
}

/// Returns all rows.
pub async fn all() -> Vec<Row> {
    let working = Embeddings::new(false).await.table();
    let down = Embeddings::new(true).await.table();
    let searched = || vec![search("refund"), says("In 14 days.")];
    let twice = |second: &str| vec![search("refund"), search(second), says("In 14 days.")];
    let planned = || {
        vec![
            kind("complex"),
            plan(&[("Read the rules", "refund"), ("Compare them", "")]),
            says("Read."),
            says("Compared."),
        ]
    };
    let reviewed = object(&json!({
        "verdicts": [
            { "number": 1, "done": true, "why": "" },
            { "number": 2, "done": false, "why": "no result" },
        ],
        "more": [],
    }));
    let mut with_review = planned();
    with_review.extend([reviewed, says("All in all: yes.")]);
    let mut without_review = planned();
    without_review.push(says("All in all: yes."));
    let remembers = |breaks: &[Act]| {
        let acts = [breaks, &[Say("what do I like?")]].concat();
        setup(&["[memory]\nper_user = 9\n"], vec![says("Tea.")], &acts)
    };
    let mut rows = vec![
        Row {
            name: "every answer",
            on: setup(&[], vec![says("Hello.")], &[Say("hi")]),
            types: &[
                "CONNECTION_ESTABLISHED",
                "MESSAGE_RECEIVED",
                "AGENT_RESPONSE_CHUNK",
                "AGENT_RESPONSE_COMPLETE",
                "NOTIFICATION_AGENT_THINKING_STARTED",
                "NOTIFICATION_AGENT_THINKING_COMPLETE",
            ],
            off: None,
        },
        Row {
            name: "a failure",
            on: setup(&[], vec![], &[Say("hi")]),
            types: &["ERROR"],
            off: plain(),
        },
        routes(
            "simple",
            "simple",
            &["NOTIFICATION_REQUEST_ORCHESTRATION_SIMPLE"],
        ),
        routes(
            "complex",
            "complex",
            &["NOTIFICATION_REQUEST_ORCHESTRATION_COMPLEX"],
        ),
        routes(
            "capabilities",
            "capabilities",
            &["NOTIFICATION_REQUEST_ORCHESTRATION_CAPABILITIES"],
        ),
        routes(
            "knowledge base",
            "knowledge-base",
            &[
                "NOTIFICATION_REQUEST_ORCHESTRATION_KNOWLEDGE_BASE",
                "NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_IN_PROGRESS",
                "NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_COMPLETED",
            ],
        ),
        routes(
            "tool usage",
            "tool-usage",
            &["NOTIFICATION_REQUEST_ORCHESTRATION_TOOL_USAGE"],
        ),
        routes(
            "collaboration",
            "collaboration",
            &["NOTIFICATION_REQUEST_ORCHESTRATION_COLLABORATION"],
        ),
    ];
    rows.extend([
        Row {
            name: "a plan",
            on: setup(&[PLAN, HANDBOOK], without_review.clone(), &[Say("compare")]),
            types: &[
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_IN_PROGRESS",
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_COMPLETED",
                "NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED",
            ],
            off: Some(setup(
                &[ROUTE, HANDBOOK],
                vec![kind("simple"), says("Yes.")],
                &[Say("compare")],
            )),
        },
        Row {
            name: "a review",
            on: setup(&[REVIEW, HANDBOOK], with_review, &[Say("compare")]),
            types: &[
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_IN_PROGRESS",
                "NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_COMPLETED",
            ],
            off: Some(setup(&[PLAN, HANDBOOK], without_review, &[Say("compare")])),
        },
        Row {
            name: "a search",
            on: setup(&[HANDBOOK], searched(), &[Say("refunds?")]),
            types: &[
                "NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED",
                "NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED",
                "NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED",
            ],
            off: Some(setup(&[], searched(), &[Say("refunds?")])),
        },
        Row {
            name: "a search by meaning",
            on: setup(&[&working], searched(), &[Say("refunds?")]),
            types: &["NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS"],
            off: Some(setup(&[HANDBOOK], searched(), &[Say("refunds?")])),
        },
        Row {
            name: "a search by meaning that fails",
            on: setup(&[&down], searched(), &[Say("refunds?")]),
            types: &["NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED"],
            off: Some(setup(&[&working], searched(), &[Say("refunds?")])),
        },
        Row {
            name: "the same search again",
            on: setup(&[HANDBOOK], twice("Refund!"), &[Say("refunds?")]),
            types: &["NOTIFICATION_KNOWLEDGE_RETRIEVAL_DUPLICATED_CACHED"],
            off: Some(setup(&[HANDBOOK], twice("invoice"), &[Say("refunds?")])),
        },
        Row {
            name: "a tool",
            on: setup(
                &[NOTES, AUTO],
                vec![add("milk"), says("Added.")],
                &[Say("add")],
            ),
            types: &[
                "NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS",
                "NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_COMPLETED",
                "NOTIFICATION_TOOL_EXECUTION_INITIATED",
            ],
            off: plain(),
        },
        Row {
            name: "a tool that takes long",
            on: setup(
                &[NOTES, AUTO, "[limits]\ntool_seconds = 6\n"],
                vec![
                    calls("", &[("notes__hang", json!({ "text": "x" }))]),
                    says("Hm."),
                ],
                &[Say("hang")],
            ),
            types: &["NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS"],
            off: Some(setup(
                &[NOTES, AUTO],
                vec![add("milk"), says("Added.")],
                &[Say("add")],
            )),
        },
        decides(
            "approved",
            "APPROVED",
            &[
                "NOTIFICATION_TOOL_EXECUTION_APPROVAL_REQUIRED",
                "TOOL_EXECUTION_APPROVAL_REQUEST",
                "TOOL_EXECUTION_APPROVAL_RESPONSE",
                "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
            ],
        ),
        decides(
            "denied",
            "DENIED",
            &["NOTIFICATION_TOOL_EXECUTION_APPROVAL_DENIED"],
        ),
        decides(
            "stopped",
            "ABORTED_WITH_FEEDBACK",
            &["NOTIFICATION_TOOL_EXECUTION_APPROVAL_ABORTED"],
        ),
    ]);
    rows.extend([
        reflects(
            "a check",
            object(&json!({ "keep": false, "advice": "Say how often." })),
            &[
                "NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_COMPLETED",
            ],
        ),
        reflects(
            "a check that fails",
            says("I like it."),
            &["NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_FAILED"],
        ),
        Row {
            name: "a check that is left out",
            on: setup(
                &[NOTES, ASKS, "[orchestration]\nreflect = \"always\"\n"],
                vec![add("milk"), says("Then not.")],
                &[Say("add milk"), Decide("ABORTED_WITH_FEEDBACK")],
            ),
            types: &["NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_ABORTED"],
            off: Some(setup(
                &[NOTES, ASKS],
                vec![add("milk"), says("Then not.")],
                &[Say("add milk"), Decide("ABORTED_WITH_FEEDBACK")],
            )),
        },
        Row {
            name: "colleagues",
            on: two_colleagues(),
            types: &[
                "NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_INITIATED",
                "NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_IN_PROGRESS",
                "NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_COMPLETED",
                "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED",
                "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_IN_PROGRESS",
                "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_COMPLETED",
                "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_COMPLETED",
            ],
            off: plain(),
        },
        Row {
            name: "a joint answer",
            on: two_colleagues(),
            types: &["NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED"],
            off: Some(one_colleague()),
        },
        Row {
            name: "no joint answer",
            on: one_colleague(),
            types: &["NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED"],
            off: Some(two_colleagues()),
        },
        Row {
            name: "colleagues that fail",
            on: failing_colleague(),
            types: &["NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_FAILED"],
            off: Some(one_colleague()),
        },
        Row {
            name: "memories that cannot be read",
            on: remembers(&[BreakMemories]),
            types: &["NOTIFICATION_CONTEXT_MEMORIES_RETRIEVAL_FAILED"],
            off: Some(remembers(&[])),
        },
    ]);
    rows
}
