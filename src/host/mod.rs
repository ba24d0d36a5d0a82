//! The widget's interface to the page: the functions that `assent.js` calls, and nothing else of
//! wasm-bindgen.
//!
//! This is the composition root, the only place that knows client, store and components at once.
//! The element, its attributes and its frame belong to `assent.js`; here they arrive as plain
//! values.

mod details;
mod host_events;
mod instances;
mod options;
mod page_requests;
#[cfg(debug_assertions)]
mod panic;
mod stylesheet;

pub use options::{Options, parse_options};

use assent_client::HistoryModule;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::components::{self, Lazy, Renderer, RendererModule};
use crate::store::Policies;

/// Starts a widget, which requests what it is to show, and returns the handle of it. It is seen
/// once [`mount`] has given it a place.
///
/// `options` maps names of attributes to their text or `null`, and `strings` to the page's own
/// texts by key or `null`; bad values give a console warning and the default. `emit` takes the type
/// of an event, without `assent:`, and its detail. The type `fatal` means that the module must not
/// be called any more; `pending` is for the launcher: `{count, text}` of the actions that wait for
/// approval; for `before-approval` and `before-send` it returns whether the page lets the answer,
/// or the message, be posted.
#[wasm_bindgen]
pub fn start(options: &Object, emit: Function) -> u32 {
    #[cfg(debug_assertions)]
    panic::report_to_instances();
    // A dictionary: its keys are the names of the table in `web/attributes.toml`.
    let attribute = |name: &str| Reflect::get(options, &name.into()).ok()?.as_string();
    let texts = Reflect::get(options, &"strings".into());
    let texts = texts.ok().and_then(|texts| texts.dyn_into().ok());
    let values = options::from_page(&attribute);
    instances::start(options, values, texts.as_ref(), emit)
}

/// Draws a widget inside `container`, an empty element of a shadow root. Its first requests are on
/// their way by then, if the caller lets one microtask pass after [`start`].
#[wasm_bindgen]
pub fn mount(handle: u32, container: HtmlElement) {
    instances::mount(handle, container);
}

/// Sets the new value of an attribute that can change while the widget runs. Other attributes are
/// ignored.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "wasm-bindgen has no optional borrowed text"
)]
pub fn update(handle: u32, name: &str, value: Option<String>) {
    instances::update(handle, name, value.as_deref());
}

/// Sets the page's function that uploads files: `uploader(file, {signal, progress})` returns
/// `{fileId}` or `{imageId}`, or a promise of it. Without one no files can be attached.
#[wasm_bindgen]
pub fn set_uploader(handle: u32, uploader: Option<Function>) {
    instances::set_uploader(handle, uploader);
}

/// Sets the suggested first messages of an empty conversation. A blank one, which could not be
/// sent, is left out.
#[wasm_bindgen]
pub fn set_suggestions(handle: u32, suggestions: &Array) {
    let texts = suggestions.iter().filter_map(|text| text.as_string());
    let texts = texts.filter(|text| !text.trim().is_empty());
    instances::set_suggestions(handle, texts.collect());
}

/// Sets the page's functions `tokenProvider(reason)`, which returns a token or a promise of one,
/// and `requestHeaders()`, which returns an object of headers or a promise of one.
#[wasm_bindgen]
pub fn set_access(
    handle: u32,
    token_provider: Option<Function>,
    request_headers: Option<Function>,
) {
    instances::set_access(handle, token_provider, request_headers);
}

/// Runs the element's method `name` with its arguments, and calls one of two functions at the end:
/// `resolve()`, or `reject(error)`.
#[wasm_bindgen]
pub fn ask(handle: u32, name: &str, arguments: &Array, resolve: Function, reject: Function) {
    let request = page_requests::parse_request(name, arguments);
    instances::dispatch_request(handle, request, resolve, reject);
}

