//! What is drawn by the code that is loaded once it is needed.

use assent_conversation::{Attachment, ExecutionId, Millis};
use leptos::prelude::*;

use super::{
    beforehand::{AllowBeforehand, AllowedRun},
    deadline::Deadline,
    details::Details,
    drop_hint::DropHint,
    grants::Grants,
    waiting::{NextButton, WaitingButton},
};
use crate::components::{
    approval::state::CardState,
    attachments::{FileList, FilePicker, Files, SentFiles},
};

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
    /// The text that files can be dropped.
    DropHint,
    /// The button that leads to the first card that waits in any conversation.
    WaitingButton,
    /// The button at a card that leads to the next one that waits.
    NextButton(CardState),
    /// The button at a tool run of a card with which calls are allowed beforehand.
    AllowBeforehand(AllowedRun),
    /// The list of what is allowed beforehand, which calls this to be closed.
    Grants(Callback<bool>),
    /// The button at a decided tool run that tells what became of it.
    Details(ExecutionId),
}

/// Draws it.
pub(super) fn draw(extra: Extra) -> AnyView {
    match extra {
        Extra::FileList(files) => view! { <FileList files/> }.into_any(),
        Extra::FilePicker(files, hint) => view! { <FilePicker files hint/> }.into_any(),
        Extra::SentFiles(files) => view! { <SentFiles files/> }.into_any(),
        Extra::Deadline(asked_at, end) => view! { <Deadline asked_at end/> }.into_any(),
        Extra::DropHint => view! { <DropHint/> }.into_any(),
        Extra::WaitingButton => view! { <WaitingButton/> }.into_any(),
        Extra::NextButton(card) => view! { <NextButton card/> }.into_any(),
        Extra::AllowBeforehand(run) => view! { <AllowBeforehand run/> }.into_any(),
        Extra::Details(execution) => view! { <Details execution/> }.into_any(),
        Extra::Grants(answer) => view! { <Grants answer/> }.into_any(),
    }
}
