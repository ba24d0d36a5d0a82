//! Text that is compared without regard to case: labels of links and footnotes in Markdown.
//!
//! The crate of this name has a table of its own, which every visitor of a page would download
//! beside that of `crates/characters` (`Cargo.toml` of the workspace has the figure). This one
//! folds a character by its lower case there, and writes out the sharp s and the sigma at the end
//! of a word. Unicode's full case folding does more, which labels hardly need: a character that it
//! folds to several others (`ﬁ`, `և` and 99 more) equals itself alone here, and so does an old or
//! technical form of a letter that has another lower case (`ſ`, `µ`, `ϑ`; 22 letters have such).

use assent_characters::lower_case;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A text whose equality and hash ignore case.
#[derive(Clone, Copy, Default)]
pub struct UniCase<S>(S);

impl<S> UniCase<S> {
    /// Wraps `text`, which may have any case.
    pub const fn new(text: S) -> Self {
        Self(text)
    }
}

impl<S: AsRef<str>> UniCase<S> {
    fn folded(&self) -> impl Iterator<Item = char> {
        self.0.as_ref().chars().flat_map(fold)
    }
}

/// Returns what a character is compared as.
fn fold(char: char) -> impl Iterator<Item = char> {
    let is_sharp_s = matches!(char, 'ß' | 'ẞ');
    let first = match char {
        'ß' | 'ẞ' => 's',
        'ς' => 'σ',
        other => other,
    };
    lower_case(first).chain(is_sharp_s.then_some('s'))
}

impl<S: AsRef<str>> AsRef<str> for UniCase<S> {
    fn as_ref(&self) -> &str {
        self.0.as_ref()
    }
}

impl<S: AsRef<str>, Other: AsRef<str>> PartialEq<UniCase<Other>> for UniCase<S> {
    fn eq(&self, other: &UniCase<Other>) -> bool {
        self.folded().eq(other.folded())
    }
}

impl<S: AsRef<str>> Eq for UniCase<S> {}

impl<S: AsRef<str>> Hash for UniCase<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for char in self.folded() {
            char.hash(state);
        }
        // As for `str`: what follows must not run together with the text.
        state.write_u8(0xff);
    }
}

impl<S: fmt::Debug> fmt::Debug for UniCase<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::UniCase;
    use std::hash::{BuildHasher, RandomState};

    fn are_equal(a: &str, b: &str) -> bool {
        let (a, b) = (UniCase::new(a), UniCase::new(b.to_owned()));
        let state = RandomState::new();
        let is_equal = a == b;
        assert!(!is_equal || state.hash_one(a) == state.hash_one(b));
        is_equal
    }

    #[test]
    fn case_does_not_count() {
        for (a, b) in [
            ("Foo bar", "fOO BAR"),
            ("ÄÖÜ", "äöü"),
            ("ΑΓΩ", "αγω"),
            ("ΟΔΟΣ", "οδος"),
            ("Толпой", "ТОЛПОЙ"),
            ("ẞ", "SS"),
            ("Straße", "STRASSE"),
        ] {
            assert!(are_equal(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn everything_else_counts() {
        for (a, b) in [
            ("a", "b"),
            ("a", "ab"),
            ("a b", "ab"),
            ("é", "e"),
            ("ß", "s"),
        ] {
            assert!(!are_equal(a, b), "{a} and {b}");
        }
    }
}
