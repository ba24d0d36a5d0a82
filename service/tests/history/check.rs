//! What has to be true of every history.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use assent_conversation::{Author, Conversation, Message, MessageStatus, State};
use assent_protocol::{Role, StoredMessage};

use crate::{
    history::{History, Run, marks},
    person::feedback_of,
};

/// A property of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    StoredOnce,
    SentByPeople,
    AtMostOnce,
    Private,
    Shown,
    Kept,
}

impl Property {
    pub const ALL: [Self; 6] = [
        Self::StoredOnce,
        Self::SentByPeople,
        Self::AtMostOnce,
        Self::Private,
        Self::Shown,
        Self::Kept,
    ];
}

impl fmt::Display for Property {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::StoredOnce => "a post that is accepted is stored once, and nothing else is",
            Self::SentByPeople => "nothing is posted that nobody sent",
            Self::AtMostOnce => "a tool runs at most once, and as it was decided",
            Self::Private => "nobody gets what is somebody else's",
            Self::Shown => "what is shown is what is stored",
            Self::Kept => "no text is lost",
        })
    }
}

pub type Problem = (Property, String);

/// The stored messages of the threads that there are, by their ids.
pub type Truth = BTreeMap<String, Vec<StoredMessage>>;

/// Compares what the service took with what it stored.
pub fn stored(history: &History, truth: &Truth) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push((Property::StoredOnce, what));
    let none = Vec::new();
    for (thread, stored) in truth {
        let own = stored.iter().filter(|it| it.role == Role::User);
        let own: Vec<&str> = own.map(|it| it.content.as_str()).collect();
        let taken = history.taken.get(thread).unwrap_or(&none);
        if own != *taken {
            wrong(format!("{thread} has {own:?}, and took {taken:?}"));
        }
        for text in &own {
            // A page that was loaded anew is told, too.
            let mut told: BTreeMap<usize, usize> = BTreeMap::new();
            for (tab, of, said) in &history.acknowledged {
                if of == thread && said == text {
                    *told.entry(*tab).or_default() += 1;
                }
            }
            let told = told.into_values().max().unwrap_or_default();
            let times = own.iter().filter(|it| *it == text).count();
            if told > times {
                wrong(format!(
                    "{text:?} is acknowledged {told} times, stored {times}"
                ));
            }
        }
        for (_, of, text) in &history.acknowledged {
            if of == thread && !text.is_empty() && !own.contains(&text.as_str()) {
                wrong(format!("{text:?} is acknowledged, and not stored"));
            }
        }
    }
    for thread in history.taken.keys() {
        if !truth.contains_key(thread) && !history.deleted.contains(thread) {
            wrong(format!("{thread} is gone"));
        }
    }
    problems
}

/// Compares what was posted with what people pressed.
pub fn posted(history: &History) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
    for post in &history.posts {
        for mark in marks(&post.text) {
            *texts.entry(mark).or_default() += 1;
        }
        for (run, _) in &post.decisions {
            *runs.entry(run).or_default() += 1;
        }
    }
    let of_texts = texts
        .iter()
        .map(|(mark, times)| (mark.as_str(), *times, &history.presses));
    let of_runs = runs
        .iter()
        .map(|(run, times)| (*run, *times, &history.decided));
    for edit in history.posts.iter().flat_map(|post| &post.edits) {
        if !history.edits.contains(edit) {
            problems.push((
                Property::SentByPeople,
                format!("{edit:?} is nobody's change"),
            ));
        }
    }
    for (what, times, pressed) in of_texts.chain(of_runs) {
        let pressed = pressed.get(what).copied().unwrap_or_default();
        if times > pressed {
            let what = format!("{what} is posted {times} times, and sent {pressed} times");
            problems.push((Property::SentByPeople, what));
        }
    }
    problems
}

/// Returns the runs of tools about which nobody decided in time.
pub fn ended(truth: &Truth) -> BTreeSet<&str> {
    let messages = truth.values().flatten();
    let asked = messages.flat_map(|it| &it.tool_execution_human_approval_request);
    let ended = asked.filter(|asked| asked.decided_by == "timeout");
    ended
        .map(|asked| asked.tool_execution_id.as_str())
        .collect()
}

