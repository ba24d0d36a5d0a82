//! What the people of a trial do.

use assent_conversation::{
    ApprovalBatch, Author, ComposerState, Conversation, Intent, LoadState, MessageStatus, ThreadId,
    Verdict, edited_json,
};
use axum::http::Method;

use crate::{
    check,
    common::{messages_of, text},
    history::{Run, marks},
    world::World,
};

const WISHES: &[&str] = &[
    "plain",
    "plain",
    "plain slow",
    "plain pause",
    "one",
    "three",
    "two",
    "one pause",
    "three slow",
    "silent",
    "fail",
];
const MAX_TABS: usize = 9;

impl World {
    /// A person does something in one of the tabs.
    pub async fn act(&mut self) {
        self.note_places();
        let alive = self.tabs.iter().enumerate();
        let alive: Vec<usize> = alive.filter(|(_, it)| it.is_alive).map(|it| it.0).collect();
        let tab = self.random.pick(&alive);
        match self.random.below(100) {
            0..30 => self.send_something(tab),
            30..55 => self.decide(tab),
            55..70 => self.resolve(tab),
            70..74 => self.intend(tab, Intent::Stop),
            74..82 => self.switch(tab),
            82..85 => self.intend(tab, Intent::NewThread),
            85..87 => self.delete(tab),
            87..91 => {
                self.tell(&format!("tab {tab} is reloaded"));
                let (device, user) = (self.tabs[tab].device, self.tabs[tab].user);
                self.close(tab);
                self.open(device, user);
            }
            91..94 if alive.len() < MAX_TABS => {
                let (device, user) = (self.tabs[tab].device, self.tabs[tab].user);
                self.tell(&format!("a tab beside {tab} is opened"));
                self.open(device, user);
            }
            94..95 if alive.len() > 1 => {
                self.tell(&format!("tab {tab} is closed"));
                self.close(tab);
            }
            95..97 => self.intrude(tab).await,
            97..99 => self.end_waiting(tab).await,
            _ => self.intend(tab, Intent::ReloadMessages),
        }
    }

    /// Notes in which threads texts are: they go with them.
    fn note_places(&mut self) {
        for tab in self.tabs.iter().filter(|it| it.is_alive) {
            for conversation in &tab.state.conversations {
                let Some(thread) = conversation.thread_id() else {
                    continue;
                };
                for mark in check::unsent_in(conversation) {
                    let places = self.history.places.entry(mark).or_default();
                    places.insert(thread.as_str().to_owned());
                }
            }
        }
    }

    fn open_conversation(&self, tab: usize) -> Conversation {
        self.tabs[tab].state.open_conversation().unwrap().clone()
    }

    fn new_text(&mut self, tab: usize, wish: &str) -> String {
        let user = self.tabs[tab].user;
        // People say the same again, too.
        if self.random.chance(20) {
            return format!("§{user}.again {wish}");
        }
        let count = self.history.presses.len();
        format!("§{user}.{count} {wish}")
    }

    fn send_something(&mut self, tab: usize) {
        let conversation = self.open_conversation(tab);
        let draft = if conversation.has_draft() {
            conversation.draft.clone()
        } else {
            let wish = self.random.pick(WISHES);
            let text = self.new_text(tab, wish);
            self.intend(tab, Intent::EditDraft(text.clone()));
            text
        };
        let now = self.open_conversation(tab);
        match now.composer_state() {
            ComposerState::Ready if now.load == LoadState::Ready || self.random.chance(20) => {
                self.tell(&format!("tab {tab} sends {draft:?}"));
                self.history.pressed(&draft, now.thread_id());
                self.intend(tab, Intent::Send);
            }
            ComposerState::AwaitingApproval => {
                self.intend(tab, Intent::Send);
                self.answer_question(tab);
            }
            ComposerState::Streaming => {
                self.tell(&format!("tab {tab} queues {draft:?}"));
                self.history.pressed(&draft, now.thread_id());
                self.history.queued += 1;
                self.intend(tab, Intent::Send);
            }
            _ => {}
        }
    }

