//! Table of all texts in rendered requests. The widget has all other texts; these are loaded with
//! their renderer, because nobody needs them before a request is shown.
//!
//! The names of hidden characters and of scripts are those of Unicode, in English.

use assent_i18n::{Texts, texts};
use assent_inspect::Finding;

/// Maximum number of characters of a name in a label.
const SPOKEN: usize = 60;
/// End of the names of scripts that are digits.
const DIGITS: &str = " digits";

texts! { pub(super),
    NO_ARGUMENTS, "request.noArguments", "No arguments";
    SAME_AS_LAST_TIME, "request.sameAsLastTime", "The same arguments as last time in this conversation";
    NEW_ARGUMENT, "request.newArgument", "New";
    CHANGED_ARGUMENT, "request.changedArgument", "Changed";
    LAST_TIME, "request.lastTime", "Last time:";
    BECAME, "request.became", "became";
    NOTHING, "request.nothing", "nothing";
    NOT_GIVEN_ANY_MORE, "request.notGivenAnyMore", "Given last time, but not now:";
    EMPTY, "request.empty", "empty";
    NO_NAME, "request.noName", "no name";
    LEADS_TO, "request.leadsTo", "Leads to";
    SPELLING_OF, "request.spellingOf", ", technical spelling of";
    DOMAIN, "request.domain", "Domain";
    SCHEME, "request.scheme", "Kind of address";
    FOLD, "request.fold", "Show less";
    LOOK_CLOSELY, "request.lookClosely", "Before you decide, check:";
    THE_NAME, "request.theName", "the tool’s name or provider";
    HIDDEN, "request.hidden", "Hidden here: {names}.";
    ALL_CHARACTERS, "request.showAllCharacters", "Show all 1 character", "Show all {count} characters";
    ALL_LINES, "request.showAllLines", "Show all 1 line", "Show all {count} lines";
    CHARACTERS, "request.characters", "1 character", "{count} characters";
    IN_LINES, "request.inLines", "{characters} in 1 line", "{characters} in {count} lines";
    REPLACED, "request.replaced", "Since last time, {removed} characters were taken out and {added} put in";
    HIDDEN_CHARACTER, "request.hiddenCharacter", "{name}, {code}", "{name}, {code}, {count} times";
    LETTERS_OF, "request.lettersOf", "{script} letters";
    REORDERING, "request.reordering", "Hidden characters change the order in which this is drawn.";
    INVISIBLE, "request.invisible", "It holds characters that cannot be seen.";
    CONTROL, "request.control", "It holds control characters.";
    OVERDRAWING, "request.overdrawing", "Combining marks are drawn over other text.";
    LOOK_ALIKE, "request.lookAlike", "{letters} stand where others would look the same.";
    ACTIVE_SCHEME, "request.activeScheme", "This address runs as a program or brings its own content where it is opened.";
    USER_BEFORE_HOST, "request.userBeforeHost", "What stands before the @ is a name to sign in with. The address leads elsewhere.";
    WRITTEN_OTHERWISE, "request.hostWrittenOtherwise", "The host is written in another way than the one that is opened.";
    LOOKS_LATIN, "request.hostLooksLatin", "The host looks like Latin letters, but has none of them.";
    MIXES_SCRIPTS, "request.hostMixesScripts", "The host mixes letters of several scripts.";
    HOLDS_SIGN, "request.hostHoldsSign", "The host holds a sign that is no letter and no digit.";
    IS_NUMERIC, "request.hostIsNumeric", "The host is a number instead of a name.";
    UNREADABLE, "request.unreadable", "It looks like an address, but it cannot be opened as one.";
    ADDRESS_IN_NAME, "request.addressInName", "The name holds an e-mail address that is not the one written to.";
    DISGUISED_PROGRAM, "request.disguisedProgram", "The file name ends like a program, behind the ending of a document.";
    TRAILING_DOT, "request.trailingDotOrSpace", "A part of the path ends with a dot or a space, which some systems drop.";
    REPEATED_MEMBER, "request.repeatedMember", "A name comes twice in the same object; which one counts is not certain.";
    SEVERAL_ADDRESSES, "request.severalAddresses", "It holds more than one e-mail address.";
    PARENT_FOLDER, "request.parentFolder", "The path leads up into a parent folder.";
    HOME_FOLDER, "request.homeFolder", "The path leads into the home folder.";
    HIDDEN_FILE, "request.hiddenFile", "The path holds a hidden file or folder.";
    OTHER_SCHEME, "request.otherScheme", "The address is opened by another program than a browser.";
}

