//! Attributes of elements that all have one Rust type, to keep the widget's module small.

use leptos::{
    attr::{
        AttributeValue,
        custom::{CustomAttr, custom_attribute},
    },
    prelude::IntoAttributeValue,
};

/// Returns an attribute for `{..}` in a `view!`, for names that few elements have. Leptos compiles
/// a type for each name that is spelled as `name=value` instead: twenty rare ones took 1,800 bytes
/// more of the widget's module (brotli, November 2026).
pub(super) fn attribute<V>(name: &'static str, value: V) -> CustomAttr<&'static str, V::Output>
where
    V: IntoAttributeValue,
    V::Output: AttributeValue,
{
    custom_attribute(name, value.into_attribute_value())
}
