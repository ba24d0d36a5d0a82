//! Recognises the kind of an argument's value, by its text and, if that is ambiguous, by the last
//! word of the argument's name.

use crate::{
    Address, Mailbox, ParsedUrl, Text,
    finding::Findings,
    json,
    number::{is_amount, is_number},
    path,
};

/// What kind of value an argument has, for a display that suits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// The value is the empty text.
    Empty,
    /// The value is one line of text.
    Text,
    /// The value is a text of more than one line.
    Lines,
    /// A decimal number.
    Number,
    /// A number with a currency's sign or code, or under a name such as `amount`.
    Amount,
    /// A URL; under a name such as `url` or `host` also a host with or without a path.
    Address(Address),
    /// An e-mail address.
    Email(Mailbox),
    /// A file path.
    Path,
    /// A JSON object or array, as indented text: keys and values keep their spelling and order.
    /// Values deeper than eight levels stand on one line.
    Json(Text),
}

/// Words at the end of an argument's name that say that its value is an address.
const ADDRESS_WORDS: &str =
    "url uri link href website homepage webhook endpoint domain host hostname";
const AMOUNT_WORDS: &str = "amount price cost fee";
const PATH_WORDS: &str = "path file filename file_name folder directory dir";

impl ValueKind {
    pub(crate) fn new(
        name: &str,
        value: &str,
        resolve: &dyn Fn(&str) -> Option<ParsedUrl>,
        findings: &mut Findings,
    ) -> Self {
        if value.is_empty() {
            return Self::Empty;
        }
        if let Some(pretty) = json::indent_json(value, findings) {
            return Self::Json(Text::new(&pretty));
        }
        let trimmed = value.trim();
        if let Some(address) =
            Address::new(trimmed, ends_with(name, ADDRESS_WORDS), resolve, findings)
        {
            return Self::Address(address);
        }
        if trimmed.contains('\n') {
            return Self::Lines;
        }
        if let Some(mailbox) = Mailbox::new(trimmed, resolve, findings) {
            return Self::Email(mailbox);
        }
        if is_number(trimmed) {
            return if ends_with(name, AMOUNT_WORDS) {
                Self::Amount
            } else {
                Self::Number
            };
        }
        if is_amount(trimmed) {
            return Self::Amount;
        }
        if path::is_path(trimmed) || ends_with(name, PATH_WORDS) {
            path::find_in_path(value, findings);
            return Self::Path;
        }
        Self::Text
    }
}

/// Returns true if an argument's name, such as `filePath`, `target_url` or `imageURL`, ends with
/// one of the words in `list`, which have a space between them.
fn ends_with(name: &str, list: &str) -> bool {
    list.split(' ').any(|word| {
        let start = name.len().checked_sub(word.len());
        let Some((before, end)) = start.and_then(|start| name.split_at_checked(start)) else {
            return false;
        };
        let is_begun = match before.bytes().next_back() {
            Some(b'a'..=b'z' | b'0'..=b'9') => {
                end.starts_with(|first: char| first.is_ascii_uppercase())
            }
            Some(last) => !last.is_ascii_uppercase(),
            None => true,
        };
        is_begun && end.eq_ignore_ascii_case(word)
    })
}
