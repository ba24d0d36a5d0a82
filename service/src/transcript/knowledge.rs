//! Values of knowledge: the folders that an agent may search, and the passages that they are read
//! into.

use serde::{Deserialize, Serialize};

/// A folder of knowledge of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The agent's id.
    pub agent: String,
    /// The folder's id in the agent file.
    pub source: String,
}

/// A passage: a few paragraphs of a file, under one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The file's path within its folder.
    pub file: String,
    /// The headings above the passage, outermost first, joined by ` › `; empty where there are
    /// none.
    pub heading: String,
    /// The text of the passage.
    pub text: String,
}

/// The state of a folder as it was last read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderState {
    /// A mark of the folder's state when it was read; another one means that something changed.
    pub revision: String,
    /// The model that made the vectors of all passages; `None` if these are not there.
    pub vectors_of: Option<String>,
}

/// A passage's number and its vector.
pub type Vector = (i64, Vec<f32>);

/// A sentence that an agent keeps of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The memory's number, by which it can be forgotten.
    pub number: i64,
    /// The sentence that is kept.
    pub text: String,
}

/// The greatest number of words of a search.
const MAX_WORDS: usize = 64;

/// Returns the first words of a text that are worth searching for, in lower case, each once.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let word = word.to_lowercase();
        // Short words of Latin letters are in every text; digits and other scripts are not.
        let tells = word.len() > 2 || word.chars().any(|letter| letter.is_ascii_digit());
        if tells && !words.contains(&word) && words.len() < MAX_WORDS {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_what_tells_texts_apart() {
        assert_eq!(
            words("Is the refund-rule \"7\" for ÄRZTE? The rule, NEAR(it) OR *"),
            ["the", "refund", "rule", "7", "for", "ärzte", "near"]
        );
        assert_eq!(words("日本"), ["日本"]);
        let many: String = (100..999).map(|number| format!("{number} ")).collect();
        assert_eq!(words(&many).len(), 64);
        assert!(words(" ?! \"").is_empty());
    }
}
