//! The questions that orchestration puts to the model beside the conversation, and what is made of
//! the answers. Pure. No answer gives a permission: each only adds steps.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    generate::new_id,
    transcript::{ColleagueTask, PlanStep, RequestKind},
};

/// Most queries of one search before an answer.
const MAX_QUERIES: usize = 3;
/// Most steps of a plan.
const MAX_STEPS: usize = 6;
/// Most steps that a review may add to a plan.
const MAX_MORE_STEPS: usize = 2;
/// Most colleagues that are asked in one collaboration.
const MAX_TASKS: usize = 4;
/// Longest text of one field of an answer, in characters; the rest is cut off.
const MAX_TEXT: usize = 2000;

/// A question to the model: its name, what the model is told, and the schema of the answer.
#[derive(Clone, Debug)]
pub(crate) struct Inquiry {
    pub(crate) name: &'static str,
    pub(crate) task: String,
    pub(crate) schema: Value,
}

fn object_schema(properties: &Value) -> Value {
    let names: Vec<Value> = properties
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys().map(|name| json!(name)))
        .collect();
    json!({ "type": "object", "properties": properties, "required": names,
        "additionalProperties": false })
}

fn text_schema() -> Value {
    json!({ "type": "string" })
}

fn list_schema(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn steps_schema() -> Value {
    list_schema(&object_schema(
        &json!({ "task": text_schema(), "search": text_schema() }),
    ))
}

/// A colleague that the model can choose, as a question names it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) agent: String,
    pub(crate) when: String,
}

#[derive(Deserialize)]
pub(super) struct RouteAnswer {
    kind: RequestKind,
}

/// Returns the kinds `ways`, each with its name and what it means, as the model is told.
fn describe_kinds(ways: &[RequestKind]) -> Vec<(RequestKind, &'static str, &'static str)> {
    let all = [
        (RequestKind::Simple, "simple", "it can be answered at once"),
        (
            RequestKind::Complex,
            "complex",
            "it needs several steps, one after the other",
        ),
        (
            RequestKind::Capabilities,
            "capabilities",
            "it asks what you can do here",
        ),
        (
            RequestKind::KnowledgeBase,
            "knowledge-base",
            "its answer is in your folders of knowledge",
        ),
        (
            RequestKind::ToolUsage,
            "tool-usage",
            "it needs one of your tools at once",
        ),
        (
            RequestKind::Collaboration,
            "collaboration",
            "it belongs to your colleagues",
        ),
    ];
    all.into_iter()
        .filter(|(way, ..)| ways.contains(way))
        .collect()
}

/// Returns the question which of the kinds `possible` the last message is.
pub(super) fn route(possible: &[RequestKind], colleagues: &[Choice]) -> Inquiry {
    let ways = describe_kinds(possible);
    let meanings: Vec<String> = ways
        .iter()
        .map(|(_, name, meaning)| format!("- {name}: {meaning}"))
        .collect();
    let names: Vec<&str> = ways.iter().map(|(_, name, _)| *name).collect();
    Inquiry {
        name: "route",
        task: format!(
            "Do not answer yet. Which kind of request is the person's last message?\n{}{}",
            meanings.join("\n"),
            describe_colleagues(colleagues)
        ),
        schema: object_schema(&json!({ "kind": { "type": "string", "enum": names } })),
    }
}

/// Returns the kind of request that the model answered, if it is one of those that were asked
/// about.
pub(super) fn read_route(answer: &RouteAnswer, possible: &[RequestKind]) -> Option<RequestKind> {
    Some(answer.kind).filter(|way| possible.contains(way))
}

fn describe_colleagues(colleagues: &[Choice]) -> String {
    if colleagues.is_empty() {
        return String::new();
    }
    let line = |choice: &Choice| format!("\n- {}: {}", choice.agent, choice.when);
    let lines: String = colleagues.iter().map(line).collect();
    format!("\nYour colleagues, and what they are for:{lines}")
}

#[derive(Deserialize)]
pub(super) struct QueriesAnswer {
    queries: Vec<String>,
}

/// Returns the question what to search for in the folders of knowledge.
pub(super) fn queries(folders: &[&str]) -> Inquiry {
    Inquiry {
        name: "queries",
        task: format!(
            "Do not answer yet. Write at most {MAX_QUERIES} short queries of keywords that find \
             what you need for the person's last message in these folders: {}.",
            folders.join(", ")
        ),
        schema: object_schema(&json!({ "queries": list_schema(&text_schema()) })),
    }
}

/// Returns the search queries that the model answered; the person's own `words` where it gave none.
pub(super) fn read_queries(answer: Option<QueriesAnswer>, words: &str) -> Vec<String> {
    let proposed = answer.map_or_else(Vec::new, |answer| answer.queries);
    let mut queries: Vec<String> = Vec::new();
    for query in proposed.iter().map(|query| line(query)) {
        if !query.is_empty() && !queries.contains(&query) && queries.len() < MAX_QUERIES {
            queries.push(query);
        }
    }
    if queries.is_empty() {
        queries.push(line(words));
    }
    queries
}

#[derive(Deserialize)]
pub(super) struct PlanAnswer {
    steps: Vec<PlanStep>,
}

/// Returns the question with which the model is asked for a plan.
pub(super) fn plan() -> Inquiry {
    Inquiry {
        name: "plan",
        task: format!(
            "Do not answer yet. Make a plan for the person's last message: two to {MAX_STEPS} \
             steps, each one sentence that says what to do. \"search\" has keywords if something \
             is to be looked up in the folders of knowledge for that step, and is empty otherwise. \
             The answer itself is no step."
        ),
        schema: object_schema(&json!({ "steps": steps_schema() })),
    }
}

