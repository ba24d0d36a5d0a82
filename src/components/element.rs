//! Elements of the page, made step by step by one concrete type.
//!
//! `view!` makes a type of its own for every element, with all its attributes, listeners and children, and each is
//! compiled anew; that was a quarter of what a visitor downloads.
//! Here the element is made at once, and what remains of it is a list of things to keep alive.

use leptos::{
    prelude::*,
    tachys::{
        html::attribute::{Attribute, any_attribute::AnyAttribute},
        hydration::Cursor,
        view::{
            Position, PositionState, Render, RenderHtml, add_attr::AddAnyAttr,
            any_view::AnyViewState,
        },
    },
    wasm_bindgen::{JsCast, JsValue, closure::Closure},
    web_sys,
};
use send_wrapper::SendWrapper;

use super::erased::ElementRef;

/// One element under construction.
pub(super) struct Element(SendWrapper<Made>);

/// An element, and what lives as long as it is shown.
pub(super) struct Made {
    node: web_sys::Element,
    children: Vec<AnyViewState>,
    effects: Vec<RenderEffect<Option<String>>>,
    listeners: Vec<(&'static str, Listener)>,
}

type Listener = Closure<dyn FnMut(JsValue)>;

/// A new element; an empty `class` is none.
pub(super) fn el(tag: &str, class: &str) -> Element {
    element(document().create_element(tag), class)
}

fn element(node: Result<web_sys::Element, JsValue>, class: &str) -> Element {
    // Only a bad name could fail, and names are written in this folder.
    let node = node.unwrap_or_else(|failure| failure.unchecked_into());
    let element = Element(SendWrapper::new(Made {
        node,
        children: Vec::new(),
        effects: Vec::new(),
        listeners: Vec::new(),
    }));
    if class.is_empty() {
        element
    } else {
        element.attr("class", class)
    }
}

impl Element {
    /// An attribute that stays.
    pub(super) fn attr(self, name: &str, value: &str) -> Self {
        self.0.node.set_attribute(name, value).ok();
        self
    }

    /// An attribute that follows what `value` reads; `None`: it is not there.
    pub(super) fn follow(
        self,
        name: &'static str,
        value: impl Fn() -> Option<String> + 'static,
    ) -> Self {
        self.follow_boxed(name, Box::new(value))
    }

    fn follow_boxed(mut self, name: &'static str, value: Box<dyn Fn() -> Option<String>>) -> Self {
        let node = self.0.node.clone();
        self.0
            .effects
            .push(RenderEffect::new(move |before: Option<Option<String>>| {
                let now = value();
                if before.as_ref() != Some(&now) {
                    match &now {
                        Some(now) => node.set_attribute(name, now).ok(),
                        None => node.remove_attribute(name).ok(),
                    };
                }
                now
            }));
        self
    }

    /// An attribute that is always there and follows what `value` reads.
    pub(super) fn follow_text(
        self,
        name: &'static str,
        value: impl Fn() -> String + 'static,
    ) -> Self {
        self.follow(name, move || Some(value()))
    }

    /// An attribute that is "true" or "false".
    pub(super) fn follow_bool(
        self,
        name: &'static str,
        value: impl Fn() -> bool + 'static,
    ) -> Self {
        self.follow(name, move || {
            Some(if value() { "true" } else { "false" }.to_owned())
        })
    }

    /// A yes-or-no property of the node that follows what `value` reads: `disabled`, `checked`, `inert`.
    pub(super) fn follow_property(
        self,
        name: &'static str,
        value: impl Fn() -> bool + 'static,
    ) -> Self {
        self.follow_property_boxed(name, Box::new(value))
    }

    fn follow_property_boxed(mut self, name: &'static str, value: Box<dyn Fn() -> bool>) -> Self {
        let node = self.0.node.clone();
        self.0.effects.push(RenderEffect::new(move |_| {
            set(&node, name, &value().into());
            None
        }));
        self
    }

    /// Something else that is done now, and again whenever something changes that it reads.
    pub(super) fn follow_effect(mut self, mut act: impl FnMut() + 'static) -> Self {
        self.0.effects.push(RenderEffect::new(move |_| {
            act();
            None
        }));
        self
    }

    /// The element itself.
    pub(super) fn node(&self) -> &web_sys::Element {
        &self.0.node
    }

    /// A listener for events of this type. `E` is the type of event that the browser gives for it.
    pub(super) fn on<E: JsCast>(
        self,
        event: &'static str,
        mut listener: impl FnMut(E) + 'static,
    ) -> Self {
        self.on_boxed(
            event,
            Box::new(move |event| listener(event.unchecked_into())),
        )
    }

    fn on_boxed(mut self, event: &'static str, listener: Box<dyn FnMut(JsValue)>) -> Self {
        let listener = Closure::wrap(listener);
        self.0
            .node
            .add_event_listener_with_callback(event, listener.as_ref().unchecked_ref())
            .ok();
        self.0.listeners.push((event, listener));
        self
    }

    /// From now on `place` is where the element is to be found.
    pub(super) fn node_ref(self, place: ElementRef) -> Self {
        place.set(&self.0.node);
        self
    }

    /// Some text at the end.
    pub(super) fn text(self, text: &str) -> Self {
        let text = document().create_text_node(text);
        self.0.node.append_child(&text).ok();
        self
    }

    /// Another part at the end.
    pub(super) fn child(mut self, child: impl Into<AnyView>) -> Self {
        self.add(child.into());
        self
    }

    /// Several parts at the end.
    pub(super) fn children(mut self, children: impl IntoIterator<Item = AnyView>) -> Self {
        children.into_iter().for_each(|child| self.add(child));
        self
    }

    fn add(&mut self, child: AnyView) {
        let mut state = child.build();
        state.mount(&self.0.node, None);
        self.0.children.push(state);
    }

    /// As a part of something else.
    pub(super) fn view(self) -> AnyView {
        self.into_any()
    }
}

impl From<Element> for AnyView {
    fn from(element: Element) -> Self {
        element.view()
    }
}

fn set(node: &web_sys::Element, name: &str, value: &JsValue) {
    js_sys::Reflect::set(node, &name.into(), value).ok();
}

/// A page may keep a node and send it events when nobody listens any more.
impl Drop for Made {
    fn drop(&mut self) {
        for (event, listener) in &self.listeners {
            let listener = listener.as_ref().unchecked_ref();
            self.node
                .remove_event_listener_with_callback(event, listener)
                .ok();
        }
    }
}

impl Mountable for Made {
    fn unmount(&mut self) {
        self.node.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&web_sys::Node>) {
        self.node.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.node.insert_before_this(child)
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.node.clone()]
    }
}

impl Render for Element {
    type State = Made;

    fn build(self) -> Made {
        self.0.take()
    }

    fn rebuild(self, state: &mut Made) {
        let mut new = self.0.take();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

impl AddAnyAttr for Element {
    type Output<A: Attribute> = Self;

    fn add_any_attr<A: Attribute>(self, _attr: A) -> Self {
        self
    }
}

/// What the framework asks of a view beside showing it. Nothing here is ever rendered on a server.
impl RenderHtml for Element {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Made {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
