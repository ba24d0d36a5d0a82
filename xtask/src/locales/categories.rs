//! The plural categories of languages.

/// The plural categories of each language, as `Intl.PluralRules` has them (Unicode CLDR 48). A tag
/// that is not here has those of its language without script and region.
const CATEGORIES: &[(&[&str], &[&str])] = &[
    (&["id", "ja", "ko", "ms", "th", "vi", "zh"], &["other"]),
    (
        &[
            "bg", "bn", "da", "de", "el", "en", "et", "eu", "fa", "fi", "fil", "gl", "hi", "hu",
            "hy", "is", "ka", "nb", "nl", "sq", "sv", "ta", "tr", "ur",
        ],
        &["one", "other"],
    ),
    (&["ca", "es", "fr", "it", "pt"], &["one", "many", "other"]),
    (&["he"], &["one", "two", "other"]),
    (&["bs", "hr", "ro", "sr"], &["one", "few", "other"]),
    (
        &["be", "cs", "lt", "pl", "ru", "sk", "uk"],
        &["one", "few", "many", "other"],
    ),
    (&["lv"], &["zero", "one", "other"]),
    (&["sl"], &["one", "two", "few", "other"]),
    (&["ga"], &["one", "two", "few", "many", "other"]),
    (&["ar"], &["zero", "one", "two", "few", "many", "other"]),
];

/// Returns the plural categories of the language with this tag; `None` if the table does not have
/// it.
pub(super) fn plural_categories(tag: &str) -> Option<&'static [&'static str]> {
    let language = tag.split('-').next().unwrap_or(tag);
    let row = CATEGORIES.iter().find(|(tags, _)| tags.contains(&language));
    Some(row?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_the_categories_of_its_language() {
        assert_eq!(plural_categories("zh-Hant"), Some(&["other"][..]));
        assert_eq!(plural_categories("pt-BR"), plural_categories("fr"));
        assert_eq!(plural_categories("ar").unwrap().len(), 6);
        assert_eq!(plural_categories("xx"), None);
    }

    #[test]
    fn every_language_is_in_one_row_and_has_the_category_other() {
        let mut tags: Vec<&str> = CATEGORIES
            .iter()
            .flat_map(|(tags, _)| *tags)
            .copied()
            .collect();
        let count = tags.len();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), count);
        assert!(
            CATEGORIES
                .iter()
                .all(|(_, all)| all.last() == Some(&"other"))
        );
    }
}
