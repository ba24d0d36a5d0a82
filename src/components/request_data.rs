//! A tool's request for approval as an object that the renderer reads.
//! `crates/renderer/src/request/data.rs` declares the same object on the renderer's side, and
//! `ToolRequest` there says what each member is.

use js_sys::{Array, Function, Object};
use leptos::{wasm_bindgen::prelude::*, web_sys::Element};

#[wasm_bindgen]
extern "C" {
    /// A tool's request for approval, as an object of JavaScript for the renderer. A member that is
    /// not set is missing.
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

    /// A name with its text: an argument and its value, or the key of a text of the page and that
    /// text.
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

/// Says of an argument how it is shown (`short`, or a long one `opened` or `folded`), and whether
/// the previous call of the tool was approved with the same value.
pub(super) type ArgumentState = (&'static str, bool);

/// Returns a JavaScript array for the renderer with names and their texts; those of arguments have
/// their state, too.
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
