//! Icons, drawn as nodes. Each is decoration: its button carries the name.

use leptos::prelude::*;

fn icon(path: &'static str) -> AnyView {
    view! {
        // Without a size of its own it fills the line until its style sheet is there.
        <svg
            width="20"
            height="20"
            viewBox="0 0 24 24"
            class="icon"
            aria-hidden="true"
            focusable="false"
        >
            <path d=path></path>
        </svg>
    }
    .into_any()
}

pub(super) fn list() -> AnyView {
    icon("M4 6.5h16M4 12h16M4 17.5h10")
}

pub(super) fn plus() -> AnyView {
    icon("M12 5v14M5 12h14")
}

pub(super) fn more() -> AnyView {
    icon(
        "M5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M17 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
    )
}

pub(super) fn send() -> AnyView {
    icon("M12 19V5M6 11l6-6 6 6")
}

pub(super) fn stop() -> AnyView {
    icon("M8 8h8v8H8z")
}

pub(super) fn down() -> AnyView {
    icon("M12 5v14M6 13l6 6 6-6")
}

pub(super) fn chevron() -> AnyView {
    icon("M9 6l6 6-6 6")
}

pub(super) fn shield() -> AnyView {
    icon("M12 3l7 3v5c0 4.6-2.9 8.2-7 10-4.1-1.8-7-5.4-7-10V6zM9 12l2.2 2.2L15.2 10")
}

pub(super) fn check() -> AnyView {
    icon("M5 12.5l4.5 4.5L19 7.5")
}

pub(super) fn cross() -> AnyView {
    icon("M6 6l12 12M18 6L6 18")
}

pub(super) fn clip() -> AnyView {
    icon(
        "M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4",
    )
}

pub(super) fn pencil() -> AnyView {
    icon("M4 20l1-4.5L16.5 4a2.1 2.1 0 0 1 3 3L8.5 19z")
}

pub(super) fn alert() -> AnyView {
    icon("M12 8v5M12 16.5h.01M12 3l9.5 17h-19z")
}
