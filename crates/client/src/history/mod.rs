//! The connection to the history module, which stores streams on this device, so that a reload can
//! show their activity, and tells other tabs about them. It is JavaScript and is loaded after the
//! widget (`web/history/`).
//!
//! Messages wait in order until the module is there. If it cannot be loaded nothing is stored, and
//! nothing else changes.

mod messages;

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

pub(super) use messages::{FRAME_SEPARATOR, HistoryEvent, HistoryMessage};

use super::StorageKind;

#[wasm_bindgen]
extern "C" {
    /// The module, as `web/history/index.js` exports it.
    #[derive(Clone)]
    pub type HistoryModule;

    /// Handles a message of the widget that `id` identifies. Emits no event before it returns.
    #[wasm_bindgen(method, catch)]
    fn take(this: &HistoryModule, id: &Object, message: &Array) -> Result<(), JsValue>;
}

thread_local! {
    /// The history module, which all widgets of the page share. `None` while the module is loading;
    /// `Some(None)` if it could not be loaded.
    static MODULE: RefCell<Option<Option<HistoryModule>>> = const { RefCell::new(None) };
    /// The messages that wait for the module, each with the widget that sent it.
    static QUEUE: RefCell<Vec<(Rc<WidgetSender>, HistoryMessage)>> =
        const { RefCell::new(Vec::new()) };
}

/// Sets the module that gets all messages from now on; `None` if it could not be loaded, and may
/// come later. After the first module, others are ignored.
pub fn set_history(module: Option<HistoryModule>) {
    MODULE.with_borrow_mut(|known| {
        if !matches!(known, Some(Some(_))) {
            *known = Some(module);
        }
    });
    for (sender, message) in QUEUE.take() {
        sender.send(message);
    }
}

/// One widget of this page, with what the history module needs to tell it from others.
struct WidgetSender {
    /// The object by which the module knows the widget: it compares identities, and the object has
    /// no content.
    id: Object,
    listener: Box<dyn Fn(HistoryEvent)>,
}

impl WidgetSender {
    fn send(self: &Rc<Self>, message: HistoryMessage) {
        let failure = match MODULE.with_borrow(Clone::clone) {
            Some(Some(module)) => {
                let failure = message.answer_without_module();
                // Our own module does not throw; one in its place, which stores nothing, does.
                let taken = module.take(&self.id, &message.into_array());
                taken.err().and(failure)
            }
            Some(None) if !message.describes_widget() => message.answer_without_module(),
            _ => {
                QUEUE.with_borrow_mut(|queue| self.enqueue(queue, message));
                None
            }
        };
        if let Some(failure) = failure {
            (self.listener)(failure);
        }
    }

    /// Lets a message wait for the module. At the end of a widget its waiting messages are removed,
    /// unless one of them has an effect without the widget: the module may never come, while
    /// widgets come and go.
    fn enqueue(
        self: &Rc<Self>,
        queue: &mut Vec<(Rc<WidgetSender>, HistoryMessage)>,
        message: HistoryMessage,
    ) {
        let is_own = |it: &(Rc<WidgetSender>, HistoryMessage)| Rc::ptr_eq(&it.0, self);
        if matches!(message, HistoryMessage::Close)
            && !queue.iter().any(|it| is_own(it) && it.1.outlives_widget())
        {
            queue.retain(|it| !is_own(it));
        } else {
            queue.push((self.clone(), message));
        }
    }
}

/// The connection of one widget to the history module. Dropping it ends the open recordings.
pub(super) struct History {
    sender: Rc<WidgetSender>,
    _callback: Closure<dyn FnMut(JsValue)>,
}

impl History {
    /// Creates a history. Keys of stored values begin with `scope`. `listener` is called with the
    /// module's events, and with the failure of a message that it cannot get; never after the end.
    pub(super) fn new(
        scope: &str,
        kind: StorageKind,
        listener: impl Fn(HistoryEvent) + 'static,
    ) -> Self {
        let sender = Rc::new(WidgetSender {
            id: Object::new(),
            listener: Box::new(listener),
        });
        let weak = Rc::downgrade(&sender);
        let callback = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let event = HistoryEvent::parse(event.unchecked_ref());
            if let Some((sender, event)) = weak.upgrade().zip(event) {
                (sender.listener)(event);
            }
        });
        sender.send(HistoryMessage::Open {
            scope: scope.to_owned(),
            kind,
            listener: callback.as_ref().clone(),
        });
        Self {
            sender,
            _callback: callback,
        }
    }

    pub(super) fn send(&self, message: HistoryMessage) {
        self.sender.send(message);
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.send(HistoryMessage::Close);
    }
}
