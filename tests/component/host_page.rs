//! The container that a widget is mounted in.

use std::ops::Deref;
use std::{cell::RefCell, rc::Rc};

use assent_widget::host::{mount, start, unmount};
use js_sys::{Function, Object};
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot, ShadowRootInit, ShadowRootMode};

use crate::undone::Undone;

/// A container in a shadow root of its own, as the loader makes it. It is removed from the page
/// when the value is dropped; what was started in it has ended by then, if the test did not fail.
pub(crate) struct Host {
    root: ShadowRoot,
    container: HtmlElement,
    handles: Rc<RefCell<Vec<u32>>>,
    _removed: Undone,
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
        let handles = Rc::new(RefCell::new(Vec::new()));
        let started = handles.clone();
        let removed = Undone::new(move || {
            host.remove();
            started.take().into_iter().for_each(unmount);
        });
        Self {
            root,
            container,
            handles,
            _removed: removed,
        }
    }

    /// Starts a widget and draws it in the container, as the loader does. Returns its handle.
    pub(crate) fn start(&self, options: &Object, emit: Function) -> u32 {
        let handle = start(options, emit);
        self.handles.borrow_mut().push(handle);
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
