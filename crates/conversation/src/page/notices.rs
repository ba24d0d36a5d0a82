//! Failures that belong to no message.

use crate::{Change, Failure, Notice, NoticeSubject, Output};

/// Shows a failure that belongs to no message, in place of the one that was shown, and tells the
/// host page of it.
pub(crate) fn show_notice(
    notice: &mut Option<Notice>,
    output: &mut Output,
    subject: NoticeSubject,
    failure: Failure,
) {
    output.report_failure(&failure);
    *notice = Some(Notice { subject, failure });
    output.change(Change::Notice);
}

/// Removes the notice, and returns its subject; `None` if there was no notice.
pub(crate) fn take_notice(
    notice: &mut Option<Notice>,
    output: &mut Output,
) -> Option<NoticeSubject> {
    let notice = notice.take()?;
    output.change(Change::Notice);
    Some(notice.subject)
}

/// Removes the notice of a failed load when another conversation is shown: it is about the one that
/// was shown before.
pub(crate) fn drop_reload_notice(notice: &mut Option<Notice>, output: &mut Output) {
    let subject = notice.as_ref().map(|notice| &notice.subject);
    if subject == Some(&NoticeSubject::Reload) {
        take_notice(notice, output);
    }
}
