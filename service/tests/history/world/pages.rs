//! Pages: what a tab is told, and what its core commands.

use std::collections::{BTreeMap, VecDeque};

use assent_conversation::{
    Command, ContentItem, FailureKind, Input, Intent, Millis, PageEvent, StreamEnd, ThreadId,
    WithheldReason, step,
};

use serde_json::Value;

use super::{CHANNEL, Call, END_TIMEOUT, Event, Told, World, text_of};
use crate::{
    history::{Post, Run},
    mutant::Mutant,
    tab::Tab,
};

impl World {
    /// Opens a tab.
    pub fn open(&mut self, device: usize, user: usize) -> usize {
        let tab = self.tabs.len();
        self.tabs.push(Tab::new(user, device));
        let kept = self.devices[device].kept.clone();
        self.dispatch(tab, Input::CachedRequests(kept));
        let drafts = std::mem::take(&mut self.devices[device].drafts);
        self.dispatch(tab, Input::Drafts(drafts));
        let tabs = &self.tabs;
        let left = self.devices[device]
            .outbox
            .extract_if(.., |owner, _| !tabs[*owner].is_alive);
        let left: Vec<_> = left.flat_map(|(_, unsent)| unsent).collect();
        if self.mutant != Mutant::ForgetsUnsent {
            self.dispatch(tab, Input::Unsent(left));
        }
        let remembered = self.devices[device].remembered.clone();
        self.dispatch(tab, Input::Intent(Intent::Start { remembered }));
        tab
    }

    pub fn close(&mut self, tab: usize) {
        let drafts = self.tabs[tab].state.drafts();
        let device = self.tabs[tab].device;
        self.devices[device].drafts.extend(drafts);
        self.tabs[tab].is_alive = false;
        for at in 0..self.exchanges.len() {
            if self.exchanges[at].tab == tab && !self.exchanges[at].is_over {
                self.end(at, &StreamEnd::Closed, END_TIMEOUT);
            }
        }
    }

    pub fn intend(&mut self, tab: usize, intent: Intent) {
        self.dispatch(tab, Input::Intent(intent));
    }

    pub fn dispatch(&mut self, tab: usize, input: Input) {
        if !self.tabs[tab].is_alive {
            return;
        }
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            match &input {
                Input::ThreadCreated { result: Ok(_), .. } => {
                    self.broadcast(tab, CHANNEL, || Told::Changed(None));
                }
                Input::ThreadDeleted { thread, result } => {
                    let failure = result.as_ref().err();
                    if failure.is_none_or(|it| it.kind == FailureKind::NotFound) {
                        self.broadcast(tab, CHANNEL, || Told::Changed(Some(thread.clone())));
                    }
                }
                _ => {}
            }
            let state = &mut self.tabs[tab].state;
            let output = step(state, input, Millis(self.now));
            for command in output.commands {
                self.carry_out(tab, command, &mut inputs);
            }
        }
        let unsent = self.tabs[tab].state.unsent_messages();
        let device = self.tabs[tab].device;
        self.devices[device].outbox.insert(tab, unsent);
    }

    fn carry_out(&mut self, tab: usize, command: Command, inputs: &mut VecDeque<Input>) {
        let device = self.tabs[tab].device;
        match command {
            Command::ListThreads { .. } => self.begin_read(tab, None, 0, Call::List),
            Command::LoadMessages {
                conversation,
                load,
                thread,
                after,
                ..
            } => {
                self.find_streams(tab, &thread);
                let call = |serial| Call::Load(serial, conversation, load, thread);
                self.begin_read(tab, Some(conversation), after.0, call);
            }
            Command::CreateThread { conversation, .. } => {
                self.send(tab, Call::Create(conversation), 0);
            }
            Command::DeleteThread { thread } => self.send(tab, Call::Delete(thread), 0),
            Command::Post {
                stream,
                thread,
                content,
                summary,
                ..
            } => {
                let lock = summary.as_ref().map(|it| it.batch.as_str().to_owned());
                let device = &mut self.devices[device];
                let is_held = lock.as_ref().is_some_and(|it| device.locks.contains(it));
                if is_held || summary.is_some_and(|it| !device.holds(&it)) {
                    let end = StreamEnd::Withheld(WithheldReason::ForOtherTab);
                    return inputs.push_back(Input::StreamEnded(stream, end));
                }
                device.locks.extend(lock.clone());
                let post = self.note_post(&thread, &content);
                self.send(tab, Call::Post(stream, thread, content, post), 0);
                if let Some(exchange) = self.exchanges.last_mut() {
                    exchange.lock = lock;
                }
            }
            Command::CancelStream(stream) => self.cancel(tab, stream),
            Command::CloseStream(stream) => self.leave_stream(tab, stream),
            Command::Wait(stream, time) => self.after(time.0, Event::Waited(tab, stream)),
            Command::RememberThread(thread) => self.devices[device].remembered = thread,
            Command::KeepRequests(requests) => {
                self.devices[device].keep(requests);
                self.storage_changed(tab);
            }
            Command::ForgetRequests(requests) => {
                self.devices[device].forget(&requests);
                self.storage_changed(tab);
            }
            Command::NotifyPage(event) => self.noted(tab, event),
            Command::RenameThread { .. }
            // No service of these trials offers it.
            | Command::CancelAnswer(_)
                | Command::Follow { .. }
            | Command::LoadRecordings(_)
            | Command::Forget
            | Command::CopyLog
            | Command::Upload(_)
            | Command::CancelUpload(_)
            | Command::LoadInbox
            | Command::Resolve(..) => {}
        }
    }

    /// Notes what a page is told.
    fn noted(&mut self, tab: usize, event: PageEvent) {
        match event {
            PageEvent::MessageSent { thread, content } => {
                let text = text_of(&content);
                self.tell(&format!("tab {tab} is told that {text:?} is there"));
                let thread = thread.as_str().to_owned();
                self.history.acknowledged.push((tab, thread, text));
            }
            PageEvent::ApprovalAnswered(summary) => {
                for it in summary.decisions {
                    let run = it.execution.as_str().to_owned();
                    let status = it.status.as_str().to_owned();
                    self.history.settled.push((run, status));
                }
            }
            _ => {}
        }
    }

    pub(super) fn note_post(&mut self, thread: &ThreadId, content: &[ContentItem]) -> usize {
        let (mut decisions, mut edits) = (Vec::new(), Vec::new());
        for item in content {
            if let ContentItem::ToolApprovalResult(results) = item {
                for (raw, it) in results.iter().filter_map(|it| Some((it, it.read()?))) {
                    let run = it.tool_execution_id.as_str().to_owned();
                    edits.extend(edit_of(&run, raw.as_str()));
                    decisions.push((run, it.approval_result.as_str().to_owned()));
                }
            }
        }
        self.history.posts.push(Post {
            thread: thread.as_str().to_owned(),
            text: text_of(content),
            decisions,
            edits,
            statuses: Vec::new(),
        });
        self.history.posts.len() - 1
    }
}

/// Returns the run of an approval with changed arguments; `None` if nothing is changed.
fn edit_of(run: &str, item: &str) -> Option<Run> {
    let item: Value = serde_json::from_str(item).unwrap();
    let edited = item.get("editedArguments")?;
    let edited: BTreeMap<String, String> = serde_json::from_value(edited.clone()).unwrap();
    Some(Run {
        execution: run.to_owned(),
        arguments: edited.into_iter().collect(),
    })
}
