//! Joins the sheets of the widget.

#[path = "style/join.rs"]
mod join;

/// What is shared first.
const SHEETS: [&str; 12] = [
    "tokens",
    "app",
    "header",
    "thread_list",
    "transcript",
    "message",
    "activity",
    "approval",
    "feedback",
    "composer",
    "files",
    "dialog",
];

fn main() -> std::io::Result<()> {
    join::join("style", &SHEETS)
}
