//! The way to the end of the transcript, with the number of messages that came while the reader was away.

use assent_conversation::{Author, ConversationKey, MessageKey};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    element::el,
    erased::{ElementRef, follow, new_id, show, text},
    focus::focus,
    icons,
    scroll::Scroll,
    strings,
};
use crate::store::{MessageRow, TranscriptView};

pub(super) fn jump(transcript: &TranscriptView, scroll: Scroll, area: ElementRef) -> AnyView {
    let texts = strings::texts();
    let (new, rows) = (count_new(transcript, scroll), transcript.rows);
    let button = move || {
        // The button goes away with the distance.
        let jump = move |_: MouseEvent| {
            scroll.to_end();
            if let Some(area) = area.now() {
                focus(&area);
            }
        };
        let (words, there, new) = (new, new, new);
        let id = new_id();
        let badge = show(
            move || there.with(|new| *new > 0),
            move || {
                let number = text(move || new.with(ToString::to_string));
                el("span", "jump-count").child(number).view()
            },
        );
        let words = text(move || match words.get() {
            0 => String::new(),
            new => texts.count(strings::NEW_MESSAGES, new, &[]),
        });
        let button = el("button", "jump")
            .attr("type", "button")
            .attr("part", "jump")
            .attr("aria-label", texts.get(strings::JUMP))
            .attr("aria-describedby", &id)
            .attr("title", texts.get(strings::JUMP))
            .on("click", jump)
            .child(icons::down())
            .child(badge);
        let told = el("span", "visually-hidden").attr("id", &id).child(words);
        el("div", "jump-place").child(button).child(told).view()
    };
    // In an empty conversation nothing is the latest.
    show(
        move || scroll.away() && rows.with(|rows| !rows.is_empty()),
        button,
    )
}

/// How many messages of others came since the reader was at the end.
fn count_new(transcript: &TranscriptView, scroll: Scroll) -> RwSignal<usize> {
    let (conversation, rows) = (transcript.conversation, transcript.rows);
    let new = RwSignal::new(0);
    let count = new;
    let seen = StoredValue::new((None::<ConversationKey>, None::<MessageKey>));
    follow(move || {
        let (away, shown) = (scroll.away(), Some(conversation.get()));
        let before = seen.get_value();
        if away && before.0 == shown {
            count.set(rows.with(|rows| since(rows, before.1)));
        } else {
            seen.set_value((shown, rows.with(|rows| rows.last().map(|row| row.key))));
            count.set(0);
        }
    });
    new
}

/// How many messages of others there are after this one; none where it is gone.
fn since(rows: &[MessageRow], seen: Option<MessageKey>) -> usize {
    let seen = rows.iter().rposition(|row| Some(row.key) == seen);
    let later = rows.iter().skip(seen.map_or(rows.len(), |seen| seen + 1));
    later
        .filter(|row| row.head.with_untracked(|head| head.author != Author::You))
        .count()
}