/// Compares the runs of tools with the decisions.
pub fn runs(history: &History, truth: &Truth) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push((Property::AtMostOnce, what));
    let mut statuses: BTreeMap<&str, &str> = BTreeMap::new();
    let ended = ended(truth);
    for message in truth.values().flatten() {
        for asked in &message.tool_execution_human_approval_request {
            let run = asked.tool_execution_id.as_str();
            statuses.insert(run, asked.status.as_str());
        }
    }
    let work = history.work.lock().unwrap();
    for asked in &work.asked {
        let run = asked.execution.as_str();
        // Each copy that was accepted, with the decision that the person made.
        let posts = history.posts.iter();
        let decisions = posts.flat_map(|post| {
            let accepted = post.statuses.iter().filter(|it| **it == 200).count();
            let own = post.decisions.iter().filter(move |(of, _)| of == run);
            own.flat_map(move |(_, status)| std::iter::repeat_n(status.as_str(), accepted))
        });
        let decisions: Vec<&str> = decisions.collect();
        if decisions.len() > 1 {
            wrong(format!("{run} is decided {} times", decisions.len()));
        }
        if ended.contains(run) && !decisions.is_empty() {
            wrong(format!("{run} ended, and a decision was taken"));
        }
        let otherwise = if ended.contains(run) {
            "DENIED"
        } else {
            "PENDING_HUMAN_APPROVAL"
        };
        let decision = decisions.first().copied().unwrap_or(otherwise);
        if let Some(status) = statuses.get(run).filter(|it| **it != decision) {
            wrong(format!("{run} is {status}, and was decided as {decision}"));
        }
        let told = history.settled.iter().filter(|(of, _)| of == run);
        for (_, status) in told {
            if status != decision {
                wrong(format!(
                    "{run}: a page was told {status}, and it was {decision}"
                ));
            }
        }
        let ran: Vec<_> = work.ran.iter().filter(|it| it.execution == run).collect();
        if ran.len() > usize::from(decision == "APPROVED") {
            wrong(format!("{run} ran {} times, and was {decision}", ran.len()));
        }
        let allowed = edit_of(history, run).unwrap_or(&asked.arguments);
        if ran.iter().any(|it| it.arguments != *allowed) {
            wrong(format!("{run} ran with other arguments than {allowed:?}"));
        }
    }
    problems
}

/// Returns the arguments with which the service accepted the approval of a run, if they were changed.
fn edit_of<'a>(history: &'a History, run: &str) -> Option<&'a Vec<(String, String)>> {
    let accepted = history.posts.iter().filter(|it| it.statuses.contains(&200));
    let mut edits = accepted.flat_map(|post| &post.edits);
    let edit = edits.find(|edit| edit.execution == run)?;
    Some(&edit.arguments)
}

/// Returns the number of runs with arguments that a person changed.
pub fn edited(history: &History) -> usize {
    let work = history.work.lock().unwrap();
    let is_edited = |run: &&Run| edit_of(history, &run.execution).is_some();
    work.ran.iter().filter(is_edited).count()
}

/// Compares the messages of a conversation on a page with the stored ones.
pub fn shown(
    history: &History,
    conversation: &Conversation,
    stored: &[StoredMessage],
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let stored: Vec<_> = stored.iter().filter(|it| !is_blank(it)).collect();
    let mut next = 0;
    for message in conversation.messages.iter().filter(|it| !it.is_blank()) {
        let why = stored.get(next).map_or_else(
            || "more is shown than is stored".to_owned(),
            |it| difference(message, it),
        );
        if why.is_empty() {
            next += 1;
        } else if !may_be_extra(message) {
            let what = format!("message {next}, {}: {why}", spell(message));
            problems.push((Property::Shown, what));
            return problems;
        }
        if is_unsent(message)
            && let [mark] = &marks(&message.text)[..]
            && history.presses.get(mark) == Some(&1)
            && stored.iter().any(|it| marks(&it.content).contains(mark))
            && !mark.ends_with(".again")
            && stored
                .iter()
                .any(|it| it.role == Role::User && it.content == message.text)
        {
            let what = format!("{} is stored, and offered to be sent again", spell(message));
            problems.push((Property::Shown, what));
        }
    }
    if let Some(missing) = stored.get(next) {
        let what = format!("not shown, from {:?} on", missing.content);
        problems.push((Property::Shown, what));
    }
    problems
}