    fn answer_question(&mut self, tab: usize) {
        let conversation = self.open_conversation(tab);
        if !conversation.is_asking {
            return;
        }
        let draft = &conversation.draft;
        self.tell(&format!("tab {tab} says what {draft:?} is for"));
        self.history.pressed(draft, conversation.thread_id());
        match self.random.below(3) {
            0 => {
                for batch in conversation.pending_batches() {
                    let words = feedback_of(batch);
                    self.history.pressed(&words, conversation.thread_id());
                    self.note_decision(batch);
                }
                self.intend(tab, Intent::SendAsFeedback);
            }
            1 => self.intend(tab, Intent::SendAfterwards),
            _ => self.intend(tab, Intent::KeepAsDraft),
        }
    }

    fn note_decision(&mut self, batch: &ApprovalBatch) {
        for tool in &batch.tools {
            let run = tool.execution.as_str().to_owned();
            *self.history.decided.entry(run).or_default() += 1;
        }
    }

    fn decide(&mut self, tab: usize) {
        let conversation = self.open_conversation(tab);
        let batches: Vec<_> = conversation
            .pending_batches()
            .into_iter()
            .filter(|it| it.is_deciding())
            .cloned()
            .collect();
        if batches.is_empty() {
            return self.send_something(tab);
        }
        let batch = self.random.pick(&batches);
        let id = batch.id.clone();
        let versions: Vec<_> = batch.tools.iter().map(|tool| tool.version).collect();
        self.intend(tab, Intent::MarkSeen(id.clone(), versions.clone()));
        if self.random.chance(30) {
            self.change(tab, &batch);
        }
        match self.random.below(6) {
            0 => {
                let words = self.new_text(tab, "not like this");
                // What was typed before is not typed over.
                let words = format!("{words} {}", feedback_of(&batch));
                let words = words.trim().to_owned();
                self.tell(&format!("tab {tab} stops with {words:?}"));
                self.history.pressed(&words, conversation.thread_id());
                self.note_decision(&batch);
                self.intend(tab, Intent::BeginFeedback(id.clone()));
                self.intend(tab, Intent::EditFeedback(id.clone(), words));
                return self.intend(tab, Intent::SubmitFeedback(id));
            }
            1 => self.intend(tab, Intent::DecideAll(id.clone(), versions, Verdict::Deny)),
            2 => self.intend(tab, Intent::CancelFeedback(id.clone())),
            3 => {
                for tool in &batch.tools {
                    let verdict = self.random.pick(&[Verdict::Approve, Verdict::Deny]);
                    self.intend(tab, Intent::Decide(id.clone(), tool.version, verdict));
                }
            }
            _ => {
                self.intend(tab, Intent::MarkSeen(id.clone(), versions.clone()));
                self.intend(
                    tab,
                    Intent::DecideAll(id.clone(), versions, Verdict::Approve),
                );
            }
        }
        self.tell(&format!("tab {tab} submits decisions"));
        self.note_decision(&batch);
        self.intend(tab, Intent::SubmitDecisions(id.clone()));
        // A double click is one answer.
        if self.random.chance(20) {
            self.intend(tab, Intent::SubmitDecisions(id));
        }
    }

    /// A person corrects what one of these tools would do.
    fn change(&mut self, tab: usize, batch: &ApprovalBatch) {
        let tool = self.random.pick(&batch.tools);
        let text = format!("whom {} meant", self.history.edits.len());
        let edited = edited_json(&tool.arguments, &[("for".to_owned(), text.clone())]);
        let run = Run {
            execution: tool.execution.as_str().to_owned(),
            arguments: vec![("for".to_owned(), text)],
        };
        self.tell(&format!("tab {tab} changes {run:?}"));
        self.history.edits.push(run);
        self.intend(
            tab,
            Intent::EditArguments(batch.id.clone(), tool.version, edited, true),
        );
    }

