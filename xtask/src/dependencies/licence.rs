//! Choice of licences from what a package says: an expression of SPDX such as `MIT OR Apache-2.0`,
//! with `/` for OR in old ones.

/// Returns licences that fulfil an expression, of each choice the first in `allowed`; `None` if
/// those in `allowed` do not fulfil it.
pub(super) fn choose_licences<'list>(
    expression: &str,
    allowed: &[&'list str],
) -> Option<Vec<&'list str>> {
    // Packages nest no deeper than choices in parentheses, all of which hold.
    let all = expression.replace(['(', ')'], "").replace('/', " OR ");
    all.split(" AND ")
        .map(|choices| {
            let mut order = allowed.iter();
            order.find(|id| choices.split(" OR ").any(|choice| choice.trim() == **id))
        })
        .map(|id| id.copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_allowed_choice_of_each_part_is_chosen() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        assert_eq!(
            choose_licences("Apache-2.0 OR MIT", &allowed),
            Some(vec!["MIT"])
        );
        assert_eq!(
            choose_licences("Unlicense/MIT", &allowed),
            Some(vec!["MIT"])
        );
        assert_eq!(
            choose_licences("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed),
            Some(vec!["MIT", "Unicode-3.0"])
        );
    }

    #[test]
    fn what_is_not_allowed_is_refused() {
        assert_eq!(choose_licences("GPL-3.0", &["MIT"]), None);
        assert_eq!(choose_licences("MIT AND GPL-3.0", &["MIT"]), None);
        assert_eq!(choose_licences("", &["MIT"]), None);
    }
}
