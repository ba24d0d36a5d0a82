//! The one owner of the transcript's scroll position.
//!
//! Only `scrollTop` is set: `scrollIntoView` would move the page around the widget too. The
//! browser's own scroll anchoring is off while the position is controlled here, and on while the
//! user controls it, so that nothing is corrected twice (`data-follows` in the style sheet).
//! Timers, frames and observers run after the component's end too, when its signals may be read
//! only with `try_`.

pub(super) mod measure;
mod returning;
mod room;
mod state;
mod target;

use assent_conversation::Intent;
use leptos::{
    html::Div,
    prelude::*,
    web_sys::{HtmlElement, KeyboardEvent, WheelEvent},
};

use super::{
    effect::{effect, on_load},
    focus::{focus, focused_element},
    list_visibility::observe_size,
};
use crate::store::ScrollMode;
pub(super) use measure::TurnHead;
use measure::{
    approval_position, distance_below_top, distance_to_end, first_visible_message, is_streaming,
    newest_message, top_position,
};
use state::ScrollState;
pub(super) use state::{Scroll, ScrollInputs};
use target::{Measurements, is_end_followed, next_position, target_position};

/// Distance from the end of the transcript that still counts as being at the end, in CSS pixels.
const NEAR_END_PX: i32 = 32;

impl Scroll {
    pub(super) fn new([area, content, room]: [NodeRef<Div>; 3], inputs: ScrollInputs) -> Self {
        let scroll = Self {
            area,
            content,
            room,
            follows: RwSignal::new(true),
            stays: RwSignal::new(false),
            away: RwSignal::new(false),
            moves: RwSignal::new(()),
            state: StoredValue::new_local(ScrollState::default()),
            inputs,
        };
        // The end and what is kept at the top may move when content or area change their size.
        on_load(content, move |content| {
            if let Some(area) = scroll.area() {
                observe_size(&[&content, &area], move || {
                    scroll.moves.try_set(());
                    scroll.scroll_to_target();
                    scroll.load_older_messages();
                });
            }
        });
        effect(move || {
            if inputs.mode.get() != ScrollMode::AnswerTop {
                scroll.set_head(None);
            }
        });
        scroll
    }

    /// Returns true while the end of the transcript is out of view by more than a few pixels;
    /// reactive.
    pub(super) fn is_away_from_end(self) -> bool {
        self.away.get()
    }

    /// Returns true while the widget sets the scroll position, and false while the user has
    /// scrolled away; reactive.
    pub(super) fn controls_position(self) -> bool {
        let stays = self.stays.get();
        self.follows.get() || stays
    }

    /// Scrolls to the end of the transcript, and keeps it in view from now on as content is added.
    pub(super) fn scroll_to_end(self) {
        self.follows.set(true);
        self.update_state(|state| (state.head, state.pinned, state.answered) = (None, None, false));
        self.pin_element(None);
        if let Some(area) = self.area() {
            self.set_top(&area, area.scroll_height());
            self.set_away(false);
        }
    }

    /// Scrolls to the end of the transcript and moves the focus to it: the button that was pressed
    /// goes away.
    pub(super) fn scroll_to_latest(self) {
        self.scroll_to_end();
        if let Some(area) = self.area() {
            focus(&area);
        }
    }

    /// Subscribes the current effect to changes of the scroll position and of sizes, which move
    /// messages on the screen.
    pub(super) fn track_moves(self) {
        self.moves.track();
    }

    /// Scrolls to where reading begins in a conversation that is opened: a card to decide, the
    /// saved reading position, or the end.
    pub(super) fn scroll_to_first_place(self) {
        self.set_head(None);
        self.update_state(|state| {
            (state.asked, state.anchor, state.answered) = (None, None, false);
        });
        let returns = self.begin_visit();
        self.follows.set(!returns);
        if returns {
            self.schedule_update();
        } else if let Some(area) = self.area() {
            let end = area.scroll_height() - area.client_height();
            self.set_top(
                &area,
                self.pending_approval_position(&area)
                    .map_or(end, |asking| asking.min(end)),
            );
        }
        self.scroll_to_target();
    }

    /// Scrolls, as the setting says, because the user has sent a message or an answer to a decision
    /// begins. `head` says which message goes to the top.
    pub(super) fn begin_turn(self, head: TurnHead) {
        let is_following = self.follows.get_untracked();
        match head {
            TurnHead::Question if self.mode() != ScrollMode::AnswerTop => self.scroll_to_end(),
            TurnHead::Answer if self.mode() != ScrollMode::AnswerTop || !is_following => {}
            _ => {
                self.update_state(|state| {
                    (state.begins, state.reading.returns) = (Some(head), None);
                });
                self.pin_element(None);
                self.follows.set(true);
            }
        }
        self.schedule_update();
    }

    /// Updates the scroll position in the next animation frame: the rows have changed, and their
    /// nodes in the page change before that frame.
    pub(super) fn schedule_update(self) {
        let Some(false) = self.state.try_with_value(|state| state.is_scheduled) else {
            return;
        };
        self.update_state(|state| state.is_scheduled = true);
        let act: Box<dyn FnOnce()> = Box::new(move || self.update_position());
        request_animation_frame(act);
    }

    /// Lets the scroll position stay where it is when content is added, because the user wants to
    /// go up. Nothing happens at the very top.
    pub(super) fn stop_following(self) {
        if self.area().is_some_and(|area| area.scroll_top() > 0) {
            self.follows.set(false);
        }
    }

    /// Handles the mouse wheel over the transcript. After a turn upwards, later content does not
    /// scroll the transcript.
    pub(super) fn handle_wheel(self, event: &WheelEvent) {
        if event.delta_y() < 0.0 {
            self.stop_following();
        }
    }

