//! Definitions of links and footnotes by their labels, and finished blocks that use a label whose
//! definition has not come yet.

use std::collections::HashMap;

use unicase::UniCase;

/// Maximum number of times that a finished block is parsed again for new definitions before the
/// text is complete.
const MAX_REPARSES: u8 = 8;

/// Number of bytes to which all references of a short text may expand. For a text longer than this
/// the limit is its length. The parser has the same limit for each parse.
const MIN_EXPANSION_LIMIT: usize = 100_000;

/// The number of bytes to which the references in a text have expanded: a short text may refer to a
/// long address many times. A text that arrives in pieces and reaches the limit may have other
/// blocks than the whole text, because references are counted in another order.
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    pub(crate) spent: usize,
    limit: usize,
}

impl Expansion {
    /// Creates the count for a text of `length` bytes, whose references have expanded to `spent`
    /// bytes so far.
    pub(crate) fn new(spent: usize, length: usize) -> Self {
        Self {
            spent,
            limit: length.max(MIN_EXPANSION_LIMIT),
        }
    }

    /// Returns true if the limit is not reached, so that a reference that expands to `size` bytes
    /// may be replaced by its address; then the bytes are counted.
    pub(crate) fn try_spend(&mut self, size: usize) -> bool {
        let left = self.spent < self.limit;
        if left {
            self.spent += size;
        }
        left
    }
}

/// The address that links and images with a label refer to, as `[label]: address` defines it.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) address: String,
    /// Number of bytes by which a reference to the label is replaced: address and title.
    pub(crate) size: usize,
}

/// The definitions of links and footnotes that have come so far, by their labels. The case of
/// labels does not matter, as in CommonMark.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    labels: HashMap<UniCase<String>, Label>,
}

#[derive(Clone, Debug, Default)]
struct Label {
    /// The first definition of the label, which is the one that counts; `None` as long as it has
    /// not come.
    definition: Option<Definition>,
    /// True if there is a footnote with this label as its name.
    is_note: bool,
    /// Indices of the entries of [`WaitingBlocks`] whose blocks refer to the label before its
    /// definition has come.
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

    /// Adds a definition, if its label has none yet. Returns the indices of the entries of
    /// [`WaitingBlocks`] that wait for it.
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

    /// Notes that an entry of [`WaitingBlocks`] waits for the definition of a label; returns false
    /// if the definition is known already.
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

/// Returns the key of a label, which ignores its case. The parser has already made one space of its
/// white space.
fn label_key(label: &str) -> UniCase<String> {
    UniCase::new(label.to_owned())
}

/// Finished blocks that a later definition of a link or footnote could change, with their source.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingBlocks {
    entries: Vec<WaitingBlock>,
    /// Indices of the entries whose definition has come: they are parsed again with the next push.
    due: Vec<usize>,
}

/// A finished block that is to be parsed again, because a definition has come.
pub(crate) struct DueBlock {
    entry: usize,
    pub(crate) place: usize,
    pub(crate) source: String,
    /// True if a definition that the block needs has come since it was last parsed.
    pub(crate) stale: bool,
    /// Number of bytes to which the block's references expanded when it was last parsed.
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
    /// Adds a finished block with its index `place`, its source, and `misses`, the labels that were
    /// not defined when it was parsed. A block without references is not added.
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

    /// Notes that a label used by these entries is defined now, so that their blocks are parsed
    /// again; not more than `MAX_REPARSES` times each.
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

    /// Returns the blocks that are to be parsed again now, each once; their entries stay for
    /// further definitions.
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

    /// Records to how many bytes the references of a block expanded when it was parsed again.
    pub(crate) fn count_expanded(&mut self, due: &DueBlock, expanded: usize) {
        if let Some(entry) = self.entries.get_mut(due.entry) {
            entry.expanded = expanded;
        }
    }

    /// Removes and returns all entries once the text is complete, because no definition can come
    /// any more.
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
