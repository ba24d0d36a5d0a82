//! JSON kept as its original text: split into its parts, and read value by value.
//!
//! `serde_json` validates it; everything here relies on that. Derived deserializers are compiled
//! once for each field of each type, and every visitor of a page would download them. With a derive
//! on each type of this crate, read by `serde_json::from_str`, the widget has 23,176 bytes more
//! (`cargo xtask size`, brotli, 24 November 2026). They would refuse repeated members, too. The
//! types are declared with `wire_type!`.

use std::{borrow::Cow, str::Chars};

use serde::de::IgnoredAny;

/// Number of bytes of a string that are looked at one by one for its end, before a search that is
/// faster in long strings.
const SHORT_STRING_BYTES: usize = 32;

/// One JSON value, borrowed from the text that it is part of.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a>(&'a str);

/// The names and values of a JSON object, in order.
#[derive(Clone, Debug)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

/// Types that can be read from a JSON value. Reading is lenient: what is missing, or of another
/// kind than expected, becomes the type's empty value.
pub trait FromJson: Sized {
    /// Reads the value; `None` if `json` cannot represent this type even leniently.
    fn from_json(json: Json<'_>) -> Option<Self>;
}

/// Reads one value; `None` if `text` is no JSON or cannot represent this type.
#[must_use]
pub fn read<T: FromJson>(text: &str) -> Option<T> {
    T::from_json(Json::new(text)?)
}

impl<'a> Json<'a> {
    /// Returns the value of `text`; `None` if it is no JSON.
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(text).ok()?;
        Some(Self(text.trim_ascii()))
    }

    /// Returns the text of the value, without white space around it.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the members if the value is an object; `None` for everything else.
    #[must_use]
    pub fn object(self) -> Option<Object<'a>> {
        let mut parts = ElementIter(self.0.strip_prefix('{')?);
        // Capacity for a usual object: a streaming answer has thousands.
        let mut members = Vec::with_capacity(8);
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            members.push((name.as_name()?, value));
        }
        Some(Object(members))
    }

    /// Returns the items if the value is an array; `None` for everything else.
    #[must_use]
    pub fn items(self) -> Option<Vec<Json<'a>>> {
        Some(ElementIter(self.0.strip_prefix('[')?).collect())
    }

    /// Returns the content of a string with its escapes decoded; `None` for every other value. Half
    /// a surrogate pair is read as U+FFFD.
    #[must_use]
    pub fn string(self) -> Option<String> {
        let mut rest = self.inside_quotes()?;
        let mut text = String::with_capacity(rest.len());
        while let Some((plain, escaped)) = rest.split_once('\\') {
            text.push_str(plain);
            let mut chars = escaped.chars();
            text.push(match chars.next()? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => code_point(&mut chars)?,
                itself => itself,
            });
            rest = chars.as_str();
        }
        text.push_str(rest);
        Some(text)
    }

    /// Returns what is between the quotation marks of a string, with its escapes as they are;
    /// `None` if the value is no string.
    fn inside_quotes(self) -> Option<&'a str> {
        // A byte and not a character: that is encoded anew each time, and a streaming answer has
        // many strings.
        let [b'"', .., b'"'] = self.0.as_bytes() else {
            return None;
        };
        self.0.get(1..self.0.len() - 1)
    }

    /// Returns the content of a string that is the name of a member, without a copy if it has no
    /// escapes; `None` if the value is no string.
    fn as_name(self) -> Option<Cow<'a, str>> {
        let inside = self.inside_quotes()?;
        // Byte by byte: names are shorter than the setup of a search takes.
        if inside.bytes().any(|byte| byte == b'\\') {
            return self.string().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inside))
    }

    /// Returns the same text as [`Self::text`], without a copy where possible, for a text that is
    /// only compared with a few words.
    #[must_use]
    pub(crate) fn as_word(self) -> Option<Cow<'a, str>> {
        self.as_name().or_else(|| self.text().map(Cow::Owned))
    }

    /// Returns the value as text: a string as it is, `null` as `None`, anything else as its JSON.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self.0 {
            "null" => None,
            json => Some(self.string().unwrap_or_else(|| json.to_owned())),
        }
    }
}

impl<'a> Object<'a> {
    /// Returns the members in order, repetitions included.
    #[must_use]
    pub fn members(self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        self.0
    }

