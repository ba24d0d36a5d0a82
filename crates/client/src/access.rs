//! Authentication data of requests besides the connection: the token that the page provides, and
//! the page's own request headers.
//!
//! The token is in memory alone, and leaves it in one header only (`headers`).

use std::cell::{Cell, RefCell};

use assent_conversation::{FailureKind, Millis};
use js_sys::{Array, Function, Object, Promise, Reflect, Symbol};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::clock::sleep;
use super::warning::warn_with_error;
use super::{is_header_name, is_header_value, warn};

/// Timeout of `tokenProvider` and `requestHeaders`, in milliseconds: a function of the page that
/// has not answered by then counts as failed.
const PAGE_FUNCTION_TIMEOUT: Millis = Millis(30_000);

/// Maximum number of tokens, and of header values, that are remembered for removal from logs.
const MAX_SECRETS: u32 = 50;

/// The page's functions `tokenProvider(reason)` and `requestHeaders()`, and the token that the
/// provider returned.
#[derive(Default)]
pub(super) struct Access {
    provider: RefCell<Option<Function>>,
    headers: RefCell<Option<Function>>,
    token: RefCell<Option<String>>,
    /// The pending call of `tokenProvider`, if there is one: requests that need the token meanwhile
    /// wait for its result.
    asking: RefCell<Option<Promise>>,
    /// True if a token was refused since the provider returned the last one.
    is_expired: Cell<bool>,
    /// The last tokens, oldest first. A log must contain neither these nor `values`, the last
    /// values of the page's headers.
    tokens: Array,
    values: Array,
    /// True if `new_secrets` has returned all `tokens` and `values`.
    are_known: Cell<bool>,
}

impl Access {
    /// Sets the page's functions. If the provider is another one than before, the token is
    /// forgotten.
    pub(super) fn set_functions(&self, provider: Option<Function>, headers: Option<Function>) {
        self.headers.replace(headers);
        if *self.provider.borrow() != provider {
            self.provider.replace(provider);
            self.token.take();
            self.asking.take();
            self.is_expired.set(false);
        }
    }

    /// Returns the token, from memory or from the page; `None` if the page provides none.
    pub(super) async fn token(&self) -> Result<Option<String>, FailureKind> {
        let Some(provider) = self.provider.borrow().clone() else {
            return Ok(None);
        };
        let known = self.token.borrow().clone();
        if known.is_some() {
            return Ok(known);
        }
        let asked = self.asking.borrow().clone();
        let asked = asked.unwrap_or_else(|| {
            let reason = if self.is_expired.get() {
                "expired"
            } else {
                "initial"
            };
            let asked = call_page_function(&provider, &reason.into());
            self.asking.replace(Some(asked.clone()));
            asked
        });
        let returned = JsFuture::from(asked.clone()).await;
        let token = returned.as_ref().ok().and_then(JsValue::as_string);
        let token = token.filter(|token| is_header_value(token));
        if let Some(token) = &token {
            self.remember_secret(&self.tokens, token);
        }
        // Only the first of those who waited stores it; none of them if there is another provider
        // by now.
        let is_first = self
            .asking
            .borrow()
            .as_ref()
            .is_some_and(|it| Object::is(it, &asked));
        if is_first {
            self.asking.take();
            self.is_expired
                .set(token.is_none() && self.is_expired.get());
            self.token.replace(token.clone());
        }
        if token.is_none() {
            warn_about(
                "tokenProvider",
                returned.err(),
                "gave no token: it has to return a text, or a promise of one.",
            );
        }
        token.map(Some).ok_or(FailureKind::NoAccess)
    }

    /// Returns the last tokens and the last header values; `None` if there is no new one since the
    /// last call.
    pub(super) fn new_secrets(&self) -> Option<[&Array; 2]> {
        let are_known = self.are_known.replace(true);
        (!are_known).then_some([&self.tokens, &self.values])
    }

