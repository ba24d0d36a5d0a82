//! JSON as the text it arrived as: cut into its parts, and read value by value.
//!
//! `serde_json` says what is JSON; everything here relies on that.
//! Derived readers would be compiled once for each field of each type, which every visitor of a page would pay for.
//! Which member belongs to which field is the business of the types.

use std::{borrow::Cow, str::Chars};

use serde::de::IgnoredAny;

/// Bytes up to which a string is read byte by byte.
const SHORT: usize = 32;

/// One JSON value. It borrows the text that it is part of.
#[derive(Clone, Copy, Debug)]
pub struct Json<'a>(&'a str);

/// The members of a JSON object, in order.
#[derive(Clone, Debug)]
pub struct Object<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

/// What can be read from a JSON value. Reading forgives: what is missing or of another kind turns to nothing.
pub trait FromJson: Sized {
    /// `None` where `json` cannot stand for this type, whatever is forgiven.
    fn from_json(json: Json<'_>) -> Option<Self>;
}

/// Reads one value; `None` where `text` is no JSON or cannot stand for this type.
#[must_use]
pub fn read<T: FromJson>(text: &str) -> Option<T> {
    T::from_json(Json::new(text)?)
}

/// Reads an array without the items that cannot be read; `None` where `text` is no JSON array.
#[must_use]
pub fn read_list<T: FromJson>(text: &str) -> Option<Vec<T>> {
    Json::new(text)?.items().map(list)
}

impl<'a> Json<'a> {
    /// The value that `text` is; `None` where it is no JSON.
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(text).ok()?;
        Some(Self(text.trim_ascii()))
    }

    /// Its text, without the space around it.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// The members of an object; `None` for everything else.
    #[must_use]
    pub fn object(self) -> Option<Object<'a>> {
        let mut parts = parts(self.0.strip_prefix('{')?).into_iter();
        let mut members = Vec::with_capacity(parts.len() / 2);
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            members.push((name.name()?, value));
        }
        Some(Object(members))
    }

    /// The items of an array; `None` for everything else.
    #[must_use]
    pub fn items(self) -> Option<Vec<Json<'a>>> {
        Some(parts(self.0.strip_prefix('[')?))
    }

    /// The characters of a string; `None` for everything else. Half a surrogate pair is read as U+FFFD.
    #[must_use]
    pub fn string(self) -> Option<String> {
        let mut rest = self.0.strip_prefix('"')?.strip_suffix('"')?;
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

    /// The name of a member: hardly any has something to unescape, and an answer that streams has many.
    fn name(self) -> Option<Cow<'a, str>> {
        let inside = self.0.strip_prefix('"')?.strip_suffix('"')?;
        if inside.contains('\\') {
            return self.string().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inside))
    }

    /// A string as it is, `null` as nothing, anything else as its JSON.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self.0 {
            "null" => None,
            json => Some(self.string().unwrap_or_else(|| json.to_owned())),
        }
    }
}

impl<'a> Object<'a> {
    /// The members in order, repetitions included.
    #[must_use]
    pub fn members(self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        self.0
    }

    /// The value of a member. Of a repeated one the last counts.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        let mut members = self.0.iter().rev();
        members
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }

    /// A member as text; empty where it is missing or `null`.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.optional_text(name).unwrap_or_default()
    }

    /// A member as text; `None` where it is missing or `null`.
    #[must_use]
    pub fn optional_text(&self, name: &str) -> Option<String> {
        self.get(name)?.text()
    }

    /// A member of another type; `None` where it is missing or cannot be read.
    #[must_use]
    pub fn value<T: FromJson>(&self, name: &str) -> Option<T> {
        T::from_json(self.get(name)?)
    }

    /// The items of a member that can be read; none where it is missing or no array.
    #[must_use]
    pub fn list<T: FromJson>(&self, name: &str) -> Vec<T> {
        let items = self.get(name).and_then(Json::items);
        items.map(list).unwrap_or_default()
    }
}

impl FromJson for String {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.string()
    }
}

/// A string as JSON, with its quotation marks.
#[must_use]
pub fn quoted(text: &str) -> String {
    // Writing a string has no way to fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Those of the items that can be read.
pub(crate) fn list<T: FromJson>(items: Vec<Json<'_>>) -> Vec<T> {
    let mut list = Vec::new();
    for item in items {
        list.extend(T::from_json(item));
    }
    list
}

/// The values on the first level of what is between two brackets; in an object, names and values by turns.
fn parts(inside: &str) -> Vec<Json<'_>> {
    // Room for a usual object: an answer that streams has thousands.
    let mut parts = Vec::with_capacity(16);
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    while let Some(byte) = inside.as_bytes().get(at) {
        match byte {
            b'"' => at = string_end(inside, at),
            b'{' | b'[' => depth += 1,
            b',' | b':' | b'}' | b']' if depth == 0 => {
                let part = inside.get(start..at).unwrap_or_default().trim_ascii();
                // Only brackets with nothing in them have a part without text.
                if !part.is_empty() {
                    parts.push(Json(part));
                }
                start = at + 1;
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    parts
}

/// Where the quotation mark is that ends the string which begins at `start`.
/// Nearly all of a conversation is inside strings, on every level of its JSON: what is long is searched from mark to mark.
fn string_end(text: &str, start: usize) -> usize {
    let mut at = start + 1;
    // Names and identifiers are shorter than a search takes to begin.
    while at < start + SHORT {
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

/// What follows `\u`: four digits, or two times four for what needs more.
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

/// Readers for everything that reads through serde: servers, tests.
macro_rules! deserialize_from_json {
    ($($name:ty),+ $(,)?) => { $(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let raw = Box::<serde_json::value::RawValue>::deserialize(from)?;
                $crate::json::read(raw.get())
                    .ok_or_else(|| serde::de::Error::custom(concat!("no ", stringify!($name))))
            }
        }
    )+ };
}

pub(crate) use deserialize_from_json;
