//! The window of a long list of conversations: the rows in view, and some before and after them.
//!
//! Other rows are not in the page; the padding of the list takes their room, so that its scrollbar
//! tells where one is. Frames and observers run after the component's end too, when its signals may
//! be read only with `try_`.

use std::{ops::Range, sync::Arc};

use assent_conversation::{ThreadId, ThreadRow};
use leptos::{
    html::Ul,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Element, HtmlElement},
};

use assent_i18n::Text;

use super::{
    effect::{effect, memo, on_load},
    focus::{focus, focused_element},
    list_visibility::observe_size,
    minute::{self, TimeFollower},
    strings, time,
};
use crate::store::{Store, ThreadsView, set_if_changed};

/// Maximum number of rows of a list that is drawn whole.
const MAX_SHORT_ROWS: usize = 50;

/// Number of rows by which the window moves on when the list is scrolled.
const WINDOW_STEP: usize = 10;

/// The part of the list of conversations whose rows are in the page. It is in the context of the
/// list's rows.
#[derive(Clone, Copy)]
pub(super) struct ThreadWindow {
    /// The element around the rows, inside of the one that scrolls.
    rows: NodeRef<Ul>,
    threads: RwSignal<ThreadsView>,
    /// The index of the first row of the window.
    first: RwSignal<usize>,
    /// Maximum number of rows in the window.
    count: RwSignal<usize>,
    /// The index of the first row whose last message is of yesterday or older. The list is sorted
    /// by time.
    yesterday: Memo<usize>,
    /// The index of the first row whose last message is older than yesterday.
    earlier: Memo<usize>,
    /// The height of a group's name above the group's first row, in CSS pixels; 0 until one was
    /// drawn.
    group_height: RwSignal<usize>,
}

impl ThreadWindow {
    pub(super) fn new(rows: NodeRef<Ul>) -> Self {
        let threads = expect_context::<Store>().threads;
        follow_time(threads);
        let window = Self {
            rows,
            threads,
            first: RwSignal::new(0),
            count: RwSignal::new(MAX_SHORT_ROWS),
            yesterday: first_older_row(threads, 1.0),
            earlier: first_older_row(threads, 2.0),
            group_height: RwSignal::new(0),
        };
        // Once the rows are drawn, and not while the browser tells sizes: a list that changes its
        // size then is an error of the page.
        let settle_drawn = move || {
            request_animation_frame(move || window.move_window());
        };
        on_load(rows, move |rows| {
            if let Some(list) = list_of(&rows) {
                observe_size(&[&list], settle_drawn);
            }
        });
        let length = memo(move || threads.with(|it| it.rows.len()));
        effect(move || {
            length.get();
            settle_drawn();
        });
        window
    }

    /// Returns the window of this list, from the context.
    pub(super) fn from_context() -> Self {
        expect_context()
    }

    /// Returns the threads whose rows are drawn, in the order of the list.
    pub(super) fn ids(self) -> Vec<ThreadId> {
        self.threads
            .with(|it| self.drawn_rows(it).map(|(_, row)| row.id.clone()).collect())
    }

    /// Returns the index of a thread in the whole list, and its entry; `None` if its row is not
    /// drawn any more.
    pub(super) fn find(self, id: &ThreadId) -> Option<(usize, Arc<ThreadRow>)> {
        self.threads.with(|it| {
            let (at, row) = self.drawn_rows(it).find(|(_, row)| row.id == *id)?;
            Some((at, row.clone()))
        })
    }

    /// Returns the name of the group of days (today, yesterday, earlier) that begins with the row
    /// of this thread. `None` for every other row, and where the service tells no times.
    pub(super) fn group_name(self, id: &ThreadId) -> Option<Text> {
        let (at, row) = self.find(id)?;
        if at == 0 {
            row.last_message?;
        }
        let groups = [
            (self.earlier.get(), strings::EARLIER_CONVERSATIONS),
            (self.yesterday.get(), strings::YESTERDAY),
            (0, strings::TODAY),
        ];
        // Of several groups that begin here all but the last one are empty.
        let group = groups.into_iter().find(|(first, _)| *first == at);
        group.map(|(_, name)| name)
    }

    /// Returns the number of groups of days (today, yesterday, earlier) that begin before the row
    /// with the index `end`.
    fn groups_before(self, end: usize) -> usize {
        let (yesterday, earlier) = (self.yesterday.get_untracked(), self.earlier.get_untracked());
        let begins = [
            end > 0 && yesterday > 0,
            end > yesterday && earlier > yesterday,
            end > earlier,
        ];
        begins.into_iter().filter(|begins| *begins).count()
    }

    /// Returns the number of rows of a list that is too long to be drawn whole; `None` for a
    /// shorter list.
    pub(super) fn length_of_long(self) -> Option<usize> {
        let length = self.threads.with(|it| it.rows.len());
        (length > MAX_SHORT_ROWS).then_some(length)
    }

    /// Returns the rows that are drawn, each with its index in the list. If the list has become
    /// shorter than the window's beginning, these are its last rows.
    fn drawn_rows(self, threads: &ThreadsView) -> impl Iterator<Item = (usize, &Arc<ThreadRow>)> {
        let (first, count) = (self.first.get(), self.count.get());
        let first = first.min(threads.rows.len().saturating_sub(count));
        threads.rows.iter().enumerate().skip(first).take(count)
    }

