//! Moving the focus between the tools of a card, and away from a card that is decided.

use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Element, HtmlElement, MouseEvent},
};

use super::stage::Stage;
use crate::components::{
    focus::{focus, focus_part, focused_element, select_all},
    scroll::measure::scroll_into_view,
};

/// CSS selector of the cards that can be decided.
const UNDECIDED_CARDS: &str = "[part=approval]:is([data-state=pending], [data-state=failed])";
/// CSS selector of the tools of a card for which approve or deny is chosen.
const DECIDED_TOOLS: &str = ":has([aria-pressed=true])";

/// When the component ends because its batch was decided, or cannot be decided any more, moves a
/// focus that is inside of `part` to the transcript.
pub(super) fn keep_focus(part: NodeRef<Div>, stage: Memo<Stage>) {
    on_cleanup(move || {
        let asks = |stage: Stage| stage.is_deciding() || stage == Stage::Feedback;
        if let Some(part) = part.try_get_untracked().flatten()
            && !stage.try_get_untracked().is_none_or(asks)
            && part.contains(focused_element(&part).as_deref())
        {
            focus_part(&part, "transcript");
        }
    });
}

/// Moves the focus from the pressed button, which disappears with its card's question, to the next
/// card that waits for a decision, or else to the message box.
pub(in crate::components) fn focus_next(event: &MouseEvent) {
    let button = event_target::<HtmlElement>(event);
    if !focus_request(&button) {
        focus_part(&button, "input");
    }
}

/// Moves the focus to a card that waits for a decision, to its first tool without a choice. It is
/// the first such card of the widget that does not contain `near`. Returns true if there is one.
pub(in crate::components) fn focus_request(near: &HtmlElement) -> bool {
    let other = |card: &HtmlElement| !card.contains(Some(near));
    let Some(card) = select_all(near, UNDECIDED_CARDS).into_iter().find(other) else {
        return false;
    };
    let undecided = [".tool:not(", DECIDED_TOOLS, ")"].concat();
    let found = |selector| card.query_selector(selector).ok().flatten();
    let Some(tool) = found(&undecided).or_else(|| found(".tool")) else {
        return false;
    };
    focus_tool(&tool);
    true
}

/// Moves the focus to a tool of a card, and scrolls the tool into view; the first tool together
/// with the head of the card.
pub(super) fn focus_tool(tool: &Element) {
    let is_first = tool.previous_element_sibling().is_none();
    let card = tool.closest("[part=approval]").ok().flatten();
    scroll_into_view(tool, card.as_ref().filter(|_| is_first).unwrap_or(tool));
    focus(tool.unchecked_ref());
}

/// Returns the next tool of the same card after `tool` for which nothing is chosen, or else the
/// card's first such tool; `None` if there is none.
pub(super) fn next_undecided(tool: &Element) -> Option<Element> {
    let first = tool.parent_element()?.first_element_child();
    let follow = |from: Option<Element>| std::iter::successors(from, Element::next_element_sibling);
    let mut tools = follow(tool.next_element_sibling()).chain(follow(first));
    tools.find(|it| it != tool && it.matches(DECIDED_TOOLS) == Ok(false))
}
