//! The files of a feedback: choose, see them arrive, try again, take out.

use assent_conversation::{Attachment, AttachmentState, BatchId, Feedback, Intent, UploadId};
use assent_inspect::Text;
use leptos::{
    prelude::*,
    web_sys::{ClipboardEvent, DragEvent, Event, FileList, HtmlInputElement, MouseEvent},
};

use super::{
    feedback::of,
    inspected::{inspected, spelled},
};
use crate::{
    ui::{
        button::{bare_button, button, icon_button},
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, Key, Row, each, keyed, new_id, show},
        focus::focus_part,
        icons, strings,
    },
    view::{ApprovalView, Watched},
};

/// The list of files, and where the page takes files, the way to add some.
pub(super) fn attachments(
    view: &Watched<ApprovalView>,
    can_attach: Watched<bool>,
    dispatch: Dispatch,
) -> AnyView {
    let id = view.peek(|view| view.batch.id.clone());
    let listed = view.clone();
    let batch = id.clone();
    let rows = each(move || {
        let ids = |feedback: &Feedback| {
            let files = feedback.files.iter();
            files.map(|file| file.upload).collect::<Vec<_>>()
        };
        let uploads = listed.with(|view| of(view, ids)).unwrap_or_default();
        let row = |upload: UploadId| {
            let (view, id) = (listed.clone(), batch.clone());
            Row::new(Key::Number(upload.0), move || {
                file_row(&view, &id, upload, dispatch)
            })
        };
        uploads.into_iter().map(row).collect()
    });
    let add = move || attach_button(id.clone(), dispatch);
    let list = el("ul", "files")
        .attr("role", "list")
        .attr("aria-label", strings::FILES)
        .child(rows);
    vec![list.view(), show(move || can_attach.get(), add)].into_any()
}

/// Gives all files to who takes them.
pub(super) fn attach_all(files: &FileList, id: &BatchId, dispatch: Dispatch) {
    for file in (0..files.length()).filter_map(|at| files.item(at)) {
        dispatch.attach(id.clone(), file);
    }
}

/// The files on the clipboard; `None` for a text, of which some programs add a picture.
pub(super) fn pasted(event: &ClipboardEvent) -> Option<FileList> {
    let data = event.clipboard_data()?;
    let is_text = data.get_data("text/plain").is_ok_and(|it| !it.is_empty());
    some(data.files()).filter(|_| !is_text)
}

/// Whether files are about to be dropped.
pub(super) fn carries_files(event: &DragEvent) -> bool {
    let data = event.data_transfer();
    data.is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

/// The files that were dropped; `None` for a text.
pub(super) fn dropped(event: &DragEvent) -> Option<FileList> {
    some(event.data_transfer()?.files())
}

fn some(files: Option<FileList>) -> Option<FileList> {
    files.filter(|files| files.length() > 0)
}

fn attach_button(id: BatchId, dispatch: Dispatch) -> AnyView {
    let input = ElementRef::new();
    let choose = move |_: MouseEvent| {
        if let Some(input) = input.now() {
            input.click();
        }
    };
    let chosen = move |_: Event| {
        if let Some(input) = input.now_as::<HtmlInputElement>() {
            if let Some(files) = input.files() {
                attach_all(&files, &id, dispatch);
            }
            // The same file can be chosen again.
            input.set_value("");
        }
    };
    let button = bare_button("button", choose)
        .attr("part", "attach")
        .child(icons::clip())
        .text(strings::ATTACH);
    let files = el("input", "")
        .attr("type", "file")
        .attr("multiple", "")
        .attr("hidden", "")
        .node_ref(input)
        .on("change", chosen);
    el("div", "attach")
        .child(button)
        .child(el("span", "approval-hint").text(strings::ATTACH_HINT))
        .child(files)
        .view()
}

fn file_row(
    view: &Watched<ApprovalView>,
    id: &BatchId,
    upload: UploadId,
    dispatch: Dispatch,
) -> AnyView {
    let file = move |view: &ApprovalView| {
        let files = of(view, |feedback| feedback.files.clone())?;
        files.into_iter().find(|file| file.upload == upload)
    };
    let (name, size) = view.peek(|view| {
        let file = file(view);
        let size = file.as_ref().map_or(0, |file| file.size);
        (file.map(|file| file.name).unwrap_or_default(), size)
    });
    let spelled = strings::shortened(&spelled(&name));
    let (stated, drawn, failing) = (view.clone(), view.clone(), view.clone());
    let label = strings::uploading(&spelled);
    let status = keyed(
        move || stated.with(file).map_or_else(String::new, progress),
        move || match drawn.with(file) {
            Some(file) => status(&file, &label),
            None => ().into_any(),
        },
    );
    let failed = Memo::new(move |_| {
        let file = failing.with(file);
        file.is_some_and(|file| matches!(file.state, AttachmentState::Failed(_)))
    });
    let name_id = new_id();
    let again = (id.clone(), name_id.clone());
    let retry = move || {
        let intent = Intent::RetryFile(again.0.clone(), upload);
        let retry = button("link-button", strings::RETRY, move |event| {
            // The button goes away with the failure.
            focus_part(&event_target(&event), "attach");
            dispatch.send(intent.clone());
        });
        retry.attr("aria-describedby", &again.1).view()
    };
    let intent = Intent::RemoveFile(id.clone(), upload);
    let remove = strings::remove_file(&spelled);
    let remove = icon_button("icon-button small", &remove, move |event| {
        focus_part(&event_target(&event), "attach");
        dispatch.send(intent.clone());
    });
    let name = el("bdi", "").child(inspected(&Text::new(&name)));
    let about = el("span", "file-about")
        .child(el("span", "file-size").text(&strings::file_size(size)))
        .child(status)
        .child(show(move || failed.get(), retry));
    el("li", "file")
        .child(el("span", "file-name").attr("id", &name_id).child(name))
        .child(remove.child(icons::cross()))
        .child(about)
        .view()
}

/// All that its status depends on.
fn progress(file: Attachment) -> String {
    match file.state {
        AttachmentState::Uploading(percent) => percent.to_string(),
        AttachmentState::Uploaded(_) => strings::UPLOADED.to_owned(),
        AttachmentState::Failed(reason) => [strings::FILE_FAILED, &reason].concat(),
    }
}

fn status(file: &Attachment, label: &str) -> AnyView {
    match &file.state {
        AttachmentState::Uploading(percent) => el("progress", "file-progress")
            .attr("aria-label", label)
            .attr("max", "100")
            .attr("value", &percent.to_string())
            .view(),
        AttachmentState::Uploaded(_) => el("span", "file-there")
            .child(icons::check())
            .child(el("span", "visually-hidden").text(strings::UPLOADED))
            .view(),
        AttachmentState::Failed(reason) => {
            let reason = match reason.trim() {
                "" => strings::FILE_FAILED,
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
