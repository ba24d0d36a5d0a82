//! Choice of the scenario for a message: the one whose phrase covers the most of it.

/// Splits a text into lower-case words without punctuation, so that "Approve one!" is "approve
/// one".
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the index of the best match of `text` among lists of phrases; the first of equally good
/// ones.
///
/// A phrase matches if its words stand in the text one after the other; the longest matching phrase
/// wins.
pub(super) fn best<'a>(
    text: &str,
    scenarios: impl Iterator<Item = &'a [Vec<String>]>,
) -> Option<usize> {
    let text = words(text);
    let mut best: Option<(usize, usize)> = None;
    for (index, phrases) in scenarios.enumerate() {
        let length = phrases
            .iter()
            .filter(|phrase| !phrase.is_empty() && contains_phrase(phrase, &text))
            .map(Vec::len)
            .max();
        if let Some(length) = length
            && best.is_none_or(|(_, longest)| length > longest)
        {
            best = Some((index, length));
        }
    }
    best.map(|(index, _)| index)
}

fn contains_phrase(phrase: &[String], text: &[String]) -> bool {
    text.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests {
    use super::{best, words};

    fn check(text: &str, expected: Option<usize>) {
        let scenarios = [
            vec![words("help")],
            vec![words("approve"), words("approve one")],
            vec![words("two batches")],
            vec![words("approve three")],
        ];
        let found = best(text, scenarios.iter().map(Vec::as_slice));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_longest_phrase_wins() {
        check("help", Some(0));
        check("Please: APPROVE three!", Some(3));
        check("approve", Some(1));
        check("can you do two batches", Some(2));
        check("batches two", None);
        check("helpful", None);
        check("", None);
    }
}
