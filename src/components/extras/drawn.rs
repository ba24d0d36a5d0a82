//! What is drawn by the code that is loaded once it is needed.

use assent_conversation::{Attachment, ConversationKey, ExecutionId, Millis};
use leptos::{
    html::{Div, Textarea},
    prelude::*,
};

use super::{
    beforehand::{AllowBeforehand, AllowedRun},
    contributions::Contributions,
    deadline::Deadline,
    details::Details,
    difference::ChangedArguments,
    drop_hint::DropHint,
    edit::EditArguments,
    grants::{AllowedNote, Grants},
    inbox::Approvals,
    queue::QueuedMessages,
    waiting::{NextButton, WaitingButton},
};
use crate::{
    components::{
        approval::state::CardState,
        attachments::{FileList, FilePicker, Files, SentFiles},
    },
    store::{ApprovalView, ContributionRow},
};

/// What not every page or person needs.
pub(in crate::components) enum Extra {
    /// The list of the files of a draft or a feedback.
    FileList(Files),
    /// The button that opens the file chooser, with a text beside it if there is one.
    FilePicker(Files, Option<&'static str>),
    /// The list of the files of a message that was sent.
    SentFiles(Vec<Attachment>),
    /// The contributions of several agents to an answer.
    Contributions(RwSignal<Vec<ContributionRow>>, ConversationKey),
    /// The time that is left for deciding: the time of the request if it is known, and its end.
    Deadline(Option<Millis>, Millis),
    /// The text that files can be dropped.
    DropHint,
    /// What waits with all agents, and its cards, where that is shown instead of a conversation.
    Approvals,
    /// The button that leads to the first card that waits in any conversation.
    WaitingButton,
    /// The button at a card that leads to the next one that waits.
    NextButton(CardState),
    /// The button at a tool run of a card with which calls are allowed beforehand.
    AllowBeforehand(AllowedRun),
    /// The button at a step that ran because it was allowed beforehand, which leads there.
    AllowedNote,
    /// The arguments of a tool run of a card that may be changed before it is approved.
    EditArguments(CardState, usize),
    /// What was changed in a tool run that was approved, with the difference while the signal is true.
    ChangedArguments(RwSignal<ApprovalView>, usize, RwSignal<bool>),
    /// The list of what is allowed beforehand, which calls this to be closed.
    Grants(Callback<bool>),
    /// The button at a decided tool run that tells what became of it.
    Details(ExecutionId),
    /// The queued messages, and the question what the draft is meant for: the element of the
    /// question, and the message box.
    QueuedMessages(NodeRef<Div>, NodeRef<Textarea>),
}

/// Draws it.
pub(super) fn draw(extra: &Extra) -> AnyView {
    match *extra {
        Extra::FileList(files) => view! { <FileList files/> }.into_any(),
        Extra::FilePicker(files, hint) => view! { <FilePicker files hint/> }.into_any(),
        Extra::SentFiles(ref files) => view! { <SentFiles files=files.clone()/> }.into_any(),
        Extra::Contributions(said, conversation) => {
            view! { <Contributions said conversation/> }.into_any()
        }
        Extra::Deadline(asked_at, end) => view! { <Deadline asked_at end/> }.into_any(),
        Extra::DropHint => view! { <DropHint/> }.into_any(),
        Extra::Approvals => view! { <Approvals/> }.into_any(),
        Extra::WaitingButton => view! { <WaitingButton/> }.into_any(),
        Extra::NextButton(card) => view! { <NextButton card/> }.into_any(),
        Extra::AllowBeforehand(ref run) => view! { <AllowBeforehand run=run.clone()/> }.into_any(),
        Extra::AllowedNote => view! { <AllowedNote/> }.into_any(),
        Extra::EditArguments(card, index) => view! { <EditArguments card index/> }.into_any(),
        Extra::ChangedArguments(view, index, unfolded) => {
            view! { <ChangedArguments view index unfolded/> }.into_any()
        }
        Extra::Details(ref execution) => {
            view! { <Details execution=execution.clone()/> }.into_any()
        }
        Extra::Grants(answer) => view! { <Grants answer/> }.into_any(),
        Extra::QueuedMessages(question, input) => {
            view! { <QueuedMessages question input/> }.into_any()
        }
    }
}
