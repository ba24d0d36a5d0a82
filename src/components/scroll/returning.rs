//! Back to where the reader was when a conversation was left, and telling where that is.

use std::time::Duration;

use assent_conversation::{Intent, ReadingPosition};
use leptos::{
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{
    Kept, Outside, Scroll,
    measure::{article, below, first_seen},
};

/// Where the reader is is told after such a rest.
const SETTLE_DELAY: Duration = Duration::from_millis(200);

/// Where the reader was and is.
#[derive(Clone, Default)]
pub(super) struct Reading {
    /// The reader was here when the conversation was left, and is to be here once the nodes are
    /// there.
    pub(super) returns: Option<ReadingPosition>,
    /// What the reader came back to, so far below the top. It stays there until the reader moves:
    /// answers may be drawn anew, and the browser would keep a line where it is, not the message,
    /// or nothing at all.
    holds: Option<(i32, Element)>,
    /// Where the reader is, as it was told last.
    told: Option<ReadingPosition>,
    /// It is told soon.
    is_telling: bool,
    /// Grows with each visit of a conversation: what is to be told of one is not told of the next.
    visit: u32,
}

impl Scroll {
    /// A conversation is visited; true where the reader goes back to a place in it.
    /// What is to be decided comes first.
    pub(super) fn visit(self) -> bool {
        let Outside {
            composer, position, ..
        } = self.outside;
        let decides = composer.try_with_untracked(|it| it.deciding > 0);
        let position = position.try_get_untracked().flatten();
        let returns = position.filter(|_| decides == Some(false));
        self.keep(|kept| {
            let Reading {
                returns: to,
                told,
                visit,
                ..
            } = &mut kept.reading;
            (*to, *told) = (returns, returns);
            *visit = visit.wrapping_add(1);
        });
        self.hold(None);
        returns.is_some()
    }

    /// The nodes are there: goes back, if that is to be.
    pub(super) fn go_back(self, area: &HtmlElement) {
        let returns = self
            .kept
            .try_update_value(|kept| kept.reading.returns.take());
        let Some(position) = returns.flatten() else {
            return;
        };
        let earlier = self.outside.earlier.try_get_untracked();
        let at = position.message.saturating_sub(earlier.unwrap_or_default());
        match self.content().and_then(|content| article(&content, at)) {
            Some(node) => {
                self.hold(Some((position.below, node)));
                self.stay(area);
            }
            None => {
                self.follows.try_set(true);
            }
        }
    }

    /// From now on this stays so far below the top; `None`: nothing does.
    pub(super) fn hold(self, to: Option<(i32, Element)>) {
        if self.stays.try_get_untracked() == Some(to.is_none()) {
            self.stays.set(to.is_some());
        }
        self.keep(|kept| kept.reading.holds = to);
    }

    /// Keeps what the reader came back to where it is.
    pub(super) fn stay(self, area: &HtmlElement) {
        let holds = self.kept.try_with_value(|kept| kept.reading.holds.clone());
        self.restore(area, holds.flatten());
    }

    /// Tells where the reader is, once the position rests.
    pub(super) fn tell_soon(self) {
        let visit = self.kept.try_update_value(|kept| {
            let tells = std::mem::replace(&mut kept.reading.is_telling, true);
            (!tells).then_some(kept.reading.visit)
        });
        let Some(visit) = visit.flatten() else { return };
        let tell: Box<dyn FnOnce()> = Box::new(move || {
            let is_same = self.kept.try_update_value(|kept| {
                kept.reading.is_telling = false;
                kept.reading.visit == visit
            });
            if is_same == Some(true) {
                self.tell();
            }
        });
        set_timeout(tell, SETTLE_DELAY);
    }

    fn tell(self) {
        let (Some(area), Some(content)) = (self.area(), self.content()) else {
            return;
        };
        let Some(earlier) = self.outside.earlier.try_get_untracked() else {
            return;
        };
        let is_up = self.follows.try_get_untracked() == Some(false)
            && self.away.try_get_untracked() == Some(true);
        let seen = first_seen(&area, &content).filter(|_| is_up);
        let position = seen.map(|(at, node)| ReadingPosition {
            message: earlier + at,
            below: below(&area, &node),
        });
        let told = |kept: &mut Kept| std::mem::replace(&mut kept.reading.told, position);
        if self.kept.try_update_value(told) != Some(position) {
            self.outside.dispatch.send(Intent::ReadAt(position));
        }
    }
}
