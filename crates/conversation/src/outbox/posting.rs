//! Posting: a message or an answer to a batch leaves for the service, and its stream begins.

use assent_protocol::ContentItem;

use crate::conversation::join_before_draft;
use crate::message::find_message_mut;
use crate::output::Context;
use crate::{
    AnswerSummary, ApprovalBatch, Attachment, Author, Change, Command, ComposerState, Conversation,
    Draft, Message, MessageKey, MessageStatus, Millis, PostedContent, Stream, ThreadBinding,
    UploadedFile,
};

/// Time in milliseconds after which a message is not posted again by itself: nobody expects it any
/// more, and the service forgets keys.
const REPEAT_TIME: Millis = Millis(600_000);

impl Conversation {
    /// Sends text, uploaded files, or both in a conversation that is ready for it. Returns the new
    /// message.
    pub(crate) fn send_text(
        &mut self,
        cx: &mut Context<'_>,
        text: &str,
        files: Vec<Attachment>,
    ) -> MessageKey {
        let message = cx.keys.next_message();
        let sending = Message::new_sending(message, text.trim().to_owned(), files, cx.now);
        self.messages.push(sending);
        self.clear_unread_mark(cx);
        self.send_message(cx, message);
        message
    }

    /// Posts a message that is `Sending`, or first creates the thread to post it to.
    fn send_message(&mut self, cx: &mut Context<'_>, message: MessageKey) {
        cx.output.change(Change::Transcript(cx.key));
        cx.output.change(Change::Composer(cx.key));
        if self.thread_id().is_none() {
            let content = self.message(message).map(Message::content);
            self.thread = ThreadBinding::Creating(message);
            cx.output.command(Command::CreateThread {
                conversation: cx.key,
                content: content.unwrap_or_default(),
            });
        } else {
            self.post_message(cx, message, true);
        }
    }

    /// Posts a message. `is_proposal`: the host page is still to be asked about the message, unless
    /// the message has a key, with which it is posted as it was before.
    pub(crate) fn post_message(
        &mut self,
        cx: &mut Context<'_>,
        message: MessageKey,
        is_proposal: bool,
    ) {
        let Some(posting) = find_message_mut(&mut self.messages, message) else {
            return;
        };
        // A service that no longer takes keys sees none.
        let key = posting.post_key.take().filter(|_| cx.keys.posts.is_some());
        let is_proposal = is_proposal && key.is_none();
        posting.post_key = key.or_else(|| cx.keys.next_post());
        let (content, key) = (posting.content(), posting.post_key.clone());
        let posted = PostedContent::Message(message);
        self.post(cx, posted, content, is_proposal, key, None);
    }

    /// Posts the last message again with its key, if its outcome is open and nothing answered its
    /// post: where it arrived after all, the service knows it. Returns false if it is not to be
    /// posted.
    pub(crate) fn repeat_post(&mut self, cx: &mut Context<'_>) -> bool {
        if cx.keys.posts.is_none() || self.composer_state() != ComposerState::Ready {
            return false;
        }
        let Some(last) = self.messages.last_mut() else {
            return false;
        };
        const OPEN: MessageStatus = MessageStatus::Unconfirmed {
            checking: true,
            failure: None,
        };
        let age = cx.now.0 - last.time.unwrap_or_default().0;
        if last.status != OPEN || last.post_key.is_none() || age > REPEAT_TIME.0 {
            return false;
        }
        last.status = MessageStatus::Sending;
        let message = last.key;
        self.post_message(cx, message, false);
        cx.message_changed(message);
        true
    }

    /// Posts content as a new stream. The conversation has to have a thread, and no stream under
    /// way.
    pub(crate) fn post(
        &mut self,
        cx: &mut Context<'_>,
        posted: PostedContent,
        content: Vec<ContentItem>,
        is_proposal: bool,
        key: Option<String>,
        summary: Option<AnswerSummary>,
    ) {
        let stream = cx.keys.next_stream();
        let Some(thread) = self.thread_id().cloned() else {
            return;
        };
        self.streams.push(Stream::new(stream, posted));
        cx.output.change(Change::Composer(cx.key));
        cx.output.command(Command::Post {
            stream,
            thread,
            content,
            is_proposal,
            key,
            summary,
        });
    }