/// Sets the page's own texts by key (`assent.d.ts`, `Strings`). The widget is drawn anew with them.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "wasm-bindgen has no optional borrowed object"
)]
pub fn set_texts(handle: u32, texts: Option<Object>) {
    instances::set_texts(handle, texts.as_ref());
}

/// Stops the answer that is being written in the open conversation.
#[wasm_bindgen]
pub fn stop(handle: u32) {
    instances::stop(handle);
}

/// Sets whether the widget is visible.
#[wasm_bindgen]
pub fn watch(handle: u32, is_visible: bool) {
    instances::watch(handle, is_visible);
}

/// Returns the part of the element's `state` that the application knows; `undefined` for an unknown
/// handle.
#[wasm_bindgen]
pub fn snapshot(handle: u32) -> JsValue {
    instances::snapshot(handle).unwrap_or_default()
}

/// Returns the draft of the open conversation. The message box shows it a moment later.
#[wasm_bindgen]
pub fn draft(handle: u32) -> String {
    instances::draft(handle).unwrap_or_default()
}

#[wasm_bindgen(module = "/src/host/boundary.js")]
extern "C" {
    #[wasm_bindgen(js_name = takeOver)]
    fn move_typed_text(frame: &JsValue, box_of_widget: &str, draft: &Function, send: &Function);
}

/// Moves what was typed into the loader's message box into the widget's, and takes the loader's
/// `frame` away. `draft()` returns [`draft`] of the widget; `send(text)` sends what was sent there.
#[wasm_bindgen]
pub fn take_over(frame: &JsValue, draft: &Function, send: &Function) {
    move_typed_text(frame, ".app [part=input]", draft, send);
}

/// Moves the focus into the message box, without scrolling the page.
#[wasm_bindgen]
pub fn focus(handle: u32) {
    instances::focus(handle);
}

/// Sets the page's address policies for answers, `(url: URL) => boolean`: whether a link leads
/// there, and whether an image is loaded from there without asking. Without one its default rule
/// holds.
#[wasm_bindgen]
pub fn set_policies(handle: u32, link: Option<Function>, image: Option<Function>) {
    instances::set_policies(handle, Policies { link, image });
}

/// Draws answers and requests with the renderer's module from now on; it takes from `assets`, the
/// loader's registry, the modules that few answers need. Its style sheet comes after the widget's.
/// Without a renderer answers are shown as plain paragraphs, and no request can be approved; `null`
/// is a renderer that could not be loaded. `load_again` is called for a person who wants another
/// attempt, after which this function is called again.
#[wasm_bindgen]
pub fn set_renderer(module: Option<RendererModule>, assets: JsValue, load_again: Option<Function>) {
    components::set_load_again(load_again);
    if let Some(Ok(styles)) = module.as_ref().map(RendererModule::styles) {
        stylesheet::append_styles(&styles);
    }
    components::set_renderer(match module {
        Some(module) => Lazy::Ready(Renderer::new(module, assets)),
        None => Lazy::Unavailable,
    });
}

/// Draws cards of requests for approval from now on: their module is linked into this one. In a
/// widget that is not split there is no such function, and nothing to link.
#[cfg(feature = "split")]
#[wasm_bindgen]
pub fn link_cards() {
    components::link_cards();
}

/// Returns the style sheet of all widgets, which follows the renderer: an element in another document
/// needs a copy of it.
#[wasm_bindgen]
#[must_use]
pub fn sheet() -> Option<web_sys::CssStyleSheet> {
    stylesheet::sheet()
}

/// Records streams on this device with this module, for replay; `null` is a module that could not be
/// loaded, and may come later.
#[wasm_bindgen]
pub fn set_history(module: Option<HistoryModule>) {
    assent_client::set_history(module);
}

/// Ends a widget: its nodes leave the container, open requests end. An unknown handle is ignored.
#[wasm_bindgen]
pub fn unmount(handle: u32) {
    instances::end_instance(handle);
}
