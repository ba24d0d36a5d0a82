//! Extension: the sentences of the service in an answer, for a page in another language.

use serde::{Serialize, Serializer};

use crate::{FromJson, Json, wire_type::wire_type};

wire_type! {
    /// Extension: a sentence of the service, a paragraph of the content that it comes with.
    pub struct Words {
        /// The key of its text in the tables of the page.
        pub key: String = "key" required,
        /// The values of that text.
        pub values: Values = "values",
        /// The paragraph, exactly as it stands in the content: English, Markdown.
        pub text: String = "text" required,
    }
}

/// Names and their values, plain text, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<(String, String)>);

impl FromJson for Values {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let members = json.object()?.members().into_iter();
        let values = members.map(|(name, value)| (name.into(), value.text().unwrap_or_default()));
        Some(Self(values.collect()))
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
