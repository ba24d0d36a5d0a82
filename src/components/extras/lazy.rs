//! What not every page or person needs, once its code is loaded.
//!
//! In `dist/` the code is a module of its own, `assent_extras`, cut out of the widget at
//! `extra_code`: it is fetched when something of it is to be drawn. Everywhere else the widget is
//! whole, and the code is there from the beginning.

use std::{cell::Cell, time::Duration};

use js_sys::Promise;
use leptos::{
    prelude::*,
    task::spawn_local,
    wasm_bindgen::{JsCast, JsValue, prelude::*},
};
use wasm_bindgen_futures::JsFuture;

use super::drawn::Extra;
#[cfg(not(feature = "split"))]
use super::drawn::draw;

#[wasm_bindgen]
extern "C" {
    /// The loader's registry of modules (`web/loader/assets.js`).
    type Assets;

    #[wasm_bindgen(method, getter)]
    fn extras(this: &Assets) -> LazyModule;

    /// A module of the registry, which is loaded once.
    type LazyModule;

    #[wasm_bindgen(method)]
    fn load(this: &LazyModule) -> Promise;
}

/// The type of the function that draws.
type Draw = fn(&Extra) -> AnyView;

/// The function that draws when the widget starts; `None` where it is in a module of its own, which
/// is loaded later.
#[cfg(not(feature = "split"))]
const FIRST_DRAW: Option<Draw> = Some(draw);
#[cfg(feature = "split")]
const FIRST_DRAW: Option<Draw> = None;

/// The pause after an attempt to fetch the module that failed.
const PAUSE: Duration = Duration::from_secs(5);

thread_local! {
    /// The function that draws; `None` until its module is linked. All widgets of the page share
    /// it, since they share one module.
    static DRAW: ArcRwSignal<Option<Draw>> = ArcRwSignal::new(FIRST_DRAW);
    /// The loader's registry of modules; `undefined` until it is known.
    static ASSETS: ArcRwSignal<JsValue> = ArcRwSignal::new(JsValue::UNDEFINED);
    /// True while the module is being fetched.
    static IS_LOADING: Cell<bool> = const { Cell::new(false) };
}

/// Sets the loader's registry of modules.
pub fn set_assets(assets: JsValue) {
    ASSETS.with(Clone::clone).set(assets);
}

/// Draws from now on. Is called once the module with the code is loaded.
#[cfg(feature = "split")]
pub fn link_extras() {
    spawn_local(async {
        let draw = split::extra_code().await;
        DRAW.with(Clone::clone).set(Some(draw));
    });
}

#[cfg(feature = "split")]
mod split {
    use super::{super::drawn, Draw};
    use leptos::wasm_split::wasm_split;

    /// Returns the function that draws. Only this call waits for its module: the function that it
    /// returns draws at once, under the reactive owner of the place.
    #[wasm_split(extras, wasm_split_path = ::leptos::wasm_split)]
    pub(super) fn extra_code() -> Draw {
        drawn::draw
    }
}

/// Returns the function that draws, reactive. While there is none, it is fetched.
fn wanted_draw() -> Option<Draw> {
    let draw = DRAW.with(Clone::clone).get();
    if draw.is_none() {
        fetch(&ASSETS.with(Clone::clone).get());
    }
    draw
}

/// Returns true once what is drawn here is loaded, reactive. While it is not, it is fetched.
pub(in crate::components) fn are_extras_loaded() -> bool {
    wanted_draw().is_some()
}

/// Fetches the module, unless it is being fetched or the registry is not known. After a failure the
/// next attempt is made some seconds later, if something of the module is still to be drawn.
fn fetch(assets: &JsValue) {
    if assets.is_undefined() || IS_LOADING.replace(true) {
        return;
    }
    let assets: &Assets = assets.unchecked_ref();
    let load = assets.extras().load();
    spawn_local(async move {
        let has_failed = JsFuture::from(load).await.is_err();
        if !has_failed {
            return IS_LOADING.set(false);
        }
        let try_again = || {
            IS_LOADING.set(false);
            ASSETS.with(Clone::clone).notify();
        };
        set_timeout(try_again, PAUSE);
    });
}

/// What not every page or person needs; nothing until its code is loaded.
#[component]
pub(in crate::components) fn LazyExtra(extra: Extra) -> impl IntoView {
    move || wanted_draw().map(|draw| draw(&extra))
}
