//! The interface of agents: the turns that they answer, and the answer that they write to.

use std::{sync::Arc, time::Duration};

use assent_protocol::{EventType, StoredMessage, ToolImage, Words};
use futures_util::future::BoxFuture;

use super::{Agents, Checked};
use crate::{
    Result,
    documents::{DocumentText, Unreadable},
    profile::Profile,
    rules::approval::{Approval, Question},
    rules::audit::Entry,
    rules::content::UserContent,
    store::{Knowledge, Memories, StoredRun},
    telemetry::metrics::Metrics,
    transcript::{Call, CallResult, Claim, Item, Keeping},
};

/// Largest factor on pauses, on the command line and in agent files.
pub(crate) const MAX_PACE: f64 = 1000.0;

/// The owner of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub user_id: String,
    /// The user's thread.
    pub thread_id: String,
}

/// A turn of a conversation that an agent is to answer.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The person and the thread that are answered.
    pub owner: Owner,
    /// The latest stored messages of the thread, oldest first, the one to answer included: at most
    /// 200, and 1 MiB but for a single longer one.
    pub conversation: Vec<StoredMessage>,
    /// The input that is new.
    pub input: Input,
    /// True if this turn was begun before, and a crash interrupted it.
    pub resumed: bool,
}

/// Input that is new in a turn.
#[derive(Clone, Debug)]
pub enum Input {
    /// The user said something.
    Message(UserContent),
    /// The user decided about tools that the agent asked for.
    Decided(Decided),
}

/// What people decided about a question of the agent.
#[derive(Clone, Debug)]
pub struct Decided {
    /// All tools of the question with their present status.
    pub approvals: Vec<Approval>,
    /// The number of them that still wait for a decision, in other batches; the turn may end
    /// without text then.
    pub open: usize,
    /// The user's text with it and with earlier decisions about the same question; files only of
    /// messages that stopped everything (specification, Batch rules, 4).
    pub feedback: UserContent,
    /// The memory that the agent gave with the question.
    pub memory: String,
}

/// The end of a turn.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The answer is complete.
    Done,
    /// A person has to decide first; the thread waits until then.
    Asked {
        /// The tools, and the memory to hand back with the decision.
        question: Question,
        /// True if all batches are asked for in one event.
        together: bool,
    },
    /// The turn failed, for a reason that the user sees.
    Failed(String),
}

/// The answer that an agent writes to.
///
/// Its text goes to a store and a stream that agents know nothing of.
pub trait Answer: Send {
    /// Says a piece of text, as it is; `speaker` is a colleague, or `None` for the thread's agent.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`]; [`crate::Error::NotFound`] if the thread was deleted.
    fn say<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        text: &'a str,
    ) -> BoxFuture<'a, Result<()>>;

    /// Says a sentence of the service, a paragraph of its own.
    ///
    /// # Errors
    ///
    /// As [`Answer::say`].
    fn say_sentence<'a>(
        &'a mut self,
        speaker: Option<&'a Profile>,
        sentence: &'a Words,
    ) -> BoxFuture<'a, Result<()>>;

    /// Ends the text of a colleague; the thread's agent speaks again.
    ///
    /// # Errors
    ///
    /// As [`Answer::say`].
    fn end_colleague(&mut self) -> BoxFuture<'_, Result<()>>;

    /// Reports what the agent is doing; nothing of it is stored.
    fn notify<'a>(&'a mut self, event: EventType, text: &'a str) -> BoxFuture<'a, ()>;

    /// Reports what the agent is doing, with the images that a tool made by that. They are stored with
    /// the next part of the answer.
    fn show<'a>(
        &'a mut self,
        event: EventType,
        text: &'a str,
        images: Vec<ToolImage>,
    ) -> BoxFuture<'a, ()>;

    /// Waits, at the service's pace.
    fn pause(&mut self, time: Duration) -> BoxFuture<'_, ()>;

    /// Breaks the client's connection; the answer goes on and is stored.
    fn cut(&mut self);

    /// The counters of the service's operator.
    fn metrics(&self) -> &Metrics;

    /// The thread's transcript and the tools that were started in it.
    fn journal(&self) -> Arc<dyn Journal>;

    /// The files that came with the user's messages.
    fn files(&mut self) -> &mut dyn Files;

    /// The same for the run of a colleague, the agent with this id, within this answer.
    fn journal_of(&self, run: &str, agent: &str) -> Arc<dyn Journal>;

    /// Folders of knowledge.
    fn knowledge(&self) -> Knowledge;

    /// The memories that agents keep of the thread's user.
    fn memories(&self) -> Memories;

    /// The number of agents that passed the request on before this one got it.
    fn depth(&self) -> usize {
        0
    }
}

