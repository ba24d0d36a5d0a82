//! The reactive building blocks of the components, compiled once.
//!
//! Leptos' own `Show` and `For` are generic over their closures: every use is compiled anew, and every copy is bytes
//! that every visitor pays for.
//! Here the closures are boxed first; behind them stands one concrete body.

use std::{cell::Cell, sync::Arc};

use leptos::{prelude::*, wasm_bindgen::JsCast, web_sys};

/// A part that is there only while `when` says so.
pub(super) fn show(
    when: impl Fn() -> bool + Send + Sync + 'static,
    then: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    choose(when, then, || ().into_any())
}

/// One part or another.
pub(super) fn choose(
    when: impl Fn() -> bool + Send + Sync + 'static,
    then: impl Fn() -> AnyView + Send + 'static,
    otherwise: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let when: Box<dyn Fn() -> bool + Send + Sync> = Box::new(when);
    let (then, otherwise): (Make, Make) = (Box::new(then), Box::new(otherwise));
    choose_boxed(when, then, otherwise)
}

type Make = Box<dyn Fn() -> AnyView + Send>;

fn choose_boxed(when: Box<dyn Fn() -> bool + Send + Sync>, then: Make, otherwise: Make) -> AnyView {
    let when = Memo::new(move |_| when());
    dynamic(move || {
        let make = if when.get() { &then } else { &otherwise };
        untrack(make)
    })
}

/// A part that is made anew whenever something changes that making it reads.
pub(super) fn dynamic(view: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let view: Box<dyn Fn() -> AnyView + Send> = Box::new(view);
    view.into_any()
}

/// A part that is made anew only when `key` is another one, whatever else changes that making it reads.
pub(super) fn keyed(
    key: impl Fn() -> String + Send + Sync + 'static,
    view: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    keyed_boxed(Box::new(key), Box::new(view))
}

fn keyed_boxed(key: Box<dyn Fn() -> String + Send + Sync>, view: Make) -> AnyView {
    let key = Memo::new(move |_| key());
    dynamic(move || {
        key.with(|_| ());
        untrack(&view)
    })
}

/// A text that follows what it reads.
pub(super) fn text(text: impl Fn() -> String + Send + 'static) -> AnyView {
    let text: Box<dyn Fn() -> String + Send> = Box::new(text);
    text.into_any()
}

/// What a row of a list is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A number of this page, or a place.
    Number(u32),
    /// A name of the service.
    Text(String),
}

/// One row of a list: its key, and how to make it where it is new.
pub(super) struct Row {
    key: Key,
    make: Arc<dyn Fn() -> AnyView + Send + Sync>,
}

impl Row {
    pub(super) fn new(key: Key, make: impl Fn() -> AnyView + Send + Sync + 'static) -> Self {
        Self {
            key,
            make: Arc::new(make),
        }
    }
}

/// A list whose rows keep their nodes as long as their key is there.
pub(super) fn each(rows: impl Fn() -> Vec<Row> + Send + Sync + 'static) -> AnyView {
    each_boxed(Box::new(rows))
}

fn each_boxed(rows: Box<dyn Fn() -> Vec<Row> + Send + Sync>) -> AnyView {
    let key = |row: &Row| row.key.clone();
    let children = |row: Row| untrack(|| (row.make)());
    let list = ForProps::builder().each(rows).key(key).children(children);
    For(list.build()).into_any()
}

/// A list of places, for rows that are told apart by nothing else.
pub(super) fn each_place(
    count: impl Fn() -> usize + Send + Sync + 'static,
    make: impl Fn(usize) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let make: Arc<dyn Fn(usize) -> AnyView + Send + Sync> = Arc::new(make);
    let row = move |place: usize| {
        let make = Arc::clone(&make);
        let key = Key::Number(u32::try_from(place).unwrap_or(u32::MAX));
        Row::new(key, move || make(place))
    };
    each(move || (0..count()).map(&row).collect())
}

/// Where an element of the page is to be found once it is there. One type for all kinds of elements.
#[derive(Clone, Copy)]
pub(super) struct ElementRef(RwSignal<Option<web_sys::HtmlElement>, LocalStorage>);

impl ElementRef {
    pub(super) fn new() -> Self {
        Self(RwSignal::new_local(None))
    }

    /// This is the element.
    pub(super) fn set(self, element: &web_sys::Element) {
        self.0.set(element.clone().dyn_into().ok());
    }

    /// The element, followed.
    pub(super) fn get(self) -> Option<web_sys::HtmlElement> {
        self.0.get()
    }

    /// The element, now. Also after the component's end, when there is none.
    pub(super) fn now(self) -> Option<web_sys::HtmlElement> {
        self.0.try_get_untracked().flatten()
    }

    /// The element as what it is, now.
    pub(super) fn now_as<T: JsCast>(self) -> Option<T> {
        self.now().and_then(|element| element.dyn_into().ok())
    }
}

/// An id that nothing else in the widget has.
pub(super) fn new_id() -> String {
    thread_local! {
        static LAST: Cell<u32> = const { Cell::new(0) };
    }
    let id = LAST.get().wrapping_add(1);
    LAST.set(id);
    ["a", &id.to_string()].concat()
}

/// Runs once `element` is in the page, and again should it be made anew.
pub(super) fn when_there(element: ElementRef, act: impl Fn(&web_sys::HtmlElement) + 'static) {
    follow(move || {
        if let Some(element) = element.get() {
            untrack(|| act(&element));
        }
    });
}

/// Runs now and whenever something changes that it reads.
pub(super) fn follow(act: impl Fn() + 'static) {
    let act: Box<dyn Fn()> = Box::new(act);
    Effect::new(act);
}
