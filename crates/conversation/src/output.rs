//! The output of a step, and what the parts of the core use besides their own state.

use crate::key::KeyCounter;
use crate::{
    Announcement, Change, Command, ConversationKey, Failure, MessageKey, Millis, PageEvent,
    UploadId,
};

/// The output of a step, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The changes to draw.
    pub changes: Vec<Change>,
    /// The commands to carry out.
    pub commands: Vec<Command>,
}

impl Output {
    pub(crate) fn change(&mut self, change: Change) {
        if self.changes.last() != Some(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    pub(crate) fn notify_page(&mut self, event: PageEvent) {
        self.command(Command::NotifyPage(event));
    }

    /// Tells the host page of a failure that is shown to the user.
    pub(crate) fn report_failure(&mut self, failure: &Failure) {
        self.notify_page(PageEvent::Failed(failure.clone()));
    }

    /// Cancels the uploads of files that are not going to be sent.
    pub(crate) fn cancel_uploads(&mut self, uploads: Vec<UploadId>) {
        for upload in uploads {
            self.command(Command::CancelUpload(upload));
        }
    }
}

/// What a part uses in a step about one conversation, besides its own state. It cannot reach other
/// parts, nor other conversations.
pub(crate) struct Context<'a> {
    /// The conversation that the step is about.
    pub(crate) key: ConversationKey,
    /// True if the conversation is the one that is shown.
    pub(crate) is_shown: bool,
    /// The time at which the input of the step happened.
    pub(crate) now: Millis,
    /// The source of new identifiers.
    pub(crate) keys: &'a mut KeyCounter,
    /// The changes and commands of the step so far.
    pub(crate) output: &'a mut Output,
}

impl Context<'_> {
    /// Notes a message as one that is to be drawn again.
    pub(crate) fn message_changed(&mut self, message: MessageKey) {
        self.output.change(Change::Message(self.key, message));
    }

    /// Announces something about the conversation, if that is the one shown: nothing is announced
    /// about others.
    pub(crate) fn announce(&mut self, announcement: Announcement) {
        if self.is_shown {
            self.output.change(Change::Announce(announcement));
        }
    }
}
