//! Functions that are loaded later, and only if needed: formulas and the tokens of code.

use std::{cell::RefCell, thread::LocalKey};

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A function that is loaded once for all answers.
#[derive(Default)]
pub(crate) struct Asset {
    coming: Option<Promise>,
    function: Option<Function>,
}

pub(crate) type Slot = LocalKey<RefCell<Asset>>;

thread_local! {
    /// Turns TeX into MathML.
    pub(crate) static MATH: RefCell<Asset> = RefCell::default();
    /// Finds the tokens of code.
    pub(crate) static HIGHLIGHT: RefCell<Asset> = RefCell::default();
}

/// Returns the function, if it is loaded.
pub(crate) fn ready(slot: &'static Slot) -> Option<Function> {
    slot.with_borrow(|asset| asset.function.clone())
}

/// Loads the function; `None` if that fails. The next call then tries again.
pub(crate) async fn wait_for(slot: &'static Slot, ask: &Function) -> Option<Function> {
    let coming = slot.with_borrow(|asset| asset.coming.clone());
    let coming = match coming {
        Some(coming) => coming,
        None => {
            let asked = ask.call0(&JsValue::UNDEFINED).ok()?;
            let coming = Promise::resolve(&asked);
            slot.with_borrow_mut(|asset| asset.coming = Some(coming.clone()));
            coming
        }
    };
    let function = JsFuture::from(coming).await.ok();
    let function = function.and_then(|it| it.dyn_into::<Function>().ok());
    slot.with_borrow_mut(|asset| {
        asset.function.clone_from(&function);
        if function.is_none() {
            asset.coming = None;
        }
    });
    function
}
