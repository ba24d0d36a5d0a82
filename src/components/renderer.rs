//! The renderer of answers and requests, which is a module of its own and is loaded after the
//! widget.

use std::cell::{Cell, RefCell};

use assent_i18n::Texts;
use js_sys::{Array, Function, Object, Promise, Reflect, Set};
use leptos::{prelude::*, wasm_bindgen::prelude::*, web_sys};

use super::{request_data::RequestData, strings};
use crate::store::Policies;

#[wasm_bindgen]
extern "C" {
    /// The JavaScript module of `crates/renderer`, with the exports that wasm-bindgen makes for it.
    #[derive(Clone)]
    pub type RendererModule;

    /// Returns the style sheet of answers and requests, which is added after the widget's own.
    #[wasm_bindgen(method, catch)]
    pub fn styles(this: &RendererModule) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn warm_up(this: &RendererModule, input: &web_sys::Element) -> Result<(), JsValue>;

    #[wasm_bindgen(method, getter, js_name = Answer)]
    fn answer_class(this: &RendererModule) -> Option<Function>;

    #[wasm_bindgen(method, getter, js_name = ToolRequest)]
    fn request_class(this: &RendererModule) -> Option<Function>;

    #[wasm_bindgen(method, catch)]
    fn copy(
        this: &RendererModule,
        answer: &web_sys::Element,
        text: &str,
    ) -> Result<JsValue, JsValue>;

    /// What the renderer needs to know of the page for an answer, as `crates/renderer/src/page.rs`
    /// reads it. A member that is not set is missing.
    #[wasm_bindgen(extends = Object)]
    type AnswerPage;

    #[wasm_bindgen(method, setter)]
    fn set_texts(this: &AnswerPage, texts: &Object);

    #[wasm_bindgen(method, setter)]
    fn set_assets(this: &AnswerPage, assets: &JsValue);

    #[wasm_bindgen(method, setter)]
    fn set_hosts(this: &AnswerPage, hosts: &Set);

    #[wasm_bindgen(method, setter)]
    fn set_link(this: &AnswerPage, policy: &Function);

    #[wasm_bindgen(method, setter)]
    fn set_image(this: &AnswerPage, policy: &Function);

    /// `Answer` of `crates/renderer`: an answer that is drawn, and may still grow.
    type Answer;

    #[wasm_bindgen(method, catch)]
    fn push(this: &Answer, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn finish(this: &Answer) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn reset(this: &Answer, text: &str, whole: bool) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn mark_english(this: &Answer, sentences: &Array) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn free(this: &Answer) -> Result<(), JsValue>;

    /// `ToolRequest` of `crates/renderer`: a tool's request that is drawn.
    type ToolRequest;

    #[wasm_bindgen(method, catch, js_name = free)]
    fn free_request(this: &ToolRequest) -> Result<(), JsValue>;
}

/// The renderer: its module, and the loader's registry of what it loads on demand.
#[derive(Clone)]
pub struct Renderer {
    module: RendererModule,
    /// The loader's registry (`web/loader/assets.js`), from which the renderer gets the modules
    /// that are loaded on demand.
    assets: JsValue,
}

/// A value that is loaded later.
pub enum Lazy<T> {
    /// The value is still being loaded.
    Loading,
    /// The value is loaded.
    Ready(T),
    /// The value cannot be loaded, or has failed.
    Unavailable,
}

impl<T: Clone> Lazy<T> {
    fn ready(&self) -> Option<T> {
        match self {
            Self::Ready(value) => Some(value.clone()),
            Self::Loading | Self::Unavailable => None,
        }
    }
}

thread_local! {
    /// The renderer, or that it is being loaded or unavailable. All widgets of the page share it,
    /// since they share one module.
    static RENDERER: ArcRwSignal<Lazy<Renderer>> = ArcRwSignal::new(Lazy::Loading);
    /// The loader's function that loads the renderer again; `None` if there is none.
    static LOAD_AGAIN: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// True once the renderer was asked to prepare for the first answer of the page.
    static IS_WARMED_UP: Cell<bool> = const { Cell::new(false) };
}

/// Sets the renderer. Answers and requests are drawn with it from now on, those on the screen
/// included.
pub fn set_renderer(renderer: Lazy<Renderer>) {
    RENDERER.with(Clone::clone).update(|it| *it = renderer);
}

/// Sets the loader's function that loads the renderer again, for the button that people press after
/// a failure.
pub fn set_load_again(load: Option<Function>) {
    LOAD_AGAIN.set(load);
}

/// Asks the loader to load the renderer again, after it could not be loaded or has failed.
pub(super) fn load_again() {
    if let Some(load) = LOAD_AGAIN.with_borrow(Clone::clone) {
        set_renderer(Lazy::Loading);
        // The loader's own function does not throw.
        load.call0(&JsValue::UNDEFINED).ok();
    }
}

/// Returns the renderer, reactive; `None` while it is not loaded, and after it failed.
pub(super) fn renderer() -> Option<Renderer> {
    RENDERER.with(Clone::clone).with(Lazy::ready)
}

/// Subscribes the current effect or view to the renderer: it runs again when the renderer is loaded
/// or fails.
pub(super) fn track_renderer() {
    RENDERER.with(Clone::clone).track();
}

/// Returns true if the renderer could not be loaded or has failed, reactive.
pub(super) fn renderer_failed() -> bool {
    let renderer_failed = |it: &Lazy<Renderer>| matches!(it, Lazy::Unavailable);
    RENDERER.with(Clone::clone).with(renderer_failed)
}

/// Returns the sentence that says why a request for approval is not drawn: the renderer is still
/// being loaded, or there is none; reactive.
pub(super) fn why_not_drawn(texts: Texts) -> &'static str {
    if renderer_failed() {
        texts.get(strings::CANNOT_SHOW)
    } else {
        texts.get(strings::READING_REQUEST)
    }
}

