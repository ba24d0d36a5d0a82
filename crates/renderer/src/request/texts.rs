//! The widget's texts in a request for approval: `build.rs` makes constants of `en.toml`. They are
//! loaded with the renderer, because nothing needs them before.

use std::borrow::Cow;

use assent_i18n::{Plural, Texts, intl};
use assent_inspect::Finding;

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// Maximum number of characters of an argument's name within the label of its box.
const MAX_LABEL_CHARACTERS: usize = 60;
/// What the name of a script ends with if it is a kind of digits, such as "Arabic digits".
const DIGITS_SUFFIX: &str = " digits";
const LATIN: &str = "Latin";
/// The English names of scripts with look-alikes, each with its code (ISO 15924). Kinds of digits and
/// of Latin letters have none.
const SCRIPT_CODES: [(&str, &str); 9] = [
    (LATIN, "Latn"),
    ("Greek", "Grek"),
    ("Cyrillic", "Cyrl"),
    ("Armenian", "Armn"),
    ("Cherokee", "Cher"),
    ("Coptic", "Copt"),
    ("Lisu", "Lisu"),
    ("Canadian Aboriginal", "Cans"),
    ("Deseret", "Dsrt"),
];

pub(super) fn origin_text(provider: &str, category: &str) -> String {
    match (provider.is_empty(), category.is_empty()) {
        (false, false) => [provider, " · ", category].concat(),
        _ => [provider, category].concat(),
    }
}

/// Returns a name, cut to `MAX_LABEL_CHARACTERS` with "…" at its end if it is longer.
pub(super) fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_LABEL_CHARACTERS) {
        Some((end, _)) => [name.get(..end).unwrap_or_default(), "…"].concat(),
        None => name.to_owned(),
    }
}

pub(super) fn show_all(texts: Texts, characters: usize, lines: usize) -> String {
    if characters > 600 {
        texts.plural(SHOW_ALL_CHARACTERS, characters, &[])
    } else {
        texts.plural(SHOW_ALL_LINES, lines, &[])
    }
}

pub(super) fn size_text(texts: Texts, characters: usize, lines: usize) -> String {
    let characters = texts.plural(CHARACTERS, characters, &[]);
    texts.plural(IN_LINES, lines, &[("characters", &characters)])
}

/// Returns the text that says how many characters of a value were removed and added, for a change
/// that is too long to be shown.
pub(super) fn replacement_text(texts: Texts, removed: usize, added: usize) -> String {
    let (removed, added) = (texts.format_number(removed), texts.format_number(added));
    texts.fill(REPLACED, &[("removed", &removed), ("added", &added)])
}

/// Returns the text that names a hidden character that stands `times` times in a row. `code` is its
/// usual notation, such as `U+202E`.
pub(super) fn hidden_character(texts: Texts, name: &str, code: &str, times: usize) -> String {
    texts.plural(HIDDEN_CHARACTER, times, &[("name", name), ("code", code)])
}

pub(super) fn letters_of(texts: Texts, script: &'static str) -> String {
    if script.ends_with(DIGITS_SUFFIX) {
        script.to_owned()
    } else {
        texts.fill(LETTERS_OF, &[("script", &script_name(texts, script))])
    }
}

/// Returns the name of a script in the language of the texts, if the browser knows it, otherwise
/// `script`, the English name.
pub(super) fn script_name(texts: Texts, script: &'static str) -> Cow<'static, str> {
    let code = SCRIPT_CODES.iter().find(|(name, _)| *name == script);
    let own = code.filter(|_| !texts.is_english(LETTERS_OF));
    let own = own.and_then(|(_, code)| intl::script_name(texts.locale(), code));
    own.map_or(Cow::Borrowed(script), Cow::Owned)
}

/// Returns the sentence that explains a finding, and true if it is English because the page has no
/// such text. `names` returns the names of the hidden characters that the finding is about.
pub(super) fn finding_sentence(
    texts: Texts,
    finding: Finding,
    names: impl FnOnce() -> Vec<&'static str>,
) -> (String, bool) {
    let count = |text: Plural| {
        let names = names();
        let joined = names.join(", ");
        texts.plural(text, names.len(), &[("names", &joined)])
    };
    let text = match finding {
        Finding::Invisible => return (count(INVISIBLE), texts.page_texts().is_empty()),
        Finding::Control => return (count(CONTROL), texts.page_texts().is_empty()),
        Finding::LookAlike(script) => {
            let text = if script == LATIN || script.ends_with(DIGITS_SUFFIX) {
                LOOK_LIKE_OTHERS
            } else {
                LOOK_ALIKE
            };
            let letters = letters_of(texts, script);
            let said = texts.fill(text, &[("letters", &letters)]);
            return (said, texts.is_english(text));
        }
        Finding::Reordering => REORDERING,
        Finding::Overdrawing => OVERDRAWING,
        Finding::ActiveScheme => ACTIVE_SCHEME,
        Finding::UserBeforeHost
        | Finding::HostWrittenOtherwise
        | Finding::HostLooksLatin
        | Finding::HostMixesScripts
        | Finding::HostHoldsSign => HOST_DECEIVES,
        Finding::HostIsNumeric => HOST_IS_NUMERIC,
        Finding::Unreadable => UNREADABLE,
        Finding::AddressInName => ADDRESS_IN_NAME,
        Finding::DisguisedProgram => DISGUISED_PROGRAM,
        Finding::TrailingDotOrSpace => TRAILING_DOT_OR_SPACE,
        Finding::RepeatedMember => REPEATED_MEMBER,
        Finding::SeveralAddresses => SEVERAL_ADDRESSES,
        Finding::ParentFolder => PARENT_FOLDER,
        Finding::HomeFolder => HOME_FOLDER,
        Finding::HiddenFile => HIDDEN_FILE,
        Finding::OtherScheme => OTHER_SCHEME,
    };
    (texts.get(text).to_owned(), texts.is_english(text))
}
