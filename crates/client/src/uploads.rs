//! Files that go with a message or feedback, and the page's own uploader, which takes them: the
//! specification has no upload (its section Message content item).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_conversation::{FileRef, Input, UploadId};
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, File};

use super::failure::is_sentence;

/// Maximum length of a failure's reason below a file name, in bytes; a longer one is not shown.
const MAX_REASON_BYTES: usize = 200;

/// The files of one widget that were chosen and are not uploaded yet.
#[derive(Default)]
pub(super) struct Uploads {
    uploader: RefCell<Option<Function>>,
    files: RefCell<Vec<(UploadId, File)>>,
    running: RefCell<Vec<Rc<UploadAttempt>>>,
    last: Cell<u32>,
}

/// A function that gets the progress and the end of an upload, as inputs of the core.
pub(super) type UploadListener = Rc<dyn Fn(Input)>;

/// One call of the page's uploader, with a file.
struct UploadAttempt {
    upload: UploadId,
    abort: AbortController,
    percent: Cell<u8>,
}

impl Uploads {
    /// Sets the page's uploader; `None`: no file can be uploaded. Running uploads go on.
    pub(super) fn set_uploader(&self, uploader: Option<Function>) {
        self.uploader.replace(uploader);
    }

    /// Keeps a file until it is uploaded or cancelled, and returns its id.
    pub(super) fn hold_file(&self, file: File) -> UploadId {
        let upload = UploadId(self.last.get().wrapping_add(1));
        self.last.set(upload.0);
        self.files.borrow_mut().push((upload, file));
        upload
    }

    /// Gives a file to the uploader. `listener` gets the progress as inputs, and last the end of
    /// the upload.
    pub(super) fn begin_upload(self: &Rc<Self>, upload: UploadId, listener: UploadListener) {
        let Ok(abort) = AbortController::new() else {
            return listener(Input::Uploaded(upload, Err(String::new())));
        };
        let attempt = Rc::new(UploadAttempt {
            upload,
            abort,
            percent: Cell::new(0),
        });
        self.running.borrow_mut().push(attempt.clone());
        let this = self.clone();
        // In a task of its own: the uploader is the page's code, and may call back.
        spawn_local(async move {
            let result = this.run_attempt(&attempt, &listener).await;
            if this.end_attempt(&attempt) {
                if result.is_ok() {
                    this.drop_file(upload);
                }
                listener(Input::Uploaded(upload, result));
            }
        });
    }

    /// Aborts an upload and forgets its file; the subscriber of the upload gets nothing more.
    pub(super) fn cancel(&self, upload: UploadId) {
        self.drop_file(upload);
        let attempt = {
            let mut running = self.running.borrow_mut();
            let at = running.iter().position(|attempt| attempt.upload == upload);
            at.map(|at| running.swap_remove(at))
        };
        if let Some(attempt) = attempt {
            attempt.abort.abort();
        }
    }

    /// Aborts all uploads and forgets all files.
    pub(super) fn cancel_all(&self) {
        self.files.take();
        self.set_uploader(None);
        for attempt in self.running.take() {
            attempt.abort.abort();
        }
    }

    async fn run_attempt(
        self: &Rc<Self>,
        attempt: &Rc<UploadAttempt>,
        listener: &UploadListener,
    ) -> Result<FileRef, String> {
        let file = {
            let files = self.files.borrow();
            let found = files.iter().find(|(upload, _)| *upload == attempt.upload);
            found.map(|(_, file)| file.clone())
        };
        let uploader = self.uploader.borrow().clone();
        let (Some(file), Some(uploader)) = (file, uploader) else {
            return Err(String::new());
        };
        let context = Object::new();
        let progress = self.progress_callback(attempt, listener);
        for (name, value) in [
            ("signal", JsValue::from(attempt.abort.signal())),
            ("progress", progress),
        ] {
            // For a function of the page. A plain object takes any property.
            Reflect::set(&context, &name.into(), &value).ok();
        }
        let promise = uploader
            .call2(&JsValue::UNDEFINED, &file, &context)
            .map_err(|error| failure_reason(&error))?;
        let result = JsFuture::from(Promise::resolve(&promise)).await;
        let result = result.map_err(|error| failure_reason(&error))?;
        parse_file_ref(&result).ok_or_else(|| {
            web_sys::console::warn_1(
                &"assent-chat: an uploader has to return { fileId } or { imageId }, a text that is not empty."
                    .into(),
            );
            String::new()
        })
    }

    /// Returns the function `progress` of one attempt. The page may keep it for ever, so that the
    /// garbage collector owns it.
    fn progress_callback(
        self: &Rc<Self>,
        attempt: &Rc<UploadAttempt>,
        listener: &UploadListener,
    ) -> JsValue {
        let (uploads, attempt) = (Rc::downgrade(self), Rc::downgrade(attempt));
        let listener = listener.clone();
        let progress = move |fraction: JsValue| {
            let (Some(uploads), Some(attempt)) = (uploads.upgrade(), attempt.upgrade()) else {
                return;
            };
            // Such a cast stays within the bounds of its type, and makes 0 of a value that is no
            // number.
            let percent = (fraction.as_f64().unwrap_or_default() * 100.0) as u8;
            let percent = percent.min(100);
            if uploads.is_running(&attempt) && attempt.percent.replace(percent) != percent {
                listener(Input::UploadProgress(attempt.upload, percent));
            }
        };
        Closure::<dyn Fn(JsValue)>::new(progress).into_js_value()
    }

    fn is_running(&self, attempt: &Rc<UploadAttempt>) -> bool {
        let running = self.running.borrow();
        running.iter().any(|it| Rc::ptr_eq(it, attempt))
    }

    /// Ends a running attempt to upload a file. Returns false if it was cancelled before.
    fn end_attempt(&self, attempt: &Rc<UploadAttempt>) -> bool {
        let was_running = self.is_running(attempt);
        let mut running = self.running.borrow_mut();
        running.retain(|it| !Rc::ptr_eq(it, attempt));
        was_running
    }

    fn drop_file(&self, upload: UploadId) {
        let mut files = self.files.borrow_mut();
        files.retain(|(known, _)| *known != upload);
    }
}

/// Parses `{ fileId }` or `{ imageId }`; `None` for both at once, and for anything else.
fn parse_file_ref(result: &JsValue) -> Option<FileRef> {
    // Made by the page: it may be anything, and its getters may throw.
    let id = |name: &str| {
        let id = Reflect::get(result, &name.into()).ok()?.as_string()?;
        Some(id).filter(|id| !id.is_empty())
    };
    match (id("fileId"), id("imageId")) {
        (Some(id), None) => Some(FileRef::Document(id)),
        (None, Some(id)) => Some(FileRef::Image(id)),
        _ => None,
    }
}

/// Returns the page's reason for a failed upload: a short text, or the message of an `Error` that
/// the page made itself; empty if there is none. The browser's own errors have other names, and are
/// not for people.
fn failure_reason(error: &JsValue) -> String {
    // Thrown by the page: it may be anything, and its getters may throw.
    let property = |name: &str| Reflect::get(error, &name.into()).ok()?.as_string();
    let own = || property("message").filter(|_| property("name").as_deref() == Some("Error"));
    let said = error.as_string().or_else(own).unwrap_or_default();
    let is_short = said.len() <= MAX_REASON_BYTES && !said.contains('\n') && is_sentence(&said);
    if is_short { said } else { String::new() }
}
