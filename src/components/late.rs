//! The components that nobody needs in order to type. With the feature `split` they come in a second file, after the
//! message box.
//!
//! They are reached through one table of functions, which one function of the second file gives. A direct call to one
//! of them, from anywhere outside, brings it and all that it calls back into the first file; nothing but the size tells.

use assent_conversation::Attachment;
use assent_i18n::Text;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    app::{AgentName, ToConfirm},
    attachments::{Files, file},
    confirm::{Answer, question},
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, dynamic, show},
    failure_note::note,
    held::held,
    jump::jump,
    list_visibility::ListVisibility,
    message::message,
    scroll::Scroll,
    strings,
    thread_list::thread_list,
};
use crate::store::{ComposerView, MessageRow, Settings, ThreadsView, TranscriptView, Watched};

/// What the second file has.
pub(super) struct Components {
    pub(super) message:
        fn(MessageRow, &Settings, Watched<ComposerView>, AgentName, Dispatch) -> AnyView,
    pub(super) thread_list:
        fn(Watched<ThreadsView>, ListVisibility, Dispatch, ToConfirm) -> AnyView,
    pub(super) jump: fn(&TranscriptView, Scroll, ElementRef) -> AnyView,
    pub(super) held: fn(&Watched<ComposerView>, ElementRef, ElementRef, Dispatch) -> AnyView,
    pub(super) file: fn(&Files, &Attachment) -> AnyView,
    pub(super) question: fn(Text, &str, Text, Answer) -> AnyView,
}

static COMPONENTS: Components = Components {
    message,
    thread_list,
    jump,
    held,
    file,
    question,
};

/// Where the components are.
enum Arrival {
    Awaited,
    Coming,
    Here(&'static Components),
    /// They could not be fetched.
    Missing,
}

thread_local! {
    /// One for all widgets of the page, as the module is one.
    static LATE: Watched<Arrival> = Watched::new(if cfg!(feature = "split") {
        Arrival::Awaited
    } else {
        Arrival::Here(&COMPONENTS)
    });
}

#[cfg(feature = "split")]
#[wasm_split_helpers::wasm_split(late, fallible)]
fn table() -> Result<&'static Components, wasm_split_helpers::SplitLoaderError> {
    Ok(&COMPONENTS)
}

#[cfg(not(feature = "split"))]
async fn table() -> Result<&'static Components, std::convert::Infallible> {
    Ok(&COMPONENTS)
}

/// Fetches the components, unless they are there or on their way. A failure is said by all widgets of the page.
pub fn complete() {
    let late = LATE.with(Clone::clone);
    if late.peek(|it| matches!(it, Arrival::Coming | Arrival::Here(_))) {
        return;
    }
    late.update(|it| *it = Arrival::Coming);
    spawn_local(async move {
        let arrival = table().await.map_or(Arrival::Missing, Arrival::Here);
        late.update(|it| *it = arrival);
    });
}

/// The components, followed; `None` while they are not there.
pub(super) fn components() -> Option<&'static Components> {
    follow(|it| match it {
        Arrival::Here(components) => Some(*components),
        _ => None,
    })
}

/// Whether the components may still come by themselves, followed.
pub(super) fn are_coming() -> bool {
    follow(|it| matches!(it, Arrival::Awaited | Arrival::Coming))
}

/// Reads where the components are, and follows it until they are here: they stay, and what would go on following them
/// would be remembered as long as the page is there.
fn follow<T>(read: fn(&Arrival) -> T) -> T {
    let late = LATE.with(Clone::clone);
    if late.peek(|it| matches!(it, Arrival::Here(_))) {
        late.peek(read)
    } else {
        late.with(read)
    }
}

/// A part that these components draw, and what is in its place until they are there.
pub(super) fn late(
    view: impl Fn(&Components) -> AnyView + Send + 'static,
    meanwhile: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    dynamic(move || {
        let components = components();
        untrack(|| components.map_or_else(&meanwhile, &view))
    })
}

/// Says that the components could not be fetched. Typing and sending go on without them.
pub(super) fn missing() -> AnyView {
    show(
        || follow(|it| matches!(it, Arrival::Missing)),
        || {
            let sentence = strings::texts().get(strings::NOT_COMPLETE);
            let note = note(&[sentence], Some(Box::new(complete)), None);
            el("div", "notice").child(note).view()
        },
    )
}