    /// Handles a key in the transcript. After a key that scrolls upwards, later content does not
    /// scroll the transcript.
    pub(super) fn handle_key(self, event: &KeyboardEvent) {
        let is_up = match event.key().as_str() {
            "PageUp" | "ArrowUp" | "Home" => true,
            " " => event.shift_key(),
            _ => false,
        };
        if is_up {
            self.stop_following();
        }
    }

    /// Handles a change of the scroll position, by the user or by this module.
    pub(super) fn handle_scroll(self) {
        let Some(area) = self.area() else { return };
        self.moves.try_set(());
        let (top, rest) = (area.scroll_top(), distance_to_end(&area));
        let before = self.state.try_with_value(|state| state.top);
        // An unchanged position was set from here, and later content is no movement of the user.
        if let Some(before) = before.filter(|before| *before != top) {
            self.update_state(|state| (state.top, state.pinned) = (top, None));
            self.pin_element(None);
            self.follows
                .set(is_end_followed(before, top, rest, NEAR_END_PX));
        }
        self.set_away(rest >= NEAR_END_PX);
        self.load_older_messages();
        self.schedule_report();
    }

    /// Shows more of the older messages; the visible messages stay where they are on the screen.
    pub(super) fn show_earlier(self) {
        let (Some(area), Some(content)) = (self.area(), self.content()) else {
            return;
        };
        let ScrollInputs {
            earlier, dispatch, ..
        } = self.inputs;
        let earlier = earlier.try_get_untracked().unwrap_or_default();
        let asked = self.state.try_with_value(|state| state.asked).flatten();
        // One request at a time: the messages are not there at once.
        if earlier == 0 || asked.is_some() {
            return;
        }
        // Without a visible message the nodes are not updated to the rows yet.
        let Some((_, node)) = first_visible_message(&area, &content) else {
            return;
        };
        let anchor = (distance_below_top(&area, &node), node);
        let focused = focused_element(&area).and_then(|it| it.matches(".earlier").ok());
        self.update_state(|state| {
            (state.asked, state.anchor) = (Some(earlier), Some(anchor));
            state.was_on_button = focused.unwrap_or(false);
        });
        dispatch.send(Intent::ShowEarlier);
    }

    /// Updates the scroll position after the nodes in the page were changed to the current rows.
    fn update_position(self) {
        self.update_state(|state| state.is_scheduled = false);
        let Some(area) = self.area() else { return };
        let earlier = self.inputs.earlier.try_get_untracked();
        let asked = self.state.try_with_value(|state| state.asked).flatten();
        if asked.is_some() && earlier != asked {
            let before = self.state.try_update_value(|state| {
                state.asked = None;
                (state.was_on_button, state.anchor.take())
            });
            let (was_on_button, anchor) = before.unwrap_or_default();
            self.restore_anchor(&area, anchor);
            if was_on_button && focused_element(&area).is_none() {
                focus(&area);
            }
        }
        self.restore_saved_position(&area);
        let begins = self.state.try_update_value(|state| state.begins.take());
        if let Some(head) = begins.flatten() {
            let node = self.content();
            self.set_head(node.and_then(|content| newest_message(&content, head)));
        }
        self.make_room(&area);
        self.scroll_to_target();
        self.load_older_messages();
    }

    /// Scrolls to where the transcript is to be now, such as a card to decide, the user's last
    /// message or the end. Nothing happens if the user has scrolled away.
    fn scroll_to_target(self) {
        let Some(area) = self.area() else { return };
        self.keep_pinned(&area);
        // Not now: an observer of sizes that changes a size is an error to the browser.
        if self.needed_height(&area).is_some() {
            self.schedule_update();
        }
        let (mode, state) = (self.mode(), self.state.try_get_value().unwrap_or_default());
        let head = state.head.filter(|head| head.is_connected());
        let measured = Measurements {
            top: area.scroll_top(),
            end: area.scroll_height() - area.client_height(),
            head: head.map(|head| top_position(&area, &head)),
            asking: self.pending_approval_position(&area),
            follows: self.follows.try_get_untracked().unwrap_or(false),
            pinned: state.pinned.filter(|_| state.top == area.scroll_top()),
            answered: state.answered || (mode == ScrollMode::None && is_streaming(&area)),
        };
        if let Some(goal) = next_position(mode, &measured) {
            self.set_top(&area, goal);
        }
        let is_there = target_position(mode, &measured) == Some(area.scroll_top());
        self.update_state(|state| {
            state.pinned = measured.target().filter(|_| is_there);
            state.answered = measured.answered;
        });
        self.set_away(distance_to_end(&area) >= NEAR_END_PX);
    }

    /// Returns the scroll position that shows a card to decide, or an empty conversation from its
    /// beginning. The nodes are searched only if there is one: the browser would search the whole
    /// transcript with each frame.
    fn pending_approval_position(self, area: &HtmlElement) -> Option<i32> {
        let composer = self.inputs.composer;
        let asks = composer.try_with_untracked(|it| it.fresh || it.deciding > 0)?;
        asks.then(|| approval_position(area)).flatten()
    }

    /// Requests older messages if less than one and a half heights of the visible part are above
    /// it.
    fn load_older_messages(self) {
        let Some(area) = self.area() else { return };
        let height = area.client_height();
        if height > 0 && area.scroll_top() * 2 < height * 3 {
            self.show_earlier();
        }
    }

    fn set_away(self, away: bool) {
        if self.away.try_get_untracked() == Some(!away) {
            self.away.set(away);
        }
    }
}
