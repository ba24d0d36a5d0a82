//! What components ask of the service themselves, beside the conversation's state: images, and what
//! extensions tell.

use std::rc::{Rc, Weak};

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::Runtime;
use crate::api::Api;
use crate::extension_calls::WantedBody;

impl Runtime {
    /// Returns a function of JavaScript that reads an image which the service keeps: it takes the id,
    /// and returns a promise of a `Blob`. It does not keep the runtime alive.
    #[must_use]
    pub fn image_reader(&self) -> Function {
        let api = Rc::downgrade(&self.0.api);
        let read = move |id: String| fetch(&api, WantedBody::Image(id));
        // The page's garbage collector owns it.
        let read = Closure::<dyn Fn(String) -> Promise>::new(read);
        read.into_js_value().unchecked_into()
    }

    /// Returns a function that says whether the service has the extension with a name. It does not
    /// keep the runtime alive.
    pub fn offers(&self) -> impl Fn(&str) -> bool + 'static {
        let api = Rc::downgrade(&self.0.api);
        move |name| api.upgrade().is_some_and(|api| api.extensions().has(name))
    }

    /// Returns a function that reads what an extension has under a name and an id, or ends it: a
    /// promise of the response's text, which is rejected if that fails. It does not keep the runtime
    /// alive.
    pub fn extension_caller(&self) -> impl Fn(&'static str, String, bool) -> Promise + 'static {
        let api = Rc::downgrade(&self.0.api);
        move |of, id, ends| fetch(&api, WantedBody::Text(of, id, ends))
    }
}

/// Returns a promise of a body, which is rejected if that cannot be read or the runtime has ended.
fn fetch(api: &Weak<Api>, wanted: WantedBody) -> Promise {
    let api = api.upgrade();
    future_to_promise(async move {
        let body = match &api {
            Some(api) => api.fetch_body(&wanted).await.ok(),
            None => None,
        };
        JsFuture::from(body.ok_or(JsValue::NULL)?).await
    })
}
