//! Where components send the user's intents and the files that the user attaches.

use std::{cell::RefCell, rc::Rc};

use assent_conversation::{BatchId, Intent, UploadId};
use leptos::{
    prelude::*,
    web_sys::{
        File,
        js_sys::{Function, Promise},
    },
};

/// What components send the user's intents and attached files with. It is `Copy`, so that every
/// event handler can have it.
#[derive(Clone, Copy)]
pub struct Dispatch(StoredValue<Rc<IntentReceiver>, LocalStorage>);

/// The function that attaches a file to the feedback of a batch, or to the draft if the batch is
/// `None`. It returns the id of the file's upload; `None` if the widget has ended.
type AttachFile = dyn Fn(Option<BatchId>, File) -> Option<UploadId>;

/// What components ask of the service's extensions.
pub struct ExtensionAccess {
    /// Returns true if the service has the extension with this name.
    pub offers: Box<dyn Fn(&str) -> bool>,
    /// Reads what is under a name and an id, which may be empty, or ends it if that is true; returns a
    /// promise of the response's text, which is rejected if that fails.
    pub call: Box<dyn Fn(&'static str, String, bool) -> Promise>,
}

struct IntentReceiver {
    send: Box<dyn Fn(Intent)>,
    attach: Box<AttachFile>,
    read_image: Function,
    extensions: ExtensionAccess,
    /// The files that were attached last, the latest first, each with the id of its upload: their
    /// previews are drawn from them.
    files: RefCell<Vec<(UploadId, File)>>,
}

/// Maximum number of attached files that are kept in memory to draw their previews: more are not
/// seen at once, and each may be large.
const MAX_PREVIEWS: usize = 20;

impl Dispatch {
    /// Creates a dispatch that sends intents to `send`, and files that are chosen for the feedback
    /// of a batch, or for the draft, to `attach`. `read_image` takes the id of an image that the
    /// service keeps, and returns a promise of a `Blob`; `extensions` asks for what those have. The
    /// dispatch belongs to the current owner, and sends nothing after that owner's end.
    #[must_use]
    pub fn new(
        send: impl Fn(Intent) + 'static,
        attach: impl Fn(Option<BatchId>, File) -> Option<UploadId> + 'static,
        read_image: Function,
        extensions: ExtensionAccess,
    ) -> Self {
        Self(StoredValue::new_local(Rc::new(IntentReceiver {
            send: Box::new(send),
            attach: Box::new(attach),
            read_image,
            extensions,
            files: RefCell::default(),
        })))
    }

    pub(super) fn send(self, intent: Intent) {
        // The handler is taken out first: its action may end the owner that keeps it.
        if let Some(to) = self.0.try_get_value() {
            (to.send)(intent);
        }
    }

    /// Returns the function that reads images which the service keeps.
    pub(super) fn image_reader(self) -> Function {
        self.0.with_value(|to| to.read_image.clone())
    }

    /// Returns true if the service has the extension with this name.
    pub(super) fn offers(self, extension: &str) -> bool {
        self.0.with_value(|to| (to.extensions.offers)(extension))
    }

    /// Reads what the service has under a name and an id, which may be empty, or ends it if `ends` is
    /// true; returns a promise of the response's text, which is rejected if that fails.
    pub(super) fn call_extension(self, of: &'static str, id: String, ends: bool) -> Promise {
        self.0.with_value(|to| (to.extensions.call)(of, id, ends))
    }

    /// Attaches a file to the feedback of a batch, or to the draft if `batch` is `None`, and keeps
    /// the file for its preview.
    pub(super) fn attach(self, batch: Option<BatchId>, file: File) {
        if let Some(to) = self.0.try_get_value()
            && let Some(upload) = (to.attach)(batch, file.clone())
        {
            let mut files = to.files.borrow_mut();
            files.insert(0, (upload, file));
            files.truncate(MAX_PREVIEWS);
        }
    }

    /// Returns the file of an upload, if it is one of those that were attached last.
    pub(super) fn attached_file(self, upload: UploadId) -> Option<File> {
        self.0.with_value(|to| {
            let files = to.files.borrow();
            let (_, file) = files.iter().find(|(known, _)| *known == upload)?;
            Some(file.clone())
        })
    }
}
