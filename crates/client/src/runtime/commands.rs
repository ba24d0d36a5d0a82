//! Execution of the core's commands.

use std::rc::Rc;

use assent_conversation::{Command, Failure, FailureKind, Input, PageEvent, RecordedEnd};
use assent_protocol::PostMessage;

use super::{Inner, LAST_THREAD_KEY};
use crate::KeyValueStore as _;
use crate::clock::sleep;
use crate::history::HistoryMessage;
use crate::stream::StreamSource;

impl Inner {
    pub(super) fn carry_out(self: &Rc<Self>, command: Command) {
        let api = self.api.clone();
        match command {
            Command::ListThreads { .. } | Command::LoadMessages { .. } => {
                if let Command::LoadMessages { thread, .. } = &command {
                    self.history
                        .send(HistoryMessage::FindStreams(thread.clone()));
                }
                self.reads.carry_out_read(&self.api, &self.inputs, command);
            }
            Command::LoadInbox => self
                .inputs
                .dispatch_result_of(async move { Some(Input::Inbox(api.list_waiting().await)) }),
            Command::CreateThread {
                conversation,
                content,
            } => {
                self.sync_outbox();
                let is_allowed = self.ask_page(conversation, None, content).is_some();
                self.inputs.dispatch_result_of(async move {
                    let result = match is_allowed {
                        true => api.create_thread().await,
                        false => Err(Failure::of(FailureKind::Withheld)),
                    };
                    Some(Input::ThreadCreated {
                        conversation,
                        result,
                    })
                });
            }
            Command::RenameThread { thread, name } => self.inputs.dispatch_result_of(async move {
                let result = api.rename_thread(&thread, name).await;
                Some(Input::ThreadRenamed { thread, result })
            }),
            Command::DeleteThread { thread } => self.inputs.dispatch_result_of(async move {
                let result = api.delete_thread(&thread).await;
                Some(Input::ThreadDeleted { thread, result })
            }),
            Command::CancelAnswer(thread) => self.inputs.dispatch_result_of(async move {
                let result = api.cancel_answer(&thread).await;
                Some(Input::AnswerCancelled(thread, result))
            }),
            Command::Post {
                stream,
                thread,
                content,
                is_proposal,
                key,
                summary,
            } => {
                // Written before anything is sent.
                self.sync_outbox();
                let Some(content) = self.content_to_post(stream, &thread, content, is_proposal)
                else {
                    return;
                };
                let dialect = self.dialect.get();
                let post = StreamSource::Post(PostMessage { content, dialect }, key);
                self.open_stream(stream, thread, post, summary);
            }
            Command::Follow {
                stream,
                thread,
                after,
            } => self.open_stream(stream, thread, StreamSource::Log(after), None),
            Command::CancelStream(stream) => self.cancel_stream(stream),
            Command::CloseStream(stream) => {
                self.close_stream(stream, RecordedEnd::Closed);
            }
            Command::Wait(stream, time) => self.inputs.dispatch_result_of(async move {
                sleep(time).await;
                Some(Input::Waited(stream))
            }),
            Command::RememberThread(_) if self.api.connection.every_agent => {}
            Command::RememberThread(Some(thread)) => {
                self.storage.set(LAST_THREAD_KEY, thread.as_str());
            }
            Command::RememberThread(None) => self.storage.remove(LAST_THREAD_KEY),
            Command::KeepRequests(requests) => {
                for request in &requests {
                    self.release_lock(&request.batch);
                }
                self.pending_approvals.store(&requests);
                self.approval_events.notify_others();
            }
            Command::ForgetRequests(requests) => {
                self.pending_approvals.forget(&requests);
                self.approval_events.notify_others();
            }
            Command::Upload(upload) => {
                let inputs = self.inputs.clone();
                let listener = Rc::new(move |input| inputs.dispatch(input));
                self.uploads.begin_upload(upload, listener);
            }
            Command::CancelUpload(upload) => self.uploads.cancel(upload),
            Command::LoadRecordings(thread) => {
                self.history.send(HistoryMessage::LoadRecordings(thread));
            }
            Command::Forget => self.forget_everything(),
            Command::CopyLog => self.copy_log(),
            Command::Resolve(request, end) => self.promises.resolve(request, end),
            Command::NotifyPage(event) => {
                if let PageEvent::ApprovalAnswered(answer) = &event {
                    self.accepted.borrow_mut().push(answer.batch.clone());
                }
                self.page.notify(&event);
            }
        }
    }
}
