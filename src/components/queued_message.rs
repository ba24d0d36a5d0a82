//! Above the message box while a decision is pending: why there is to wait, the question what a text that was sent is
//! meant for, and the text that waits.

use assent_conversation::{Attachment, Composer, Intent, QueuedMessage};
use leptos::{prelude::*, web_sys::HtmlElement};

use super::{
    attachments::sent_files,
    button::button,
    dispatch::Dispatch,
    element::{Element, el},
    erased::{ElementRef, dynamic, new_id, show, text, when_there},
    focus::{focus, focused},
    strings,
};
use crate::store::ComposerView;

/// True where a message can be sent, or the person can be asked what it is meant for.
pub(super) fn can_send(composer: &ComposerView) -> bool {
    Attachment::all_there(&composer.files)
        && match composer.composer {
            Composer::Ready => true,
            Composer::AwaitingApproval => composer.deciding > 0,
            Composer::Streaming | Composer::AwaitingElsewhere => false,
        }
}

/// True while the person is asked what is meant.
pub(super) fn asks(composer: &ComposerView) -> bool {
    composer.queued == QueuedMessage::Asking
}

/// Why no message can be sent now. `id` is its own.
pub(super) fn hint(composer: &RwSignal<ComposerView>, id: String) -> AnyView {
    let texts = strings::texts();
    let composer = *composer;
    let hint = Memo::new(move |_| {
        composer.with(|it| match it.composer {
            _ if !it.is_online => texts.get(strings::OFFLINE_HINT),
            Composer::AwaitingElsewhere => texts.get(strings::DECIDED_ELSEWHERE),
            _ if it.files.iter().any(Attachment::has_failed) => texts.get(strings::FILES_FAILED),
            _ if !Attachment::all_there(&it.files) => texts.get(strings::SEND_WAITS_FOR_FILES),
            Composer::AwaitingApproval if it.queued != QueuedMessage::Nothing => "",
            Composer::AwaitingApproval if it.deciding == 0 => texts.get(strings::DECISION_OPEN),
            Composer::AwaitingApproval => texts.get(strings::DECIDE_FIRST),
            Composer::Ready | Composer::Streaming => "",
        })
    });
    let line = move || {
        let text = text(move || hint.get().to_owned());
        el("p", "composer-hint").attr("id", &id).child(text).view()
    };
    show(move || !hint.get().is_empty(), line)
}

/// What stands above the box. `first` is the first answer to the question; each answer brings the focus to the box.
pub(super) fn held(
    composer: &RwSignal<ComposerView>,
    first: ElementRef,
    input: ElementRef,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let (asking, waiting) = (*composer, *composer);
    let is_asking = Memo::new(move |_| asking.with(asks));
    let is_waiting = Memo::new(move |_| {
        waiting.with(|composer| matches!(composer.queued, QueuedMessage::Waiting(..)))
    });
    let answer = move |name: &str, intent: Intent| {
        button("button", name, move |_| {
            if let Some(input) = input.now() {
                focus(&input);
            }
            dispatch.send(intent.clone());
        })
    };
    let (asked, waiting) = (*composer, *composer);
    let question = move || {
        // Who sends by Enter or the button is led to the question; who is elsewhere stays there.
        when_there(first, |first| {
            if is_near_focus(first) {
                focus(first);
            }
        });
        let why = move || {
            texts.count(
                strings::ASKED_MEANWHILE,
                asked.with(|it| it.deciding).max(1),
                &[],
            )
        };
        let reason = new_id();
        let buttons = el("div", "buttons")
            .child(
                answer(texts.get(strings::SEND_AS_FEEDBACK), Intent::SendAsFeedback)
                    .node_ref(first),
            )
            .child(answer(
                texts.get(strings::SEND_AFTERWARDS),
                Intent::SendAfterwards,
            ))
            .child(answer(
                texts.get(strings::KEEP_WRITING),
                Intent::KeepAsDraft,
            ));
        el("div", "held")
            .attr("role", "group")
            .attr("aria-label", texts.get(strings::WHAT_IS_MEANT))
            .attr("aria-describedby", &reason)
            .child(title(texts.get(strings::WHAT_IS_MEANT)).attr("aria-hidden", "true"))
            .child(el("p", "held-text").attr("id", &reason).child(text(why)))
            .child(buttons)
            .view()
    };
    let note = move || {
        let held = waiting;
        let content = dynamic(move || {
            held.with(|composer| {
                let QueuedMessage::Waiting(words, files) = &composer.queued else {
                    return ().into_any();
                };
                let quoted = Some(words).filter(|words| !words.trim().is_empty());
                let quoted = quoted
                    .map(|words| texts.fill(strings::QUOTED, &[("text", words)]))
                    .unwrap_or_default();
                let words = el("p", "held-text words").attr("dir", "auto").text(&quoted);
                vec![words.view(), sent_files(files)].into_any()
            })
        });
        let take_back = answer(texts.get(strings::TAKE_BACK), Intent::KeepAsDraft);
        el("div", "held")
            .attr("role", "status")
            .child(title(texts.get(strings::WILL_BE_SENT)))
            .child(content)
            .child(el("div", "buttons").child(take_back))
            .view()
    };
    let question = show(move || is_asking.get(), question);
    vec![question, show(move || is_waiting.get(), note)].into_any()
}

fn title(title: &str) -> Element {
    el("p", "held-title").text(title)
}

/// True where the focus is in the same form.
fn is_near_focus(element: &HtmlElement) -> bool {
    let form = element.closest("form").ok().flatten();
    form.is_some_and(|form| form.contains(focused(element).as_deref()))
}
