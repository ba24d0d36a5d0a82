//! Measurements of the nodes in the transcript, from which its scroll positions are computed.

use leptos::{
    wasm_bindgen::JsCast,
    web_sys::{Element, HtmlElement},
};

/// The message that goes to the top of the transcript when a person has sent something or decided,
/// so that the answer grows below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::components) enum TurnHead {
    /// The last message of the user.
    Question,
    /// The last message of all: an answer that follows a decision and no message of the user.
    Answer,
}

/// Free space above a card for approval that was scrolled to, in CSS pixels.
const SPACE_ABOVE_CARD_PX: i32 = 12;

/// Height in CSS pixels of the last two lines of the answer's text above a card for approval, which
/// say why the agent asks.
const REASON_HEIGHT_PX: i32 = 48;

/// Height of the transcript, in CSS pixels, below which the lines above a card for approval are not
/// shown with it: there is no room.
const LOW_HEIGHT_PX: i32 = 300;

/// Height of the foot of a card, which covers the end of the transcript, in CSS pixels.
const CARD_FOOT_PX: i32 = 56;

/// Free space above a message that is scrolled to the top, in CSS pixels: as much as above the
/// first message.
const SPACE_ABOVE_HEAD_PX: i32 = 20;

/// Returns the scroll position that shows the first card that waits for a decision, from its head
/// on, or the greeting and suggestions of an empty conversation. `None` if there is neither.
pub(super) fn approval_position(area: &HtmlElement) -> Option<i32> {
    let asks = area
        .query_selector("[part=approval][data-state=pending], .greeting")
        .ok()??;
    Some(match asks.has_attribute("part") {
        true => position_of_beginning(area, &asks),
        false => top_position(area, &asks),
    })
}

/// Returns the scroll position at which `part`, a card for approval or a part of it, begins near
/// the top. Above a whole card the answer's last lines are shown, too.
fn position_of_beginning(area: &HtmlElement, part: &Element) -> i32 {
    let before = part.previous_element_sibling();
    let words = before.filter(|before| before.matches(".answer") == Ok(true));
    let height = words.map_or(0, |it| it.unchecked_ref::<HtmlElement>().offset_height());
    let why = match area.client_height() {
        LOW_HEIGHT_PX.. => height.min(REASON_HEIGHT_PX),
        _ => 0,
    };
    area.scroll_top() + distance_below_top(area, part) - SPACE_ABOVE_CARD_PX - why
}

/// Scrolls the transcript to the beginning of `start`, unless all of `part` is in view.
pub(in crate::components) fn scroll_into_view(part: &Element, start: &Element) {
    let Ok(Some(area)) = part.closest("[part=transcript]") else {
        return;
    };
    let area: HtmlElement = area.unchecked_into();
    let top = distance_below_top(&area, part);
    let end = top + part.unchecked_ref::<HtmlElement>().offset_height();
    if top < 0 || end > area.client_height() - CARD_FOOT_PX {
        area.set_scroll_top(position_of_beginning(&area, start));
    }
}

/// Returns true while an answer in the transcript is being written.
pub(super) fn is_streaming(area: &HtmlElement) -> bool {
    let streaming = area.query_selector("article[data-state=streaming]");
    streaming.is_ok_and(|it| it.is_some())
}

/// Returns the node of the last message, or for [`TurnHead::Question`] that of the user's last
/// message; `None` if there is none.
pub(super) fn newest_message(content: &HtmlElement, head: TurnHead) -> Option<Element> {
    let mut at = content.last_element_child();
    while let Some(node) = at {
        let is_message = match head {
            TurnHead::Question => node.matches("article[data-role=user]"),
            TurnHead::Answer => node.matches("article"),
        };
        if is_message.is_ok_and(|is_message| is_message) {
            return Some(node);
        }
        at = node.previous_element_sibling();
    }
    None
}

/// Returns the first message that is at least partly visible: its index among the nodes of
/// messages, and its node.
pub(super) fn first_visible_message(
    area: &HtmlElement,
    content: &HtmlElement,
) -> Option<(usize, Element)> {
    message_nodes(content).enumerate().find(|(_, node)| {
        let height = node.unchecked_ref::<HtmlElement>().offset_height();
        distance_below_top(area, node) + height > 0
    })
}

/// Returns the message's node with the index `at` among the nodes of messages.
pub(super) fn message_node(content: &HtmlElement, at: usize) -> Option<Element> {
    message_nodes(content).nth(at)
}

fn message_nodes(content: &HtmlElement) -> impl Iterator<Item = Element> {
    let nodes = std::iter::successors(content.first_element_child(), |node| {
        node.next_element_sibling()
    });
    nodes.filter(|node| node.local_name() == "article")
}

/// Returns the scroll position that has `node` at the top of the visible part, with some space
/// above it, in CSS pixels.
pub(super) fn top_position(area: &HtmlElement, node: &Element) -> i32 {
    area.scroll_top() + distance_below_top(area, node) - SPACE_ABOVE_HEAD_PX
}

/// Returns the distance from the top of the visible part of `area` down to the beginning of `node`,
/// in CSS pixels; negative if the node begins above.
pub(super) fn distance_below_top(area: &HtmlElement, node: &Element) -> i32 {
    let below = node.get_bounding_client_rect().top() - area.get_bounding_client_rect().top();
    #[allow(
        clippy::cast_possible_truncation,
        reason = "positions on a page are small"
    )]
    let below = below.round() as i32;
    below
}

/// Returns the distance from the end of the visible part to the end of the content, in CSS pixels.
pub(super) fn distance_to_end(area: &HtmlElement) -> i32 {
    area.scroll_height() - area.scroll_top() - area.client_height()
}
