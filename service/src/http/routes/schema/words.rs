//! Sentences of the service in answers (extension `words`).

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// Extension `words`: a sentence of the service, which is a paragraph of the content beside it.
#[derive(ToSchema)]
pub struct Words {
    /// `service.` and a name: the key of its text in `locales/en.json`.
    pub key: String,
    /// The values of that text, by their names; plain text.
    pub values: BTreeMap<String, String>,
    /// The paragraph, exactly as it stands in the content: English, Markdown.
    pub text: String,
}
