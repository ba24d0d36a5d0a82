//! What several tabs make of the same draft.
//!
//! Values of the storage reach other processes late, so that two tabs may write one draft at the same moment, each
//! without what the other one wrote; one of the two values stays. Each draft therefore says which writings it came of:
//! a tab that does not find its own among them joins both. A draft that is sent or taken away is an empty one for a
//! while, and not gone, because nothing could be said of that.

use assent_conversation::{Draft, Millis};

use super::{
    identity::random_id,
    records::{Record, body_of, draft_body, draft_in, draft_of},
};

/// A writing has a name of so many characters.
const NAME: usize = 8;

/// The names of the last six are kept, with what is between them.
const NAMES: usize = 6 * (NAME + 1);

/// Values that were written within such a time may have been written without each other.
const LATE: Millis = Millis(5_000);

/// A value as this page read or wrote it last.
pub(super) struct Kept {
    pub(super) key: String,
    /// Without what is written around it.
    pub(super) body: String,
    /// The names of the writings that it came of, the latest first.
    line: String,
    /// What this page wrote it over, and when; `None` where it was read.
    over: Option<(String, Millis)>,
}

impl Kept {
    /// A value that was read, or that only one page writes.
    pub(super) fn new(key: String, body: String, line: String) -> Self {
        let over = None;
        Self {
            key,
            body,
            line,
            over,
        }
    }

    /// True for the value that was written under this name.
    pub(super) fn is_of(&self, key: &str, line: &str) -> bool {
        self.key == key && self.line == line && !line.is_empty()
    }

    /// The value, with the writings that it came of.
    pub(super) fn record(&self) -> String {
        [r#""line":""#, &self.line, r#"","#, &self.body].concat()
    }

    /// Nobody but this page can have changed it, or nothing is lost if somebody did.
    pub(super) fn is_settled(&self, body: &str) -> bool {
        self.over.is_none() && self.body == body
    }
}

/// A draft in the storage.
#[derive(Default)]
pub(super) struct Stored {
    at: Millis,
    draft: Draft,
    line: String,
}

impl Stored {
    /// In this value; `None` where a later version of the widget wrote it.
    pub(super) fn of(value: Option<&str>) -> Option<Self> {
        Some(match value.map(body_of) {
            Some(Record::Body(at, body)) => Self {
                at,
                draft: draft_of(&body),
                line: names(body.text("line")),
            },
            Some(Record::Later) => return None,
            Some(Record::Broken) | None => Self::default(),
        })
    }
}

/// The list of writings, if it is one: what is in the storage may be anything, and this is cut and written as it is.
fn names(line: String) -> String {
    let is_list = line
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b',');
    if is_list { line } else { String::new() }
}

/// What is to be done with a draft.
pub(super) enum Plan {
    /// It is as it was here, or as another tab left it, which is read after this.
    Leave,
    /// The body of what is written now, under a name of its own.
    Write {
        kept: Kept,
        /// Another tab had written it meanwhile.
        is_shared: bool,
    },
}

/// What is to be done with a draft that is `mine` here, `stored` by now, and was `kept` when this page looked last.
pub(super) fn plan(
    key: &str,
    kept: Option<&Kept>,
    mine: Draft,
    stored: Stored,
    now: Millis,
) -> Plan {
    let body = draft_body(&mine);
    let theirs = draft_body(&stored.draft);
    let nothing = draft_body(&Draft::default());
    let known = kept.map_or(&nothing, |it| &it.body);
    if theirs == *known {
        if body == theirs {
            return Plan::Leave;
        }
        let kept = written(key, body, &stored.line, theirs, now);
        return Plan::Write {
            kept,
            is_shared: false,
        };
    }
    let unseen = kept
        .and_then(|it| it.over.as_ref().map(|over| (it, over)))
        .filter(|(it, (_, at))| {
            let name = it.line.get(..NAME).unwrap_or_default();
            !stored.line.is_empty() && !stored.line.contains(name) && stored.at.0 - at.0 < LATE.0
        });
    if unseen.is_none() && body == *known {
        return Plan::Leave;
    }
    let before = unseen.map_or(known, |(_, (over, _))| over);
    let joined = draft_body(&together(&draft_in(before), mine, stored.draft));
    Plan::Write {
        kept: written(key, joined, &stored.line, theirs, now),
        is_shared: true,
    }
}

fn written(key: &str, body: String, line: &str, over: String, now: Millis) -> Kept {
    let name = random_id();
    let mut line = [name.get(..NAME).unwrap_or_default(), ",", line].concat();
    line.truncate(NAMES);
    Kept {
        key: key.to_owned(),
        body,
        line,
        over: Some((over, now)),
    }
}

pub(super) fn is_blank(draft: &Draft) -> bool {
    draft.text.trim().is_empty() && draft.files.is_empty()
}

/// What two tabs made of the same draft: what one of them put in front of it, or put in its place, is there, and what it
/// was is not there any more where one of them sent it or took it away.
fn together(known: &Draft, mine: Draft, theirs: Draft) -> Draft {
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
