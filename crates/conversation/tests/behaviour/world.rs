//! A core with a simulated environment: takes inputs, and keeps the outputs for assertions.

use assent_conversation::{
    Announcement, Author, BatchId, Change, Command, Conversation, ConversationKey, Failure,
    FailureKind, Input, Intent, LoadId, Message, MessageStatus, Millis, Output, RequestVersion,
    State, StreamEnd, StreamId, ToolRun, Verdict, WithheldReason, invariants, step,
};
use assent_protocol::{
    Agent, ContentItem, EventType, SessionThread, SseEvent, SseEventMessage, StoredMessage,
};
use serde_json::{Value, json};

/// The request of the whole list of threads.
pub(crate) const LIST: Command = Command::ListThreads {
    latest_first: false,
};

/// The request of the list of threads where none is shown.
pub(crate) const FIRST_LIST: Command = Command::ListThreads { latest_first: true };

pub(crate) struct World {
    pub(crate) state: State,
    pub(crate) now: i64,
    /// Changes of the last input.
    pub(crate) changes: Vec<Change>,
    /// Commands of the last input, without events for the host page and look-ups on the device.
    pub(crate) commands: Vec<Command>,
    /// Announcements of all inputs.
    pub(crate) said: Vec<Announcement>,
    /// Commands of all inputs.
    pub(crate) done: Vec<Command>,
    events: u32,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            state: State::new(),
            now: 1_000_000,
            changes: Vec::new(),
            commands: Vec::new(),
            said: Vec::new(),
            done: Vec::new(),
            events: 0,
        }
    }

    /// Returns a world in which thread `t1` is open, its stored messages loaded, and nothing under
    /// way.
    pub(crate) fn in_thread(stored: Value) -> Self {
        let mut world = Self::new();
        world.intend(Intent::OpenThread("t1".into()));
        world.stored(stored);
        world
    }

    pub(crate) fn give(&mut self, input: Input) {
        let shown = format!("{input:?}");
        let typing = matches!(input, Input::Intent(Intent::EditDraft(_)));
        let before = self.state.clone();
        let Output { changes, commands } = step(&mut self.state, input, Millis(self.now));
        let sound = invariants::check(&self.state)
            .and_then(|()| invariants::check_changes(&before, &self.state, &changes, typing));
        if let Err(broken) = sound {
            panic!("after {shown}: {broken}");
        }
        for command in &commands {
            if let Err(broken) = invariants::check_command(&self.state, command) {
                panic!("after {shown}: {command:?}: {broken}");
            }
        }
        let said = changes.iter().filter_map(|change| match change {
            Change::Announce(said) => Some(said.clone()),
            _ => None,
        });
        self.said.extend(said);
        self.changes = changes;
        self.done.extend(commands.iter().cloned());
        let is_work = |command: &Command| {
            !matches!(command, Command::NotifyPage(_) | Command::LoadRecordings(_))
        };
        self.commands = commands.into_iter().filter(is_work).collect();
    }

    pub(crate) fn intend(&mut self, intent: Intent) {
        self.give(Input::Intent(intent));
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.intend(Intent::EditDraft(text.to_owned()));
        self.intend(Intent::Send);
    }

    /// Returns the runs of the last batch with this id of the open conversation.
    pub(crate) fn runs(&self, batch: &BatchId) -> Vec<&ToolRun> {
        let messages = self.open().messages.iter();
        let mut batches = messages.flat_map(|message| &message.approvals).rev();
        let batch = batches.find(|it| it.id == *batch);
        batch.into_iter().flat_map(|it| &it.tools).collect()
    }

    /// Returns the versions of their requests.
    pub(crate) fn versions(&self, batch: &BatchId) -> Vec<RequestVersion> {
        self.runs(batch).iter().map(|run| run.version).collect()
    }

    /// Returns the version of the request for one of them.
    pub(crate) fn version(&self, batch: &BatchId, execution: &str) -> RequestVersion {
        let runs = self.runs(batch);
        let run = runs.iter().find(|run| run.execution.as_str() == execution);
        run.map(|run| run.version).unwrap_or_default()
    }

    /// Decides one run, all of whose batch was on the screen.
    pub(crate) fn decide(&mut self, batch: BatchId, execution: &str, verdict: Verdict) {
        let version = self.version(&batch, execution);
        self.intend(Intent::MarkSeen(batch.clone(), self.versions(&batch)));
        self.intend(Intent::Decide(batch, version, verdict));
    }

    /// Decides all runs of a batch, all of which was on the screen.
    pub(crate) fn decide_all(&mut self, batch: BatchId, verdict: Verdict) {
        let versions = self.versions(&batch);
        self.intend(Intent::MarkSeen(batch.clone(), versions.clone()));
        self.intend(Intent::DecideAll(batch, versions, verdict));
    }

    pub(crate) fn open(&self) -> &Conversation {
        self.state.open_conversation().unwrap()
    }

    /// Returns the texts of the queued messages.
    pub(crate) fn queued(&self) -> Vec<&str> {
        let queued = self.open().queued.iter();
        queued.map(|it| it.text.as_str()).collect()
    }

    pub(crate) fn key(&self) -> ConversationKey {
        self.state.open
    }

    pub(crate) fn message(&self, at: usize) -> &Message {
        &self.open().messages[at]
    }

    /// Returns the content of a message for a post.
    pub(crate) fn content(&self, at: usize) -> Vec<ContentItem> {
        vec![ContentItem::Text(self.message(at).text.clone())]
    }

    pub(crate) fn status(&self, at: usize) -> &MessageStatus {
        &self.message(at).status
    }

    /// Returns author and text of each message of the open conversation.
    pub(crate) fn texts(&self) -> Vec<(&str, &str)> {
        let author = |message: &Message| message.author == Author::You;
        self.open()
            .messages
            .iter()
            .map(|m| (if author(m) { "you" } else { "agent" }, m.text.as_str()))
            .collect()
    }

    pub(crate) fn stream(&self) -> StreamId {
        self.open().stream().expect("a stream").id
    }

    pub(crate) fn opened(&mut self) {
        self.give(Input::StreamOpened(self.stream()));
    }

    pub(crate) fn raw_event(&mut self, event: SseEvent) {
        self.give(Input::StreamEvent(self.stream(), Box::new(event)));
    }

    pub(crate) fn event(&mut self, event_type: &str, content: &str) {
        self.event_of(event_type, content, None);
    }

    pub(crate) fn event_of(
        &mut self,
        event_type: &str,
        content: &str,
        agent: Option<(&str, &str)>,
    ) {
        self.events += 1;
        let id = format!("e{}", self.events);
        self.raw_event(event(&id, event_type, content, agent));
    }

    /// Takes an approval request event with these requests.
    pub(crate) fn asks(&mut self, requests: Value) {
        self.asks_in(self.stream(), requests);
    }

    /// Does the same in any stream.
    pub(crate) fn asks_in(&mut self, stream: StreamId, requests: Value) {
        self.events += 1;
        let event = json!({
            "type": "TOOL_EXECUTION_APPROVAL_REQUEST",
            "eventId": format!("e{}", self.events),
            "eventMessage": { "content": "", "toolExecutionApprovalRequest": requests },
        });
        let event = serde_json::from_str(&event.to_string()).unwrap();
        self.give(Input::StreamEvent(stream, Box::new(event)));
    }

    pub(crate) fn ends(&mut self) {
        self.give(Input::StreamEnded(self.stream(), StreamEnd::Closed));
    }

    pub(crate) fn breaks(&mut self, kind: FailureKind) {
        let end = StreamEnd::Failed(Failure::of(kind));
        self.give(Input::StreamEnded(self.stream(), end));
    }

    pub(crate) fn withheld(&mut self, why: WithheldReason) {
        let end = StreamEnd::Withheld(why);
        self.give(Input::StreamEnded(self.stream(), end));
    }

    pub(crate) fn load(&self) -> LoadId {
        self.open().last_load.expect("a reading")
    }

    /// Takes stored messages from the last load, as soon as it has started.
    pub(crate) fn stored(&mut self, stored: Value) {
        self.now = self.now.max(self.open().load_due.0);
        self.answer(Ok(serde_json::from_value(stored).unwrap()));
    }

    pub(crate) fn not_stored(&mut self, kind: FailureKind) {
        self.answer(Err(Failure::of(kind)));
    }

    /// Takes this result of the last load, whenever it was to start.
    pub(crate) fn answer(&mut self, result: Result<Vec<StoredMessage>, Failure>) {
        self.give(Input::Messages {
            conversation: self.key(),
            load: self.load(),
            result,
        });
    }

    pub(crate) fn created(&mut self, thread: Value) {
        self.give(Input::ThreadCreated {
            conversation: self.key(),
            result: Ok(thread_of(thread)),
        });
    }

    pub(crate) fn listed(&mut self, threads: Value) {
        let threads = threads.as_array().unwrap().iter().cloned();
        self.give(Input::Threads(Ok(threads.map(thread_of).collect())));
    }

    pub(crate) fn row_names(&self) -> Vec<&str> {
        let rows = self.state.threads.rows.iter();
        rows.map(|row| row.name.as_str()).collect()
    }

    /// Returns the delay of the last requested load.
    pub(crate) fn load_delay(&self) -> Option<i64> {
        self.commands.iter().find_map(|command| match command {
            Command::LoadMessages { after, .. } => Some(after.0),
            _ => None,
        })
    }

    pub(crate) fn posts(&self) -> usize {
        let posts = self.commands.iter();
        posts
            .filter(|command| matches!(command, Command::Post { .. }))
            .count()
    }
}

pub(crate) fn thread_of(thread: Value) -> SessionThread {
    serde_json::from_value(thread).unwrap()
}

pub(crate) fn event(
    id: &str,
    event_type: &str,
    content: &str,
    agent: Option<(&str, &str)>,
) -> SseEvent {
    SseEvent {
        event_type: EventType::from(event_type),
        event_id: id.into(),
        event_message: SseEventMessage {
            content: content.to_owned(),
            agent: agent.map(|(id, name)| Agent {
                id: id.into(),
                name: name.to_owned(),
                ..Agent::default()
            }),
            ..SseEventMessage::default()
        },
        ..SseEvent::default()
    }
}

pub(crate) fn request(batch: &str, execution: &str, tool: &str) -> Value {
    json!({
        "toolId": format!("id-{tool}"),
        "toolName": tool,
        "toolProvider": "acme",
        "toolCategory": "mail",
        "toolExecutionId": execution,
        "toolExecutionBatchId": batch,
        "toolMemoryId": "mem",
        "toolArguments": { "to": "ann@example.org" },
        "approvalResult": "PENDING_HUMAN_APPROVAL",
    })
}

pub(crate) fn failed(kind: FailureKind) -> MessageStatus {
    MessageStatus::Failed(Failure::of(kind))
}
