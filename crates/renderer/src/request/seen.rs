//! Finds out whether all parts of a request for approval were on the screen.
//!
//! A part counts once its end was on the screen: a part that is higher than the window is never on
//! it as a whole. In a hidden tab or a closed panel nothing is on the screen.

use js_sys::{Array, Function, Reflect, Set};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

use crate::node::DomResult;

/// Number of steps in which the browser reports how much of a part is on the screen. The end of a
/// part is noticed if the part is at most so many times as high as the window.
const THRESHOLD_STEPS: u32 = 40;

/// Number of pixels by which a part may end below the screen and still count as seen, because
/// positions are no whole numbers.
const TOLERANCE_PX: f64 = 1.0;

/// Margin of each scrolling area, where the browser has this option. The foot of a card covers the
/// area's last 56 pixels, so that what is behind it does not count as seen.
const SCROLL_MARGIN: &str = "0px 0px -56px 0px";

/// Watches until all parts of a request for approval were on the screen. It stops when the value is
/// dropped.
pub(super) struct SeenObserver {
    observer: IntersectionObserver,
    _listener: Closure<dyn FnMut(Array, IntersectionObserver)>,
}

impl SeenObserver {
    /// Watches the elements `parts`. Calls `seen` with true once all of them were on the screen; if
    /// that is not so at first, calls it with false before.
    pub(super) fn new(parts: &[Element], seen: Function) -> DomResult<Self> {
        let left = Set::new(&JsValue::UNDEFINED);
        let listener = {
            let left = left.clone();
            let mut is_told = false;
            Closure::new(move |entries: Array, observer: IntersectionObserver| {
                for entry in entries.iter() {
                    let entry: IntersectionObserverEntry = entry.unchecked_into();
                    if is_end_on_screen(&entry) {
                        observer.unobserve(&entry.target());
                        left.delete(&entry.target());
                    }
                }
                let is_seen = left.size() == 0;
                if is_seen || !is_told {
                    is_told = true;
                    seen.call1(&JsValue::UNDEFINED, &is_seen.into()).ok();
                }
            })
        };
        let options = IntersectionObserverInit::new();
        let steps = (0..=THRESHOLD_STEPS)
            .map(|step| JsValue::from(f64::from(step) / f64::from(THRESHOLD_STEPS)));
        options.set_threshold(&steps.collect::<Array>());
        Reflect::set(&options, &"scrollMargin".into(), &SCROLL_MARGIN.into()).ok();
        let function = listener.as_ref().unchecked_ref::<Function>();
        let observer = IntersectionObserver::new_with_options(function, &options)?;
        for part in parts {
            left.add(part);
            observer.observe(part);
        }
        Ok(Self {
            observer,
            _listener: listener,
        })
    }
}

impl Drop for SeenObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

fn is_end_on_screen(entry: &IntersectionObserverEntry) -> bool {
    let (all, shown) = (entry.bounding_client_rect(), entry.intersection_rect());
    entry.is_intersecting() && all.bottom() <= shown.bottom() + TOLERANCE_PX
}

/// Returns the elements that have to be on the screen before a request counts as seen: the children
/// of `roots` that have text, and of a list each row.
pub(super) fn observed_parts<'a>(roots: impl Iterator<Item = &'a Element>) -> Vec<Element> {
    let mut parts = Vec::new();
    for part in roots.flat_map(children) {
        if part.local_name() == "dl" {
            parts.extend(children(&part));
        } else {
            parts.push(part);
        }
    }
    // What is empty has no place on the screen.
    let says = |part: &Element| part.text_content().is_some_and(|text| !text.is_empty());
    parts.retain(says);
    parts
}

fn children(of: &Element) -> impl Iterator<Item = Element> + use<> {
    let first = of.first_element_child();
    std::iter::successors(first, Element::next_element_sibling)
}
