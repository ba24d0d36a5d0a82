//! One argument of a tool: its name, its value by kind, what to look at in it, and what it was before.

use std::sync::Arc;

use assent_conversation::{Intent, ToolRun};
use assent_inspect::{Finding, Inspection, Kind, Part, Size, Text, Weight};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    change::{Since, badge, was},
    inspected::{beginning, hidden_names, inspected, spelled, weight_name},
};
use crate::{
    ui::{
        button::bare_button,
        dispatch::Dispatch,
        element::el,
        erased::{choose, dynamic, new_id, show, text},
        strings,
    },
    view::{ApprovalView, Watched},
};

/// Values stand below names of more characters than this.
const LONG_NAME: usize = 40;

/// The argument at `place` of the tool at `index`.
pub(super) fn argument(
    view: &Watched<ApprovalView>,
    (index, place): (usize, usize),
    (name, value): &(String, String),
    inspection: Inspection,
    since: &Since,
    dispatch: Dispatch,
) -> AnyView {
    let folded = {
        let view = view.clone();
        Memo::new(move |_| {
            let folded = |tool: &ToolRun| tool.is_folded(place);
            view.with(|view| view.batch.tools.get(index).is_some_and(folded))
        })
    };
    let is_long = folded.get_untracked()
        || view.peek(|view| {
            let tool = view.batch.tools.get(index);
            tool.is_some_and(|tool| tool.opened.contains(&place))
        });
    // What was opened once was read; folding it again is a matter of looks.
    let shut = RwSignal::new(false);
    let shown = Memo::new(move |_| !folded.get() && !shut.get());
    let (badge, was) = (badge(since), was(since, value));
    let hosts = hosts(&inspection.kind);
    let notes = notes(&inspection);
    let warns = inspection.findings.first().map(|it| it.weight());
    let whole_name = inspection.name.clone();
    let name_shown = dynamic(move || {
        if whole_name.parts().is_empty() {
            el("em", "").text(strings::NO_NAME).view()
        } else if shown.get() || !is_long {
            inspected(&whole_name)
        } else {
            cut(&whole_name)
        }
    });
    let label = strings::shortened(&spelled(name));
    let size = longer(Size::new(name), size_of(&inspection));
    let kind = kind_name(&inspection.kind);
    let inspection = Arc::new(inspection);
    let (whole, part) = (Arc::clone(&inspection), inspection);
    let value = choose(
        move || shown.get(),
        move || whole_value(&whole, is_long, &label),
        move || {
            let text = shown_text(&part);
            let cut = if is_long { cut(text) } else { inspected(text) };
            boxed(&part.kind, cut)
        },
    );
    let told = move || {
        let told = strings::size(size.characters, size.lines);
        el("span", "argument-size").text(&told).view()
    };
    let named = new_id();
    let toggle = is_long.then(|| {
        let ids = view.peek(|view| {
            let tool = view.batch.tools.get(index);
            let execution = tool.map(|tool| tool.execution.clone());
            (view.batch.id.clone(), execution.unwrap_or_default())
        });
        let toggle = move |_: MouseEvent| {
            if folded.get_untracked() {
                dispatch.send(Intent::OpenArgument(ids.0.clone(), ids.1.clone(), place));
                shut.set(false);
            } else {
                shut.set(!shut.get_untracked());
            }
        };
        let label = move || {
            if shown.get() {
                strings::FOLD.to_owned()
            } else {
                strings::show_all(size.characters, size.lines)
            }
        };
        bare_button("link-button", toggle)
            .follow_bool("aria-expanded", move || shown.get())
            .attr("aria-describedby", &named)
            .child(text(label))
            .view()
    });
    let more = toggle.map(|toggle| {
        el("dd", "argument-more")
            .child(toggle)
            .child(show(move || shown.get(), told))
            .view()
    });
    let name_shown = el("bdi", "argument-name")
        .attr("id", &named)
        .child(name_shown);
    let mut title = el("dt", "").child(name_shown);
    if let Some(badge) = badge {
        title = title.text(" ").child(badge);
    }
    let is_named_long = name.chars().nth(LONG_NAME).is_some();
    let class = if is_named_long {
        "argument long-name"
    } else {
        "argument"
    };
    let mut row = el("div", class);
    if let Some(weight) = warns {
        row = row.attr("data-weight", weight_name(weight));
    }
    let value = el("dd", "argument-value")
        .attr("data-kind", kind)
        .child(value);
    row.child(title)
        .child(value)
        .children(more.into_iter().chain(hosts).chain(was).chain(notes))
        .view()
}

