//! Where the transcript is to be scrolled to: decided here, from numbers alone.

use crate::store::ScrollMode;

/// What is seen of the transcript and what there is to see, as scroll positions in CSS pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    /// The position now.
    pub(super) top: i32,
    /// The last position there is.
    pub(super) end: i32,
    /// The position that has the head of the turn at the top.
    pub(super) head: Option<i32>,
    /// The position that shows the first undecided approval from its head on.
    pub(super) asking: Option<i32>,
    /// The reader has not moved since the position was set, or is at the end.
    pub(super) follows: bool,
    /// What the position was set to, and where it is since.
    pub(super) holds: Option<Held>,
    /// An answer came since the conversation was opened or something was sent.
    pub(super) answered: bool,
}

/// What is kept at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// The head of the turn.
    Head,
    /// What is to be decided.
    Approval,
}

impl Sight {
    /// What is at the top where the position is where it is to be.
    pub(super) fn held(&self) -> Option<Held> {
        match (self.asking, self.head) {
            (Some(_), _) => Some(Held::Approval),
            (None, Some(_)) => Some(Held::Head),
            (None, None) => None,
        }
    }
}

/// Where the position is to be; `None`: where it is.
///
/// What is to be decided is read from its beginning, and no position is beyond the end.
pub(super) fn goal(mode: ScrollMode, sight: &Sight) -> Option<i32> {
    let end = match mode {
        _ if !sight.follows => return None,
        ScrollMode::AnswerTop => sight.head.unwrap_or(sight.end),
        ScrollMode::None if sight.answered => sight.top,
        ScrollMode::Bottom | ScrollMode::None => sight.end,
    };
    Some(sight.asking.unwrap_or(end).min(sight.end))
}

/// The position to go to; `None`: nothing moves.
///
/// The way back up is the reader's own, except for what is held where it is.
pub(super) fn aim(mode: ScrollMode, sight: &Sight) -> Option<i32> {
    let may_go_up = sight.holds.is_some() && sight.holds == sight.held();
    let goal = goal(mode, sight)?;
    (goal > sight.top || (may_go_up && goal != sight.top)).then_some(goal)
}

/// True where the end is followed after the position changed from `before` to `top`, with `rest`
/// left below what is seen.
///
/// Only readers move up, and any such move lets go; a position that the content pushed up is at the
/// very end.
pub(super) fn follows(before: i32, top: i32, rest: i32, near: i32) -> bool {
    rest <= 1 || (top > before && rest < near)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    const FOLLOWS: Sight = Sight {
        top: 100,
        end: 300,
        head: None,
        asking: None,
        follows: true,
        holds: None,
        answered: true,
    };

    #[wasm_bindgen_test]
    fn the_end_is_followed_until_the_reader_moves_up() {
        assert_eq!(aim(ScrollMode::Bottom, &FOLLOWS), Some(300));
        let released = Sight {
            follows: false,
            ..FOLLOWS
        };
        assert_eq!(aim(ScrollMode::Bottom, &released), None);
        assert_eq!(aim(ScrollMode::AnswerTop, &released), None);
        assert!(!follows(300, 299, 2, 32), "a small move up lets go");
        assert!(
            follows(300, 280, 0, 32),
            "what the content pushed up is at the end"
        );
        assert!(
            follows(100, 290, 10, 32),
            "down to near the end is at the end"
        );
        assert!(!follows(100, 200, 100, 32), "down is not yet at the end");
    }

    #[wasm_bindgen_test]
    fn a_question_stays_at_the_top_whatever_comes_below_it() {
        let asked = Sight {
            head: Some(200),
            ..FOLLOWS
        };
        assert_eq!(aim(ScrollMode::AnswerTop, &asked), Some(200));
        let there = Sight {
            top: 200,
            holds: Some(Held::Head),
            end: 9000,
            ..asked
        };
        assert_eq!(aim(ScrollMode::AnswerTop, &there), None);
        let pushed = Sight {
            head: Some(180),
            ..there
        };
        assert_eq!(aim(ScrollMode::AnswerTop, &pushed), Some(180));
        let below = Sight {
            holds: Some(Held::Approval),
            top: 250,
            ..asked
        };
        assert_eq!(
            aim(ScrollMode::AnswerTop, &below),
            None,
            "not back up to it from a decision"
        );
    }

    #[wasm_bindgen_test]
    fn an_answer_moves_nothing_where_nothing_is_to_move() {
        assert_eq!(aim(ScrollMode::None, &FOLLOWS), None);
        let opened = Sight {
            answered: false,
            ..FOLLOWS
        };
        assert_eq!(aim(ScrollMode::None, &opened), Some(300));
    }

    #[wasm_bindgen_test]
    fn what_is_to_be_decided_is_shown_from_its_head_to_who_follows() {
        let asked = Sight {
            asking: Some(250),
            head: Some(120),
            ..FOLLOWS
        };
        for mode in [ScrollMode::AnswerTop, ScrollMode::Bottom, ScrollMode::None] {
            assert_eq!(aim(mode, &asked), Some(250));
            let short = Sight {
                asking: Some(400),
                ..asked
            };
            assert_eq!(aim(mode, &short), Some(300), "no further than the end");
            let away = Sight {
                follows: false,
                ..asked
            };
            assert_eq!(aim(mode, &away), None);
            let pushed = Sight {
                top: 280,
                holds: Some(Held::Approval),
                ..asked
            };
            assert_eq!(aim(mode, &pushed), Some(250), "it stays at the top");
        }
    }
}
