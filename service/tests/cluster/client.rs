//! A person with one conversation, who asks any replica, asks again after each failure, and remembers
//! what was said.

use std::{sync::Arc, time::Duration};

use assent_protocol::SseEvent;
use assent_sse::Decoder;
use serde_json::{Value, json};

use crate::{
    World,
    caller::{Caller, Way},
    common::{THREADS, event, messages_of, requests, text},
    random::{Random, moment},
};

/// What happened to a client, or to all.
#[derive(Debug, Default)]
pub struct Summary {
    pub answers: usize,
    /// Those of clients that HAProxy is in front of.
    pub balanced: usize,
    pub repeated: usize,
    pub resumed: usize,
    pub begun_again: usize,
    pub interrupted: usize,
    pub decisions: usize,
    /// Decisions that came beside another one about the same batch, and were refused.
    pub refused: usize,
    /// Approvals that allowed what comes, too.
    pub granted: usize,
    /// Approvals of changed arguments.
    pub edited: usize,
    /// Decisions that came in time, and ends of waiting.
    pub in_time: usize,
    pub ended: usize,
    /// The longest time in which a message was not accepted.
    pub longest_wait: Duration,
}

impl Summary {
    pub fn add(&mut self, other: &Self) {
        self.answers += other.answers;
        self.balanced += other.balanced;
        self.repeated += other.repeated;
        self.resumed += other.resumed;
        self.begun_again += other.begun_again;
        self.interrupted += other.interrupted;
        self.decisions += other.decisions;
        self.refused += other.refused;
        self.granted += other.granted;
        self.edited += other.edited;
        self.in_time += other.in_time;
        self.ended += other.ended;
        self.longest_wait = self.longest_wait.max(other.longest_wait);
    }
}

pub struct Client {
    pub(super) caller: Caller,
    /// The same person at another device.
    pub(super) other: Caller,
    pub(super) summary: Summary,
}

/// What a client has read of an answer.
#[derive(Default)]
struct Read {
    run: String,
    last: i64,
    text: String,
    /// The end, once it has come.
    end: Option<SseEvent>,
}

/// The outcome of a post.
#[derive(Debug, PartialEq)]
pub enum Told {
    /// It was answered, and what was read ended with this event, unless it could not be read to its end.
    Ended(Option<Box<SseEvent>>),
    /// It was refused.
    Refused,
}

/// The end of a response.
enum Broken {
    /// The connection broke, or the replica could not answer.
    Connection,
    /// The run has begun again: what was read of it does not count.
    BegunAgain,
}

impl Client {
    pub fn new(number: usize, mut random: Random, world: &Arc<World>) -> Self {
        let way = [Way::Balanced, Way::Direct][number % 2];
        let user = format!("person-{number}");
        let seed = random.below(usize::MAX) as u64;
        Self {
            caller: Caller::new(user.clone(), way, random, world),
            other: Caller::new(user, Way::Direct, Random::new(seed), world),
            summary: Summary::default(),
        }
    }

    /// Talks until the world stops.
    pub async fn talk(mut self) -> Summary {
        while !self.caller.is_at_its_end() {
            self.converse().await;
        }
        if self.caller.way == Way::Balanced {
            self.summary.balanced = self.summary.answers;
        }
        self.summary.repeated = self.caller.repeated;
        self.summary.longest_wait = self.caller.longest_wait;
        self.summary
    }

    /// Talks in one conversation, until the world stops or nobody can decide there any more; then looks
    /// at all that is stored of it.
    async fn converse(&mut self) {
        let (agent, words) = [
            ("demo", &["hello", "long", "approve one"][..]),
            (
                "desk",
                &["count 1", "count 2", "note 1", "change 1", "late 1"],
            ),
        ][self.caller.below(2)];
        let agent = json!({ "agentId": agent });
        let created = self.caller.post(THREADS, &agent, "thread").await;
        let Ok(created) = created.json::<Value>().await else {
            return;
        };
        let path = messages_of(created["id"].as_str().unwrap());
        let mut said = Vec::new();
        while !self.caller.is_at_its_end() {
            let message = format!("{} {}", words[self.caller.below(words.len())], said.len());
            said.push(message.clone());
            let end = self.ask(&path, &text(&message)).await;
            assert_ne!(end, Told::Refused, "{message}");
            if message.starts_with("late") {
                self.decide_in_time(&path, end).await;
            } else if self.is_asked(&path).await {
                // What the stream alone tells may be lost with it.
                let Told::Ended(Some(end)) = end else {
                    break;
                };
                let asked = requests(&[*end]).remove(0);
                self.decide(&path, &asked).await;
            }
            self.summary.answers += 1;
            self.caller.count_answer();
        }
        let stored = self.caller.messages(&path).await;
        let of_user: Vec<&str> = stored
            .iter()
            .filter(|it| it["role"] == "user")
            .map(|it| it["content"].as_str().unwrap())
            .collect();
        assert_eq!(of_user, said, "each message is stored once, in its order");
    }

