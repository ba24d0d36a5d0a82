//! An answer in a shadow root, and the data of its page.

use assent_renderer::Answer;
use js_sys::{Function, Object, Promise, Reflect, Set};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, HtmlElement, Node, ShadowRoot, ShadowRootInit, ShadowRootMode};

/// Texts of the page, by key.
const TEXTS: [(&str, &str); 15] = [
    ("copy", "Copy"),
    ("copied", "Copied"),
    ("copyCode", "Copy code"),
    ("wrap", "Wrap lines"),
    ("code", "Code"),
    ("image", "Image not loaded"),
    ("imageFrom", "Image not loaded, from"),
    ("loadImage", "Load image"),
    ("loadImagesFrom", "Load all images from {host}"),
    ("imageFailed", "The image could not be loaded"),
    ("done", "done"),
    ("notDone", "not done"),
    ("leadsTo", "Leads to {host}"),
    ("footnote", "Footnote {name}"),
    ("table", "Table"),
];

/// The object that the widget would pass.
#[derive(Clone)]
pub(crate) struct Page(pub(crate) Object);

impl Page {
    pub(crate) fn new() -> Self {
        let texts = Object::new();
        for (key, text) in TEXTS {
            Reflect::set(&texts, &key.into(), &text.into()).unwrap();
        }
        let page = Self(Object::new());
        page.with("texts", &texts)
            .with("hosts", &Set::new(&JsValue::UNDEFINED))
    }

    /// Adds a member to the page.
    pub(crate) fn with(self, name: &str, value: &JsValue) -> Self {
        Reflect::set(&self.0, &name.into(), value).unwrap();
        self
    }

    /// Adds a function to the page, written in JavaScript.
    pub(crate) fn with_function(self, name: &str, arguments: &str, body: &str) -> Self {
        let function = Function::new_with_args(arguments, body);
        self.with(name, &function)
    }

    /// Adds an on-demand asset, which is lazy as the loader's are. `fetch` is JavaScript for a
    /// function that returns a promise of the module.
    pub(crate) fn with_asset(self, name: &str, fetch: &str) -> Self {
        let lazy = format!(
            "const fetch = {fetch}; let loading = null; \
             return {{ ...others, {name}: {{ value: null, load() {{ return loading ??= fetch().then( \
                 (module) => this.value = module, (error) => {{ loading = null; throw error; }}); }} }} }};"
        );
        let others = Reflect::get(&self.0, &"assets".into()).unwrap();
        let assets = Function::new_with_args("others", &lazy).call1(&JsValue::UNDEFINED, &others);
        self.with("assets", &assets.unwrap())
    }

    /// Adds a tokenizer to the page: JavaScript for a function of code and language.
    pub(crate) fn with_tokens(self, tokens: &str) -> Self {
        self.with_asset(
            "highlight",
            &format!("async () => ({{ highlight: {tokens} }})"),
        )
    }
}

/// A shown answer. It is removed from the page when the value is dropped.
pub(crate) struct Shown {
    pub(crate) answer: Option<Answer>,
    pub(crate) shadow: ShadowRoot,
    pub(crate) root: HtmlElement,
}

impl Shown {
    pub(crate) fn new(page: &Page) -> Self {
        let host = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&host).unwrap();
        let shadow = host
            .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open))
            .unwrap();
        let root: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        root.set_class_name("answer");
        shadow.append_child(&root).unwrap();
        let answer = Answer::new(root.clone(), page.0.clone().into()).unwrap();
        Self {
            answer: Some(answer),
            shadow,
            root,
        }
    }

    /// Creates a complete answer.
    pub(crate) fn whole(page: &Page, text: &str) -> Self {
        let mut shown = Self::new(page);
        shown.push(text);
        shown.finish();
        shown
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.answer.as_mut().unwrap().push(text).unwrap();
    }

    pub(crate) fn finish(&mut self) {
        self.answer.as_mut().unwrap().finish().unwrap();
    }

    pub(crate) fn reset(&mut self, text: &str, whole: bool) {
        self.answer.as_mut().unwrap().reset(text, whole).unwrap();
    }

    pub(crate) fn all(&self, selector: &str) -> Vec<Element> {
        let list = self.root.query_selector_all(selector).unwrap();
        (0..list.length())
            .map(|place| list.item(place).unwrap().unchecked_into())
            .collect()
    }

    pub(crate) fn one(&self, selector: &str) -> Element {
        let found = self.root.query_selector(selector).unwrap();
        found.unwrap_or_else(|| panic!("no {selector} in {}", markup(&self.root)))
    }

    pub(crate) fn has(&self, selector: &str) -> bool {
        !self.all(selector).is_empty()
    }

    pub(crate) fn click(&self, selector: &str) {
        self.one(selector).unchecked_into::<HtmlElement>().click();
    }

    pub(crate) fn text(&self) -> String {
        self.root.text_content().unwrap()
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.shadow.host().remove();
    }
}

pub(crate) fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

/// Returns the markup of a node, without the listeners.
pub(crate) fn markup(node: &Element) -> String {
    node.outer_html()
}

pub(crate) fn is_same(one: &Node, other: &Node) -> bool {
    one.is_same_node(Some(other))
}

/// Lets the browser run until this holds.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    for _ in 0..600 {
        if holds() {
            return;
        }
        frame().await;
    }
    panic!("it never came to hold");
}

/// Waits for the next frame, and for promises before it.
pub(crate) async fn frame() {
    let next = Promise::new(&mut |resolve, _| {
        let window = web_sys::window().unwrap();
        let raf = Reflect::get(&window, &"requestAnimationFrame".into()).unwrap();
        raf.unchecked_into::<Function>()
            .call1(&window, &resolve)
            .unwrap();
    });
    JsFuture::from(next).await.unwrap();
}