fn is_blank(stored: &StoredMessage) -> bool {
    stored.content.trim().is_empty() && stored.tool_execution_human_approval_request.is_empty()
}

fn is_unsent(message: &Message) -> bool {
    let open = matches!(
        message.status,
        MessageStatus::Failed(_) | MessageStatus::Unconfirmed { .. }
    );
    message.author == Author::You && open
}

/// Returns true for what a page shows of its own: what it could not send, how an answer ended, and
/// what an agent did that said nothing, such as after the first of two batches.
fn may_be_extra(message: &Message) -> bool {
    let ended = matches!(
        message.status,
        MessageStatus::Failed(_) | MessageStatus::Interrupted { .. }
    );
    let is_only_work = message.text.trim().is_empty() && message.author != Author::You;
    is_unsent(message) || ((ended || is_only_work) && message.approvals.is_empty())
}

/// Returns why a message is not this stored one; empty if it is.
fn difference(message: &Message, stored: &StoredMessage) -> String {
    let is_own = message.author == Author::You;
    if is_own != (stored.role == Role::User) {
        return format!("{:?} is stored here", stored.content);
    }
    if is_unsent(message) {
        return "it is not sent".to_owned();
    }
    let mut tools: Vec<(&str, &str)> = Vec::new();
    for tool in message.approvals.iter().flat_map(|batch| &batch.tools) {
        tools.push((tool.execution.as_str(), tool.status.as_str()));
    }
    let asked = stored.tool_execution_human_approval_request.iter();
    let mut asked: Vec<(&str, &str)> = asked
        .map(|it| (it.tool_execution_id.as_str(), it.status.as_str()))
        .collect();
    tools.sort_unstable();
    asked.sort_unstable();
    if tools != asked {
        return format!("{tools:?} are stored as {asked:?}");
    }
    // How an answer failed is said in the page's own words.
    let failed = !is_own && matches!(message.status, MessageStatus::Failed(_));
    if !failed && message.text.trim() != stored.content.trim() {
        return format!("it is stored as {:?}", stored.content);
    }
    String::new()
}

fn spell(message: &Message) -> String {
    let Message {
        author,
        status,
        text,
        ..
    } = message;
    format!("{author:?} {status:?} {text:?}")
}

/// Returns the marks of what a page still has to send.
pub fn unsent(state: &State) -> Vec<String> {
    let open = state.conversations.iter().flat_map(unsent_in);
    let drafts = state.drafts.iter().flat_map(|draft| marks(&draft.text));
    open.chain(drafts).collect()
}

/// The same for one conversation.
pub fn unsent_in(conversation: &Conversation) -> Vec<String> {
    let mut all = marks(&conversation.draft);
    for queued in &conversation.queued {
        all.extend(marks(&queued.text));
    }
    for message in &conversation.messages {
        if is_unsent(message) {
            all.extend(marks(&message.text));
        }
        for batch in message.approvals.iter().filter(|it| it.is_pending()) {
            all.extend(marks(&feedback_of(batch)));
        }
    }
    all
}

/// Looks for texts that are neither stored nor still to be sent.
pub fn kept(history: &History, truth: &Truth, unsent: &[String]) -> Vec<Problem> {
    let stored = truth.values().flatten().filter(|it| it.role == Role::User);
    let stored: Vec<String> = stored.flat_map(|it| marks(&it.content)).collect();
    let mut problems = Vec::new();
    for mark in history.presses.keys() {
        let posts = history.posts.iter();
        let posts = posts.filter(|it| marks(&it.text).contains(mark));
        let places = history.places.get(mark).into_iter().flatten();
        let mut threads = posts.map(|it| &it.thread).chain(places);
        let is_gone = threads.any(|it| history.deleted.contains(it));
        if !stored.contains(mark) && !unsent.contains(mark) && !is_gone {
            problems.push((Property::Kept, format!("{mark} is lost")));
        }
    }
    problems
}
