//! The renderer of answers and requests, which is a module of its own and is loaded after the
//! widget.

use std::cell::RefCell;

use assent_i18n::Texts;
use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::{prelude::*, wasm_bindgen::prelude::*, web_sys};

use super::strings;

#[wasm_bindgen]
extern "C" {
    /// The module of `crates/renderer`, as its glue exports it.
    #[derive(Clone)]
    type Module;

    #[wasm_bindgen(method, getter, js_name = Answer)]
    fn answer_class(this: &Module) -> Option<Function>;

    #[wasm_bindgen(method, getter, js_name = ToolRequest)]
    fn request_class(this: &Module) -> Option<Function>;

    #[wasm_bindgen(method, catch)]
    fn copy(this: &Module, answer: &web_sys::Element, text: &str) -> Result<JsValue, JsValue>;

    /// `Answer` of `crates/renderer`: an answer that is drawn, and may still grow.
    type Answer;

    #[wasm_bindgen(method, catch)]
    fn push(this: &Answer, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn finish(this: &Answer) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn reset(this: &Answer, text: &str, whole: bool) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn free(this: &Answer) -> Result<(), JsValue>;

    /// `ToolRequest` of `crates/renderer`: a tool's request that is drawn.
    type ToolRequest;

    #[wasm_bindgen(method, catch, js_name = free)]
    fn free_request(this: &ToolRequest) -> Result<(), JsValue>;
}

/// The renderer.
#[derive(Clone)]
pub(super) struct Renderer {
    module: Module,
    /// The members that the pages of all answers share: the functions that fetch what few answers
    /// need.
    page: Object,
}

/// Loading state of the renderer.
enum Arrival {
    Coming,
    Here(Renderer),
    /// It cannot be loaded, or has failed.
    Gone,
}

thread_local! {
    /// Shared by all widgets of the page, as the module is one.
    static RENDERER: ArcRwSignal<Arrival> = ArcRwSignal::new(Arrival::Coming);
}

/// Draws answers and requests with this module from now on, those on the screen too. `undefined` is
/// still to come, `null` cannot be loaded. `assets` has the members `math` and `highlight`,
/// functions that fetch the one and the other.
pub fn render_with(module: &JsValue, assets: &JsValue) {
    let is_coming = module.is_undefined();
    let draw = |module: Module| {
        let page = Object::new();
        for name in ["math", "highlight"] {
            if let Ok(fetch) = Reflect::get(assets, &name.into()) {
                put(&page, name, &fetch);
            }
        }
        Arrival::Here(Renderer { module, page })
    };
    let module = module.is_object().then(|| module.clone());
    let arrival = match module.map(JsCast::unchecked_into::<Module>) {
        Some(module) if module.answer_class().is_some() => draw(module),
        None if is_coming => Arrival::Coming,
        Some(_) | None => Arrival::Gone,
    };
    RENDERER.with(Clone::clone).update(|it| *it = arrival);
}

/// Returns the renderer, reactive; `None` while it is not loaded, and after it failed.
pub(super) fn renderer() -> Option<Renderer> {
    RENDERER.with(Clone::clone).with(Arrival::renderer)
}

/// Runs the caller anew whenever the renderer comes or goes.
pub(super) fn follow_renderer() {
    RENDERER.with(Clone::clone).track();
}

/// Returns true if there will be no renderer, reactive.
pub(super) fn is_gone() -> bool {
    let is_gone = |it: &Arrival| matches!(it, Arrival::Gone);
    RENDERER.with(Clone::clone).with(is_gone)
}

/// Copies an answer as it is drawn, and as this text for targets that take only text. `None` if it
/// cannot.
pub(super) fn copy_drawn(answer: &web_sys::Element, text: &str) -> Option<Promise> {
    let renderer = RENDERER
        .with(Clone::clone)
        .with_untracked(Arrival::renderer);
    renderer?.module.copy(answer, text).ok()?.dyn_into().ok()
}

/// Draws without a renderer from now on: after an exception the state of its memory is unknown.
pub(super) fn give_up(error: &JsValue) {
    let renderer = RENDERER.with(Clone::clone);
    if renderer.with_untracked(Arrival::renderer).is_some() {
        web_sys::console::warn_2(&strings::PLAIN_TEXT.into(), error);
        renderer.update(|it| *it = Arrival::Gone);
    }
}

impl Arrival {
    fn renderer(&self) -> Option<Renderer> {
        match self {
            Self::Here(renderer) => Some(renderer.clone()),
            Self::Coming | Self::Gone => None,
        }
    }
}

impl Renderer {
    /// Creates an answer inside `root`, which is empty. `own` are the members of its page that not
    /// all answers share.
    pub(super) fn answer(
        &self,
        root: &web_sys::Element,
        texts: Texts,
        own: &[(&str, &JsValue)],
    ) -> Result<DrawnAnswer, JsValue> {
        let class = self.module.answer_class().ok_or(JsValue::UNDEFINED)?;
        let page = Object::create(&self.page);
        put(&page, "texts", &answer_texts(texts));
        for (name, value) in own {
            put(&page, name, value);
        }
        let answer = Reflect::construct(&class, &Array::of2(root, &page))?;
        Ok(DrawnAnswer(answer.unchecked_into()))
    }

    /// A tool's request, drawn into what it names.
    pub(super) fn request(&self, request: &Object) -> Result<DrawnRequest, JsValue> {
        let class = self.module.request_class().ok_or(JsValue::UNDEFINED)?;
        let request = Reflect::construct(&class, &Array::of1(request))?;
        Ok(DrawnRequest(request.unchecked_into()))
    }
}

/// Returns the texts of answers as the renderer takes them, made once for all answers of a widget.
fn answer_texts(texts: Texts) -> Object {
    thread_local! {
        static LAST: RefCell<Option<(Texts, Object)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| match last {
        Some((of, made)) if *of == texts => made.clone(),
        _ => {
            let made = Object::new();
            for text in strings::ANSWERS {
                put(&made, text.0.key(), &texts.get(text).into());
            }
            *last = Some((texts, made.clone()));
            made
        }
    })
}

/// An answer as the renderer draws it. Dropping it gives back the renderer's memory.
pub(super) struct DrawnAnswer(Answer);

impl DrawnAnswer {
    /// Appends more text.
    pub(super) fn push(&self, text: &str) -> Result<(), JsValue> {
        self.0.push(text)
    }

    /// Ends the text.
    pub(super) fn finish(&self) -> Result<(), JsValue> {
        self.0.finish()
    }

    /// Shows another text.
    pub(super) fn reset(&self, text: &str, whole: bool) -> Result<(), JsValue> {
        self.0.reset(text, whole)
    }
}

impl Drop for DrawnAnswer {
    fn drop(&mut self) {
        // After a failure there is nothing left to give back.
        self.0.free().ok();
    }
}

/// A tool's request as the renderer draws it. Dropping it gives back the renderer's memory.
pub(super) struct DrawnRequest(ToolRequest);

impl Drop for DrawnRequest {
    fn drop(&mut self) {
        self.0.free_request().ok();
    }
}

fn put(object: &Object, name: &str, value: &JsValue) {
    // A plain object takes any property.
    Reflect::set(object, &name.into(), value).ok();
}
