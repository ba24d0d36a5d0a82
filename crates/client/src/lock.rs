//! A lock that all tabs of this browser share (Web Locks API), whatever storage each uses: an
//! answer to a batch is to be posted by one of them. It stores nothing.
//!
//! If the browser gives a page no locks, because it came without TLS or has an opaque origin, every
//! lock counts as free: the service still accepts one answer only.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A lock that is held until it is dropped. The browser releases it with the page, whatever
/// happens.
pub(super) struct Lock {
    /// The function that releases the lock; `None` if the browser gives the page no locks.
    release: Option<Function>,
}

/// Returns true if the browser gives the page locks (Web Locks API).
pub(super) fn are_supported() -> bool {
    request_function().is_some()
}

/// Takes the lock of this name; `None` if it is held already, in this tab or another, or if the
/// browser fails to say so. Never waits for it.
pub(super) async fn try_take(name: &str) -> Option<Lock> {
    let (lifetime, release) = promise_and_resolver();
    let (granted, grant) = promise_and_resolver();
    let answer = Closure::once(move |lock: JsValue| {
        let is_free = !lock.is_null();
        grant.call1(&JsValue::UNDEFINED, &is_free.into()).ok();
        // The browser holds the lock until this promise is resolved.
        is_free.then_some(lifetime)
    });
    let none_needed = Some(Lock { release: None });
    let Some(requested) = request_lock(name, answer.as_ref()) else {
        return none_needed;
    };
    let granted = match requested {
        // The request itself ends with the lock, or at once where the browser does not allow any.
        Ok(requested) => JsFuture::from(Promise::race(&Array::of2(&granted, &requested))).await,
        Err(error) => Err(error),
    };
    match granted {
        Ok(granted) => granted.is_truthy().then_some(Lock {
            release: Some(release),
        }),
        Err(error) if property(&error, "name") == "SecurityError" => none_needed,
        Err(_) => None,
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            release.call0(&JsValue::UNDEFINED).ok();
        }
    }
}

/// Calls `navigator.locks.request` by name: its types in web-sys count as unstable. `None` if there
/// is no such function.
fn request_lock(name: &str, answer: &JsValue) -> Option<Result<JsValue, JsValue>> {
    let (locks, request) = request_function()?;
    let options = Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &true.into()).ok()?;
    Some(request.call3(&locks, &name.into(), &options, answer))
}

fn request_function() -> Option<(JsValue, Function)> {
    let locks = property(&web_sys::window()?.navigator(), "locks");
    let request = property(&locks, "request").dyn_into().ok()?;
    Some((locks, request))
}

/// Returns the property `name` of an object of the browser; `undefined` if the browser lacks it.
fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

/// Returns a promise, and the function that resolves it.
fn promise_and_resolver() -> (Promise, Function) {
    // The default of `Function` is one made from source text, which strict policies refuse.
    let mut keep: Function = JsValue::UNDEFINED.unchecked_into();
    let promise = Promise::new(&mut |resolve, _| keep = resolve);
    (promise, keep)
}
