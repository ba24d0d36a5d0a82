//! The card of a batch, or a placeholder until the card's code is loaded.
//!
//! In `dist/` the code of the card is a module of its own, `assent_approval`, cut out of the widget
//! at `card_code`: the loader fetches it with the renderer, without which nothing can be approved
//! either. Everywhere else the widget is whole, and the code is there from the beginning.

use leptos::prelude::*;

#[cfg(not(feature = "split"))]
use super::card;
use super::{stage::state_name, try_again::TryAgain};
use crate::{
    components::{
        renderer::{renderer_failed, why_not_drawn},
        show::Show,
        strings,
    },
    store::ApprovalView,
};

/// The type of the function that draws the card of a batch.
type DrawCard = fn(RwSignal<ApprovalView>) -> AnyView;

/// The function that draws cards when the widget starts; `None` where it is in a module of its own,
/// which is loaded later.
#[cfg(not(feature = "split"))]
const FIRST_DRAW_CARD: Option<DrawCard> = Some(card::draw_card);
#[cfg(feature = "split")]
const FIRST_DRAW_CARD: Option<DrawCard> = None;

thread_local! {
    /// The function that draws cards; `None` until the card's module is linked. All widgets of the
    /// page share it, since they share one module.
    static DRAW_CARD: ArcRwSignal<Option<DrawCard>> = ArcRwSignal::new(FIRST_DRAW_CARD);
}

/// Draws cards from now on, those on the screen included, in place of their placeholders. Is called
/// once the module with the code of cards is loaded.
#[cfg(feature = "split")]
pub fn link_cards() {
    leptos::task::spawn_local(async {
        let draw = split::card_code().await;
        DRAW_CARD.with(Clone::clone).set(Some(draw));
    });
}

#[cfg(feature = "split")]
mod split {
    use super::{super::card, DrawCard};
    use leptos::wasm_split::wasm_split;

    /// Returns the function that draws cards. Only this call waits for their module: the function
    /// that it returns draws a card at once, under the reactive owner of the card's place.
    #[wasm_split(approval, wasm_split_path = ::leptos::wasm_split)]
    pub(super) fn card_code() -> DrawCard {
        card::draw_card
    }
}

/// The card of a batch. Until the card's code is loaded, a placeholder says so, and offers another
/// attempt if loading failed.
#[component]
pub(in crate::components) fn LazyCard(view: RwSignal<ApprovalView>) -> impl IntoView {
    move || match DRAW_CARD.with(Clone::clone).get() {
        Some(draw) => draw(view),
        None => view! { <CardPlaceholder view/> }.into_any(),
    }
}

/// What is shown instead of a card whose code is not loaded.
#[component]
fn CardPlaceholder(view: RwSignal<ApprovalView>) -> impl IntoView {
    let texts = strings::texts();
    view! {
        <div
            part="approval"
            class="approval"
            role="group"
            aria-label=texts.get(strings::APPROVAL)
            data-state=move || view.with(|view| state_name(&view.batch))
        >
            <p class="approval-hint">{move || why_not_drawn(texts)}</p>
            <Show when=renderer_failed>
                <div class="buttons">
                    <TryAgain/>
                </div>
            </Show>
        </div>
    }
}
