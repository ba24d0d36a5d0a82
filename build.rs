//! Joins the style sheets of the widget.

#[path = "style/join.rs"]
mod join;

/// The style sheets; shared rules come first.
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
