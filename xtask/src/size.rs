//! `cargo xtask size`: what a visitor downloads, held against the budgets, and the length of its functions.
//! Sizes are those of brotli at quality 11, as a static server with precompressed files sends them.

mod functions;

use crate::dist::{self, Entry};
use crate::error::Error;
use crate::workspace::Workspace;
use std::fs;

/// Bytes before the visitor shows any intent: the loader alone.
const BEFORE_INTENT: usize = 6_000;
/// Bytes until the visitor can type: everything that is fetched.
const UNTIL_TYPING: usize = 200_000;
/// Bytes that the widget's second file has at least. With one direct call what is called, and all that is behind it, is in
/// the first file again, and nothing else tells (`src/components/late.rs`).
const SECOND_FILE: usize = 25_000;

/// Builds `dist/`, prints the table, and fails above a budget.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    check(&dist::build(workspace)?)
}

/// Prints the table of a built `dist/`; fails above a budget, and where a function is too long.
pub(crate) fn check(entries: &[Entry]) -> Result<(), Error> {
    let (table, is_within) = report(entries);
    println!("{table}");
    if !is_within {
        return Err(Error::Wrong("dist/ is over its size budget".into()));
    }
    let second: usize = entries
        .iter()
        .filter(|entry| entry.is_second())
        .map(|entry| entry.brotli)
        .sum();
    if second < SECOND_FILE {
        return Err(Error::Wrong(format!(
            "the widget's second file has {second} bytes, and at least {SECOND_FILE} belong there: something calls a late component directly"
        )));
    }
    let dist = Workspace::locate()?.path("dist");
    for entry in entries {
        let file = dist.join(&entry.file);
        if file.extension().is_some_and(|it| it == "wasm") {
            let module = fs::read(&file).map_err(Error::file(&file))?;
            functions::check(&entry.file, &module)?;
        }
    }
    Ok(())
}

fn report(entries: &[Entry]) -> (String, bool) {
    let sum = |is_counted: fn(&Entry) -> bool| -> usize {
        entries
            .iter()
            .filter(|entry| is_counted(entry))
            .map(|entry| entry.brotli)
            .sum()
    };
    let mut lines = vec![format!(
        "{:<44} {:>10} {:>10} {:>10}",
        "file", "raw", "brotli", "budget"
    )];
    for entry in entries
        .iter()
        .filter(|entry| entry.is_fetched() || entry.is_late() || entry.is_on_demand())
    {
        lines.push(format!(
            "{:<44} {:>10} {:>10}",
            entry.file, entry.bytes, entry.brotli
        ));
    }
    let mut is_within = true;
    for (name, size, budget) in [
        ("before intent", sum(Entry::is_loader), BEFORE_INTENT),
        (
            "until the user can type",
            sum(Entry::is_fetched),
            UNTIL_TYPING,
        ),
    ] {
        let verdict = if size <= budget { "ok" } else { "OVER" };
        is_within &= size <= budget;
        lines.push(format!(
            "{name:<44} {:>10} {size:>10} {budget:>10}  {verdict}",
            ""
        ));
    }
    for (name, size) in [
        ("fetched after that", sum(Entry::is_late)),
        ("fetched only when needed", sum(Entry::is_on_demand)),
    ] {
        lines.push(format!("{name:<44} {:>10} {size:>10}", ""));
    }
    (lines.join("\n"), is_within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, brotli: usize) -> Entry {
        Entry {
            file: file.to_owned(),
            bytes: brotli,
            brotli,
            integrity: String::new(),
        }
    }

    #[test]
    fn within_both_budgets() {
        let entries = [entry("assent.js", 6_000), entry("a.wasm", 194_000)];
        assert!(report(&entries).1);
    }

    #[test]
    fn the_loader_has_its_own_budget() {
        assert!(!report(&[entry("assent.js", 6_001)]).1);
    }

    #[test]
    fn everything_fetched_counts_and_types_do_not() {
        let entries = [entry("assent.js", 6_000), entry("a.wasm", 194_001)];
        assert!(!report(&entries).1);
        let entries = [
            entry("assent.d.ts", 900_000),
            entry("assent_widget_late.wasm", 900_000),
            entry("assent_renderer_bg.wasm", 900_000),
            entry("assent_history.js", 900_000),
            entry("assent_math_bg.wasm", 900_000),
            entry("assent_highlight.js", 900_000),
            entry("assent.js", 1),
        ];
        assert!(report(&entries).1);
    }
}
