//! Pieces of drafts that are queued for writing.

use std::{
    collections::HashMap,
    sync::{Mutex, atomic::AtomicBool},
};

use assent_protocol::Words;

use super::ThreadKey;

/// The pieces of drafts that came since the last write, and the state of the next one.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) waiting: Mutex<DraftPieces>,
    /// True if a write is to come that has not taken its pieces yet.
    pub(super) scheduled: AtomicBool,
    /// Locked while pieces are written, so that later pieces are not written before them.
    pub(super) writing: tokio::sync::Mutex<()>,
}

/// Pieces of drafts, by the id of the request that is answered.
pub type DraftPieces = HashMap<String, DraftPiece>;

/// A piece of a draft.
#[derive(Clone, Debug)]
pub struct DraftPiece {
    /// The thread that is answered in.
    pub thread: ThreadKey,
    /// The number of segments of the answer that were stored before.
    pub segment: i64,
    /// The handle of the agent that wrote the piece.
    pub handle: String,
    /// The text of the piece.
    pub text: String,
    /// The sentences of the service in `text`.
    pub words: Vec<Words>,
}

impl DraftPiece {
    /// Appends the text that follows this piece, and the sentences of the service in that text.
    pub(super) fn push(&mut self, text: &str, words: Vec<Words>) {
        self.text.push_str(text);
        self.words.extend(words);
    }
}

/// Returns pieces whose writing failed to `waiting`, before those that came since.
pub(super) fn put_back(waiting: &mut DraftPieces, pieces: DraftPieces) {
    for (request_id, mut piece) in pieces {
        match waiting.remove(&request_id) {
            Some(later) if later.segment == piece.segment => {
                piece.push(&later.text, later.words);
            }
            Some(later) => piece = later,
            None => {}
        }
        waiting.insert(request_id, piece);
    }
}

#[cfg(test)]
mod tests {
    use super::{DraftPiece, DraftPieces, ThreadKey, put_back};

    fn pieces(list: &[(&str, i64, &str)]) -> DraftPieces {
        let piece = |(id, segment, text): &(&str, i64, &str)| {
            let piece = DraftPiece {
                thread: ThreadKey {
                    user_id: "ada".to_owned(),
                    id: "t".to_owned(),
                },
                segment: *segment,
                handle: "@demo".to_owned(),
                text: (*text).to_owned(),
                words: Vec::new(),
            };
            ((*id).to_owned(), piece)
        };
        list.iter().map(piece).collect()
    }

    #[test]
    fn what_was_not_written_comes_before_what_was_said_since() {
        let mut waiting = pieces(&[("a", 0, "upon a time"), ("b", 1, "next")]);
        let failed = pieces(&[
            ("a", 0, "once "),
            ("b", 0, "stored by now"),
            ("c", 0, "alone"),
        ]);
        put_back(&mut waiting, failed);
        let text = |id: &str| waiting[id].text.as_str();
        assert_eq!(
            (text("a"), text("b"), text("c")),
            ("once upon a time", "next", "alone")
        );
    }
}
