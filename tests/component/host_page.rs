//! The container that a widget is mounted in.

use std::ops::Deref;

use assent_widget::host::{mount, start};
use js_sys::{Function, Object};
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot, ShadowRootInit, ShadowRootMode};

/// A container in a shadow root of its own, as the loader makes it. It is removed from the page
/// when the value is dropped.
pub(crate) struct Host {
    root: ShadowRoot,
    container: HtmlElement,
}

impl Host {
    pub(crate) fn new() -> Self {
        let host = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&host).unwrap();
        let root = host
            .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open))
            .unwrap();
        let container: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        root.append_child(&container).unwrap();
        Self { root, container }
    }

    /// Starts a widget and draws it in the container, as the loader does. Returns its handle.
    pub(crate) fn start(&self, options: &Object, emit: Function) -> u32 {
        let handle = start(options, emit);
        mount(handle, self.container.clone());
        handle
    }

    pub(crate) fn root(&self) -> &ShadowRoot {
        &self.root
    }
}

/// The container.
impl Deref for Host {
    type Target = HtmlElement;

    fn deref(&self) -> &HtmlElement {
        &self.container
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.root.host().remove();
    }
}
