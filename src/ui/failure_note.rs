//! A failure as a sentence, with what a person can do about it.

use assent_conversation::Failure;
use leptos::{ev, prelude::*};

use super::{erased::on, focus::focus_part, icons, strings};

/// What a button does.
pub(super) type Act = Box<dyn Fn()>;

/// `lead` is said before the failure's own sentence.
pub(super) fn failure_note(
    lead: Option<&'static str>,
    failure: &Failure,
    retry: Option<Act>,
    dismiss: Option<Act>,
) -> AnyView {
    let mut sentence = lead.map(|lead| format!("{lead} ")).unwrap_or_default();
    sentence.push_str(&strings::failure(failure));
    let issue = |issue: &str| view! { class="a", <p dir="auto">{issue.to_owned()}</p> }.into_any();
    let issues: Vec<AnyView> = failure.issues.iter().map(|it| issue(&it.error)).collect();
    let buttons: Vec<AnyView> = [(strings::RETRY, retry), (strings::DISMISS, dismiss)]
        .into_iter()
        .filter_map(|(name, act)| Some(link_button(name, act?)))
        .collect();
    view! { class="a",
        <div part="error" class="error" role="alert">
            {icons::alert()}
            <div class="error-text">
                <p dir="auto">{sentence}</p>
                {issues}
                <div class="error-actions">{buttons}</div>
            </div>
        </div>
    }
    .into_any()
}

/// A button that looks like a part of its sentence.
pub(super) fn link_button(name: &'static str, act: Act) -> AnyView {
    // What the button is about goes away with it. The focus goes first, to the messages, or where these are out of reach
    // to what covers them.
    let act = move |event: ev::MouseEvent| {
        let button = event_target(&event);
        let _ = focus_part(&button, "transcript") || focus_part(&button, "threads-toggle");
        act();
    };
    view! { class="a",
        <button type="button" class="link-button" on:click=on(act)>{name}</button>
    }
    .into_any()
}
