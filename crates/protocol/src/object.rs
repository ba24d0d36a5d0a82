//! Reading a struct from a JSON object and from nothing else.
//!
//! Derived code also takes an array, field by field; an array where the service promises an object is a mistake that
//! must not turn into a thread, an event or a message.

use std::{fmt, marker::PhantomData};

use serde::de::{Deserializer, MapAccess, Visitor};

/// A struct whose members can be read one by one.
pub(crate) trait FromMembers: Sized {
    fn from_members<'de, A: MapAccess<'de>>(members: A) -> Result<Self, A::Error>;
}

pub(crate) fn deserialize<'de, T: FromMembers, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    from.deserialize_map(Object(PhantomData))
}

struct Object<T>(PhantomData<T>);

impl<'de, T: FromMembers> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::from_members(members)
    }
}

/// For types with `#[serde(remote = "Self")]`, whose derived code is theirs alone and not yet the trait's.
macro_rules! objects {
    ($($name:ty),+ $(,)?) => { $(
        impl $crate::object::FromMembers for $name {
            fn from_members<'de, A: serde::de::MapAccess<'de>>(members: A) -> Result<Self, A::Error> {
                Self::deserialize(serde::de::value::MapAccessDeserializer::new(members))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::object::deserialize(from)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, to)
            }
        }
    )+ };
}

pub(crate) use objects;
