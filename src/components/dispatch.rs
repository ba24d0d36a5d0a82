//! The destination of the intents of components.

use std::rc::Rc;

use assent_conversation::{BatchId, Intent};
use leptos::{
    prelude::*,
    web_sys::{File, js_sys::Function},
};

/// The destination of the user's intents. A handle that can be copied into every handler.
#[derive(Clone, Copy)]
pub struct Dispatch(StoredValue<Rc<Receiver>, LocalStorage>);

struct Receiver {
    send: Box<dyn Fn(Intent)>,
    attach: Box<dyn Fn(Option<BatchId>, File)>,
    read_image: Function,
}

impl Dispatch {
    /// Creates a dispatch that sends intents to `send`, and files that are chosen for the feedback
    /// of a batch, or for the draft, to `attach`. `read_image` takes the id of an image that the
    /// service keeps, and returns a promise of a `Blob`. Belongs to the current owner; after that
    /// owner's end it sends nothing.
    #[must_use]
    pub fn new(
        send: impl Fn(Intent) + 'static,
        attach: impl Fn(Option<BatchId>, File) + 'static,
        read_image: Function,
    ) -> Self {
        Self(StoredValue::new_local(Rc::new(Receiver {
            send: Box::new(send),
            attach: Box::new(attach),
            read_image,
        })))
    }

    pub(super) fn send(self, intent: Intent) {
        // The handler is taken out first: its action may end the owner that keeps it.
        if let Some(to) = self.0.try_get_value() {
            (to.send)(intent);
        }
    }

    /// Returns the function that reads images of the service.
    pub(super) fn image_reader(self) -> Function {
        self.0.with_value(|to| to.read_image.clone())
    }

    /// Gives a file to the feedback of a batch, or to the draft. The intent with its name and size
    /// comes from the receiver.
    pub(super) fn attach(self, batch: Option<BatchId>, file: File) {
        if let Some(to) = self.0.try_get_value() {
            (to.attach)(batch, file);
        }
    }
}