    /// Posts until that is answered, and reads the answer to its end; checks it with what is stored.
    pub(super) async fn ask(&mut self, path: &str, body: &Value) -> Told {
        let key = self.key();
        let before = self.caller.messages(path).await.len();
        let response = self.caller.post(path, body, &key).await;
        if response.status() == 410 {
            // It was answered, and what was streamed is not there any more.
            self.caller.until_ended(path).await;
            return Told::Ended(None);
        }
        if response.status() == 400 {
            return Told::Refused;
        }
        assert_eq!(response.status(), 200);
        let mut read = Read::default();
        let mut done = Self::read(response, &mut read).await;
        loop {
            match done {
                Ok(()) => break,
                Err(Broken::BegunAgain) => {
                    self.summary.begun_again += 1;
                    self.caller.until_ended(path).await;
                    return Told::Ended(None);
                }
                Err(Broken::Connection) => done = self.resume(path, &mut read).await,
            }
        }
        let stored = self.caller.messages(path).await;
        let answer: Vec<&str> = stored[before..]
            .iter()
            .filter(|it| it["role"] == "assistant")
            .map(|it| it["content"].as_str().unwrap())
            .collect();
        let whole = answer.join("");
        let (run, text) = (&read.run, read.text.trim());
        let common = whole.bytes().zip(text.bytes()).take_while(|(a, b)| a == b);
        let common = common.count();
        let rest = |text: &str| String::from_utf8_lossy(&text.as_bytes()[common..]).into_owned();
        let (more, left) = (rest(text), rest(&whole));
        let end = read.end.as_ref();
        let end = end.map(|end| (end.event_type.name(), &end.event_message.content));
        assert!(
            more.is_empty(),
            "{run} to {} {end:?}: after {common} of {} bytes {more:?} was said, and {left:?} is \
             stored in {} of {stored:?}",
            read.last,
            text.len(),
            answer.len(),
        );
        if read
            .end
            .as_ref()
            .is_some_and(|end| end.event_type.name() == "ERROR")
        {
            self.summary.interrupted += 1;
        } else {
            assert_eq!(left.trim(), "", "{run} to {} {end:?}", read.last);
        }
        Told::Ended(read.end.map(Box::new))
    }

    /// Reads on after what is read, at any replica.
    async fn resume(&mut self, path: &str, read: &mut Read) -> Result<(), Broken> {
        self.summary.resumed += 1;
        let path = if read.run.is_empty() {
            // Not even the first event came.
            return Err(Broken::BegunAgain);
        } else {
            format!("{path}/stream?after={}/{}", read.run, read.last)
        };
        let Some(response) = self.caller.try_get(&path).await else {
            moment().await;
            return Err(Broken::Connection);
        };
        match response.status().as_u16() {
            200 => Self::read(response, read).await,
            204 => Ok(()),
            410 => Err(Broken::BegunAgain),
            _ => Err(Broken::Connection),
        }
    }

    async fn read(response: reqwest::Response, read: &mut Read) -> Result<(), Broken> {
        let mut response = response;
        let mut decoder = Decoder::new();
        loop {
            let Ok(Some(bytes)) = response.chunk().await else {
                // A clean end counts only after the event that says so.
                return match read.end {
                    Some(_) => Ok(()),
                    None => Err(Broken::Connection),
                };
            };
            for frame in decoder.push(&bytes) {
                let event = event(&frame.unwrap().data);
                let id = event.event_id.as_str().to_owned();
                let (run, number) = id.rsplit_once('/').unwrap();
                let number: i64 = number.parse().unwrap();
                let is_text = event.event_type.name() == "AGENT_RESPONSE_CHUNK";
                assert!(
                    read.run.is_empty() || read.run == run,
                    "{id} after {}",
                    read.run
                );
                let next = read.last + 1;
                // Pieces of text may come as one, with the id of the last.
                assert!(
                    number == next || number > next && is_text,
                    "{id} after {}",
                    read.last
                );
                run.clone_into(&mut read.run);
                read.last = number;
                if is_text {
                    read.text.push_str(&event.event_message.content);
                }
                let ends = [
                    "AGENT_RESPONSE_COMPLETE",
                    "TOOL_EXECUTION_APPROVAL_REQUEST",
                    "ERROR",
                ];
                if ends.contains(&event.event_type.name()) {
                    read.end = Some(event);
                }
            }
        }
    }

    /// Returns true if a request for approval waits.
    async fn is_asked(&mut self, path: &str) -> bool {
        let messages = self.caller.messages(path).await;
        let Some(last) = messages.last() else {
            return false;
        };
        let asked = last["toolExecutionHumanApprovalRequest"].as_array();
        asked.is_some_and(|asked| asked[0]["status"] == "PENDING_HUMAN_APPROVAL")
    }

    pub(super) fn key(&mut self) -> String {
        format!("key-{}", self.caller.below(usize::MAX))
    }
}
