//! Where the transcript is to be scrolled to: computed here from numbers alone, without nodes.

use crate::store::ScrollMode;

/// The current scroll position of the transcript and those that it may be set to, in CSS pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measurements {
    /// The current scroll position.
    pub(super) top: i32,
    /// The last possible scroll position, at the end of the content.
    pub(super) end: i32,
    /// The scroll position with the message at the top below which an answer grows; `None` if there
    /// is no such message.
    pub(super) head: Option<i32>,
    /// The scroll position that shows the first card to decide from its head on, or an empty
    /// conversation from its beginning; `None` without either.
    pub(super) asking: Option<i32>,
    /// True if the user has not scrolled since the widget set the position, or is at the end.
    pub(super) follows: bool,
    /// What the position was set to show at the top and is kept there since; `None` if nothing is.
    pub(super) pinned: Option<Pinned>,
    /// True if an answer came since the conversation was opened or something was sent.
    pub(super) answered: bool,
}

/// What is kept at the top of the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pinned {
    /// The message below which an answer grows.
    Head,
    /// The first card to decide, or the beginning of an empty conversation.
    Approval,
}

impl Measurements {
    /// Returns what is at the top when the scroll position is where it is to be; `None` if the end
    /// is to be shown.
    pub(super) fn target(&self) -> Option<Pinned> {
        match (self.asking, self.head) {
            (Some(_), _) => Some(Pinned::Approval),
            (None, Some(_)) => Some(Pinned::Head),
            (None, None) => None,
        }
    }
}

/// Returns the scroll position where the transcript is to be, in CSS pixels; `None` if the user has
/// scrolled away.
///
/// A card to decide is read from its beginning, and no position is beyond the end.
pub(super) fn target_position(mode: ScrollMode, measured: &Measurements) -> Option<i32> {
    let end = match mode {
        _ if !measured.follows => return None,
        ScrollMode::AnswerTop => measured.head.unwrap_or(measured.end),
        ScrollMode::None if measured.answered => measured.top,
        ScrollMode::Bottom | ScrollMode::None => measured.end,
    };
    Some(measured.asking.unwrap_or(end).min(measured.end))
}

/// Returns the position to scroll to now, in CSS pixels; `None` if nothing moves.
///
/// The widget scrolls down only, and leaves scrolling up to the user, except for an element that is
/// kept at the top.
pub(super) fn next_position(mode: ScrollMode, measured: &Measurements) -> Option<i32> {
    let may_go_up = measured.pinned.is_some() && measured.pinned == measured.target();
    let goal = target_position(mode, measured)?;
    (goal > measured.top || (may_go_up && goal != measured.top)).then_some(goal)
}

/// Returns true if later content is to be scrolled into view, after the scroll position changed
/// from `before` to `top`. `rest` is what is left below the visible part, and `near` is how much
/// may be left at the end, all in CSS pixels.
///
/// Only users move up, and any such move stops following; a position that the content pushed up is
/// at the very end.
pub(super) fn is_end_followed(before: i32, top: i32, rest: i32, near: i32) -> bool {
    rest <= 1 || (top > before && rest < near)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const FOLLOWS: Measurements = Measurements {
        top: 100,
        end: 300,
        head: None,
        asking: None,
        follows: true,
        pinned: None,
        answered: true,
    };

    #[wasm_bindgen_test]
    fn the_end_is_followed_until_the_reader_moves_up() {
        assert_eq!(next_position(ScrollMode::Bottom, &FOLLOWS), Some(300));
        let released = Measurements {
            follows: false,
            ..FOLLOWS
        };
        assert_eq!(next_position(ScrollMode::Bottom, &released), None);
        assert_eq!(next_position(ScrollMode::AnswerTop, &released), None);
        assert!(!is_end_followed(300, 299, 2, 32), "a small move up lets go");
        assert!(
            is_end_followed(300, 280, 0, 32),
            "what the content pushed up is at the end"
        );
        assert!(
            is_end_followed(100, 290, 10, 32),
            "down to near the end is at the end"
        );
        assert!(
            !is_end_followed(100, 200, 100, 32),
            "down is not yet at the end"
        );
    }

    #[wasm_bindgen_test]
    fn a_question_stays_at_the_top_whatever_comes_below_it() {
        let asked = Measurements {
            head: Some(200),
            ..FOLLOWS
        };
        assert_eq!(next_position(ScrollMode::AnswerTop, &asked), Some(200));
        let there = Measurements {
            top: 200,
            pinned: Some(Pinned::Head),
            end: 9000,
            ..asked
        };
        assert_eq!(next_position(ScrollMode::AnswerTop, &there), None);
        let pushed = Measurements {
            head: Some(180),
            ..there
        };
        assert_eq!(next_position(ScrollMode::AnswerTop, &pushed), Some(180));
        let below = Measurements {
            pinned: Some(Pinned::Approval),
            top: 250,
            ..asked
        };
        assert_eq!(
            next_position(ScrollMode::AnswerTop, &below),
            None,
            "not back up to it from a decision"
        );
    }

    #[wasm_bindgen_test]
    fn an_answer_moves_nothing_where_nothing_is_to_move() {
        assert_eq!(next_position(ScrollMode::None, &FOLLOWS), None);
        let opened = Measurements {
            answered: false,
            ..FOLLOWS
        };
        assert_eq!(next_position(ScrollMode::None, &opened), Some(300));
    }

    #[wasm_bindgen_test]
    fn what_is_to_be_decided_is_shown_from_its_head_to_who_follows() {
        let asked = Measurements {
            asking: Some(250),
            head: Some(120),
            ..FOLLOWS
        };
        for mode in [ScrollMode::AnswerTop, ScrollMode::Bottom, ScrollMode::None] {
            assert_eq!(next_position(mode, &asked), Some(250));
            let short = Measurements {
                asking: Some(400),
                ..asked
            };
            assert_eq!(
                next_position(mode, &short),
                Some(300),
                "no further than the end"
            );
            let away = Measurements {
                follows: false,
                ..asked
            };
            assert_eq!(next_position(mode, &away), None);
            let pushed = Measurements {
                top: 280,
                pinned: Some(Pinned::Approval),
                ..asked
            };
            assert_eq!(
                next_position(mode, &pushed),
                Some(250),
                "it stays at the top"
            );
        }
    }
}