    /// Posts a message of the user again, and moves it to the end; does nothing if `may` returns
    /// false for the status of the message.
    pub(crate) fn post_again(
        &mut self,
        cx: &mut Context<'_>,
        message: MessageKey,
        may: fn(&MessageStatus) -> bool,
    ) {
        if self.composer_state() != ComposerState::Ready {
            return;
        }
        let is_it = |it: &Message| it.key == message && it.author == Author::You && may(&it.status);
        let Some(at) = self.messages.iter().position(is_it) else {
            return;
        };
        let mut again = self.messages.remove(at);
        if matches!(again.status, MessageStatus::Failed(_)) {
            // The page may change it, which makes it another post.
            again.post_key = None;
        }
        again.status = MessageStatus::Sending;
        again.time = Some(cx.now);
        self.messages.push(again);
        self.send_message(cx, message);
        cx.message_changed(message);
    }

    /// Removes a message that failed. The text and files of a message of the user become a draft
    /// again.
    pub(crate) fn dismiss_message(&mut self, cx: &mut Context<'_>, message: MessageKey) {
        let mut live = self.streams.iter().flat_map(Stream::messages);
        if live.any(|it| it == message) {
            return;
        }
        let is_it = |it: &Message| it.key == message && is_dismissible(it);
        let Some(at) = self.messages.iter().position(is_it) else {
            return;
        };
        let dismissed = self.messages.remove(at);
        if dismissed.author == Author::You {
            self.prepend_to_draft(&dismissed.text, dismissed.files);
            cx.output.change(Change::Draft(cx.key));
        }
        cx.output.change(Change::Transcript(cx.key));
        cx.output.change(Change::Composer(cx.key));
    }

    /// Puts the text and files of messages that are not known to have arrived in front of the
    /// draft, except those that another tab posted.
    pub(crate) fn put_back_unsent(&mut self) {
        for message in std::mem::take(&mut self.messages).into_iter().rev() {
            let is_own = message.author == Author::You && !message.followed;
            if is_own && message.status != MessageStatus::Sent {
                self.prepend_to_draft(&message.text, message.files);
            }
        }
    }

    /// Puts unsent messages of a conversation without a thread back into the draft of that
    /// conversation: it is in no list, and the next new conversation finds the draft.
    pub(crate) fn keep_unsent_text(&mut self, cx: &mut Context<'_>) {
        if self.thread != ThreadBinding::None || self.messages.is_empty() {
            return;
        }
        self.put_back_unsent();
        cx.output.change(Change::Transcript(cx.key));
        cx.output.change(Change::Composer(cx.key));
        cx.output.change(Change::Draft(cx.key));
    }

    /// Keeps the text of feedback whose batch needs no answer any more: it goes to the beginning of
    /// the draft.
    pub(crate) fn put_feedback_back(&mut self, cx: &mut Context<'_>, text: &str) {
        if !text.trim().is_empty() {
            self.draft = join_before_draft(text, &self.draft);
            cx.output.change(Change::Draft(cx.key));
        }
    }

    /// Moves the stored draft of this conversation from `drafts` to the conversation; without one,
    /// the conversation has no draft any more.
    pub(crate) fn take_draft(&mut self, cx: &mut Context<'_>, drafts: &mut Vec<Draft>) {
        let thread = match &self.thread {
            ThreadBinding::Bound(thread) => Some(thread),
            ThreadBinding::None => None,
            ThreadBinding::Creating(_) => return,
        };
        let at = drafts.iter().position(|it| it.thread.as_ref() == thread);
        let Draft { text, files, .. } = at.map(|at| drafts.remove(at)).unwrap_or_default();
        let files = attach_uploaded(files, cx);
        let before = std::mem::take(&mut self.files);
        let known = |file: Attachment| {
            let same = before.iter().find(|it| it.state == file.state);
            same.cloned().unwrap_or(file)
        };
        let mut files: Vec<Attachment> = files.into_iter().map(known).collect();
        // Only this page has the files that it is uploading.
        files.extend(before.iter().filter(|file| !file.is_uploaded()).cloned());
        let is_same = files == before && text == self.draft;
        self.files = files;
        if is_same {
            return;
        }
        self.draft = text;
        self.end_empty_question();
        cx.output.change(Change::Draft(cx.key));
        cx.output.change(Change::Composer(cx.key));
    }
}

/// Returns the files that another page uploaded as files of this page, with new identifiers.
pub(crate) fn attach_uploaded(files: Vec<UploadedFile>, cx: &mut Context<'_>) -> Vec<Attachment> {
    let mut attached = Vec::with_capacity(files.len());
    for file in files {
        attached.push(file.into_attachment(cx.keys.next_upload()));
    }
    attached
}

fn is_dismissible(message: &Message) -> bool {
    let given_up = matches!(
        message.status,
        MessageStatus::Failed(_)
            | MessageStatus::Unconfirmed {
                checking: false,
                ..
            }
    );
    given_up && !message.approvals.iter().any(ApprovalBatch::is_pending)
}
