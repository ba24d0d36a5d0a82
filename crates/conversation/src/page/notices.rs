//! Failures that belong to no message.

use crate::{Change, Failure, Notice, NoticeSubject, Output};

/// Shows a failure.
pub(crate) fn show(
    notice: &mut Option<Notice>,
    output: &mut Output,
    subject: NoticeSubject,
    failure: Failure,
) {
    output.report_failure(&failure);
    *notice = Some(Notice { subject, failure });
    output.change(Change::Notice);
}

/// Takes the notice away, and returns its subject.
pub(crate) fn take(notice: &mut Option<Notice>, output: &mut Output) -> Option<NoticeSubject> {
    let notice = notice.take()?;
    output.change(Change::Notice);
    Some(notice.subject)
}

/// Removes the notice of a failed load, which concerns the conversation that was shown, when
/// another one is.
pub(crate) fn drop_reload(notice: &mut Option<Notice>, output: &mut Output) {
    let subject = notice.as_ref().map(|notice| &notice.subject);
    if subject == Some(&NoticeSubject::Reload) {
        take(notice, output);
    }
}
