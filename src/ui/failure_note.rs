//! A failure as a sentence, with what a person can do about it.

use assent_conversation::Failure;
use leptos::prelude::*;

use super::{icons, strings};

#[component]
pub(super) fn FailureNote(
    failure: Failure,
    /// Said before the failure's own sentence.
    #[prop(optional)]
    lead: Option<&'static str>,
    #[prop(optional, into)] on_retry: Option<Callback<()>>,
    #[prop(optional, into)] on_dismiss: Option<Callback<()>>,
) -> impl IntoView {
    let issues: Vec<_> = failure
        .issues
        .iter()
        .map(|issue| issue.error.clone())
        .collect();
    let button = |name: &'static str, run: Callback<()>| {
        view! { class="a",
            <button type="button" class="link-button" on:click=move |_| run.run(())>{name}</button>
        }
    };
    view! { class="a",
        <div part="error" class="error" role="alert">
            {icons::alert()}
            <div class="error-text">
                <p dir="auto">{lead.map(|lead| format!("{lead} "))}{strings::failure(&failure)}</p>
                {issues.into_iter().map(|issue| view! { class="a", <p dir="auto">{issue}</p> }).collect_view()}
                <div class="error-actions">
                    {on_retry.map(|run| button(strings::RETRY, run))}
                    {on_dismiss.map(|run| button(strings::DISMISS, run))}
                </div>
            </div>
        </div>
    }
}