/// The value as it is to be read: JSON has lines of its own.
fn shown_text(inspection: &Inspection) -> &Text {
    match &inspection.kind {
        Kind::Json(pretty) => pretty,
        _ => &inspection.value,
    }
}

/// How much there is to be read.
fn size_of(inspection: &Inspection) -> Size {
    match &inspection.kind {
        Kind::Json(pretty) => Size {
            lines: breaks(pretty) + 1,
            ..inspection.size
        },
        _ => inspection.size,
    }
}

/// A value with everything there is. One that is large, and was opened, scrolls in its own box.
fn whole_value(inspection: &Inspection, is_large: bool, name: &str) -> AnyView {
    let value = boxed(&inspection.kind, inspected(shown_text(inspection)));
    if is_large {
        scrolling(name, value)
    } else {
        value
    }
}

/// What is long, in a box that scrolls.
pub(super) fn scrolling(name: &str, text: AnyView) -> AnyView {
    el("div", "argument-box")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", name)
        .child(text)
        .view()
}

fn boxed(kind: &Kind, value: AnyView) -> AnyView {
    let direction = match kind {
        Kind::Text | Kind::Lines => "auto",
        _ => "ltr",
    };
    if *kind == Kind::Empty {
        el("em", "").text(strings::EMPTY).view()
    } else {
        el("div", "argument-text")
            .attr("dir", direction)
            .child(value)
            .view()
    }
}

fn cut(text: &Text) -> AnyView {
    let start = beginning(text);
    let mark = if start == *text { "" } else { "…" };
    vec![inspected(&start), mark.into_any()].into_any()
}

fn breaks(text: &Text) -> usize {
    let breaks = |part: &Part| match part {
        Part::Plain(text) => text.matches('\n').count(),
        Part::Hidden { .. } | Part::LookAlike { .. } => 0,
    };
    text.parts().iter().map(breaks).sum()
}

fn longer(one: Size, other: Size) -> Size {
    if one.characters > other.characters {
        one
    } else {
        other
    }
}

/// Where an address leads, set apart from what is written.
fn hosts(kind: &Kind) -> Option<AnyView> {
    let (label, host, unicode) = match kind {
        Kind::Address(address) if address.host.is_empty() => {
            (strings::SCHEME, address.scheme.clone(), &None)
        }
        Kind::Address(address) => {
            let mut host = address.host.clone();
            if let Some(port) = address.port {
                host.push(':');
                host.push_str(&port.to_string());
            }
            (strings::LEADS_TO, host, &address.unicode)
        }
        Kind::Email(mailbox) => (strings::DOMAIN, mailbox.host.clone(), &mailbox.unicode),
        _ => return None,
    };
    let host = el("bdi", "host")
        .attr("dir", "ltr")
        .child(inspected(&Text::new(&host)));
    let mut line = el("dd", "argument-host").attr("dir", "auto");
    line = line.text(label).text(" ").child(host);
    if let Some(unicode) = unicode {
        let unicode = el("bdi", "host").child(inspected(unicode));
        line = line.text(strings::SPELLING_OF).text(" ").child(unicode);
    }
    Some(line.view())
}

/// A sentence for each thing to look at, and the names of what cannot be seen.
fn notes(inspection: &Inspection) -> Vec<AnyView> {
    let mut notes: Vec<AnyView> = inspection.findings.iter().map(note).collect();
    let mut names = Vec::new();
    hidden_names(&inspection.name, &mut names);
    hidden_names(&inspection.value, &mut names);
    if !names.is_empty() {
        let names = [strings::HIDDEN, " ", &names.join(", "), "."].concat();
        notes.push(note_of(Weight::Warning, names));
    }
    notes
}

fn note(finding: &Finding) -> AnyView {
    note_of(finding.weight(), strings::finding(*finding))
}

fn note_of(weight: Weight, text: String) -> AnyView {
    el("dd", "argument-note")
        .attr("dir", "auto")
        .attr("data-weight", weight_name(weight))
        .text(&text)
        .view()
}

/// `data-kind` of the value.
fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Empty => "empty",
        Kind::Text => "text",
        Kind::Lines => "lines",
        Kind::Number => "number",
        Kind::Amount => "amount",
        Kind::Address(_) => "url",
        Kind::Email(_) => "email",
        Kind::Path => "path",
        Kind::Json(_) => "json",
    }
}
