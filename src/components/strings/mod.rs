//! The texts for people, and what is put into them. Those about approvals, failures, files and
//! messages are in files of their own, and those of drawn requests come with the renderer.
//!
//! `build.rs` makes a constant of each text in `en.toml`: `NEW_MESSAGES` of `newMessages`.
//! A page may give its own text for each key (property `strings`).

mod approval;
mod failure;
mod files;
mod message;
mod sentences;

/// The English texts. [`english::LOADER_KEYS`] are the keys of those that the loader has, because
/// they are shown without a widget; [`english::ANSWERS`] are those that the renderer is given.
mod english {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

use assent_conversation::{Announcement, Interruption, NoticeSubject};
use assent_i18n::{Text, Texts, intl};
use leptos::prelude::use_context;

use super::plain_text::plain_text;

pub use approval::approval_needed;
pub(super) use approval::*;
pub(super) use english::*;
pub(super) use failure::{MAX_SENTENCE_CHARACTERS, refusal_sentence};
pub use failure::{failure_sentence, response_sentence};
pub(super) use files::*;
pub(super) use message::*;
use sentences::SERVICE_KEY_PREFIX;
pub(super) use sentences::{has_own_sentences, with_own_sentences};

/// Prefix of the keys of texts in drawn requests for approval, which a page may give. The renderer
/// has the English ones.
const REQUEST_KEY_PREFIX: &str = "request.";
/// Prefix of the keys of texts about what became of a tool run, which have a table of their own: it is
/// loaded with what shows them.
const DETAILS_KEY_PREFIX: &str = "details.";
/// Prefix of the keys of all other texts that only what is loaded later shows.
const EXTRA_KEY_PREFIX: &str = "extra.";
/// Prefix of the keys of activity texts: `event.NOTIFICATION_AGENT_THINKING_STARTED`. The English
/// ones are in the table of event types.
const EVENT_KEY_PREFIX: &str = "event.";
/// The plural categories (Unicode CLDR), with which the keys of plural forms end: `steps.one`.
const PLURAL_CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// The message for the page's developer, in the console, that there is no renderer.
pub(super) const NO_RENDERER_MESSAGE: &str = "assent-chat: answers are shown as plain text.";

/// Returns true if a page can give a text under this key.
pub fn is_text_key(key: &str) -> bool {
    let is_there = |key: &str| ENGLISH.has_key(key);
    let is_form = || {
        let form = key.rsplit_once('.');
        form.is_some_and(|(key, category)| PLURAL_CATEGORIES.contains(&category) && is_there(key))
    };
    let prefixes = [
        REQUEST_KEY_PREFIX,
        EVENT_KEY_PREFIX,
        SERVICE_KEY_PREFIX,
        DETAILS_KEY_PREFIX,
        EXTRA_KEY_PREFIX,
    ];
    let has_own_table = prefixes.iter().any(|it| key.starts_with(it));
    has_own_table || LOADER_KEYS.contains(&key) || is_there(key) || is_form()
}

/// Returns the texts of the widget, from the context. A component calls this when it is made:
/// another language makes the whole widget anew.
pub(super) fn texts() -> Texts {
    use_context().unwrap_or_default()
}

/// Returns the page's own texts in drawn requests for approval, each with its key.
pub(super) fn request_texts(texts: Texts) -> impl Iterator<Item = (&'static str, &'static str)> {
    let given = texts.page_texts().iter();
    let given = given.filter(|(key, _)| key.starts_with(REQUEST_KEY_PREFIX));
    given.map(|(key, text)| (&**key, &**text))
}

pub(super) fn actions_for(texts: Texts, name: &str) -> String {
    texts.fill(ACTIONS_FOR, &[("name", name)])
}

/// Returns a duration in milliseconds as a text, in seconds with a tenth.
pub(super) fn seconds_text(texts: Texts, millis: i64) -> String {
    texts.fill(
        SECONDS,
        &[("count", &format_tenths(texts, millis / 100, true))],
    )
}

/// Returns a duration in seconds as a text, with minutes if there are any.
pub(super) fn whole_seconds(texts: Texts, seconds: usize) -> String {
    let rest = texts.format_number(seconds % 60);
    match seconds / 60 {
        0 => texts.fill(SECONDS, &[("count", &rest)]),
        minutes => {
            let minutes = texts.format_number(minutes);
            texts.fill(MINUTES, &[("minutes", &minutes), ("seconds", &rest)])
        }
    }
}

/// Formats a number that is given in tenths as a decimal of the language: 15 as "1.5". If `always`,
/// the decimal is written even if it is 0.
fn format_tenths(texts: Texts, tenths: i64, always: bool) -> String {
    let options: intl::FormatOptions = if always {
        &[
            ("minimumFractionDigits", "1"),
            ("maximumFractionDigits", "1"),
        ]
    } else {
        &[("maximumFractionDigits", "1")]
    };
    #[allow(
        clippy::cast_precision_loss,
        reason = "seconds and sizes of what is on a page fit into 53 bits"
    )]
    let number = tenths as f64 / 10.0;
    intl::format_decimal(texts.locale(), number, options)
}

