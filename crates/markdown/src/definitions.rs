//! Known link reference definitions and footnote names, and the blocks that wait for one.

use std::collections::HashMap;

use unicase::UniCase;

/// Maximum number of times a finished block is parsed again before the text is complete.
const MAX_REPARSES: u8 = 8;

/// Minimum of the limit, in bytes, on what references may expand to. For a text longer than this
/// the limit is the length of the text. The parser has the same limit for each parse.
const MIN_EXPANSION_LIMIT: usize = 100_000;

/// Bytes that references have expanded to so far: a short text may refer to a long address many
/// times. If a text that arrives in pieces reaches the limit, its blocks may differ from those of
/// the whole text: references before their definition, or on both sides of it, are counted in
/// another order.
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    pub(crate) spent: usize,
    limit: usize,
}

impl Expansion {
    /// Creates the count for a text of a given length, of which references have expanded to
    /// `spent`.
    pub(crate) fn new(spent: usize, length: usize) -> Self {
        Self {
            spent,
            limit: length.max(MIN_EXPANSION_LIMIT),
        }
    }

    /// Returns true if a reference of this expanded size may still be followed, and counts the size
    /// then.
    pub(crate) fn try_spend(&mut self, size: usize) -> bool {
        let left = self.spent < self.limit;
        if left {
            self.spent += size;
        }
        left
    }
}

/// The address that a label of a link or image refers to.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) address: String,
    /// Number of bytes that a reference expands to: address and title.
    pub(crate) size: usize,
}

/// The known definitions and footnotes by their labels, which are compared as in CommonMark,
/// ignoring case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    labels: HashMap<UniCase<String>, Label>,
}

#[derive(Clone, Debug, Default)]
struct Label {
    /// The first definition of the label, which is the one that counts; `None` before it came.
    definition: Option<Definition>,
    /// True if there is a footnote with this label as its name.
    is_note: bool,
    /// Indices of the entries of [`WaitingBlocks`] that need the definition.
    waiting: Vec<usize>,
}

impl Definitions {
    pub(crate) fn get(&self, label: &str) -> Option<&Definition> {
        self.label(label)?.definition.as_ref()
    }

    pub(crate) fn has_note(&self, name: &str) -> bool {
        self.label(name).is_some_and(|label| label.is_note)
    }

    fn label(&self, label: &str) -> Option<&Label> {
        if self.labels.is_empty() {
            return None;
        }
        self.labels.get(&label_key(label))
    }

    /// Adds a definition, if it is the first of its label. Returns the entries of
    /// [`WaitingBlocks`] that need it.
    pub(crate) fn add(&mut self, label: &str, definition: &Definition) -> Vec<usize> {
        let label = self.label_mut(label);
        if label.definition.is_none() {
            label.definition = Some(definition.clone());
        }
        std::mem::take(&mut label.waiting)
    }

    pub(crate) fn add_note(&mut self, name: &str) {
        self.label_mut(name).is_note = true;
    }

    /// Notes an entry of [`WaitingBlocks`] that needs the definition of a label; returns false if
    /// the definition is known.
    fn wait_for_label(&mut self, label: &str, entry: usize) -> bool {
        let label = self.label_mut(label);
        let waits = label.definition.is_none();
        if waits {
            label.waiting.push(entry);
        }
        waits
    }

    fn label_mut(&mut self, label: &str) -> &mut Label {
        self.labels.entry(label_key(label)).or_default()
    }
}

/// Returns the key under which a label is kept. The parser has already collapsed its white space.
fn label_key(label: &str) -> UniCase<String> {
    UniCase::new(label.to_owned())
}

/// Finished blocks that a definition could still change.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingBlocks {
    entries: Vec<WaitingBlock>,
    /// Indices of the entries to parse again with the next change.
    due: Vec<usize>,
}

/// A finished block that is to be parsed again.
pub(crate) struct DueBlock {
    entry: usize,
    pub(crate) place: usize,
    pub(crate) source: String,
    /// True if a definition that the block needs has come since it was last parsed.
    pub(crate) stale: bool,
    /// Number of bytes that the block's references expanded to when it was last parsed.
    pub(crate) expanded: usize,
}

#[derive(Clone, Debug)]
struct WaitingBlock {
    place: usize,
    source: String,
    expanded: usize,
    tries: u8,
    stale: bool,
}

impl WaitingBlocks {
    /// Adds a block with its place, its source and the labels that were unknown when it was parsed.
    pub(crate) fn add(
        &mut self,
        place: usize,
        source: String,
        expanded: usize,
        misses: &[String],
        known: &mut Definitions,
    ) {
        if misses.is_empty() && !source.contains("[^") {
            return;
        }
        let entry = self.entries.len();
        let mut stale = false;
        for label in misses {
            stale |= !known.wait_for_label(label, entry);
        }
        if stale {
            self.due.push(entry);
        }
        self.entries.push(WaitingBlock {
            place,
            source,
            expanded,
            tries: 0,
            stale,
        });
    }

    /// Schedules the blocks of these entries, which use a label that is now defined, to be parsed
    /// again.
    pub(crate) fn wake(&mut self, entries: Vec<usize>) {
        for place in entries {
            if let Some(entry) = self.entries.get_mut(place) {
                if !entry.stale && entry.tries < MAX_REPARSES {
                    self.due.push(place);
                }
                entry.stale = true;
            }
        }
    }

    /// Takes out the blocks that are to be parsed again now.
    pub(crate) fn take_due(&mut self) -> Vec<DueBlock> {
        let mut due = Vec::new();
        for place in std::mem::take(&mut self.due) {
            if let Some(entry) = self.entries.get_mut(place) {
                entry.tries += 1;
                entry.stale = false;
                due.push(DueBlock {
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

    /// Records how many bytes the references of a block expanded to as it was parsed again.
    pub(crate) fn count_expanded(&mut self, due: &DueBlock, expanded: usize) {
        if let Some(entry) = self.entries.get_mut(due.entry) {
            entry.expanded = expanded;
        }
    }

    /// Takes out all entries once the text is complete: the postponed ones, and those with a
    /// footnote reference.
    pub(crate) fn take_all(&mut self) -> Vec<DueBlock> {
        let entries = std::mem::take(self).entries.into_iter().enumerate();
        let due = entries.map(|(place, entry)| DueBlock {
            entry: place,
            place: entry.place,
            source: entry.source,
            stale: entry.stale,
            expanded: entry.expanded,
        });
        due.collect()
    }
}
