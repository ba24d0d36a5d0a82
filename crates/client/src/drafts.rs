//! Merging of the same draft from several tabs.
//!
//! Values of the storage reach other processes late, so that two tabs may write one draft at the
//! same moment, each without the text of the other; one of the two values stays. Each draft
//! therefore lists the writes that it descends from: a tab that does not find its own among them
//! merges both. A draft that is sent or removed stays for a while as an empty one, because a
//! deleted record could not list any writes.

use assent_conversation::{Draft, Millis};

use super::{
    identity::random_id,
    records::{Record, draft_body, parse_draft, parse_draft_text, parse_record},
};

/// Length of the name of a write, in characters.
const WRITE_NAME_LENGTH: usize = 8;

/// Length of the list of writes: the names of the last six with their separators.
const WRITE_LIST_LENGTH: usize = 6 * (WRITE_NAME_LENGTH + 1);

/// The time in milliseconds between two writes of one draft by two tabs, below which neither tab
/// may have known what the other one wrote.
const CONCURRENT_WRITE_SPAN: Millis = Millis(5_000);

/// A draft or another value of the storage, as this page last read or wrote it.
pub(super) struct KnownValue {
    pub(super) key: String,
    /// The body without the list of writes around it.
    pub(super) body: String,
    /// The list of the writes that this value descends from, by their names, the latest first;
    /// empty if the value has no such list.
    line: String,
    /// The body that this page replaced when it wrote this value, and the time of that; `None` if
    /// the value was read, or if only one page writes it.
    overwritten: Option<(String, Millis)>,
}

impl KnownValue {
    /// Creates a value that was read, or that only one page writes.
    pub(super) fn new(key: String, body: String, line: String) -> Self {
        let overwritten = None;
        Self {
            key,
            body,
            line,
            overwritten,
        }
    }

    /// Returns true if this is the value of `key` with the list of writes `line`. A value without
    /// such a list is never the same.
    pub(super) fn is_value_of(&self, key: &str, line: &str) -> bool {
        self.key == key && self.line == line && !line.is_empty()
    }

    /// Returns the body with its list of writes, as it is stored.
    pub(super) fn to_record(&self) -> String {
        [r#""line":""#, &self.line, r#"","#, &self.body].concat()
    }

    /// Returns true if a draft with this body need not be written: it is what this page read, and
    /// this page has not written it since.
    pub(super) fn is_settled(&self, body: &str) -> bool {
        self.overwritten.is_none() && self.body == body
    }
}

/// A draft as it is in the storage, with the list of its writes.
#[derive(Default)]
pub(super) struct StoredDraft {
    at: Millis,
    draft: Draft,
    line: String,
}

impl StoredDraft {
    /// Returns the draft in a stored value; `None` if a later version of the widget wrote the
    /// value. Without a value the storage was cleared: the draft is the `known` one, because a
    /// draft that is sent or removed stays as an empty one.
    pub(super) fn of(value: Option<&str>, known: Option<&KnownValue>) -> Option<Self> {
        Some(match value.map(parse_record) {
            None if let Some(known) = known => Self {
                at: Millis::default(),
                draft: parse_draft_text(&known.body),
                line: known.line.clone(),
            },
            Some(Record::Body(at, body)) => Self {
                at,
                draft: parse_draft(&body),
                line: valid_write_names(body.text("line")),
            },
            Some(Record::Later) => return None,
            Some(Record::Broken) | None => Self::default(),
        })
    }
}

/// Returns `line` if it is a list of names of writes, otherwise an empty text: the storage may hold
/// anything, and the list is cut and written as it is.
fn valid_write_names(line: String) -> String {
    let is_list = line
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b',');
    if is_list { line } else { String::new() }
}

/// What this page writes to the storage for a draft.
pub(super) enum DraftPlan {
    /// Nothing is written: the draft is unchanged on this page. A change of another tab is read
    /// later.
    Leave,
    /// This value is written now. It gets a random name, which is put in front of those of earlier
    /// writes: by it, other tabs see whether they have read this write.
    Write {
        value: KnownValue,
        /// True if another tab has written the draft since this page last read or wrote it.
        is_shared: bool,
    },
}

/// Decides what is written for a draft: `mine` is the draft on this page, `stored` the one in the
/// storage now, and `known` what this page last read or wrote.
pub(super) fn plan_draft(
    key: &str,
    known: Option<&KnownValue>,
    mine: Draft,
    stored: StoredDraft,
    now: Millis,
) -> DraftPlan {
    let body = draft_body(&mine);
    let theirs = draft_body(&stored.draft);
    let nothing = draft_body(&Draft::default());
    let known_body = known.map_or(&nothing, |it| &it.body);
    if theirs == *known_body {
        if body == theirs {
            return DraftPlan::Leave;
        }
        return DraftPlan::Write {
            value: new_value(key, body, &stored.line, theirs, now),
            is_shared: false,
        };
    }
    let unseen = known
        .and_then(|it| it.overwritten.as_ref().map(|overwritten| (it, overwritten)))
        .filter(|(it, (_, at))| {
            let name = it.line.get(..WRITE_NAME_LENGTH).unwrap_or_default();
            !stored.line.is_empty()
                && !stored.line.contains(name)
                && stored.at.0 - at.0 < CONCURRENT_WRITE_SPAN.0
        });
    if unseen.is_none() && body == *known_body {
        return DraftPlan::Leave;
    }
    let before = unseen.map_or(known_body, |(_, (overwritten, _))| overwritten);
    let joined = draft_body(&merge(&parse_draft_text(before), mine, stored.draft));
    DraftPlan::Write {
        value: new_value(key, joined, &stored.line, theirs, now),
        is_shared: true,
    }
}

fn new_value(key: &str, body: String, line: &str, overwritten: String, now: Millis) -> KnownValue {
    let name = random_id();
    let mut line = [name.get(..WRITE_NAME_LENGTH).unwrap_or_default(), ",", line].concat();
    line.truncate(WRITE_LIST_LENGTH);
    KnownValue {
        key: key.to_owned(),
        body,
        line,
        overwritten: Some((overwritten, now)),
    }
}

pub(super) fn is_blank(draft: &Draft) -> bool {
    draft.text.trim().is_empty() && draft.files.is_empty()
}

/// Merges the drafts `mine` and `theirs` of two tabs, which descend from `known`: text that one of
/// them added or replaced is kept, and the old text is gone if one of them sent or removed it.
fn merge(known: &Draft, mine: Draft, theirs: Draft) -> Draft {
    let (old, here, there) = (&*known.text, &*mine.text, &*theirs.text);
    let (front, rest) = match (there.strip_suffix(old), here.strip_suffix(old)) {
        (Some(front), _) => (front, here),
        (None, Some(front)) => (front, there),
        (None, None) => (there, here),
    };
    let parts = [front.trim_end(), rest].into_iter();
    let parts: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
    let text = parts.join("\n\n");
    let (old, here) = (&known.files, &mine.files);
    let mut files = theirs.files;
    files.retain(|file| !old.contains(file) || here.contains(file));
    files.extend(here.iter().filter(|file| !old.contains(file)).cloned());
    Draft {
        text,
        files,
        ..mine
    }
}