    /// Presses one of the buttons of messages that failed.
    fn resolve(&mut self, tab: usize) {
        let conversation = self.open_conversation(tab);
        if conversation.load != LoadState::Ready {
            return self.intend(tab, Intent::ReloadMessages);
        }
        let failed: Vec<_> = conversation
            .messages
            .iter()
            .filter(|it| {
                let is_own = it.author == Author::You;
                is_own
                    && matches!(
                        it.status,
                        MessageStatus::Failed(_)
                            | MessageStatus::Unconfirmed {
                                checking: false,
                                ..
                            }
                    )
            })
            .collect();
        if failed.is_empty() {
            return self.answer_question(tab);
        }
        let message = self.random.pick(&failed);
        self.tell(&format!(
            "tab {tab} does something about {:?}",
            message.text
        ));
        let intent = match (&message.status, self.random.below(4)) {
            (_, 0) => Intent::DismissMessage(message.key),
            (MessageStatus::Failed(_), _) => Intent::RetryMessage(message.key),
            (_, 1) => Intent::ResendMessage(message.key),
            _ => Intent::ReloadMessages,
        };
        if matches!(intent, Intent::RetryMessage(_) | Intent::ResendMessage(_)) {
            self.history
                .pressed(&message.text, conversation.thread_id());
        }
        self.intend(tab, intent);
    }

    fn switch(&mut self, tab: usize) {
        let rows = &self.tabs[tab].state.threads.rows;
        let rows: Vec<ThreadId> = rows.iter().map(|it| it.id.clone()).collect();
        if rows.is_empty() {
            return self.intend(tab, Intent::RefreshThreads);
        }
        let thread = self.random.pick(&rows);
        self.intend(tab, Intent::OpenThread(thread));
    }

    fn delete(&mut self, tab: usize) {
        let rows = &self.tabs[tab].state.threads.rows;
        let rows: Vec<ThreadId> = rows.iter().map(|it| it.id.clone()).collect();
        if rows.len() > 1 {
            let thread = self.random.pick(&rows);
            self.tell(&format!("tab {tab} deletes {}", thread.as_str()));
            self.intend(tab, Intent::DeleteThread(thread));
        }
    }

    /// Nobody decided in time what is asked in the open conversation.
    async fn end_waiting(&mut self, tab: usize) {
        let conversation = self.open_conversation(tab);
        if let Some(thread) = conversation.thread_id() {
            self.tell(&format!("the time of {} is over", thread.as_str()));
            self.server.end_waiting(self.now, thread.as_str()).await;
        }
    }

    /// Somebody asks for a thread of somebody else, and posts to it.
    async fn intrude(&mut self, tab: usize) {
        let user = self.tabs[tab].user;
        let rows = self.tabs[tab].state.threads.rows.iter();
        let rows: Vec<String> = rows.map(|it| it.id.as_str().to_owned()).collect();
        if rows.is_empty() {
            return;
        }
        let path = messages_of(&self.random.pick(&rows));
        let other = (user + 1) % self.users.len();
        let name = self.users[other].clone();
        let posted = text(&format!("§{other}.intruder"));
        for (method, body) in [(Method::GET, None), (Method::POST, Some(posted))] {
            let call = (method, path.clone(), body);
            let (status, said) = self.server.ask(self.now, &name, call).await;
            if status != 404 || !marks(&said).is_empty() {
                let leak = format!("user {other} got {status} for a thread of user {user}");
                self.history.leaks.push(leak);
            }
        }
    }
}

/// Returns the text that was typed to stop a batch.
pub fn feedback_of(batch: &ApprovalBatch) -> String {
    use assent_conversation::BatchPhase;
    match &batch.phase {
        BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } => feedback.text.clone(),
        BatchPhase::Submitting { answer, .. } => answer.stop_text().unwrap_or_default().to_owned(),
        _ => batch.draft.text.clone(),
    }
}
