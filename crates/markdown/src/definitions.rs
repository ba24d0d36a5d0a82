//! Link reference definitions and names of footnotes that are known, and who waits for one.

use std::collections::{HashMap, HashSet};

use unicase::UniCase;

/// How often a finished block is read again before the text is whole.
const TRIES: u8 = 8;

/// Addresses by label; labels are equal as CommonMark has it, without regard to case. The first definition counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    addresses: HashMap<UniCase<String>, String>,
    notes: HashSet<UniCase<String>>,
}

impl Definitions {
    pub(crate) fn get(&self, label: &str) -> Option<&str> {
        if self.addresses.is_empty() {
            return None;
        }
        self.addresses.get(&key(label)).map(String::as_str)
    }

    /// Whether the definition was new.
    pub(crate) fn add(&mut self, label: &str, address: &str) -> bool {
        let label = key(label);
        if self.addresses.contains_key(&label) {
            return false;
        }
        self.addresses.insert(label, address.to_owned());
        true
    }

    pub(crate) fn add_note(&mut self, name: &str) {
        self.notes.insert(key(name));
    }

    pub(crate) fn has_note(&self, name: &str) -> bool {
        self.notes.contains(&key(name))
    }
}

/// White space within labels was made one space by the parser.
fn key(label: &str) -> UniCase<String> {
    UniCase::new(label.to_owned())
}

/// Finished blocks that a definition could still change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting {
    entries: Vec<Entry>,
    labels: HashMap<UniCase<String>, Vec<usize>>,
    /// Entries that are to be read again with the next change.
    due: Vec<usize>,
}

/// A block that may have to be read again.
pub(crate) struct Due {
    pub(crate) place: usize,
    pub(crate) source: String,
    /// Whether a link in it has got its definition.
    pub(crate) stale: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    place: usize,
    source: String,
    tries: u8,
    stale: bool,
}

impl Waiting {
    /// A block at a place, its source and the labels that nobody knew when it was read.
    pub(crate) fn add(
        &mut self,
        place: usize,
        source: String,
        misses: &[String],
        known: &Definitions,
    ) {
        if misses.is_empty() && !source.contains("[^") {
            return;
        }
        let entry = self.entries.len();
        let mut stale = false;
        for label in misses {
            if known.get(label).is_some() {
                stale = true;
            } else {
                self.labels.entry(key(label)).or_default().push(entry);
            }
        }
        if stale {
            self.due.push(entry);
        }
        self.entries.push(Entry {
            place,
            source,
            tries: 0,
            stale,
        });
    }

    /// A label has got its definition.
    pub(crate) fn wake(&mut self, label: &str) {
        if self.labels.is_empty() {
            return;
        }
        for place in self.labels.remove(&key(label)).unwrap_or_default() {
            if let Some(entry) = self.entries.get_mut(place) {
                if !entry.stale && entry.tries < TRIES {
                    self.due.push(place);
                }
                entry.stale = true;
            }
        }
    }

    /// The blocks that are to be read again now.
    pub(crate) fn take_due(&mut self) -> Vec<Due> {
        let mut due = Vec::new();
        for place in std::mem::take(&mut self.due) {
            if let Some(entry) = self.entries.get_mut(place) {
                entry.tries += 1;
                entry.stale = false;
                due.push(Due {
                    place: entry.place,
                    source: entry.source.clone(),
                    stale: true,
                });
            }
        }
        due
    }

    /// The same when the text is whole: all that were put off, and those with a reference to a footnote.
    pub(crate) fn take_all(&mut self) -> Vec<Due> {
        let entries = std::mem::take(self).entries.into_iter();
        let due = entries.map(|entry| Due {
            place: entry.place,
            source: entry.source,
            stale: entry.stale,
        });
        due.collect()
    }
}
