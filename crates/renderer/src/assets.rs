//! Types for the JavaScript objects of modules that are loaded later, and only if an answer needs
//! them. The loader fetches each of them once for all answers (`web/loader/assets.js`).

use std::marker::PhantomData;

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The loader's registry of the modules that are loaded later.
    pub(crate) type Assets;

    #[wasm_bindgen(method, getter, js_name = math)]
    fn lazy_math(this: &Assets) -> Option<Lazy>;

    #[wasm_bindgen(method, getter, js_name = highlight)]
    fn lazy_highlight(this: &Assets) -> Option<Lazy>;

    /// The object that fetches one module when it is needed: `lazy()` of `web/loader/lazy.js`.
    #[derive(Clone)]
    type Lazy;

    #[wasm_bindgen(method, getter)]
    fn value(this: &Lazy) -> JsValue;

    #[wasm_bindgen(method, catch)]
    fn load(this: &Lazy) -> Result<Promise, JsValue>;

    /// The module `assent_math` (`crates/math`).
    #[derive(Clone)]
    pub(crate) type Math;

    /// Returns the MathML of a formula; `None` if its TeX cannot be read.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn mathml(
        this: &Math,
        tex: &str,
        is_display: bool,
    ) -> Result<Option<String>, JsValue>;

    /// The module `assent_highlight` (`web/highlight/index.js`).
    #[derive(Clone)]
    pub(crate) type Highlight;

    /// Returns the tokens of `code`, which get colours, each a `Token`; `None` if finding them
    /// takes too long.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn highlight(
        this: &Highlight,
        code: &str,
        language: &str,
    ) -> Result<Option<Array>, JsValue>;

    /// A token of code, which gets one colour. Its start and end within the code are in UTF-16
    /// units.
    pub(crate) type Token;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn start(this: &Token) -> u32;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn end(this: &Token) -> u32;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn scope(this: &Token) -> Option<String>;
}

impl Assets {
    pub(crate) fn math(&self) -> Option<Asset<Math>> {
        self.lazy_math().map(Asset::new)
    }

    pub(crate) fn highlight(&self) -> Option<Asset<Highlight>> {
        self.lazy_highlight().map(Asset::new)
    }
}

/// A module of the type `T` that is loaded when it is needed.
#[derive(Clone)]
pub(crate) struct Asset<T>(Lazy, PhantomData<T>);

impl<T: JsCast> Asset<T> {
    fn new(lazy: Lazy) -> Self {
        Self(lazy, PhantomData)
    }

    /// Returns the module, if it is loaded.
    pub(crate) fn ready(&self) -> Option<T> {
        let module = self.0.value();
        module.is_object().then(|| module.unchecked_into())
    }

    /// Loads the module; `None` if that fails. The next call then tries again.
    pub(crate) async fn load(&self) -> Option<T> {
        let module = JsFuture::from(self.0.load().ok()?).await.ok()?;
        Some(module.unchecked_into())
    }
}