    /// Returns the value of the member `name`; `None` if there is none. The last of repeated
    /// members counts.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        let mut members = self.0.iter().rev();
        members
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }

    /// Returns a member as text; empty if it is missing or `null`.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.optional_text(name).unwrap_or_default()
    }

    /// Returns a member as text; `None` if it is missing or `null`.
    #[must_use]
    pub fn optional_text(&self, name: &str) -> Option<String> {
        self.get(name)?.text()
    }

    /// Returns `Some` if the object has a member `name`, otherwise `None`, so that `?` leaves the
    /// reading of a type without it.
    #[must_use]
    pub(crate) fn required(&self, name: &str) -> Option<()> {
        self.get(name).map(|_| ())
    }

    /// Returns the member `name` as a value of the type `T`; the default value of `T` if the member
    /// is missing or cannot be read.
    #[must_use]
    pub fn field<T: FromJson + Default>(&self, name: &str) -> T {
        self.get(name).and_then(T::from_json).unwrap_or_default()
    }
}

impl FromJson for String {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.text()
    }
}

impl FromJson for bool {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.0.parse().ok()
    }
}

/// Reads a whole number that is not negative, and is written without fraction and exponent.
impl FromJson for u64 {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.0.parse().ok()
    }
}

/// Reads a value that may be missing or unreadable: the result is `Some(None)` then, and never an
/// error.
impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: Json<'_>) -> Option<Self> {
        Some(T::from_json(json))
    }
}

/// Reads an array; items that cannot be read are left out.
impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let mut list = Vec::new();
        for item in ElementIter(json.0.strip_prefix('[')?) {
            list.extend(T::from_json(item));
        }
        Some(list)
    }
}

/// Returns a string as JSON, with its quotation marks.
#[must_use]
pub fn quote(text: &str) -> String {
    // Serializing a string cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Iterates over the values of an array, or over the names and values of an object in turn. It
/// holds the text that it has not read yet, without the opening bracket.
struct ElementIter<'a>(&'a str);

impl<'a> Iterator for ElementIter<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let (mut at, mut depth) = (0, 0_usize);
        loop {
            match self.0.as_bytes().get(at)? {
                b'"' => at = string_end(self.0, at),
                b'{' | b'[' => depth += 1,
                b',' | b':' | b'}' | b']' if depth == 0 => break,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        let part = self.0.get(..at).unwrap_or_default().trim_ascii();
        self.0 = self.0.get(at + 1..).unwrap_or_default();
        // Only empty brackets have an empty part.
        (!part.is_empty()).then_some(Json(part))
    }
}

/// Returns the position of the quotation mark that ends the string beginning at `start`; the length
/// of `text` if there is none. Long strings, which are most of a conversation, are searched from
/// quotation mark to quotation mark.
fn string_end(text: &str, start: usize) -> usize {
    let mut at = start + 1;
    // Names and identifiers are shorter than the setup of a search takes.
    while at < start + SHORT_STRING_BYTES {
        match text.as_bytes().get(at) {
            Some(b'"') | None => return at.min(text.len()),
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    while let Some((inside, _)) = text.get(at..).and_then(|rest| rest.split_once('"')) {
        at += inside.len();
        let before = text.get(start + 1..at).unwrap_or_default();
        let slashes = before.len() - before.trim_end_matches('\\').len();
        if slashes % 2 == 0 {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// Returns the character that the digits behind `\u` name, and moves `chars` behind them: four
/// digits, or of a surrogate pair four and four with `\u` between. `None` if they are no digits.
fn code_point(chars: &mut Chars<'_>) -> Option<char> {
    let first = four_digits(chars)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    let mut behind = chars.clone();
    let is_escape = behind.next() == Some('\\') && behind.next() == Some('u');
    let second = if is_escape {
        four_digits(&mut behind)
    } else {
        None
    };
    let Some(second @ 0xDC00..0xE000) = second else {
        return Some(char::REPLACEMENT_CHARACTER);
    };
    *chars = behind;
    char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))
}

fn four_digits(chars: &mut Chars<'_>) -> Option<u32> {
    let mut number = 0;
    for _ in 0..4 {
        number = number * 16 + chars.next()?.to_digit(16)?;
    }
    Some(number)
}
