//! Above the message box while a decision is pending: why there is to wait, the question what a text that was sent is
//! meant for, and the text that waits.

use assent_conversation::{Composer, Held, Intent};
use leptos::{ev, prelude::*, web_sys::HtmlElement};

use super::{
    dispatch::Dispatch,
    erased::{ElementRef, new_id, on, show, text, when_there},
    focus::{focus, focused},
    strings,
};
use crate::view::{ComposerView, Watched};

/// True where a text can be sent, or the person can be asked what it is meant for.
pub(super) fn can_send(composer: &ComposerView) -> bool {
    match composer.composer {
        Composer::Ready => true,
        Composer::AwaitingApproval => composer.deciding > 0,
        Composer::Streaming | Composer::AwaitingElsewhere => false,
    }
}

/// True while the person is asked what is meant.
pub(super) fn asks(composer: &ComposerView) -> bool {
    composer.held == Held::Asking
}

/// Why the agent takes no message now.
pub(super) fn hint(composer: &Watched<ComposerView>) -> AnyView {
    let composer = composer.clone();
    let hint = Memo::new(move |_| {
        composer.with(|it| match it.composer {
            Composer::AwaitingElsewhere => strings::DECIDED_ELSEWHERE,
            Composer::AwaitingApproval if it.held != Held::Nothing => "",
            Composer::AwaitingApproval if it.deciding == 0 => strings::DECISION_OPEN,
            Composer::AwaitingApproval => strings::DECIDE_FIRST,
            Composer::Ready | Composer::Streaming => "",
        })
    });
    let line = move || {
        let text = text(move || hint.get().to_owned());
        view! { class="a", <p class="composer-hint">{text}</p> }.into_any()
    };
    show(move || !hint.get().is_empty(), line)
}

/// What stands above the box. `first` is the first answer to the question, `refocus` brings the focus to the box.
pub(super) fn held(
    composer: &Watched<ComposerView>,
    first: ElementRef,
    refocus: impl Fn() + Copy + Send + Sync + 'static,
    dispatch: Dispatch,
) -> AnyView {
    let (asking, waiting) = (composer.clone(), composer.clone());
    let is_asking = Memo::new(move |_| asking.with(asks));
    let is_waiting =
        Memo::new(move |_| waiting.with(|composer| matches!(composer.held, Held::Waiting(_))));
    let answer = move |intent: Intent| {
        move |_: ev::MouseEvent| {
            refocus();
            dispatch.send(intent.clone());
        }
    };
    let (asked, waiting) = (composer.clone(), composer.clone());
    let question = move || {
        let button = move |place: ElementRef, name: &'static str, intent: Intent| {
            view! { class="a",
                <button type="button" class="button" node_ref=place on:click=on(answer(intent))>
                    {name}
                </button>
            }
            .into_any()
        };
        // Who sends by Enter or the button is led to the question; who is elsewhere stays there.
        when_there(first, |first| {
            if is_near_focus(first) {
                focus(first);
            }
        });
        let asked = asked.clone();
        let why = move || strings::asked_meanwhile(asked.with(|it| it.deciding)).to_owned();
        let reason = new_id();
        let described = reason.clone();
        view! { class="a",
            <div
                class="held"
                role="group"
                aria-label=strings::WHAT_IS_MEANT
                aria-describedby=described
            >
                <p class="held-title" aria-hidden="true">{strings::WHAT_IS_MEANT}</p>
                <p id=reason class="held-text">{text(why)}</p>
                <div class="buttons">
                    {button(first, strings::SEND_AS_FEEDBACK, Intent::SendAsFeedback)}
                    {button(ElementRef::new(), strings::SEND_AFTERWARDS, Intent::SendAfterwards)}
                    {button(ElementRef::new(), strings::KEEP_WRITING, Intent::KeepAsDraft)}
                </div>
            </div>
        }
        .into_any()
    };
    let note = move || {
        let waiting = waiting.clone();
        let words = move || {
            waiting.with(|composer| match &composer.held {
                Held::Waiting(words) => strings::quoted(words),
                Held::Nothing | Held::Asking => String::new(),
            })
        };
        view! { class="a",
            <div class="held" role="status">
                <p class="held-title">{strings::WILL_BE_SENT}</p>
                <p class="held-text words" dir="auto">{text(words)}</p>
                <div class="buttons">
                    <button
                        type="button"
                        class="button"
                        on:click=on(answer(Intent::KeepAsDraft))
                    >
                        {strings::TAKE_BACK}
                    </button>
                </div>
            </div>
        }
        .into_any()
    };
    view! { class="a",
        {show(move || is_asking.get(), question)}
        {show(move || is_waiting.get(), note)}
    }
    .into_any()
}

/// True where the focus is in the same form.
fn is_near_focus(element: &HtmlElement) -> bool {
    let form = element.closest("form").ok().flatten();
    form.is_some_and(|form| form.contains(focused(element).as_deref()))
}
