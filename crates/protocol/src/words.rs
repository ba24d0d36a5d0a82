//! Extension: the sentences in an answer that the service itself wrote, with keys, so that a page
//! can show them in another language.

use serde::{Serialize, Serializer};

use crate::{FromJson, Json, wire_type::wire_type};

wire_type! {
    /// Extension `words`: a sentence of the service, which is a paragraph of the content beside it.
    pub struct Words {
        /// `service.` and a name: the key of the sentence in `locales/en.json`.
        pub key: String = "key" required,
        /// The values in the sentence, by their names; plain text.
        pub values: Values as BTreeMap<String, String> = "values",
        /// The paragraph, exactly as it stands in the content: English, Markdown.
        pub text: String = "text" required,
    }
}

/// The values that a sentence of the service contains, each with its name, in order. They are plain
/// text.
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