/// Returns the number of tool runs that wait for a decision as a text, for the name of the
/// launcher.
pub fn decisions_wait_text(texts: Texts, count: usize) -> String {
    texts.plural(DECISIONS_WAIT, count, &[])
}

/// Returns the number of unread answers as a text, for the name of the launcher and of the button
/// that scrolls to the end.
pub fn new_messages(texts: Texts, count: usize) -> String {
    texts.plural(NEW_MESSAGES, count, &[])
}

pub(super) fn interruption_text(by: Interruption) -> Text {
    match by {
        Interruption::Lost => ANSWER_LOST,
        Interruption::Stopped => ANSWER_STOPPED,
    }
}

/// Maximum length of an announced answer, in bytes: about a minute of speech, which nobody can
/// leave and come back to. A browser also lays out the announced text, although nobody sees it.
const MAX_ANNOUNCEMENT_BYTES: usize = 1_000;

/// Returns the beginning of an answer that is too long to be announced whole; `None` for a shorter
/// one.
fn beginning_if_long(text: &str) -> Option<&str> {
    if text.len() <= MAX_ANNOUNCEMENT_BYTES {
        return None;
    }
    let (shown, _) = text.split_at(text.floor_char_boundary(MAX_ANNOUNCEMENT_BYTES));
    // Chinese and Japanese have no blanks between words.
    let blank = shown.rfind(char::is_whitespace);
    let end = blank.filter(|end| *end > shown.len() / 2);
    shown.get(..end.unwrap_or(shown.len()))
}

/// Returns the text of an announcement for screen readers. `agent` takes the author's name that
/// came with a message, and returns the name to show.
pub(super) fn announcement_text(
    texts: Texts,
    what: &Announcement,
    agent: &dyn Fn(&str) -> String,
) -> String {
    match what {
        Announcement::Answering => texts.fill(ANSWERING, &[("agent", &agent(""))]),
        Announcement::Answered {
            author,
            text,
            words,
        } => {
            let (name, text) = (agent(author), with_own_sentences(texts, text, words));
            match beginning_if_long(&text) {
                Some(beginning) => texts.fill(
                    ANSWERED_AT_LENGTH,
                    &[("agent", &name), ("beginning", &plain_text(beginning))],
                ),
                None => texts.fill(ANSWERED, &[("agent", &name), ("text", &plain_text(&text))]),
            }
        }
        Announcement::ApprovalNeeded { tools, elsewhere } => {
            approval_needed(texts, tools, elsewhere.as_deref())
        }
        Announcement::DecidedElsewhere => texts.get(ACTIONS_DECIDED_ELSEWHERE).to_owned(),
        Announcement::Uploading(name) => uploading_text(texts, &file_name(name)),
        Announcement::Uploaded(name) => texts.fill(FILE_IS_UPLOADED, &[("name", &file_name(name))]),
        Announcement::Stopping => texts.get(STOPPING).to_owned(),
        Announcement::Interrupted => texts.get(ANSWER_LOST).to_owned(),
        Announcement::LogCopied(is_copied) => texts.get(log_copied_text(*is_copied)).to_owned(),
        Announcement::Queued => texts.get(SENDS_WHEN_DONE).to_owned(),
        Announcement::Renamed => texts.get(RENAMED).to_owned(),
        Announcement::Deleted => texts.get(DELETED).to_owned(),
        Announcement::Copied => texts.get(MESSAGE_COPIED).to_owned(),
    }
}

pub(super) fn log_copied_text(is_copied: bool) -> Text {
    if is_copied {
        LOG_COPIED
    } else {
        LOG_NOT_COPIED
    }
}

/// Returns the page's own text for a type of event, which is given in the service's spelling;
/// `None` if the page has none.
pub(super) fn event_text(texts: Texts, event_type: &str) -> Option<&'static str> {
    texts.find_page_text(&[EVENT_KEY_PREFIX, event_type].concat())
}

pub(super) fn notice_text(subject: &NoticeSubject) -> Text {
    match subject {
        NoticeSubject::Rename(..) => RENAME_FAILED,
        NoticeSubject::Delete(_) => DELETE_FAILED,
        NoticeSubject::Reload => RELOAD_FAILED,
        NoticeSubject::Cancel(_) => STOP_FAILED,
    }
}
