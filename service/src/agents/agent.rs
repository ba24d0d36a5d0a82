//! The interface of agents: the turns that they answer, and the answer that they write to.

use std::{sync::Arc, time::Duration};

use assent_protocol::{EventType, StoredMessage, ToolImage, Words};
use futures_util::future::BoxFuture;

use super::{Agents, CheckReport};
use crate::{
    Result,
    documents::{DocumentText, UnreadableReason},
    profile::Profile,
    rules::approval::{Approval, Question},
    rules::audit::AuditEntry,
    rules::content::UserContent,
    store::{Knowledge, Memories, StateScope, StoredRun, ThreadKey},
    telemetry::metrics::Metrics,
    transcript::{Call, CallResult, Claim, ImageKeeping, Item},
};

/// Largest factor by which the pauses of answers can be multiplied, on the command line and in
/// agent files.
pub(crate) const MAX_PACE: f64 = 1000.0;

/// A turn of a conversation that an agent is to answer.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The thread that is answered in.
    pub thread: ThreadKey,
    /// The latest stored messages of the thread, oldest first, the one to answer included: at most
    /// 200, and at most 1 MiB together unless a single one is longer.
    pub conversation: Vec<StoredMessage>,
    /// What the agent is to answer in this turn.
    pub input: TurnInput,
    /// True if this turn was begun before, and a crash interrupted it.
    pub resumed: bool,
}

/// What an agent is to answer in a turn.
#[derive(Clone, Debug)]
pub enum TurnInput {
    /// The user said something.
    Message(UserContent),
    /// The user decided about calls that the agent asked about.
    Decided(DecidedQuestion),
}

/// What a person decided about the calls that the agent asked about.
#[derive(Clone, Debug)]
pub struct DecidedQuestion {
    /// All calls that the question is about, each with its present status.
    pub approvals: Vec<Approval>,
    /// The number of calls of the question that still wait for a decision, in other batches. If it
    /// is not 0, the turn may end without text.
    pub open: usize,
    /// The text that the user sent with this decision and with earlier ones about the same
    /// question. It has files only if a message stopped everything (specification, Batch rules, 4).
    pub feedback: UserContent,
    /// The text that the agent gave with its question, and gets back with the decision.
    pub memory: String,
}

/// The end of a turn.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The answer is complete.
    Done,
    /// A person has to decide first; the thread waits until then.
    Asked {
        /// The requests for approval, and the memory that the agent gets back with the decision.
        question: Question,
        /// True if the requests for approval of all batches are sent in one event.
        together: bool,
    },
    /// The turn failed, for a reason that the user sees.
    Failed(String),
}

/// What belongs to a step of an agent, besides its text.
#[derive(Clone, Debug, Default)]
pub struct StepDetails {
    /// The images that a tool made.
    pub images: Vec<ToolImage>,
    /// The id of the grant by which a tool runs; empty where it does not.
    pub grant_id: String,
}

/// The answer that an agent writes to.
///
/// The text goes to a store and a stream that agents know nothing of.
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

    /// Shows the reader what the agent is doing: `event` says what it is, in the words `text`.
    /// Nothing of it is stored.
    fn notify<'a>(&'a mut self, event: EventType, text: &'a str) -> BoxFuture<'a, ()>;

    /// Shows the reader what the agent is doing, as [`Answer::notify`] does, with what belongs to it.
    /// Images are stored with the next part of the answer.
    fn show<'a>(
        &'a mut self,
        event: EventType,
        text: &'a str,
        details: StepDetails,
    ) -> BoxFuture<'a, ()>;

    /// Waits for `time`, multiplied by the service's factor on pauses.
    fn pause(&mut self, time: Duration) -> BoxFuture<'_, ()>;

    /// Breaks the client's connection; the answer goes on and is stored.
    fn break_connection(&mut self);

    /// Returns the counters for the operator of the service.
    fn metrics(&self) -> &Metrics;

    /// Returns the record that the thread's agent keeps of the thread: its transcript, and the
    /// calls that were started.
    fn journal(&self) -> Arc<dyn Journal>;

    /// Returns the access to the files of the thread's user.
    fn files(&mut self) -> &mut dyn Files;

    /// Returns the record that the colleague with the id `agent` keeps of its run `run` within this
    /// answer.
    fn journal_of(&self, run: &str, agent: &str) -> Arc<dyn Journal>;

    /// Returns the store's index of folders of knowledge.
    fn knowledge(&self) -> Knowledge;

    /// Returns the access to the memories that agents keep of the thread's user.
    fn memories(&self) -> Memories;

    /// Returns the number of agents that passed the request on before this one got it.
    fn delegation_depth(&self) -> usize {
        0
    }
}

/// The files of a thread's user, as an agent may read them.
pub trait Files: Send {
    /// Reads a file, without its content if that is longer than `max_bytes`; `None` if the user has
    /// no file with this id.
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
    /// The document's name, as the user gave it.
    pub name: String,
    /// The text of the document, or why it has none.
    pub text: std::result::Result<DocumentText, UnreadableReason>,
    /// The time that the document waited while others were read, which does not count as time of
    /// the answer.
    pub waited: Duration,
}

