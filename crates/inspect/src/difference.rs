//! What changed between two values: the piece in the middle that is not the same.

/// What is the same at both ends of two texts, and what is not between them.
///
/// `start`, `removed`, `end` are the text before, one after the other; `start`, `added`, `end` are the text after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// What both begin with.
    pub start: &'a str,
    /// What only the text before has.
    pub removed: &'a str,
    /// What only the text after has.
    pub added: &'a str,
    /// What both end with.
    pub end: &'a str,
}

/// Compares two texts; `None` where they are equal.
///
/// No line break and no character that belongs together is cut: a letter and its marks, an emoji of several parts.
/// To show the texts with their parts, [`Text::cut`](crate::Text::cut) cuts them at `start.len()` and at the length
/// of the text without `end.len()`.
#[must_use]
pub fn difference<'a>(before: &'a str, after: &'a str) -> Option<Difference<'a>> {
    if before == after {
        return None;
    }
    let start = before
        .char_indices()
        .zip(after.chars())
        .find(|((_, one), other)| one != other)
        .map_or(before.len().min(after.len()), |((byte, _), _)| byte);
    let (start, removed) = before.split_at_checked(start)?;
    let added = after.strip_prefix(start)?;
    Some(Difference {
        start,
        removed,
        added,
        end: "",
    })
}