pub(super) fn origin(provider: &str, category: &str) -> String {
    match (provider.is_empty(), category.is_empty()) {
        (false, false) => [provider, " · ", category].concat(),
        _ => [provider, category].concat(),
    }
}

/// Shortens a name of any length for a label.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(SPOKEN) {
        Some((end, _)) => [name.get(..end).unwrap_or_default(), "…"].concat(),
        None => name.to_owned(),
    }
}

pub(super) fn show_all(texts: Texts, characters: usize, lines: usize) -> String {
    if characters > 600 {
        texts.count(ALL_CHARACTERS, characters, &[])
    } else {
        texts.count(ALL_LINES, lines, &[])
    }
}

pub(super) fn size(texts: Texts, characters: usize, lines: usize) -> String {
    let characters = texts.count(CHARACTERS, characters, &[]);
    texts.count(IN_LINES, lines, &[("characters", &characters)])
}

/// Describes a replacement that is too long to be shown.
pub(super) fn replaced(texts: Texts, removed: usize, added: usize) -> String {
    let (removed, added) = (texts.number(removed), texts.number(added));
    texts.fill(REPLACED, &[("removed", &removed), ("added", &added)])
}

/// Describes a hidden character. `code` is its usual notation, `U+202E`.
pub(super) fn hidden_character(texts: Texts, name: &str, code: &str, times: usize) -> String {
    texts.count(HIDDEN_CHARACTER, times, &[("name", name), ("code", code)])
}

pub(super) fn letters_of(texts: Texts, script: &str) -> String {
    if script.ends_with(DIGITS) {
        script.to_owned()
    } else {
        texts.fill(LETTERS_OF, &[("script", script)])
    }
}

pub(super) fn finding(texts: Texts, finding: Finding) -> String {
    let text = match finding {
        Finding::Reordering => REORDERING,
        Finding::Invisible => INVISIBLE,
        Finding::Control => CONTROL,
        Finding::Overdrawing => OVERDRAWING,
        Finding::LookAlike(script) => {
            return texts.fill(LOOK_ALIKE, &[("letters", &letters_of(texts, script))]);
        }
        Finding::ActiveScheme => ACTIVE_SCHEME,
        Finding::UserBeforeHost => USER_BEFORE_HOST,
        Finding::HostWrittenOtherwise => WRITTEN_OTHERWISE,
        Finding::HostLooksLatin => LOOKS_LATIN,
        Finding::HostMixesScripts => MIXES_SCRIPTS,
        Finding::HostHoldsSign => HOLDS_SIGN,
        Finding::HostIsNumeric => IS_NUMERIC,
        Finding::Unreadable => UNREADABLE,
        Finding::AddressInName => ADDRESS_IN_NAME,
        Finding::DisguisedProgram => DISGUISED_PROGRAM,
        Finding::TrailingDotOrSpace => TRAILING_DOT,
        Finding::RepeatedMember => REPEATED_MEMBER,
        Finding::SeveralAddresses => SEVERAL_ADDRESSES,
        Finding::ParentFolder => PARENT_FOLDER,
        Finding::HomeFolder => HOME_FOLDER,
        Finding::HiddenFile => HIDDEN_FILE,
        Finding::OtherScheme => OTHER_SCHEME,
    };
    texts.get(text).to_owned()
}
