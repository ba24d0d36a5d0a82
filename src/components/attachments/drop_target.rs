//! The drop target: the whole widget takes files for the draft.

use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{DragEvent, EventTarget, Node},
};

use super::Files;

/// An element that files can be dropped on. It ignores events whose default another handler has
/// prevented.
#[derive(Clone, Copy)]
pub(in crate::components) struct DropTarget {
    files: Files,
    /// True while files are dragged over the element.
    is_over: RwSignal<bool>,
}

impl DropTarget {
    /// Returns true while files are dragged over the element; reactive.
    pub(in crate::components) fn is_over(self) -> bool {
        self.is_over.get()
    }

    pub(in crate::components) fn new(files: Files) -> Self {
        Self {
            files,
            is_over: RwSignal::new(false),
        }
    }

    /// Handles `dragover` of the element: accepts dragged files if files can be attached.
    pub(in crate::components) fn handle_drag_over(self, event: &DragEvent) {
        let takes = !event.default_prevented() && self.files.accepts_drag(event);
        self.is_over.set(takes);
    }

    /// Handles `dragleave`, which also comes when the drag goes on to another element inside of
    /// this one.
    pub(in crate::components) fn handle_drag_leave(self, event: &DragEvent) {
        let node = |target: EventTarget| target.dyn_into::<Node>().ok();
        let to = event.related_target().and_then(node);
        let target = event.current_target().and_then(node);
        if !target.is_some_and(|target| to.is_some() && target.contains(to.as_ref())) {
            self.is_over.set(false);
        }
    }

    /// Handles `drop` on the element: attaches the dropped files.
    pub(in crate::components) fn drop(self, event: &DragEvent) {
        self.is_over.set(false);
        if !event.default_prevented() {
            self.files.drop(event);
        }
    }
}