    /// Adds a token or a header value to `values`, unless it is there. Beyond [`MAX_SECRETS`] the
    /// oldest one is removed.
    fn remember_secret(&self, values: &Array, value: &str) {
        let value = value.into();
        if !values.includes(&value, 0) {
            self.are_known.set(false);
            values.push(&value);
            if values.length() > MAX_SECRETS {
                values.shift();
            }
        }
    }

    /// Marks this token as refused by the service. Nothing changes if it is no longer the present
    /// token.
    pub(super) fn mark_refused(&self, token: &str) {
        let is_current = self.token.borrow().as_deref() == Some(token);
        if is_current {
            self.token.take();
            self.is_expired.set(true);
        }
    }

    /// Returns the page's own headers. Invalid headers are left out, with a warning.
    pub(super) async fn page_headers(&self) -> Result<Vec<(String, String)>, FailureKind> {
        let Some(headers) = self.headers.borrow().clone() else {
            return Ok(Vec::new());
        };
        let returned = JsFuture::from(call_page_function(&headers, &JsValue::UNDEFINED)).await;
        let returned = returned.and_then(|returned| match returned.is_object() {
            true => header_pairs(&returned).map(Some),
            false => Ok(None),
        });
        let entries = match returned {
            Ok(Some(entries)) => entries,
            failed => {
                warn_about(
                    "requestHeaders",
                    failed.err(),
                    "gave no headers: it has to return an object of texts, or a promise of one.",
                );
                return Err(FailureKind::NoAccess);
            }
        };
        let headers = entries.iter().filter_map(|entry| {
            let entry = entry.dyn_into::<Array>().ok()?;
            let name = entry.get(0).as_string().unwrap_or_default();
            let value = entry.get(1).as_string();
            let value = value.filter(|value| is_header_name(&name) && is_header_value(value));
            if value.is_none() {
                warn(&format!("assent-chat: requestHeaders gave \"{name}\", which is not sent: its name or value cannot stand in a request."));
            }
            let value = value?;
            self.remember_secret(&self.values, &value);
            Some((name, value))
        });
        Ok(headers.collect())
    }
}

#[wasm_bindgen]
extern "C" {
    /// Calls `Object.entries`. A getter or a proxy of the page may throw.
    #[wasm_bindgen(catch, js_namespace = Object, js_name = entries)]
    fn object_entries(object: &JsValue) -> Result<Array, JsValue>;
    /// Calls `Array.from`. An iterator of the page may throw.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(iterable: &JsValue) -> Result<Array, JsValue>;
}

/// Returns the pairs of a plain object, or of something that iterates over pairs, such as `Headers`.
fn header_pairs(returned: &JsValue) -> Result<Array, JsValue> {
    let iterates = Reflect::get(returned, &Symbol::iterator())?.is_function();
    match iterates {
        true => array_from(returned),
        false => object_entries(returned),
    }
}

/// Warns that a function of the page failed: with the error that it threw, or, without one, with
/// `value`, which says what is wrong with the returned value.
fn warn_about(function: &str, error: Option<JsValue>, value: &str) {
    match error {
        None => warn(&["assent-chat: ", function, " ", value].concat()),
        Some(error) if error.is_null() => {
            warn(
                &[
                    "assent-chat: ",
                    function,
                    " has not answered for 30 seconds.",
                ]
                .concat(),
            );
        }
        Some(error) => warn_with_error(&["assent-chat: ", function, " failed:"].concat(), &error),
    }
}

/// Calls the page's function and returns a promise of its result. An exception becomes a rejection,
/// and so does a timeout.
fn call_page_function(function: &Function, argument: &JsValue) -> Promise {
    let answer = match function.call1(&JsValue::UNDEFINED, argument) {
        Ok(answer) => Promise::resolve(&answer),
        Err(error) => Promise::reject(&error),
    };
    // `null` is no error that code throws.
    let too_late = future_to_promise(async {
        sleep(PAGE_FUNCTION_TIMEOUT).await;
        Err(JsValue::NULL)
    });
    Promise::race(&Array::of2(&answer, &too_late))
}
