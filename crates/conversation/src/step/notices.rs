//! Failures that belong to no message: showing, retrying and dismissing them.

use crate::{Change, Failure, Notice, NoticeSubject};

use super::Turn;

impl Turn<'_> {
    pub(super) fn notify(&mut self, subject: NoticeSubject, failure: Failure) {
        self.report_failure(&failure);
        self.state.notice = Some(Notice { subject, failure });
        self.change(Change::Notice);
    }

    pub(super) fn retry_notice(&mut self) {
        let Some(notice) = self.state.notice.take() else {
            return;
        };
        self.change(Change::Notice);
        match notice.subject {
            NoticeSubject::Rename(thread, name) => self.rename_thread(thread, &name),
            NoticeSubject::Delete(thread) => self.delete_thread(thread),
            NoticeSubject::Reload => self.reload_messages(),
            NoticeSubject::Cancel(thread) => self.cancel_again(&thread),
        }
    }

    pub(super) fn dismiss_notice(&mut self) {
        if self.state.notice.take().is_some() {
            self.change(Change::Notice);
        }
    }

    /// Removes the notice of a failed load, which concerns the conversation that was shown, when
    /// another one is.
    pub(super) fn drop_reload_notice(&mut self) {
        let subject = self.state.notice.as_ref().map(|notice| &notice.subject);
        if subject == Some(&NoticeSubject::Reload) {
            self.dismiss_notice();
        }
    }
}
