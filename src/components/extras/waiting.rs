//! The ways to what waits for the person in any conversation (extension `inbox`): a button above
//! the list of conversations, and one at a card whose decision was sent.

use assent_conversation::{Intent, ThreadId};
use leptos::{
    prelude::*,
    task::{spawn_local, tick},
    web_sys::{HtmlElement, MouseEvent},
};

use crate::{
    components::{
        approval::{WantedCard, focus_request, stage::Stage, state::CardState},
        dispatch::Dispatch,
        effect::{effect, memo},
        focus::focus_part,
        list_visibility::ListVisibility,
        listener::boxed_listener,
        show::Show,
        strings,
    },
    store::{Store, ThreadsView},
};

/// The button above the list of conversations, which says how many decisions wait, and leads to the
/// first.
#[component]
pub(super) fn WaitingButton() -> impl IntoView {
    let texts = strings::texts();
    let way = Way::from_context();
    let count = memo(move || {
        let sum = |threads: &ThreadsView| threads.waiting.iter().map(|(_, count)| count).sum();
        way.threads.with(sum)
    });
    let first = |threads: &ThreadsView| threads.waiting.first().map(|(thread, _)| thread.clone());
    view! {
        <button
            type="button"
            class="button waiting-button"
            on:click=boxed_listener(move |event: MouseEvent| way.lead_to(&event, first))
        >
            {move || strings::decisions_wait_text(texts, count.get())}
        </button>
    }
}

/// The button at a card whose decision was sent from here, which leads to the next one that waits:
/// in the same conversation, or else to the first of the others.
#[component]
pub(super) fn NextButton(card: CardState) -> impl IntoView {
    let text = strings::texts().get(strings::extra::NEXT_ONE);
    let way = Way::from_context();
    let was_sent = RwSignal::new(false);
    effect(move || {
        if card.stage.get() == Stage::Submitting {
            was_sent.set(true);
        }
    });
    let is_sent =
        move || was_sent.get() && matches!(card.stage.get(), Stage::Submitting | Stage::Answered);
    let leads_on = move || {
        way.list.has_list()
            && way
                .threads
                .with(|it| it.has_inbox && !it.waiting.is_empty())
    };
    view! {
        <Show when=move || is_sent() && leads_on()>
            <div class="buttons">
                <button
                    type="button"
                    class="button"
                    on:click=boxed_listener(move |event: MouseEvent| way.lead_to(&event, next))
                >
                    {text}
                </button>
            </div>
        </Show>
    }
}

/// Returns the open conversation if something waits in it, or else the first in which something
/// does.
fn next(threads: &ThreadsView) -> Option<ThreadId> {
    let mut waiting = threads.waiting.iter();
    let open = waiting.find(|(thread, _)| threads.open.as_ref() == Some(thread));
    let (thread, _) = open.or(threads.waiting.first())?;
    Some(thread.clone())
}

/// What it takes to lead the person to another conversation.
#[derive(Clone, Copy)]
struct Way {
    threads: RwSignal<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    wanted: WantedCard,
}

impl Way {
    fn from_context() -> Self {
        Self {
            threads: expect_context::<Store>().threads,
            list: ListVisibility::from_context(),
            dispatch: expect_context::<Dispatch>(),
            wanted: expect_context::<WantedCard>(),
        }
    }

    /// Leads from the pressed button to the conversation that `choose` returns, and moves the focus
    /// to its card.
    fn lead_to(self, event: &MouseEvent, choose: fn(&ThreadsView) -> Option<ThreadId>) {
        let button = event_target::<HtmlElement>(event);
        let Some(thread) = self.threads.with_untracked(choose) else {
            return;
        };
        let is_open = |threads: &ThreadsView| threads.open.as_ref() == Some(&thread);
        if self.threads.with_untracked(is_open) {
            self.list.uncover();
            spawn_local(async move {
                // A list that covers the card is gone only then.
                tick().await;
                focus_request(&button);
            });
            return;
        }
        // The button may go with the conversation that it is in.
        focus_part(&button, "transcript");
        self.list.uncover();
        self.wanted.want(thread.clone());
        self.dispatch.send(Intent::OpenThread(thread));
    }
}
