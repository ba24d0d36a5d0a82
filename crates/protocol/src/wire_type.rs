//! Macros that declare the types which widget and service exchange as JSON: their fields, reading
//! and writing in one place.

/// Declares a type that is read from a JSON object and written as one: each field with its type and
/// the name of its member. Doc comments are part of the interface description, too.
///
/// After `as` stands the type that the description has instead, because output is stricter than
/// input; attributes of the schema follow in braces.
///
/// A missing or unreadable member becomes the default of its field. Without a member that is
/// `required` there is no value. A field after `read whole` is made from the whole object, and is
/// no member.
macro_rules! wire_type {
    (
        $(#[$of_type:meta])*
        pub struct $type:ident {
            $(
                $(#[$of_field:meta])*
                pub $field:ident: $kind:ty
                    $(as $described:ty $({ $($schema:tt)+ })?)?
                    = $name:tt $($required:ident)?,
            )+
        }
        $(
            read whole
            $(#[$of_whole:meta])*
            pub $whole:ident: $whole_kind:ty = $read:path;
        )?
    ) => {
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        $(#[$of_type])*
        pub struct $type {
            $(
                $(#[$of_field])*
                #[serde(rename = $name)]
                $(
                    #[cfg_attr(
                        feature = "openapi",
                        schema(value_type = $described $(, $($schema)+)?)
                    )]
                )?
                pub $field: $kind,
            )+
            $(
                $(#[$of_whole])*
                #[serde(skip)]
                pub $whole: $whole_kind,
            )?
        }

        impl $crate::FromJson for $type {
            // Browsers optimise what runs thousands of times: only this, and not all around it.
            #[inline(never)]
            fn from_json(json: $crate::Json<'_>) -> Option<Self> {
                let object = json.object()?;
                $( $( object.$required($name)?; )? )+
                Some(Self {
                    $( $field: object.field($name), )+
                    $( $whole: $read(&object), )?
                })
            }
        }

        $crate::wire_type::deserialize_from_json!($type);
    };
}

/// Implements `Deserialize` of serde for a type that has `FromJson`: the service and tests use
/// serde.
macro_rules! deserialize_from_json {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let raw = Box::<serde_json::value::RawValue>::deserialize(from)?;
                $crate::read(raw.get())
                    .ok_or_else(|| serde::de::Error::custom(concat!("no ", stringify!($type))))
            }
        }
    };
}

pub(crate) use {deserialize_from_json, wire_type};
