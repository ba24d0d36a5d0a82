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

/// Starts a widget, which sends its first requests, and returns its handle: the number by which the
/// other functions here name the widget. [`mount`] draws it.
///
/// `options` maps names of attributes to their text or `null`, and `strings` to the page's own
/// texts by key or `null`; bad values give a console warning and the default. `emit` takes the type
/// of an event, without `assent:`, and its detail. The type `fatal` means that the module must not
/// be called any more; `pending` is for the launcher: `{count, text}` of the actions that wait for
/// approval, and `waiting` for who is elsewhere (`HostEvents::report_waiting`). For `before-approval` and `before-send` it returns whether the page lets the answer to
/// a batch, or the message, be posted.
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

/// Draws the widget with this handle inside `container`, an empty element of a shadow root. If the
/// caller lets one microtask pass after [`start`], the widget has sent its first requests by then.
#[wasm_bindgen]
pub fn mount(handle: u32, container: HtmlElement) {
    instances::mount(handle, container);
}

/// Sets the new value of an attribute that can change while the widget runs. Other attributes are
/// ignored; of `notify`, any value means that the browser can be asked for the permission to notify.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "wasm-bindgen has no optional borrowed text"
)]
pub fn update(handle: u32, name: &str, value: Option<String>) {
    instances::update(handle, name, value.as_deref());
}

/// Sets the page's function that uploads files: `uploader(file, {signal, progress})` returns
/// `{fileId}` or `{imageId}`, or a promise of it. Without such a function no files can be attached.
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

/// Sets the page's functions that give access to the service: `tokenProvider(reason)`, which
/// returns a token or a promise of one, and `requestHeaders()`, which returns an object of headers
/// or a promise of one.
#[wasm_bindgen]
pub fn set_access(
    handle: u32,
    token_provider: Option<Function>,
    request_headers: Option<Function>,
) {
    instances::set_access(handle, token_provider, request_headers);
}

/// Carries out the element's method `name`, which the page has called with `arguments`, and calls
/// one of two functions at the end: `resolve()`, or `reject(error)`.
#[wasm_bindgen]
pub fn ask(handle: u32, name: &str, arguments: &Array, resolve: Function, reject: Function) {
    let request = page_requests::parse_request(name, arguments);
    instances::dispatch_request(handle, request, resolve, reject);
}

/// Sets the page's own texts by key (`assent.d.ts`, `Strings`), and draws the widget anew with
/// them.
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

/// Tells the widget whether it is visible, so that answers nobody sees count as unread.
#[wasm_bindgen]
pub fn watch(handle: u32, is_visible: bool) {
    instances::watch(handle, is_visible);
}

/// Returns an object for the element's property `state`: the open thread's id, whether an answer is
/// being written, and numbers of what is unread or waits for approval. `undefined` for an unknown
/// handle.
#[wasm_bindgen]
pub fn snapshot(handle: u32) -> JsValue {
    instances::snapshot(handle).unwrap_or_default()
}

/// Returns the draft of the open conversation, which the message box shows a moment later; empty
/// for an unknown handle.
#[wasm_bindgen]
pub fn draft(handle: u32) -> String {
    instances::draft(handle).unwrap_or_default()
}

#[wasm_bindgen(module = "/src/host/boundary.js")]
extern "C" {
    #[wasm_bindgen(js_name = takeOver)]
    fn move_typed_text(frame: &JsValue, box_of_widget: &str, draft: &Function, send: &Function);
}

/// Moves the text that was typed into the loader's message box into the widget's, and takes the
/// loader's `frame` away. `draft()` returns the widget's [`draft`]; `send(text)` sends a text that
/// the user has sent from the loader's box.
#[wasm_bindgen]
pub fn take_over(frame: &JsValue, draft: &Function, send: &Function) {
    move_typed_text(frame, ".app [part=input]", draft, send);
}

/// Moves the focus into the message box, without scrolling the page.
#[wasm_bindgen]
pub fn focus(handle: u32) {
    instances::focus(handle);
}

/// Sets the page's address policies for answers, `(url: URL) => boolean`: whether a link may lead
/// to the address, and whether an image may be loaded from it without asking the user. Without such
/// a function the widget's default rule holds.
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
    components::set_assets(assets.clone());
    components::set_renderer(match module {
        Some(module) => Lazy::Ready(Renderer::new(module, assets)),
        None => Lazy::Unavailable,
    });
}

/// Lets the widget draw the cards of requests for approval from now on. The loader calls this once
/// the module with their code is loaded; a widget that is built as one module does not have this
/// function.
#[cfg(feature = "split")]
#[wasm_bindgen]
pub fn link_approval() {
    components::link_approval();
}

/// Lets the widget draw what not every page needs, as [`link_approval`] does with cards.
#[cfg(feature = "split")]
#[wasm_bindgen]
pub fn link_extras() {
    components::link_extras();
}

/// Returns the style sheet that all widgets of the page share, to be copied for an element in
/// another document; `None` if the browser cannot construct one. The renderer's styles are added to
/// it by [`set_renderer`].
#[wasm_bindgen]
#[must_use]
pub fn sheet() -> Option<web_sys::CssStyleSheet> {
    stylesheet::sheet()
}

/// Sets the module that records streams on this device, so that a reload can show them again;
/// `null` is a module that could not be loaded, and may come later.
#[wasm_bindgen]
pub fn set_history(module: Option<HistoryModule>) {
    assent_client::set_history(module);
}

/// Ends the widget with this handle: its nodes leave the container, and its open requests end. An
/// unknown handle is ignored.
#[wasm_bindgen]
pub fn unmount(handle: u32) {
    instances::end_instance(handle);
}
