//! The files of a draft or a feedback: choose, drop or paste them, see them arrive, try again, take out.

use std::sync::Arc;

use assent_conversation::{Attachment, AttachmentState, BatchId, Intent};
use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{
        ClipboardEvent, DragEvent, Event, FileList, HtmlElement, HtmlInputElement, MouseEvent,
    },
};

use super::{
    button::{button, icon_button},
    dispatch::Dispatch,
    element::{Element, el},
    erased::{ElementRef, Key, Row, each, keyed, new_id, show},
    escape_invisible::escape_in_file_name,
    focus::focus,
    icons, strings,
};

/// The files of one place, and the way to it.
#[derive(Clone)]
pub(super) struct Files {
    /// Those that are there, followed.
    pub(super) list: Arc<dyn Fn() -> Vec<Attachment> + Send + Sync>,
    /// In the feedback of which batch they are; `None`: in the draft.
    pub(super) batch: Option<BatchId>,
    /// Whether the page takes files.
    pub(super) can_attach: RwSignal<bool>,
    /// Where what a person wants goes.
    pub(super) dispatch: Dispatch,
}

impl Files {
    /// The list.
    pub(super) fn rows(&self) -> AnyView {
        let files = self.clone();
        let rows = each(move || {
            let row = |file: Attachment| {
                let files = files.clone();
                let key = Key::Number(file.upload.0);
                Row::new(key, move || file_row(&files, &file))
            };
            (files.list)().into_iter().map(row).collect()
        });
        list(rows)
    }

    /// A button that lets files be chosen, still to be named, while the page takes files. `beside`: what stands with it.
    pub(super) fn picker(
        &self,
        button: impl Fn(Box<dyn FnMut(MouseEvent)>) -> Element + Send + Sync + 'static,
        beside: impl Fn() -> AnyView + Send + Sync + 'static,
    ) -> AnyView {
        let files = self.clone();
        let can_attach = self.can_attach;
        let picker = move || {
            let (input, files) = (ElementRef::new(), files.clone());
            let choose = move |_: MouseEvent| {
                if let Some(input) = input.now() {
                    input.click();
                }
            };
            let chosen = move |_: Event| {
                if let Some(input) = input.now_as::<HtmlInputElement>() {
                    if let Some(chosen) = input.files() {
                        files.take(&chosen);
                    }
                    // The same file can be chosen again.
                    input.set_value("");
                }
            };
            let hidden = el("input", "")
                .attr("type", "file")
                .attr("multiple", "")
                .attr("hidden", "")
                .node_ref(input)
                .on("change", chosen);
            el("div", "attach")
                .child(button(Box::new(choose)).attr("part", "attach"))
                .child(beside())
                .child(hidden)
                .view()
        };
        show(move || can_attach.get(), picker)
    }

    /// Takes the files on the clipboard, but not of a text, of which some programs add a picture.
    pub(super) fn paste(&self, event: &ClipboardEvent) {
        let Some(data) = event.clipboard_data() else {
            return;
        };
        let is_text = data.get_data("text/plain").is_ok_and(|it| !it.is_empty());
        if !is_text && self.take_some(data.files()) {
            event.prevent_default();
        }
    }

    /// True where files are about to be dropped and can be.
    pub(super) fn drag(&self, event: &DragEvent) -> bool {
        let data = event.data_transfer();
        let carries = data.is_some_and(|data| data.types().includes(&"Files".into(), 0));
        let takes = carries && self.can_attach.with_untracked(|it| *it);
        if takes {
            event.prevent_default();
        }
        takes
    }

    /// Takes the files that were dropped.
    pub(super) fn drop(&self, event: &DragEvent) {
        if self.take_some(event.data_transfer().and_then(|data| data.files())) {
            event.prevent_default();
        }
    }

    fn take_some(&self, files: Option<FileList>) -> bool {
        let files =
            files.filter(|files| files.length() > 0 && self.can_attach.with_untracked(|it| *it));
        files.map(|files| self.take(&files)).is_some()
    }

    fn take(&self, files: &FileList) {
        for file in (0..files.length()).filter_map(|at| files.item(at)) {
            self.dispatch.attach(self.batch.clone(), file);
        }
    }
}

