//! Link reference definitions and names of footnotes that are known, and who waits for one.

use std::collections::{HashMap, HashSet};

use unicase::UniCase;

/// How often a finished block is read again before the text is whole.
const TRIES: u8 = 8;

/// How many bytes of addresses references may make at least, and at most if the text is not longer: as the parser
/// has it for what it reads at once.
const EXPANSION: usize = 100_000;

/// What references have made of their definitions so far: a short text may name a long address often.
/// Where a text that comes in pieces meets this limit, it may give other blocks than the whole text does: for one that
/// defines what it names further up, or between its references, they are counted in another order.
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    pub(crate) spent: usize,
    limit: usize,
}

impl Expansion {
    /// For a text of some length, of which references have made something already.
    pub(crate) fn new(spent: usize, length: usize) -> Self {
        Self {
            spent,
            limit: length.max(EXPANSION),
        }
    }

    /// Whether a reference may still be followed; if so, what it makes is counted.
    pub(crate) fn spend(&mut self, size: usize) -> bool {
        let left = self.spent < self.limit;
        if left {
            self.spent += size;
        }
        left
    }
}

/// Where a link or an image leads that names a label.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) address: String,
    /// What a reference to it makes: address and title.
    pub(crate) size: usize,
}

/// Definitions by label; labels are equal as CommonMark has it, without regard to case. The first definition counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    addresses: HashMap<UniCase<String>, Definition>,
    notes: HashSet<UniCase<String>>,
}

impl Definitions {
    pub(crate) fn get(&self, label: &str) -> Option<&Definition> {
        if self.addresses.is_empty() {
            return None;
        }
        self.addresses.get(&key(label))
    }

    /// Whether the definition was new.
    pub(crate) fn add(&mut self, label: &str, definition: &Definition) -> bool {
        let label = key(label);
        if self.addresses.contains_key(&label) {
            return false;
        }
        self.addresses.insert(label, definition.clone());
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
    entry: usize,
    pub(crate) place: usize,
    pub(crate) source: String,
    /// Whether a link in it has got its definition.
    pub(crate) stale: bool,
    /// What its references made when it was read last.
    pub(crate) expanded: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    place: usize,
    source: String,
    expanded: usize,
    tries: u8,
    stale: bool,
}

impl Waiting {
    /// A block at a place, its source and the labels that nobody knew when it was read.
    pub(crate) fn add(
        &mut self,
        place: usize,
        source: String,
        expanded: usize,
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
            expanded,
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
                    entry: place,
                    place: entry.place,
                    source: entry.source.clone(),
                    stale: true,
                    expanded: entry.expanded,
                });
            }
        }
        due
    }

    /// A block that was due has been read again.
    pub(crate) fn count(&mut self, due: &Due, expanded: usize) {
        if let Some(entry) = self.entries.get_mut(due.entry) {
            entry.expanded = expanded;
        }
    }

    /// The same when the text is whole: all that were put off, and those with a reference to a footnote.
    pub(crate) fn take_all(&mut self) -> Vec<Due> {
        let entries = std::mem::take(self).entries.into_iter().enumerate();
        let due = entries.map(|(place, entry)| Due {
            entry: place,
            place: entry.place,
            source: entry.source,
            stale: entry.stale,
            expanded: entry.expanded,
        });
        due.collect()
    }
}
