//! The step function: one closed dispatch, and the sequence of what follows from each input.
//!
//! Only this folder sees the whole state. It gives each part of the core what that part is about, a
//! stream and the messages for instance, with a [`Context`]; no part calls another one.

mod approving;
mod attaching;
mod cancelling;
mod connection;
mod ending;
mod feedback;
mod following;
mod inbox;
mod loading;
mod requests;
mod restoring;
mod sending;
mod sequencer;
mod streaming;
mod threads;

use crate::page::notices;
use crate::{
    Announcement, AwaitedEvent, Change, Command, Conversation, Input, Intent, Millis,
    NoticeSubject, Output, PageEvent, State,
};

use sequencer::Sequencer;

/// Handles one input: changes the state, and returns what to draw and what to do. `now` is the time
/// at which the input happened.
pub fn step(state: &mut State, input: Input, now: Millis) -> Output {
    let mut sequencer = Sequencer {
        state,
        now,
        output: Output::default(),
    };
    sequencer.take_input(input);
    sequencer.resolve_requests();
    sequencer.follow_waiting();
    sequencer.report_thread();
    sequencer.output
}

impl Sequencer<'_> {
    /// Dispatches an input. Long functions are not inlined here: thousands of events of an answer
    /// go through this, and a browser is slow to optimise a long function.
    fn take_input(&mut self, input: Input) {
        match input {
            Input::Intent(intent) => self.take_intent(intent),
            Input::Request(id, request) => self.handle_request(id, request),
            Input::VisibilityChanged(is_visible) => self.visibility_changed(is_visible),
            Input::Online(is_online) => self.connection_changed(is_online),
            Input::Edited(conversation, content) => self.message_edited(conversation, content),
            Input::Threads(result) => self.threads_listed(result),
            Input::LatestThreads(threads) => self.latest_listed(threads),
            Input::ThreadCreated {
                conversation,
                result,
            } => self.thread_created(conversation, result),
            Input::ThreadRenamed { thread, result } => self.thread_renamed(&thread, result),
            Input::ThreadDeleted { thread, result } => self.thread_deleted(&thread, result),
            Input::Messages {
                conversation,
                load,
                result,
            } => self.messages_loaded(conversation, load, result, None),
            Input::MessagesWhileAnswering {
                conversation,
                load,
                stored,
                after,
            } => self.messages_loaded(conversation, load, Ok(stored), Some(after)),
            Input::LatestMessages {
                conversation,
                load,
                stored,
            } => self.latest_loaded(conversation, load, stored),
            Input::StreamOpened(stream) => self.stream_opened(stream),
            Input::StreamEvent(stream, event) => self.stream_event(stream, *event),
            Input::StreamGarbled(stream) => self.stream_garbled(stream),
            Input::StreamStalled(stream, is_stalled) => self.stream_stalled(stream, is_stalled),
            Input::CancelOffered(can_cancel) => {
                self.state.can_cancel = can_cancel;
                self.change(Change::Composer(self.state.open));
            }
            Input::KeysOffered(posts) => self.state.keys.posts = posts,
            Input::InboxOffered(is_offered) => self.inbox_offered(is_offered),
            Input::Inbox(waiting) => self.inbox_loaded(waiting),
            Input::AnswerCancelled(thread, result) => self.answer_cancelled(&thread, result),
            Input::Waited(stream) => self.wait_ended(stream),
            Input::StreamEnded(stream, end) => self.stream_ended(stream, end),
            Input::StreamFollowed(stream, thread, content) => {
                self.stream_followed(stream, &thread, content);
            }
            Input::StreamStopped(stream) => self.stream_stopped(stream),
            Input::MessagesChanged(thread) => self.messages_changed(&thread),
            Input::ThreadGone(thread) => self.thread_gone(&thread),
            Input::CachedRequests(requests) => self.requests_cached(requests),
            Input::Drafts(drafts) => self.drafts_kept(drafts),
            Input::DraftsUnstored(threads) => self.drafts_unstored(threads),
            Input::Unsent(unsent) => self.unsent_found(unsent),
            Input::Positions(positions) => self.positions_kept(positions),
            Input::Recordings(thread, recordings) => self.recordings_loaded(&thread, recordings),
            Input::Forgotten(result) => self.resolve_all(&AwaitedEvent::Forgotten, &result),
            Input::LogCopied(is_copied) => {
                self.change(Change::Announce(Announcement::LogCopied(is_copied)));
            }
            Input::UploadProgress(upload, percent) => self.upload_progressed(upload, percent),
            Input::Uploaded(upload, result) => self.upload_ended(upload, result),
        }
    }

    #[inline(never)]
    fn take_intent(&mut self, intent: Intent) {
        match intent {
            Intent::Start { remembered } => self.open_first_thread(remembered),
            Intent::RefreshThreads => self.refresh_threads(),
            Intent::OpenThread(thread) => self.open_thread(thread),
            Intent::NewThread => self.new_thread(),
            Intent::RenameThread(thread, name) => self.rename_thread(thread, &name),
            Intent::DeleteThread(thread) => self.delete_thread(thread),
            Intent::EditDraft(text) => self.edit_draft(text),
            Intent::SendSuggestion(text) => self.send_suggestion(&text),
            Intent::Send => self.send(),
            Intent::SendAsFeedback => self.send_as_feedback(),
            Intent::SendAfterwards => self.send_afterwards(),
            Intent::KeepAsDraft => self.keep_as_draft(),
            Intent::EditQueued(message) => self.edit_queued(message),
            Intent::RemoveQueued(message) => self.remove_queued(message),
            Intent::RetryMessage(message) => self.retry_message(message),
            Intent::ResendMessage(message) => self.resend_message(message),
            Intent::DismissMessage(message) => self.dismiss_message(message),
            Intent::ReloadMessages => self.reload_messages(),
            Intent::Stop => self.stop_answer(),
            Intent::OpenArgument(batch, version, argument) => {
                self.open_argument(&batch, version, argument);
            }
            Intent::MarkSeen(batch, versions) => self.mark_seen(&batch, &versions),
            Intent::AllowBeforehand(batch, version, grant) => {
                self.allow_beforehand(&batch, version, &grant);
            }
            Intent::EditArguments(batch, version, edited, is_valid) => {
                self.edit_arguments(&batch, version, edited, is_valid);
            }
            Intent::Decide(batch, version, verdict) => self.decide(&batch, version, verdict),
            Intent::DecideAll(batch, versions, verdict) => {
                self.decide_all(&batch, &versions, verdict);
            }
            Intent::Answer(batch, version, verdict) => {
                self.decide_and_submit(batch, version, verdict);
            }
            Intent::SubmitDecisions(batch) => self.submit_decisions(batch),
            Intent::BeginFeedback(batch) => self.begin_feedback(&batch),
            Intent::EditFeedback(batch, text) => self.edit_feedback(&batch, text),
            Intent::CancelFeedback(batch) => self.cancel_feedback(&batch),
            Intent::AttachFile {
                batch,
                upload,
                name,
                size,
            } => self.attach_file(batch.as_ref(), upload, name, size),
            Intent::RetryFile(batch, upload) => self.retry_file(batch.as_ref(), upload),
            Intent::RemoveFile(batch, upload) => self.remove_file(batch.as_ref(), upload),
            Intent::SubmitFeedback(batch) => self.submit_feedback(batch),
            Intent::ReadAt(position) => self.set_reading_position(position),
            Intent::ShowEarlier => self.change(Change::Earlier(self.state.open)),
            Intent::CopyLog => self.command(Command::CopyLog),
            Intent::ForgetDevice => self.command(Command::Forget),
            Intent::RetryNotice => self.retry_notice(),
            Intent::DismissNotice => {
                notices::take_notice(&mut self.state.notice, &mut self.output);
            }
        }
    }

    fn retry_notice(&mut self) {
        match notices::take_notice(&mut self.state.notice, &mut self.output) {
            Some(NoticeSubject::Rename(thread, name)) => self.rename_thread(thread, &name),
            Some(NoticeSubject::Delete(thread)) => self.delete_thread(thread),
            Some(NoticeSubject::Reload) => self.reload_messages(),
            Some(NoticeSubject::Cancel(thread)) => {
                // The answer may have ended meanwhile.
                if let Some(key) = self.state.conversation_of(&thread).map(|it| it.key) {
                    self.cancel_answer(key);
                }
            }
            None => {}
        }
    }

    /// Reports the thread of the open conversation to the host page, if it is another one than the
    /// last that was reported.
    fn report_thread(&mut self) {
        let open = self.state.open_conversation();
        let thread = open.and_then(Conversation::thread_id);
        if thread != self.state.reported_thread.as_ref() {
            let thread = thread.cloned();
            self.state.reported_thread.clone_from(&thread);
            self.output.notify_page(PageEvent::ThreadChanged(thread));
        }
    }
}
