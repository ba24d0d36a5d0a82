//! The name that was probably meant by a misspelt one.

/// The least likeness of two names that count as similar; that of equal names is 1.
const LIKENESS: f64 = 0.7;

/// Returns the known name that is most like `name`; `None` if none is like it.
pub(crate) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let like = |known: &str| strsim::normalized_damerau_levenshtein(name, known);
    let alike = known.map(|known| (like(known), known));
    let alike = alike.filter(|(likeness, _)| *likeness >= LIKENESS);
    let most = alike.max_by(|(a, _), (b, _)| a.total_cmp(b));
    most.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn the_name_that_is_most_alike_was_meant() {
        let known = || ["files/write_file", "files/read_file", "mail/send"].into_iter();
        assert_eq!(
            similar("files/wite_file", known()),
            Some("files/write_file")
        );
        assert_eq!(similar("files/raed_file", known()), Some("files/read_file"));
        assert_eq!(similar("shop/refund", known()), None);
        assert_eq!(similar("modell", ["model"].into_iter()), Some("model"));
    }
}