/// The files of a thread's user, as an agent may read them.
pub trait Files: Send {
    /// Reads a file; `None` if the user has none with this id.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    fn read_file<'a>(
        &'a mut self,
        id: &'a str,
        max_bytes: u64,
    ) -> BoxFuture<'a, Result<Option<UserFile>>>;

    /// Reads a document as text; `None` if the user has no file with this id.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Panicked`].
    fn read_document<'a>(&'a mut self, id: &'a str) -> BoxFuture<'a, Result<Option<Document>>>;
}

/// A document that a user sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The user's own name for it.
    pub name: String,
    /// Its text, or why there is none.
    pub text: std::result::Result<DocumentText, Unreadable>,
    /// The time that it waited for others to be read, which is no time of the answer.
    pub waited: Duration,
}

/// A file that a user sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The user's own name for it.
    pub name: String,
    /// The type, as far as its first bytes or its sender tell.
    pub media_type: String,
    /// Its bytes; `None` if there are more than were asked for, or none any more.
    pub content: Option<Vec<u8>>,
}

/// The record that an agent keeps of a thread besides its messages. What was returned is durable.
/// Several tools may be claimed and finished at the same time.
pub trait Journal: Send + Sync {
    /// Returns the run as it is stored: its transcript, and the user's standing with the agent.
    fn stored(&self) -> &StoredRun;

    /// Appends entries, and the decisions in them to the audit.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn append<'a>(&'a self, items: &'a [Item], decisions: &'a [Entry])
    -> BoxFuture<'a, Result<()>>;

    /// Reserves tokens for the next request to a model, instead of those that were reserved before,
    /// and returns those of other requests of the user that are under way. They are free again once
    /// [`Journal::append`] records what the request took, and when the answer ends.
    fn reserve(&self, tokens: u64) -> u64;

    /// Takes a piece of text of the model's answer that is not recorded yet, and the tokens of its
    /// request once they are used. Both are kept if the answer ends before [`Journal::append`]
    /// records the whole.
    fn keep_partial_text(&self, text: &str, tokens: u64);

    /// Claims a call right before it runs.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn claim<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Claim>>;

    /// Waits until the user wants the answer to stop. It goes on all the same while a claimed call
    /// has no result.
    fn stopped(&self) -> BoxFuture<'_, ()>;

    /// Keeps an image of a result of `tool` (`server/tool`) as a file of the user, within the bounds of
    /// uploads. It goes with the thread.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], [`crate::Error::NotFound`] if the thread was deleted, and
    /// [`crate::Error::File`].
    fn keep_image<'a>(&'a self, tool: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<Keeping>>;

    /// Stores the result of a claimed call, and what the audit has to know of it.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn finish<'a>(
        &'a self,
        result: &'a CallResult,
        decisions: &'a [Entry],
    ) -> BoxFuture<'a, Result<()>>;
}

/// The future of [`Agent::answer`].
pub type Answering<'a> = BoxFuture<'a, Result<Ending>>;

/// An agent: it answers the turns of conversations.
pub trait Agent: Send + Sync {
    /// Its profile.
    fn profile(&self) -> &Profile;

    /// Answers one turn. It may be dropped at any await: the service is stopped or the thread
    /// deleted.
    ///
    /// # Errors
    ///
    /// Those of [`Answer`] are passed on; a failure of the agent itself is [`Ending::Failed`].
    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> Answering<'a>;

    /// Meets the other agents of the service, once all of them are there.
    ///
    /// # Errors
    ///
    /// The name of something that the agent needs of them and does not find.
    fn meet(&self, agents: &Agents) -> std::result::Result<(), String> {
        let _ = agents;
        Ok(())
    }

    /// Says what the agent may do, a line each, and what of it does not work; `user` is told to
    /// tool servers that want to know one.
    fn check<'a>(&'a self, _user: Option<&'a str>) -> BoxFuture<'a, Checked> {
        Box::pin(async { Checked::default() })
    }

    /// Returns a title of a conversation that no person has named, or none to leave its name as it
    /// is, and the tokens that this took. They are counted in `metrics`.
    fn title<'a>(
        &'a self,
        _conversation: &'a [StoredMessage],
        _metrics: &'a Metrics,
    ) -> BoxFuture<'a, (Option<String>, u64)> {
        Box::pin(async { (None, 0) })
    }

    /// True if the agent makes titles.
    fn makes_titles(&self) -> bool {
        false
    }

    /// Its tool servers, and the number of sessions of each that are connected.
    fn servers(&self) -> Vec<(String, usize)> {
        Vec::new()
    }

    /// Ends what it keeps running for a thread that was deleted.
    fn thread_deleted<'a>(&'a self, _thread_id: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    /// Returns true if a turn that a crash interrupted can go on: nothing of it happens twice.
    fn resumes(&self) -> bool {
        false
    }

    /// Ends what the agent started and keeps running, when the service is stopped.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}
