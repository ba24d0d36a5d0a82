//! The card of a batch, or a placeholder until the card's code is loaded; and questions for
//! confirmation.
//!
//! In `dist/` the code of these is a module of its own, `assent_approval`, cut out of the widget
//! at `card_code`: the loader fetches it with the renderer, without which nothing can be approved
//! either. Everywhere else the widget is whole, and the code is there from the beginning.

use leptos::prelude::*;

#[cfg(not(feature = "split"))]
use super::card;
use super::{card::Piece, stage::state_name, try_again::TryAgain};
use crate::{
    components::{
        question::Wording,
        renderer::{renderer_failed, why_not_drawn},
        show::{Show, nothing},
        strings,
    },
    store::ApprovalView,
};

/// The type of the function that draws what is in the code that is loaded later.
type Draw = fn(Piece) -> AnyView;

/// The function that draws when the widget starts; `None` where it is in a module of its own, which
/// is loaded later.
#[cfg(not(feature = "split"))]
const FIRST_DRAW: Option<Draw> = Some(card::draw);
#[cfg(feature = "split")]
const FIRST_DRAW: Option<Draw> = None;

thread_local! {
    /// The function that draws; `None` until the card's module is linked. All widgets of the page
    /// share it, since they share one module.
    static DRAW: ArcRwSignal<Option<Draw>> = ArcRwSignal::new(FIRST_DRAW);
}

/// Draws cards from now on, those on the screen included, in place of their placeholders. Is called
/// once the module with the code of cards is loaded.
#[cfg(feature = "split")]
pub fn link_approval() {
    leptos::task::spawn_local(async {
        let draw = split::card_code().await;
        DRAW.with(Clone::clone).set(Some(draw));
    });
}

#[cfg(feature = "split")]
mod split {
    use super::{
        super::{card, window_focus::watch_window},
        Draw,
    };
    use leptos::wasm_split::wasm_split;

    /// Returns the function that draws. Only this call waits for its module: the function that it
    /// returns draws at once, under the reactive owner of the place.
    #[wasm_split(approval, wasm_split_path = ::leptos::wasm_split)]
    pub(super) fn card_code() -> Draw {
        watch_window();
        card::draw
    }
}

/// The card of a batch. Until the card's code is loaded, a placeholder says so, and offers another
/// attempt if loading failed.
#[component]
pub(in crate::components) fn LazyCard(view: RwSignal<ApprovalView>) -> impl IntoView {
    move || match DRAW.with(Clone::clone).get() {
        Some(draw) => draw(Piece::Card(view)),
        None => view! { <CardPlaceholder view/> }.into_any(),
    }
}

/// Asks a question for confirmation, and calls `answer` with true if the user confirms, and with
/// false if not. Until the code that draws it is loaded the browser asks: nothing that a user wants to
/// stop or delete waits for it.
pub(in crate::components) fn ask(wording: Wording, answer: Callback<bool>) -> AnyView {
    if let Some(draw) = DRAW.with(Clone::clone).get_untracked() {
        return draw(Piece::Question(wording, answer));
    }
    // Not while the question is being drawn, which the answer removes.
    leptos::task::spawn_local(async move {
        let (_, warning, _) = wording;
        answer.run(window().confirm_with_message(&warning).unwrap_or(false));
    });
    nothing()
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
