//! The reader's module as the loader would give it: requests are drawn by the reader itself, answers by nobody.

use assent_reader::ToolRequest;
use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

/// The module.
pub(crate) fn reader() -> Object {
    let script = "class Answer { constructor(root) { this.root = root; } push(text) { this.root.append(text); } \
             finish() {} reset(text) { this.root.textContent = text; } free() {} } \
         return { Answer, ToolRequest: function (request) { return draw(request); } };";
    let draw = Closure::<dyn Fn(JsValue) -> Result<ToolRequest, JsValue>>::new(ToolRequest::new);
    let module =
        Function::new_with_args("draw", script).call1(&JsValue::NULL, &draw.into_js_value());
    module.unwrap().unchecked_into()
}

/// The module, in which this function stands for the class `ToolRequest`.
#[allow(dead_code, reason = "each test file uses a part of it")]
pub(crate) fn reader_with(class: &Function) -> Object {
    let module = reader();
    Reflect::set(&module, &"ToolRequest".into(), class).unwrap();
    module
}
