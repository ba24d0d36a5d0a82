//! What is drawn by the code that is loaded once it is needed.

use assent_conversation::{Attachment, Millis};
use leptos::prelude::*;

use super::{
    deadline::Deadline,
    grant_form::{GrantForm, GrantQuestion},
    grants::Grants,
};
use crate::components::attachments::{FileList, FilePicker, Files, SentFiles};

/// What not every page or person needs.
#[derive(Clone)]
pub(in crate::components) enum Extra {
    /// The list of the files of a draft or a feedback.
    FileList(Files),
    /// The button that opens the file chooser, with a text beside it if there is one.
    FilePicker(Files, Option<&'static str>),
    /// The list of the files of a message that was sent.
    SentFiles(Vec<Attachment>),
    /// The time that is left for deciding: the time of the request if it is known, and its end.
    Deadline(Option<Millis>, Millis),
    /// The form with which calls are allowed beforehand.
    GrantForm(GrantQuestion),
    /// The list of what is allowed beforehand, which calls this to be closed.
    Grants(Callback<bool>),
}

/// Draws it.
pub(super) fn draw(extra: Extra) -> AnyView {
    match extra {
        Extra::FileList(files) => view! { <FileList files/> }.into_any(),
        Extra::FilePicker(files, hint) => view! { <FilePicker files hint/> }.into_any(),
        Extra::SentFiles(files) => view! { <SentFiles files/> }.into_any(),
        Extra::Deadline(asked_at, end) => view! { <Deadline asked_at end/> }.into_any(),
        Extra::GrantForm(question) => view! { <GrantForm question/> }.into_any(),
        Extra::Grants(answer) => view! { <Grants answer/> }.into_any(),
    }
}
