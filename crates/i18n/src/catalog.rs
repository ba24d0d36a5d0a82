//! The texts that one widget shows: those that the page gave, and otherwise the English ones.

use std::cell::RefCell;

use crate::{Plural, Text, fill::fill, intl};

/// A handle to the texts of one widget, which is copied to wherever a text is needed.
///
/// Handles to equal texts share one allocation, which is never freed: a page has few of them, but a
/// framework may set the same ones again and again.
#[derive(Clone, Copy, Debug)]
pub struct Texts(&'static Catalog);

#[derive(Debug, PartialEq, Eq)]
struct Catalog {
    /// The language as a BCP 47 tag that the browser can parse; `None` for the document's language.
    locale: Option<String>,
    /// The page's own texts, each with its key, in the page's order.
    given: Vec<(String, String)>,
}

static ENGLISH: Catalog = Catalog {
    locale: None,
    given: Vec::new(),
};

thread_local! {
    static KNOWN_CATALOGS: RefCell<Vec<&'static Catalog>> = const { RefCell::new(Vec::new()) };
}

impl Default for Texts {
    fn default() -> Self {
        Self(&ENGLISH)
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Texts {
    /// Creates the texts of a widget from `given`, the page's own texts with their keys. `locale`
    /// is the language of numbers and plurals; without it, it is that of the document.
    #[must_use]
    pub fn new(locale: Option<String>, given: Vec<(String, String)>) -> Self {
        let catalog = Catalog { locale, given };
        if catalog == ENGLISH {
            return Self::default();
        }
        KNOWN_CATALOGS.with_borrow_mut(|known| {
            let same = known.iter().find(|known| ***known == catalog);
            Self(same.copied().unwrap_or_else(|| {
                let new: &'static Catalog = Box::leak(Box::new(catalog));
                known.push(new);
                new
            }))
        })
    }

    /// Returns the language that the page set, as a BCP 47 tag; `None` if it set none.
    #[must_use]
    pub fn locale(self) -> Option<&'static str> {
        self.0.locale.as_deref()
    }

    /// Returns the page's own texts, each with its key.
    #[must_use]
    pub fn page_texts(self) -> &'static [(String, String)] {
        &self.0.given
    }

    /// Returns the page's own text for `text`, or the English one if the page has none.
    #[must_use]
    #[inline(never)] // It is used in a hundred places.
    pub fn get(self, text: Text) -> &'static str {
        self.find_page_text(text.0.key())
            .unwrap_or_else(|| text.0.english())
    }

    /// Returns true if the page has no text of its own for `text`, so that it is English.
    #[must_use]
    pub fn is_english(self, text: Text) -> bool {
        self.find_page_text(text.0.key()).is_none()
    }

    /// Returns a text with each `{name}` in it replaced by the value that `values` has for this
    /// name.
    #[must_use]
    #[inline(never)]
    pub fn fill(self, text: Text, values: &[(&str, &str)]) -> String {
        fill(self.get(text), values)
    }

    /// Returns the page's own text under this key, with each `{name}` in it replaced by its value;
    /// `None` if the page has none.
    #[must_use]
    pub fn fill_page_text(self, key: &str, values: &[(&str, &str)]) -> Option<String> {
        Some(fill(self.find_page_text(key)?, values))
    }

    /// Returns a text in the plural form for `count`, with the number in place of `{count}`, and
    /// each other `{name}` replaced by its value.
    #[must_use]
    #[inline(never)]
    pub fn plural(self, text: Plural, count: usize, values: &[(&str, &str)]) -> String {
        let form = self.plural_form(text, count);
        let count = self.format_number(count);
        let mut all = vec![("count", count.as_str())];
        all.extend(values);
        fill(form, &all)
    }

    fn plural_form(self, text: Plural, count: usize) -> &'static str {
        let of = |category: &str| self.find_page_text(&[text.0.key(), ".", category].concat());
        let given = || {
            // The plural form depends on the page's language, because the text is the page's.
            let own = of(&intl::plural_category(self.locale(), count));
            own.or_else(|| of("other"))
        };
        let given = (!self.0.given.is_empty()).then(given).flatten();
        given.unwrap_or_else(|| match count {
            1 => text.0.english(),
            _ => text.0.english_plural(),
        })
    }

    /// Returns a whole number as the widget's language writes it, with separators.
    #[must_use]
    pub fn format_number(self, number: usize) -> String {
        intl::format_number(self.locale(), number)
    }

    /// Returns the page's own text under this key; `None` if the page has none.
    #[must_use]
    pub fn find_page_text(self, key: &str) -> Option<&'static str> {
        let (_, text) = self.0.given.iter().find(|(known, _)| known == key)?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use crate::{Table, Text};

    static TABLE: Table = Table::new("stop\nStop\n\nsend\nSend\n\n");
    const STOP: Text = Text(TABLE.row(0));
    const SEND: Text = Text(TABLE.row(1));

    fn given(texts: &[(&str, &str)]) -> Texts {
        let texts = texts
            .iter()
            .map(|(key, text)| (String::from(*key), String::from(*text)));
        Texts::new(None, texts.collect())
    }

    #[test]
    fn what_the_page_gave_goes_before_english() {
        assert_eq!(Texts::default().get(SEND), "Send");
        assert_eq!(Texts::default().get(STOP), "Stop");
        assert!(TABLE.has_key("send") && !TABLE.has_key("Send"));
        assert_eq!(
            given(&[("stop", "Halt"), ("send", "Senden")]).get(SEND),
            "Senden"
        );
        assert_eq!(given(&[("stop", "Halt")]).get(SEND), "Send");
        assert!(given(&[("stop", "Halt")]).is_english(SEND));
        assert!(!given(&[("stop", "Halt")]).is_english(STOP));
    }

    #[test]
    fn equal_ones_are_the_same() {
        assert!(given(&[]) == Texts::default());
        assert!(given(&[("a", "1"), ("b", "2")]) == given(&[("a", "1"), ("b", "2")]));
        assert!(given(&[("a", "1")]) != given(&[("a", "2")]));
        assert!(Texts::new(Some("de".into()), Vec::new()) != Texts::default());
    }
}