/// A file that a user sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The file's name, as the user gave it.
    pub name: String,
    /// The media type of the file, as far as its first bytes or its sender tell.
    pub media_type: String,
    /// The bytes of the file; `None` if there are more than were asked for, or if they are gone.
    pub content: Option<Vec<u8>>,
}

/// The record that an agent keeps of a thread besides its messages. What `append`, `claim`,
/// `keep_image` and `finish` store is durable once they return. Several calls may be claimed and
/// finished at the same time.
pub trait Journal: Send + Sync {
    /// Returns a handle to what the database has of this run: its transcript, and the grants and
    /// used tokens of the user.
    fn stored(&self) -> &StoredRun;

    /// Appends entries to the transcript, and the decisions in them to the audit.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn append<'a>(
        &'a self,
        items: &'a [Item],
        decisions: &'a [AuditEntry],
    ) -> BoxFuture<'a, Result<()>>;

    /// Reserves tokens for the next request to a model, in place of the reservation before, and
    /// returns the tokens that are reserved for other requests of the user. The reservation ends
    /// once [`Journal::append`] records what the request took, and when the answer ends.
    fn reserve(&self, tokens: u64) -> u64;

    /// Keeps a piece of text of the model's answer that is not recorded yet, and adds `tokens` to
    /// those that its request has used. Both are stored if the answer ends before
    /// [`Journal::append`] records the whole.
    fn keep_partial_text(&self, text: &str, tokens: u64);

    /// Claims a call right before it runs, so that it runs at most once.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn claim<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Claim>>;

    /// Waits until the user wants the answer to stop. The answer goes on all the same while a
    /// claimed call has no result.
    fn stopped(&self) -> BoxFuture<'_, ()>;

    /// Keeps an image of a result of `tool` (`server/tool`) as a file of the user, within the
    /// bounds of uploads. The file is deleted with the thread.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], [`crate::Error::NotFound`] if the thread was deleted, and
    /// [`crate::Error::File`].
    fn keep_image<'a>(
        &'a self,
        tool: &'a str,
        bytes: Vec<u8>,
    ) -> BoxFuture<'a, Result<ImageKeeping>>;

    /// Stores the result of a claimed call, and `decisions` in the audit.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], and [`crate::Error::NotFound`] if the thread was deleted.
    fn finish<'a>(
        &'a self,
        result: &'a CallResult,
        decisions: &'a [AuditEntry],
    ) -> BoxFuture<'a, Result<()>>;
}

/// The future of [`Agent::answer`].
pub type AnswerFuture<'a> = BoxFuture<'a, Result<Ending>>;

/// An agent: it answers the turns of conversations.
pub trait Agent: Send + Sync {
    /// Returns the agent's profile: its id, names and build.
    fn profile(&self) -> &Profile;

    /// Returns the reason why a call that a person changed before approving it may not run; `None` if
    /// it may as far as that is known before.
    fn refusal(&self, _call: &Call) -> Option<String> {
        None
    }

    /// Answers one turn. The future may be dropped at any await, if the service is stopped or the
    /// thread deleted.
    ///
    /// # Errors
    ///
    /// Those of [`Answer`] are passed on; a failure of the agent itself is [`Ending::Failed`].
    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a>;

    /// Looks up the other agents that this one works with, once all agents of the service are
    /// loaded.
    ///
    /// # Errors
    ///
    /// A sentence that names an agent which is needed and is not there.
    fn resolve_colleagues(&self, agents: &Agents) -> std::result::Result<(), String> {
        let _ = agents;
        Ok(())
    }

    /// Returns lines about what the agent may do, and about what of it does not work. `user` is the
    /// id that tool servers are told which want to know the user.
    fn check<'a>(&'a self, _user: Option<&'a str>) -> BoxFuture<'a, CheckReport> {
        Box::pin(async { CheckReport::default() })
    }

    /// Returns a title of a conversation that no person has named, and the tokens that making it
    /// took; these are counted in `metrics`. Without a title the conversation keeps its name.
    fn make_title<'a>(
        &'a self,
        _conversation: &'a [StoredMessage],
        _metrics: &'a Metrics,
    ) -> BoxFuture<'a, (Option<String>, u64)> {
        Box::pin(async { (None, 0) })
    }

    /// Returns true if the agent makes titles.
    fn makes_titles(&self) -> bool {
        false
    }

    /// Returns the id of each tool server of the agent, and the number of its sessions that are
    /// connected.
    fn servers(&self) -> Vec<(String, usize)> {
        Vec::new()
    }

    /// Ends what the agent keeps running for a thread that was deleted, such as a session of a tool
    /// server.
    fn thread_deleted<'a>(&'a self, _thread_id: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    /// Returns true if a turn that a crash interrupted can go on: nothing of it happens twice.
    fn resumes(&self) -> bool {
        false
    }

    /// Returns which turns share working state that this process keeps for the agent, such as a session
    /// of a tool server.
    fn state_scope(&self) -> Option<StateScope> {
        None
    }

    /// Ends what the agent started and keeps running, such as tool servers, when the service is
    /// stopped.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}
