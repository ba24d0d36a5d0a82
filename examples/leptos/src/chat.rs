//! `<assent-chat>` in types of Rust: as much of `assent.d.ts` as this page needs.
//!
//! Values from JavaScript have types of their own with typed getters, so that nothing is looked up
//! by name elsewhere. Another method, property or event is declared in the same way.

use js_sys::{Object, Promise};
use std::future::Future;
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, CustomEvent, File, HtmlElement, Url};

#[wasm_bindgen]
extern "C" {
    /// The element. Its class is no global name, so that it is known by its tag.
    #[wasm_bindgen(extends = HtmlElement, is_type_of = is_chat)]
    pub type AssentChat;

    /// Shows the panel of launcher mode.
    #[wasm_bindgen(method)]
    pub fn open(this: &AssentChat);

    /// The event `assent:thread-change`.
    #[wasm_bindgen(extends = CustomEvent)]
    pub type ThreadChange;

    /// Its detail.
    #[wasm_bindgen(method, getter)]
    pub fn detail(this: &ThreadChange) -> ThreadChangeDetail;

    /// The detail of `assent:thread-change`.
    pub type ThreadChangeDetail;

    /// The conversation that is shown; none if it has no message yet.
    #[wasm_bindgen(method, getter, js_name = threadId)]
    pub fn thread_id(this: &ThreadChangeDetail) -> Option<String>;

    /// The event `assent:approval-answered`.
    #[wasm_bindgen(extends = CustomEvent)]
    pub type ApprovalAnswered;

    /// Its detail.
    #[wasm_bindgen(method, getter)]
    pub fn detail(this: &ApprovalAnswered) -> ApprovalAnswer;

    /// The answer to a whole batch.
    pub type ApprovalAnswer;

    /// Every run of the batch.
    #[wasm_bindgen(method, getter)]
    pub fn decisions(this: &ApprovalAnswer) -> Vec<Decision>;

    /// The decision about one run of a tool.
    pub type Decision;

    /// The run's id.
    #[wasm_bindgen(method, getter, js_name = executionId)]
    pub fn execution_id(this: &Decision) -> String;

    /// The tool.
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &Decision) -> String;

    /// `APPROVED`, `DENIED` or `ABORTED_WITH_FEEDBACK`.
    #[wasm_bindgen(method, getter)]
    pub fn decision(this: &Decision) -> String;

    /// The second argument of an uploader, after the file.
    pub type UploadContext;

    /// Aborts when the file is removed, or the chat ends.
    #[wasm_bindgen(method, getter)]
    pub fn signal(this: &UploadContext) -> AbortSignal;

    /// Reports the uploaded part of the file, from 0 to 1.
    #[wasm_bindgen(method)]
    pub fn progress(this: &UploadContext, fraction: f64);

    /// The id of an uploaded file at the service.
    #[wasm_bindgen(extends = Object)]
    pub type UploadedFile;

    #[wasm_bindgen(method, setter, js_name = fileId)]
    fn set_file_id(this: &UploadedFile, id: &str);

    #[wasm_bindgen(method, setter, js_name = imageId)]
    fn set_image_id(this: &UploadedFile, id: &str);
}

fn is_chat(value: &JsValue) -> bool {
    value
        .dyn_ref::<HtmlElement>()
        .is_some_and(|element| element.local_name() == "assent-chat")
}

impl UploadedFile {
    /// A document.
    pub fn document(id: &str) -> UploadedFile {
        let file = Object::new().unchecked_into::<UploadedFile>();
        file.set_file_id(id);
        file
    }

    /// An image.
    pub fn image(id: &str) -> UploadedFile {
        let file = Object::new().unchecked_into::<UploadedFile>();
        file.set_image_id(id);
        file
    }
}

/// A value of the property `uploader`. The message of an error is shown if it is short.
pub fn uploader<Upload>(upload: impl Fn(File, UploadContext) -> Upload + 'static) -> JsValue
where
    Upload: Future<Output = Result<UploadedFile, JsError>> + 'static,
{
    Closure::<dyn Fn(File, UploadContext) -> Promise>::new(move |file, context| {
        let upload = upload(file, context);
        wasm_bindgen_futures::future_to_promise(async move { Ok(upload.await?.into()) })
    })
    // It is freed when the chat has let go of it.
    .into_js_value()
}

/// A value of the properties `linkPolicy` and `imagePolicy`.
pub fn address_policy(allows: impl Fn(Url) -> bool + 'static) -> JsValue {
    Closure::<dyn Fn(Url) -> bool>::new(allows).into_js_value()
}