    /// Moves the window to the rows that are in view now, and sets the padding that takes the room
    /// of the other rows.
    pub(super) fn move_window(self) {
        let rows = self.rows.try_get_untracked().flatten();
        let length = self.threads.try_with_untracked(|it| it.rows.len());
        let (Some(rows), Some(length)) = (rows.map(HtmlElement::from), length) else {
            return;
        };
        let Some(list) = list_of(&rows) else { return };
        let style = rows.style();
        let Some(height) = (length > MAX_SHORT_ROWS)
            .then(|| row_height(&rows))
            .flatten()
        else {
            style.remove_property(PADDING).ok();
            set_if_changed(&self.first, 0);
            set_if_changed(&self.count, MAX_SHORT_ROWS);
            return;
        };
        if let Ok(Some(group)) = rows.query_selector(".group") {
            let drawn = whole_rows(group.get_bounding_client_rect().height().round());
            set_if_changed(&self.group_height, drawn);
        }
        let view = list.get_bounding_client_rect();
        let above = view.top() - rows.get_bounding_client_rect().top();
        let (first, count) = window_at(
            whole_rows(above / height),
            whole_rows(view.height() / height),
            length,
        );
        keep_focus(&list, &(first..first + count));
        set_if_changed(&self.first, first);
        set_if_changed(&self.count, count);
        let end = length.min(first + count);
        let room = |rows: usize, groups: usize| {
            whole_rows(height * rows as f64) + groups * self.group_height.get_untracked()
        };
        let before = room(first, self.groups_before(first));
        let after = self.groups_before(length) - self.groups_before(end);
        let after = room(length - end, after);
        // A property of the object model, which a page's policy against inline styles permits.
        style
            .set_property(PADDING, &format!("{before}px {after}px"))
            .ok();
    }
}

/// If the focus is in a row that is scrolled out of the window, moves the focus to the list.
/// `drawn` are the indices of the window's rows.
fn keep_focus(list: &HtmlElement, drawn: &Range<usize>) {
    let row = focused_element(list).and_then(|it| it.closest(".row").ok().flatten());
    let place = row.and_then(|row| row.get_attribute("aria-posinset")?.parse::<usize>().ok());
    if place.is_some_and(|place| !drawn.contains(&(place - 1))) {
        focus(list);
    }
}

/// Keeps the timer of the current time running, which is set once a minute: a day may end while the
/// list is open. It does not run where the service tells no times.
fn follow_time(threads: RwSignal<ThreadsView>) {
    let has_times = memo(move || {
        let first = |it: &ThreadsView| it.rows.first().map(|row| row.last_message.is_some());
        threads.with(first).unwrap_or_default()
    });
    let mut follower = None;
    effect(move || {
        let is_needed = has_times.get();
        if is_needed != follower.is_some() {
            follower = is_needed.then(TimeFollower::new);
        }
    });
}

/// Returns the index of the first row whose last message was written at least `days` calendar days
/// ago; reactive.
fn first_older_row(threads: RwSignal<ThreadsView>, days: f64) -> Memo<usize> {
    memo(move || {
        // The clock moves on once a minute, and a message may come meanwhile.
        minute::track();
        let now = js_sys::Date::now();
        let is_newer = |row: &Arc<ThreadRow>| {
            let age = row.last_message.and_then(|at| time::days_ago(at, now));
            age.is_some_and(|age| age < days)
        };
        threads.with(|it| it.rows.partition_point(is_newer))
    })
}

/// Returns the element that scrolls: the one around `rows`.
fn list_of(rows: &HtmlElement) -> Option<HtmlElement> {
    rows.parent_element()?.dyn_into().ok()
}

const PADDING: &str = "padding-block";

/// Returns the index of the window's first row, and the number of its rows. `seen` is the index of
/// the first row in view, `fit` the number of rows that fit into the view, and `length` that of all
/// rows.
fn window_at(seen: usize, fit: usize, length: usize) -> (usize, usize) {
    let count = (fit / WINDOW_STEP + 4) * WINDOW_STEP;
    let first = (seen / WINDOW_STEP).saturating_sub(1) * WINDOW_STEP;
    (first.min(length.saturating_sub(count)), count)
}

/// Returns the height of a row together with the gap after it, in CSS pixels; `None` if fewer than
/// two rows are drawn. It is the smallest one, since a row with the name of a group is higher.
fn row_height(rows: &HtmlElement) -> Option<f64> {
    let mut least = None;
    let mut before: Option<f64> = None;
    let mut next = rows.first_element_child();
    while let Some(row) = next {
        let at = top_of(&row);
        if let Some(height) = before
            .map(|before| at - before)
            .filter(|height| *height > 0.)
        {
            least = Some(least.map_or(height, |least: f64| least.min(height)));
        }
        before = Some(at);
        next = row.next_element_sibling();
    }
    least
}

fn top_of(row: &Element) -> f64 {
    row.get_bounding_client_rect().top()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of rows on a screen; what is negative is above the first one"
)]
fn whole_rows(rows: f64) -> usize {
    rows.max(0.) as usize
}
