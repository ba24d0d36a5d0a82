//! The renderer of answers and requests, which is a module of its own and is loaded after the
//! widget.

use std::cell::RefCell;

use assent_i18n::Texts;
use js_sys::{Array, Function, Object, Promise, Reflect};
use leptos::{prelude::*, wasm_bindgen::prelude::*, web_sys};

use super::strings;

/// The renderer's module.
#[derive(Clone)]
pub(super) struct Renderer {
    /// Its class `Answer`.
    answer: Function,
    /// Its class `ToolRequest`.
    request: Option<Function>,
    /// Its function `copy`.
    copy: Option<Function>,
    /// Page functions for all answers: they fetch the parts that few answers need.
    page: Object,
}

/// Loading state of the renderer.
enum Arrival {
    Coming,
    Here(Renderer),
    /// It cannot be loaded, or has failed.
    Gone,
}

/// One answer or request as the renderer draws it. Dropping it frees the renderer's memory for it.
pub(super) struct Rendered(JsValue);

thread_local! {
    /// Shared by all widgets of the page, as the module is one.
    static RENDERER: ArcRwSignal<Arrival> = ArcRwSignal::new(Arrival::Coming);
}

/// Draws answers and requests with this module from now on, those on the screen too. `undefined` is
/// still to come, `null` cannot be loaded. `assets` has the members `math` and `highlight`,
/// functions that fetch the one and the other.
pub fn render_with(module: &JsValue, assets: &JsValue) {
    let member = |name| get(module, name).and_then(|it| it.dyn_into().ok());
    let draw = |answer| {
        let page = Object::new();
        for name in ["math", "highlight"] {
            if let Some(fetch) = get(assets, name) {
                put(&page, name, &fetch);
            }
        }
        Arrival::Here(Renderer {
            answer,
            request: member("ToolRequest"),
            copy: member("copy"),
            page,
        })
    };
    let arrival = match member("Answer") {
        Some(answer) => draw(answer),
        None if module.is_undefined() => Arrival::Coming,
        None => Arrival::Gone,
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
    let copy = renderer?.copy?;
    let writing = copy.call2(&JsValue::UNDEFINED, answer, &text.into());
    writing.ok()?.dyn_into().ok()
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
    ) -> Result<Rendered, JsValue> {
        let page = Object::create(&self.page);
        put(&page, "texts", &answer_texts(texts));
        for (name, value) in own {
            put(&page, name, value);
        }
        Reflect::construct(&self.answer, &Array::of2(root, &page)).map(Rendered)
    }

    /// Draws a tool's request into the elements that `request` names.
    pub(super) fn request(&self, request: &Object) -> Result<Rendered, JsValue> {
        let class = self.request.as_ref().ok_or(JsValue::UNDEFINED)?;
        Reflect::construct(class, &Array::of1(request)).map(Rendered)
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
            for text in strings::ANSWER {
                put(&made, text.0.key(), &texts.get(text).into());
            }
            *last = Some((texts, made.clone()));
            made
        }
    })
}

impl Rendered {
    /// Appends text.
    pub(super) fn push(&self, text: &str) -> Result<(), JsValue> {
        self.call("push", &Array::of1(&text.into()))
    }

    /// Marks the text as complete.
    pub(super) fn finish(&self) -> Result<(), JsValue> {
        self.call("finish", &Array::new())
    }

    /// Replaces the text.
    pub(super) fn reset(&self, text: &str, whole: bool) -> Result<(), JsValue> {
        self.call("reset", &Array::of2(&text.into(), &whole.into()))
    }

    fn call(&self, name: &str, arguments: &Array) -> Result<(), JsValue> {
        let method: Function = Reflect::get(&self.0, &name.into())?.dyn_into()?;
        method.apply(&self.0, arguments).map(drop)
    }
}

impl Drop for Rendered {
    fn drop(&mut self) {
        // After a failure there is nothing left to free.
        self.call("free", &Array::new()).ok();
    }
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok()
}

fn put(object: &Object, name: &str, value: &JsValue) {
    // A plain object takes any property.
    Reflect::set(object, &name.into(), value).ok();
}
