//! The files of a feedback: choose, see them arrive, try again, take out.

use assent_conversation::{Attachment, AttachmentState, BatchId, Feedback, Intent, UploadId};
use assent_inspect::Text;
use leptos::{
    ev,
    prelude::*,
    web_sys::{FileList, HtmlInputElement},
};

use super::{
    feedback::of,
    inspected::{inspected, spelled},
};
use crate::{
    ui::{
        dispatch::Dispatch,
        erased::{ElementRef, Key, Row, dynamic, each, new_id, on, show},
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
    let button = move || attach_button(id.clone(), dispatch);
    view! { class="a",
        <ul class="files" role="list" aria-label=strings::FILES>{rows}</ul>
        {show(move || can_attach.get(), button)}
    }
    .into_any()
}

/// Gives all files to who takes them.
pub(super) fn attach_all(files: &FileList, id: &BatchId, dispatch: Dispatch) {
    for file in (0..files.length()).filter_map(|at| files.item(at)) {
        dispatch.attach(id.clone(), file);
    }
}

/// The files on the clipboard; `None` for a text.
pub(super) fn pasted(event: &ev::ClipboardEvent) -> Option<FileList> {
    some(event.clipboard_data()?.files())
}

/// The files that were dropped; `None` for a text.
pub(super) fn dropped(event: &ev::DragEvent) -> Option<FileList> {
    some(event.data_transfer()?.files())
}

fn some(files: Option<FileList>) -> Option<FileList> {
    files.filter(|files| files.length() > 0)
}

fn attach_button(id: BatchId, dispatch: Dispatch) -> AnyView {
    let input = ElementRef::new();
    let choose = move |_: ev::MouseEvent| {
        if let Some(input) = input.now() {
            input.click();
        }
    };
    let chosen = move |_: ev::Event| {
        if let Some(input) = input.now_as::<HtmlInputElement>() {
            if let Some(files) = input.files() {
                attach_all(&files, &id, dispatch);
            }
            // The same file can be chosen again.
            input.set_value("");
        }
    };
    view! { class="a",
        <div class="attach">
            <button type="button" part="attach" class="button" on:click=on(choose)>
                {icons::clip()}
                {strings::ATTACH}
            </button>
            <span class="approval-hint">{strings::ATTACH_HINT}</span>
            <input type="file" multiple hidden node_ref=input on:change=on(chosen)/>
        </div>
    }
    .into_any()
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
    let spelled = spelled(&name);
    let (stated, failing) = (view.clone(), view.clone());
    let label = strings::uploading(&spelled);
    let status = dynamic(move || match stated.with(file) {
        Some(file) => status(&file, &label),
        None => ().into_any(),
    });
    let failed = Memo::new(move |_| {
        let file = failing.with(file);
        file.is_some_and(|file| matches!(file.state, AttachmentState::Failed(_)))
    });
    let name_id = new_id();
    let again = (id.clone(), name_id.clone());
    let retry = move || {
        let intent = Intent::RetryFile(again.0.clone(), upload);
        let retry = move |event: ev::MouseEvent| {
            // The button goes away with the failure.
            focus_part(&event_target(&event), "attach");
            dispatch.send(intent.clone());
        };
        view! { class="a",
            <button
                type="button"
                class="link-button"
                aria-describedby=again.1.clone()
                on:click=on(retry)
            >
                {strings::RETRY}
            </button>
        }
        .into_any()
    };
    let remove = Intent::RemoveFile(id.clone(), upload);
    let remove = move |event: ev::MouseEvent| {
        focus_part(&event_target(&event), "attach");
        dispatch.send(remove.clone());
    };
    let label = strings::remove_file(&spelled);
    view! { class="a",
        <li class="file">
            <span id=name_id class="file-name"><bdi>{inspected(&Text::new(&name))}</bdi></span>
            <span class="file-size">{strings::file_size(size)}</span>
            {status}
            {show(move || failed.get(), retry)}
            <button
                type="button"
                class="icon-button small"
                aria-label=label.clone()
                title=label
                on:click=on(remove)
            >
                {icons::cross()}
            </button>
        </li>
    }
    .into_any()
}

fn status(file: &Attachment, label: &str) -> AnyView {
    match &file.state {
        AttachmentState::Uploading(percent) => view! { class="a",
            <progress class="file-progress" aria-label=label.to_owned() max="100" value=percent.to_string()></progress>
        }
        .into_any(),
        AttachmentState::Uploaded(_) => view! { class="a",
            <span class="file-there">
                {icons::check()} <span class="visually-hidden">{strings::UPLOADED}</span>
            </span>
        }
        .into_any(),
        AttachmentState::Failed(reason) => {
            let reason = match reason.trim() {
                "" => strings::FILE_FAILED.to_owned(),
                reason => reason.to_owned(),
            };
            view! { class="a", <span class="file-failed" role="alert" dir="auto">{reason}</span> }
                .into_any()
        }
    }
}
