//! A set of identifiers.

/// A set of identifiers, such as those of the events that came in a stream.
///
/// A sorted vector and no tree: the page loads its code once for all kinds of identifiers, and
/// moving a few thousand pointers costs less than comparing two strings. Short identifiers come
/// before long ones: services often count up, and then each belongs at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdSet(Vec<String>);

impl IdSet {
    /// Adds `id`; returns false if the set has it already.
    pub(crate) fn insert(&mut self, id: &str) -> bool {
        let order = |known: &str| (known.len(), known).cmp(&(id.len(), id));
        let at = match self.0.last() {
            Some(last) if order(last).is_ge() => {
                match self.0.binary_search_by(|known| order(known)) {
                    Ok(_) => return false,
                    Err(at) => at,
                }
            }
            _ => self.0.len(),
        };
        self.0.insert(at, id.to_owned());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::IdSet;

    #[test]
    fn an_id_is_new_once_in_whatever_order_ids_come() {
        let mut ids = IdSet::default();
        for id in ["m", "z", "a", "n", "é", "aa"] {
            assert!(ids.insert(id), "{id}");
        }
        for id in ["a", "aa", "m", "n", "z", "é"] {
            assert!(!ids.insert(id), "{id}");
        }
    }

    #[test]
    fn ten_thousand_ids_in_reverse_are_all_new() {
        let mut ids = IdSet::default();
        assert!((0..10_000).rev().all(|n| ids.insert(&format!("{n:05}"))));
        assert!((0..10_000).all(|n| !ids.insert(&format!("{n:05}"))));
    }
}
