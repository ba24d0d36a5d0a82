//! The one table of what is said in drawn requests. The widget has the texts of all else; these come with what says them,
//! because nobody needs them before a request is shown.

use assent_inspect::Finding;

/// How many characters of a name are said.
const SPOKEN: usize = 60;

pub(super) const NO_ARGUMENTS: &str = "No arguments";
pub(super) const SAME_AS_LAST_TIME: &str = "The same arguments as last time in this conversation";
pub(super) const NEW_ARGUMENT: &str = "New";
pub(super) const CHANGED_ARGUMENT: &str = "Changed";
pub(super) const LAST_TIME: &str = "Last time:";
pub(super) const BECAME: &str = "became";
pub(super) const NOTHING: &str = "nothing";
pub(super) const NOT_GIVEN_ANY_MORE: &str = "Given last time, but not now:";
pub(super) const EMPTY: &str = "empty";
pub(super) const NO_NAME: &str = "no name";
pub(super) const LEADS_TO: &str = "Leads to";
pub(super) const SPELLING_OF: &str = ", technical spelling of";
pub(super) const DOMAIN: &str = "Domain";
pub(super) const SCHEME: &str = "Kind of address";
pub(super) const FOLD: &str = "Show less";
pub(super) const LOOK_CLOSELY: &str = "Look closely:";
pub(super) const THE_NAME: &str = "the tool’s name or provider";
pub(super) const HIDDEN: &str = "Hidden here:";

pub(super) fn origin(provider: &str, category: &str) -> String {
    match (provider.is_empty(), category.is_empty()) {
        (false, false) => joined(&[provider, " · ", category]),
        _ => joined(&[provider, category]),
    }
}

/// A name of any length, as far as it is said.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(SPOKEN) {
        Some((end, _)) => joined(&[name.get(..end).unwrap_or_default(), "…"]),
        None => name.to_owned(),
    }
}

pub(super) fn show_all(characters: usize, lines: usize) -> String {
    let (count, noun) = if characters > 600 {
        (characters, " characters")
    } else {
        (lines, " lines")
    };
    joined(&["Show all ", &counted(count), noun])
}

pub(super) fn size(characters: usize, lines: usize) -> String {
    let noun = if lines == 1 { " line" } else { " lines" };
    joined(&[&length(characters), " in ", &counted(lines), noun])
}

pub(super) fn length(characters: usize) -> String {
    joined(&[&counted(characters), " characters"])
}

/// What was replaced, where it is too much to be shown.
pub(super) fn replaced(removed: usize, added: usize) -> String {
    joined(&[
        "Since last time, ",
        &counted(removed),
        " characters were taken out and ",
        &counted(added),
        " put in",
    ])
}

/// `code` is the usual spelling of the character, `U+202E`.
pub(super) fn hidden_character(name: &str, code: &str, times: usize) -> String {
    match times {
        1 => joined(&[name, ", ", code]),
        _ => joined(&[name, ", ", code, ", ", &counted(times), " times"]),
    }
}

pub(super) fn letters_of(script: &str) -> String {
    let noun = if script.ends_with(" digits") {
        ""
    } else {
        " letters"
    };
    joined(&[script, noun])
}

pub(super) fn finding(finding: Finding) -> String {
    let text = match finding {
        Finding::Reordering => "Hidden characters change the order in which this is drawn.",
        Finding::Invisible => "It holds characters that cannot be seen.",
        Finding::Control => "It holds control characters.",
        Finding::Overdrawing => "Combining marks are drawn over other text.",
        Finding::LookAlike(script) => {
            return joined(&[
                &letters_of(script),
                " stand where others would look the same.",
            ]);
        }
        Finding::ActiveScheme => {
            "This address runs as a program or brings its own content where it is opened."
        }
        Finding::UserBeforeHost => {
            "What stands before the @ is a name to sign in with. The address leads elsewhere."
        }
        Finding::HostWrittenOtherwise => {
            "The host is written in another way than the one that is opened."
        }
        Finding::HostLooksLatin => "The host looks like Latin letters, but has none of them.",
        Finding::HostMixesScripts => "The host mixes letters of several scripts.",
        Finding::HostHoldsSign => "The host holds a sign that is no letter and no digit.",
        Finding::HostIsNumeric => "The host is a number instead of a name.",
        Finding::Unreadable => "It looks like an address, but it cannot be opened as one.",
        Finding::AddressInName => {
            "The name holds an e-mail address that is not the one written to."
        }
        Finding::DisguisedProgram => {
            "The file name ends like a program, behind the ending of a document."
        }
        Finding::TrailingDotOrSpace => {
            "A part of the path ends with a dot or a space, which some systems drop."
        }
        Finding::RepeatedMember => {
            "A name comes twice in the same object; which one counts is not certain."
        }
        Finding::SeveralAddresses => "It holds more than one e-mail address.",
        Finding::ParentFolder => "The path leads up into a parent folder.",
        Finding::HomeFolder => "The path leads into the home folder.",
        Finding::HiddenFile => "The path holds a hidden file or folder.",
        Finding::OtherScheme => "The address is opened by another program than a browser.",
    };
    text.to_owned()
}

/// A number in groups of three digits.
pub(super) fn counted(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn joined(pieces: &[&str]) -> String {
    pieces.concat()
}
