//! The renderer's module as the loader would give it: requests are drawn by the renderer itself,
//! answers by nothing.

use assent_renderer::{RequestData, ToolRequest};
use assent_widget::components::{Lazy, Renderer, set_renderer};
use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

use crate::undone::Undone;

/// Returns the module.
pub(crate) fn renderer_module() -> Object {
    let script = "class Answer { constructor(root) { this.root = root; } push(text) { this.root.append(text); } \
             finish() {} reset(text) { this.root.textContent = text; } free() {} \
               mark_english(texts) { this.root.dataset.english = texts.join('|'); } } \
         return { Answer, ToolRequest: function (request) { return draw(request); } };";
    let draw =
        Closure::<dyn Fn(RequestData) -> Result<ToolRequest, JsValue>>::new(ToolRequest::new);
    let module =
        Function::new_with_args("draw", script).call1(&JsValue::NULL, &draw.into_js_value());
    module.unwrap().unchecked_into()
}

/// Returns the module, in which this function stands for the class `ToolRequest`.
pub(crate) fn renderer_module_with(class: &Function) -> Object {
    let module = renderer_module();
    Reflect::set(&module, &"ToolRequest".into(), class).unwrap();
    module
}

/// Draws with this module, which has no on-demand assets, from now on.
pub(crate) fn draw_with(module: &JsValue) {
    let module = module.clone().unchecked_into();
    set_renderer(Lazy::Ready(Renderer::new(module, JsValue::UNDEFINED)));
}

/// Marks the renderer as not loaded once the value is dropped: the page has one for all its
/// widgets.
pub(crate) fn renderer_guard() -> Undone {
    Undone::new(|| set_renderer(Lazy::Loading))
}
