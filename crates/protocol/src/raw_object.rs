//! The members of a JSON object together with where each value stands in its text.
//!
//! An approval request must come back byte for byte with one value changed (specification, `ToolApprovalResponse`),
//! so that the text itself is edited; a parsed map would lose number spelling, escapes and repeated keys.

use std::{borrow::Cow, fmt, ops::Range};

use serde::{Deserialize, de};
use serde_json::value::RawValue;

/// A key, and where its value stands.
pub(crate) type Member<'a> = (Cow<'a, str>, Range<usize>);

/// The members of `object` in order, each with the byte range of its value; `None` where the text is no JSON object.
pub(crate) fn members(object: &str) -> Option<Vec<Member<'_>>> {
    let members: Members<'_> = serde_json::from_str(object).ok()?;
    let start = object.as_ptr() as usize;
    let range = |value: &RawValue| {
        let at = value.get().as_ptr() as usize - start;
        at..at + value.get().len()
    };
    Some(
        members
            .0
            .into_iter()
            .map(|(key, value)| (key.0, range(value)))
            .collect(),
    )
}

struct Members<'a>(Vec<(Key<'a>, &'a RawValue)>);

/// `Cow<str>` on its own never borrows through serde.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Visitor)
    }
}
