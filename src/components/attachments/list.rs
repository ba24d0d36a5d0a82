//! The list of the files of a draft or a feedback, each with the state of its upload, and the list
//! of those of a message that was sent.

use assent_conversation::{Attachment, AttachmentState, UploadId};
use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{HtmlElement, MouseEvent},
};

use super::Files;
use crate::components::{
    attribute::attribute,
    dispatch::Dispatch,
    effect::{memo, on_load},
    escape_invisible::escape_in_file_name,
    focus::focus,
    icons,
    ids::new_id,
    listener::boxed_listener,
    picture::show_preview,
    rows::{Row, rows},
    show::Show,
    strings,
};

/// The list of the files of a draft or a feedback. Those that failed come first, as the user has to
/// act.
#[component]
pub(in crate::components) fn FileList(files: Files) -> impl IntoView {
    let row = move |file: Attachment| {
        Row::new(
            file.upload.0.to_string(),
            move || view! { <FileRow files file=file.clone()/> },
        )
    };
    let ordered = move || {
        let (failed, others): (Vec<_>, Vec<_>) = files
            .list
            .get()
            .into_iter()
            .partition(Attachment::has_failed);
        failed.into_iter().chain(others).map(row).collect()
    };
    view! { <FileListFrame>{rows(ordered)}</FileListFrame> }
}

/// The list of the files of a message that was sent; nothing if there are none.
#[component]
pub(in crate::components) fn SentFiles(files: Vec<Attachment>) -> impl IntoView {
    let texts = strings::texts();
    let row = move |file: Attachment| {
        view! {
            <li class="file sent">
                <span class="file-name" dir="auto">
                    {escape_in_file_name(&file.name)}
                </span>
                <span class="file-about">
                    <span class="file-size">{strings::about_file(texts, &file)}</span>
                </span>
            </li>
        }
    };
    (!files.is_empty()).then(|| {
        let rows = files.into_iter().map(row).collect_view();
        view! { <FileListFrame>{rows}</FileListFrame> }
    })
}

#[component]
fn FileListFrame(children: Children) -> impl IntoView {
    view! {
        <ul class="files" role="list" aria-label=strings::texts().get(strings::FILES)>
            {children()}
        </ul>
    }
}

/// One file of a draft or a feedback, with the state of its upload.
#[component]
fn FileRow(files: Files, file: Attachment) -> impl IntoView {
    let texts = strings::texts();
    let upload = file.upload;
    let name = strings::file_name(&file.name);
    let uploading = strings::uploading_text(texts, &name);
    let name_id = new_id();
    let escaped = escape_in_file_name(&file.name);
    let about = strings::about_file(texts, &file);
    let state = Memo::new(move |known: Option<&AttachmentState>| {
        let list = files.list.get();
        let now = list.into_iter().find(|it| it.upload == upload);
        // A removed file is still shown for a moment.
        let known = known.unwrap_or(&file.state).clone();
        now.map_or(known, |file| file.state)
    });
    let has_failed = move || matches!(state.get(), AttachmentState::Failed(_));
    let preview = NodeRef::<Div>::new();
    let file = expect_context::<Dispatch>().attached_file(upload);
    on_load(preview, move |frame| {
        if let Some(file) = file {
            show_preview(&frame, &file).ok();
        }
    });
    view! {
        <li class="file">
            <div class="file-preview" node_ref=preview></div>
            <span class="file-name" dir="auto" id=name_id.clone()>
                {escaped}
            </span>
            <span class="file-about">
                <span class="file-size">{about}</span>
                <FileStatus state uploading name=name.clone()/>
                <Show when=has_failed>
                    <RetryButton files upload name_id=name_id.clone()/>
                </Show>
            </span>
            <RemoveButton files upload state name/>
        </li>
    }
}

/// The state of a file's upload: its progress, or the reason why it failed. `uploading` is the
/// accessible name of the progress bar.
#[component]
fn FileStatus(state: Memo<AttachmentState>, uploading: String, name: String) -> impl IntoView {
    let texts = strings::texts();
    move || match state.get() {
        AttachmentState::Uploading(percent) => view! {
            <progress
                class="file-progress"
                aria-label=uploading.clone()
                {..attribute("max", "100")}
                {..attribute("value", percent.to_string())}
            ></progress>
        }
        .into_any(),
        AttachmentState::Uploaded(_) => view! {
            <span class="file-there">
                {icons::check()}
                <span class="visually-hidden">{texts.get(strings::UPLOADED)}</span>
            </span>
        }
        .into_any(),
        AttachmentState::Failed(reason) => {
            // The sentence keeps its order, whatever the name is written in.
            let name = ["\u{2068}", &name, "\u{2069}"].concat();
            let sentence = texts.fill(strings::FILE_FAILED, &[("name", &name)]);
            view! {
                <span class="file-failed" role="alert">
                    {sentence} " " <bdi>{reason}</bdi>
                </span>
            }
            .into_any()
        }
    }
}

/// The button that removes a file, and ends its upload if that is running. Where the upload failed,
/// the button shows the word for removing in place of its icon.
#[component]
fn RemoveButton(
    files: Files,
    upload: UploadId,
    state: Memo<AttachmentState>,
    name: String,
) -> impl IntoView {
    let texts = strings::texts();
    let label = memo(move || {
        let text = match state.get() {
            AttachmentState::Uploading(_) => strings::CANCEL_UPLOAD,
            AttachmentState::Uploaded(_) | AttachmentState::Failed(_) => strings::REMOVE_FILE,
        };
        texts.fill(text, &[("name", &name)])
    });
    let remove = move |event: MouseEvent| {
        focus_attach(&event_target(&event));
        files.remove(upload);
    };
    view! {
        <button
            type="button"
            class="icon-button small remove"
            aria-label=move || label.get()
            {..attribute("title", move || label.get())}
            on:click=boxed_listener(remove)
        >
            {icons::cross()}
            <span class="remove-word">{texts.get(strings::REMOVE)}</span>
        </button>
    }
}

/// The button that uploads a file once more. `name_id` is the id of the element with the file's
/// name.
#[component]
fn RetryButton(files: Files, upload: UploadId, name_id: String) -> impl IntoView {
    let retry = move |event: MouseEvent| {
        // The button goes away with the failure.
        focus_attach(&event_target(&event));
        files.retry(upload);
    };
    view! {
        <button
            type="button"
            class="link-button"
            aria-describedby=name_id
            on:click=boxed_listener(retry)
        >
            {strings::texts().get(strings::RETRY)}
        </button>
    }
}

/// Moves the focus from a row of the list of files to the button that adds files to the list.
fn focus_attach(near: &HtmlElement) {
    let place = near.closest(".feedback, .composer").ok().flatten();
    let button = place.and_then(|place| place.query_selector("[part=attach]").ok()?);
    if let Some(button) = button.and_then(|button| button.dyn_into().ok()) {
        focus(&button);
    }
}
