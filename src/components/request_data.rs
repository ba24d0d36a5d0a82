//! A tool's request as the renderer reads it; the other half of this border is
//! `crates/renderer/src/request/data.rs`, and `ToolRequest` there says what each member is.

use js_sys::{Array, Function, Object};
use leptos::{wasm_bindgen::prelude::*, web_sys::Element};

#[wasm_bindgen]
extern "C" {
    /// The request, an object for the renderer. A member that is not set is missing.
    #[wasm_bindgen(extends = Object)]
    pub(super) type RequestData;

    #[wasm_bindgen(method, setter, js_name = head)]
    pub(super) fn set_head_element(this: &RequestData, head: &Element);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_rows(this: &RequestData, rows: &Element);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_warnings(this: &RequestData, warnings: &Element);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_label(this: &RequestData, label: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_name(this: &RequestData, name: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_provider(this: &RequestData, provider: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_category(this: &RequestData, category: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_reason(this: &RequestData, reason: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_effect(this: &RequestData, effect: &str);

    #[wasm_bindgen(method, setter, js_name = effectSource)]
    pub(super) fn set_effect_source(this: &RequestData, source: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_changed(this: &RequestData, is_changed: bool);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_arguments(this: &RequestData, arguments: &Array);

    #[wasm_bindgen(method, setter, js_name = before)]
    pub(super) fn set_previous_arguments(this: &RequestData, before: &Array);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_definition(this: &RequestData, definition: &Array);

    #[wasm_bindgen(method, setter, js_name = acceptedDefinition)]
    pub(super) fn set_accepted_definition(this: &RequestData, definition: &Array);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_locale(this: &RequestData, locale: &str);

    #[wasm_bindgen(method, setter)]
    pub(super) fn set_texts(this: &RequestData, texts: &Array);

    #[wasm_bindgen(method, setter, js_name = open)]
    pub(super) fn set_on_open(this: &RequestData, open: &Function);

    #[wasm_bindgen(method, setter, js_name = seen)]
    pub(super) fn set_on_seen(this: &RequestData, seen: &Function);

    /// A name and its text: an argument, or a text of the page.
    #[wasm_bindgen(extends = Object)]
    type NamedText;

    #[wasm_bindgen(method, setter, js_name = name)]
    fn set_named(this: &NamedText, name: &str);

    #[wasm_bindgen(method, setter)]
    fn set_text(this: &NamedText, text: &str);

    #[wasm_bindgen(method, setter)]
    fn set_state(this: &NamedText, state: &str);

    #[wasm_bindgen(method, setter)]
    fn set_known(this: &NamedText, is_known: bool);
}

impl RequestData {
    /// Creates a request that has no members yet.
    pub(super) fn new() -> Self {
        Object::new().unchecked_into()
    }
}

/// The folding state of an argument (`short`, `opened` or `folded`), and true if it was approved
/// with this value at the previous call of the tool.
pub(super) type ArgumentState = (&'static str, bool);

/// Returns a list for the renderer of names and their texts, each with its state if it has one.
pub(super) fn named_texts<'a>(
    texts: impl Iterator<Item = (&'a str, &'a str, Option<ArgumentState>)>,
) -> Array {
    let named = |(name, text, state)| {
        let named: NamedText = Object::new().unchecked_into();
        named.set_named(name);
        named.set_text(text);
        if let Some((state, is_known)) = state {
            named.set_state(state);
            named.set_known(is_known);
        }
        named
    };
    texts.map(named).collect()
}