/// Returns the steps of the plan that the model answered; none without an answer.
pub(super) fn read_plan(answer: Option<PlanAnswer>) -> Vec<PlanStep> {
    tidy_steps(answer.map_or_else(Vec::new, |plan| plan.steps), MAX_STEPS)
}

fn tidy_steps(steps: Vec<PlanStep>, most: usize) -> Vec<PlanStep> {
    let steps = steps.into_iter().map(|step| PlanStep {
        task: line(&step.task),
        search: line(&step.search),
    });
    steps
        .filter(|step| !step.task.is_empty())
        .take(most)
        .collect()
}

#[derive(Deserialize)]
pub(super) struct ReviewAnswer {
    verdicts: Vec<StepReview>,
    more: Vec<PlanStep>,
}

/// The judgement of one step of a plan.
#[derive(Deserialize)]
pub(super) struct StepReview {
    number: usize,
    done: bool,
    why: String,
}

/// Returns the question whether each step of the plan, one of `tasks`, did what it was for.
pub(super) fn review(tasks: &[&str]) -> Inquiry {
    let lines: Vec<String> = (1..)
        .zip(tasks)
        .map(|(number, task): (usize, _)| format!("{number}. {task}"))
        .collect();
    Inquiry {
        name: "review",
        task: format!(
            "Do not answer yet. Judge each step of the plan by its result: was it done?\n{}\n\"more\" \
             has at most {MAX_MORE_STEPS} steps that are still needed, and is empty otherwise.",
            lines.join("\n")
        ),
        schema: object_schema(&json!({
            "verdicts": list_schema(&object_schema(&json!({
                "number": { "type": "integer" },
                "done": { "type": "boolean" },
                "why": text_schema(),
            }))),
            "more": steps_schema(),
        })),
    }
}

/// Reads what the model answered to [`review`]. Returns a line for each of the `tasks` that it
/// judged, which says whether that step of the plan is done, and the further steps that it asks
/// for.
pub(super) fn read_review(answer: ReviewAnswer, tasks: &[&str]) -> (Vec<String>, Vec<PlanStep>) {
    let of = tasks.len();
    let verdict = |(at, task): (usize, &&str)| {
        let number = at + 1;
        let found = answer.verdicts.iter().find(|v| v.number == number)?;
        Some(if found.done {
            format!("{number} of {of} is done: {task}")
        } else {
            format!("{number} of {of} is not done: {}", line(&found.why))
        })
    };
    let verdicts = tasks.iter().enumerate().filter_map(verdict).collect();
    (verdicts, tidy_steps(answer.more, MAX_MORE_STEPS))
}

#[derive(Deserialize)]
pub(super) struct TasksAnswer {
    tasks: Vec<TaskAnswer>,
}

#[derive(Deserialize)]
struct TaskAnswer {
    agent: String,
    task: String,
}

/// Returns the question which colleagues are to do what.
pub(super) fn tasks(colleagues: &[Choice]) -> Inquiry {
    let names: Vec<&str> = colleagues.iter().map(|c| c.agent.as_str()).collect();
    Inquiry {
        name: "tasks",
        task: format!(
            "Do not answer yet. Choose the colleagues that are needed for the person's last \
             message, and tell each what to do, with everything that they have to know: they have \
             not read the conversation.{}",
            describe_colleagues(colleagues)
        ),
        schema: object_schema(&json!({ "tasks": list_schema(&object_schema(&json!({
            "agent": { "type": "string", "enum": names }, "task": text_schema(),
        }))) })),
    }
}

/// Returns the tasks for colleagues that the model answered, at most one for each colleague; none
/// without an answer.
pub(super) fn read_tasks(answer: Option<TasksAnswer>, colleagues: &[Choice]) -> Vec<ColleagueTask> {
    let mut tasks: Vec<ColleagueTask> = Vec::new();
    for wanted in answer.map_or_else(Vec::new, |answer| answer.tasks) {
        let known = colleagues.iter().any(|c| c.agent == wanted.agent);
        let again = tasks.iter().any(|task| task.agent == wanted.agent);
        let task: String = wanted.task.trim().chars().take(MAX_TEXT).collect();
        if known && !again && !task.is_empty() && tasks.len() < MAX_TASKS {
            tasks.push(ColleagueTask {
                run: new_id(),
                agent: wanted.agent,
                task,
            });
        }
    }
    tasks
}

#[derive(Deserialize)]
pub(super) struct ReflectionAnswer {
    keep: bool,
    advice: String,
}

/// Returns the question whether the model's last answer can stay as it is.
pub(super) fn reflection() -> Inquiry {
    Inquiry {
        name: "reflection",
        task: "Do not answer again. Compare your last answer with the request and with what the \
               tools and the passages say. \"keep\" is true if it can stand; otherwise \"advice\" \
               says in one or two sentences what is wrong."
            .to_owned(),
        schema: object_schema(&json!({ "keep": { "type": "boolean" }, "advice": text_schema() })),
    }
}

/// Returns what is to be corrected in the model's last answer, if anything is.
pub(super) fn read_correction(answer: &ReflectionAnswer) -> Option<String> {
    let advice = line(&answer.advice);
    (!answer.keep && !advice.is_empty()).then_some(advice)
}

/// Returns a text as one line of bounded length.
fn line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
