//! What components ask of the service themselves, beside the conversation's state: images, what is
//! allowed beforehand, and what waits with all agents.

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

    /// Returns a function that says whether the service lets calls be allowed beforehand (extension
    /// `grants`). It does not keep the runtime alive.
    pub fn offers_grants(&self) -> impl Fn() -> bool + 'static {
        let api = Rc::downgrade(&self.0.api);
        move || {
            api.upgrade()
                .is_some_and(|api| api.extensions().has_grants())
        }
    }

    /// Returns a function that lists what waits for the user with all agents (extension `inbox`): a
    /// promise of the response's text, which is rejected if that fails. It does not keep the runtime
    /// alive.
    pub fn waiting_reader(&self) -> impl Fn() -> Promise + 'static {
        let api = Rc::downgrade(&self.0.api);
        move || fetch(&api, WantedBody::Waiting)
    }

    /// Returns a function that ends the grant with an id, or without one lists those that are in
    /// effect: a promise of the response's text, which is rejected if that fails. It does not keep the
    /// runtime alive.
    pub fn grants_caller(&self) -> impl Fn(Option<String>) -> Promise + 'static {
        let api = Rc::downgrade(&self.0.api);
        move |ended| {
            fetch(
                &api,
                ended.map_or(WantedBody::Grants, WantedBody::EndOfGrant),
            )
        }
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