/// Copies an answer as it is drawn to the clipboard, and as `text` for programs that take only
/// text. `None` if the renderer or the browser cannot.
pub(super) fn copy_drawn(answer: &web_sys::Element, text: &str) -> Option<Promise> {
    let renderer = RENDERER.with(Clone::clone).with_untracked(Lazy::ready);
    renderer?.module.copy(answer, text).ok()?.dyn_into().ok()
}

/// Stops using the renderer after it has thrown `error`, since the state of its memory is unknown:
/// answers are plain paragraphs from now on.
pub(super) fn give_up_renderer(error: &JsValue) {
    let renderer = RENDERER.with(Clone::clone);
    if renderer.with_untracked(Lazy::ready).is_some() {
        web_sys::console::warn_2(&strings::NO_RENDERER_MESSAGE.into(), error);
        renderer.update(|it| *it = Lazy::Unavailable);
    }
}

impl Renderer {
    /// Creates a renderer from its module and the loader's registry.
    #[must_use]
    pub fn new(module: RendererModule, assets: JsValue) -> Self {
        Self { module, assets }
    }

    /// Lets the renderer prepare for the first answer of the page, which is drawn faster then.
    /// `input` is the message box in which somebody has begun to write. Only the first call has an
    /// effect.
    pub(super) fn warm_up(&self, input: &web_sys::Element) {
        if IS_WARMED_UP.replace(true) {
            return;
        }
        // Without it the first answer is slower, and nothing else.
        self.module.warm_up(input).ok();
    }

    /// Lets the renderer create an answer without text inside `root`, which is empty. Images from
    /// `hosts` are loaded without asking; `policies` are the page's functions that decide on
    /// addresses.
    pub(super) fn create_answer(
        &self,
        root: &web_sys::Element,
        texts: Texts,
        hosts: &Set,
        policies: &Policies,
    ) -> Result<DrawnAnswer, JsValue> {
        let class = self.module.answer_class().ok_or(JsValue::UNDEFINED)?;
        let page: AnswerPage = Object::new().unchecked_into();
        page.set_texts(&answer_texts(texts));
        page.set_assets(&self.assets);
        page.set_hosts(hosts);
        if let Some(policy) = &policies.link {
            page.set_link(policy);
        }
        if let Some(policy) = &policies.image {
            page.set_image(policy);
        }
        // The class comes with a module that is imported later, so that no type can name it.
        let answer = Reflect::construct(&class, &Array::of2(root, &page))?;
        Ok(DrawnAnswer(answer.unchecked_into()))
    }

    /// Draws a tool's request into the elements that `request` names.
    pub(super) fn draw_request(&self, request: &RequestData) -> Result<DrawnRequest, JsValue> {
        let class = self.module.request_class().ok_or(JsValue::UNDEFINED)?;
        let request = Reflect::construct(&class, &Array::of1(request))?;
        Ok(DrawnRequest(request.unchecked_into()))
    }
}

/// Returns the texts that the renderer needs for answers, as an object that all answers of a widget
/// share.
fn answer_texts(texts: Texts) -> Object {
    thread_local! {
        static LAST_TEXTS: RefCell<Option<(Texts, Object)>> = const { RefCell::new(None) };
    }
    LAST_TEXTS.with_borrow_mut(|last| match last {
        Some((of, made)) if *of == texts => made.clone(),
        _ => {
            let made = Object::new();
            for text in strings::ANSWERS {
                // A dictionary: its keys are those of the table. A plain object takes any property.
                Reflect::set(&made, &text.0.key().into(), &texts.get(text).into()).ok();
            }
            *last = Some((texts, made.clone()));
            made
        }
    })
}

/// An answer as the renderer draws it. Dropping it gives back the renderer's memory.
pub(super) struct DrawnAnswer(Answer);

impl DrawnAnswer {
    /// Appends more text to the answer and draws it.
    pub(super) fn push(&self, text: &str) -> Result<(), JsValue> {
        self.0.push(text)
    }

    /// Ends the text of the answer: nothing comes after it.
    pub(super) fn finish(&self) -> Result<(), JsValue> {
        self.0.finish()
    }

    /// Replaces the text of the answer by `text`, which is complete if `whole`.
    pub(super) fn reset(&self, text: &str, whole: bool) -> Result<(), JsValue> {
        self.0.reset(text, whole)
    }

    /// Marks each paragraph whose Markdown is one of `sentences` as English.
    pub(super) fn mark_english(&self, sentences: &Array) -> Result<(), JsValue> {
        self.0.mark_english(sentences)
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