/// One file of a list.
fn file_row(files: &Files, file: &Attachment) -> AnyView {
    let texts = strings::texts();
    let upload = file.upload;
    let name = strings::file_name(&file.name);
    let state = {
        let (list, before) = (files.list.clone(), file.state.clone());
        Memo::new(move |known: Option<&AttachmentState>| {
            let now = list().into_iter().find(|it| it.upload == upload);
            // One that was taken out is still shown for a moment.
            let known = known.unwrap_or(&before).clone();
            now.map_or(known, |file| file.state)
        })
    };
    let uploading = strings::uploading(texts, &name);
    let status = keyed(
        move || state.with(progress),
        move || state.with(|state| status(state, &uploading)),
    );
    let failed = move || matches!(state.get(), AttachmentState::Failed(_));
    let name_id = new_id();
    let again = (files.clone(), name_id.clone());
    let retry = move || {
        let (files, name_id) = again.clone();
        let retry = button("link-button", texts.get(strings::RETRY), move |event| {
            // The button goes away with the failure.
            focus_attach(&event_target(&event));
            let intent = Intent::RetryFile(files.batch.clone(), upload);
            files.dispatch.send(intent);
        });
        retry.attr("aria-describedby", &name_id).view()
    };
    let files = files.clone();
    let removal = move || {
        if let AttachmentState::Uploading(_) = state.get() {
            texts.fill(strings::CANCEL_UPLOAD, &[("name", &name)])
        } else {
            texts.fill(strings::REMOVE_FILE, &[("name", &name)])
        }
    };
    let remove = icon_button("icon-button small", "", move |event| {
        focus_attach(&event_target(&event));
        let intent = Intent::RemoveFile(files.batch.clone(), upload);
        files.dispatch.send(intent);
    });
    let titled = removal.clone();
    let remove = remove
        .follow_text("aria-label", removal)
        .follow_text("title", titled)
        .child(icons::cross());
    let about = about(file).child(status).child(show(failed, retry));
    let name = name_of(file).attr("id", &name_id);
    el("li", "file")
        .child(name)
        .child(remove)
        .child(about)
        .view()
}

/// The files of a message that was sent; nothing where there are none.
pub(super) fn sent_files(files: &[Attachment]) -> AnyView {
    if files.is_empty() {
        return ().into_any();
    }
    let row = |file: &Attachment| {
        let row = el("li", "file sent").child(name_of(file));
        row.child(about(file)).view()
    };
    list(files.iter().map(row).collect::<Vec<_>>().into_any())
}

fn list(rows: AnyView) -> AnyView {
    let texts = strings::texts();
    el("ul", "files")
        .attr("role", "list")
        .attr("aria-label", texts.get(strings::FILES))
        .child(rows)
        .view()
}

fn name_of(file: &Attachment) -> Element {
    let name = el("bdi", "").text(&escape_in_file_name(&file.name));
    el("span", "file-name").child(name)
}

fn about(file: &Attachment) -> Element {
    let texts = strings::texts();
    let size = el("span", "file-size").text(&strings::about_file(texts, file));
    el("span", "file-about").child(size)
}

/// Moves the focus from a row of the list to the button that adds files to it.
fn focus_attach(near: &HtmlElement) {
    let place = near.closest(".feedback, .composer").ok().flatten();
    let button = place.and_then(|place| place.query_selector("[part=attach]").ok()?);
    if let Some(button) = button.and_then(|button| button.dyn_into().ok()) {
        focus(&button);
    }
}

/// All that is shown of a state.
fn progress(state: &AttachmentState) -> String {
    let texts = strings::texts();
    match state {
        AttachmentState::Uploading(percent) => percent.to_string(),
        AttachmentState::Uploaded(_) => texts.get(strings::UPLOADED).to_owned(),
        AttachmentState::Failed(reason) => [texts.get(strings::FILE_FAILED), reason].concat(),
    }
}

fn status(state: &AttachmentState, uploading: &str) -> AnyView {
    let texts = strings::texts();
    match state {
        AttachmentState::Uploading(percent) => el("progress", "file-progress")
            .attr("aria-label", uploading)
            .attr("max", "100")
            .attr("value", &percent.to_string())
            .view(),
        AttachmentState::Uploaded(_) => el("span", "file-there")
            .child(icons::check())
            .child(el("span", "visually-hidden").text(texts.get(strings::UPLOADED)))
            .view(),
        AttachmentState::Failed(reason) => {
            let reason = match reason.trim() {
                "" => texts.get(strings::FILE_FAILED),
                reason => reason,
            };
            el("span", "file-failed")
                .attr("role", "alert")
                .attr("dir", "auto")
                .text(reason)
                .view()
        }
    }
}

/// The whole widget takes files for the draft; while some are over it, it says so. Who handles them before is left alone.
pub(super) fn drop_target(widget: Element, files: &Files) -> Element {
    let texts = strings::texts();
    let dragged = RwSignal::new(false);
    let (over, shown) = (dragged, dragged);
    let taker = files.clone();
    let drag = move |event: DragEvent| over.set(!event.default_prevented() && taker.drag(&event));
    let gone = dragged;
    let leave = move |event: DragEvent| {
        let to = event.related_target();
        let to = to.and_then(|to| to.dyn_into::<leptos::web_sys::Node>().ok());
        let widget = event.current_target();
        let widget = widget.and_then(|it| it.dyn_into::<leptos::web_sys::Node>().ok());
        if !widget.is_some_and(|widget| to.is_some() && widget.contains(to.as_ref())) {
            gone.set(false);
        }
    };
    let taker = files.clone();
    let drop = move |event: DragEvent| {
        dragged.set(false);
        if !event.default_prevented() {
            taker.drop(&event);
        }
    };
    let target = move || {
        el("div", "drop-target")
            .attr("aria-hidden", "true")
            .child(icons::clip())
            .text(texts.get(strings::DROP_HERE))
            .view()
    };
    widget
        .on("dragover", drag)
        .on("dragleave", leave)
        .on("drop", drop)
        .child(show(move || shown.get(), target))
}
