//! What a value is, judged by its text and, where that leaves it open, by the last word of the argument's name.

use crate::{
    Address, Finding, Host, Mailbox, Text, json,
    number::{is_amount, is_number},
    path,
};

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing at all.
    Empty,
    /// One line.
    Text,
    /// More than one line.
    Lines,
    /// A decimal number.
    Number,
    /// A number with a currency's sign or code, or under a name such as `amount`.
    Amount,
    /// A URL.
    Address(Address),
    /// An e-mail address.
    Email(Mailbox),
    /// A path of files.
    Path,
    /// A JSON object or array, as indented text: each value and key is spelled as it was, in its order.
    Json(Text),
}

/// Last words of names whose values are addresses.
const ADDRESSES: &str = "url uri link href website homepage webhook endpoint domain host hostname";
const AMOUNTS: &str = "amount price cost fee";
const PATHS: &str = "path file filename folder directory dir";

impl Kind {
    pub(crate) fn new(
        name: &str,
        value: &str,
        resolve: &dyn Fn(&str) -> Option<Host>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        if value.is_empty() {
            return Self::Empty;
        }
        if let Some(pretty) = json::pretty(value, findings) {
            return Self::Json(Text::new(&pretty));
        }
        let word = last_word(name);
        let is_among = |list: &str| {
            list.split_ascii_whitespace()
                .any(|one| one.eq_ignore_ascii_case(word))
        };
        let trimmed = value.trim();
        if let Some(address) = Address::new(trimmed, is_among(ADDRESSES), resolve, findings) {
            return Self::Address(address);
        }
        if trimmed.contains('\n') {
            return Self::Lines;
        }
        if let Some(mailbox) = Mailbox::new(trimmed, resolve, findings) {
            return Self::Email(mailbox);
        }
        if is_number(trimmed) {
            return if is_among(AMOUNTS) {
                Self::Amount
            } else {
                Self::Number
            };
        }
        if is_amount(trimmed) {
            return Self::Amount;
        }
        if path::is_path(trimmed) || is_among(PATHS) {
            path::find(value, findings);
            return Self::Path;
        }
        Self::Text
    }
}

/// The last word of a name such as `filePath`, `target_url` or `imageURL`; of `fileName` it is `file`.
fn last_word(name: &str) -> &str {
    let (before, word) = split_last(name);
    if word.eq_ignore_ascii_case("name") {
        split_last(before.trim_end_matches(['_', '-', ' '])).1
    } else {
        word
    }
}

fn split_last(name: &str) -> (&str, &str) {
    let mut start = name.len();
    let mut behind = None::<char>;
    for (at, character) in name.char_indices().rev() {
        let ends_word = behind.is_some_and(|next| next.is_ascii_uppercase());
        if !character.is_ascii_alphanumeric() || (ends_word && !character.is_ascii_uppercase()) {
            break;
        }
        start = at;
        behind = Some(character);
    }
    name.split_at(start)
}
