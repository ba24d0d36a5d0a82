//! `cargo xtask size`: checks how many bytes a visitor downloads, and the length of the functions
//! in the modules. Sizes are those of brotli at quality 11, as a static server with precompressed
//! files sends them.

mod functions;

use crate::dist::{self, ManifestEntry};
use crate::error::Error;
use crate::workspace::Workspace;
use std::fs;

/// Maximum number of compressed bytes of all files that are fetched until an answer can be drawn
/// and a request for approval decided.
const MAX_BYTES_UNTIL_APPROVAL: usize = 440_000;
/// Maximum number of compressed bytes of the files without which a person cannot type: the loader,
/// and the widget with its glue and styles.
const MAX_BYTES_UNTIL_ALIVE: usize = 270_000;
/// Maximum number of compressed bytes of what every visitor of a page fetches: the loader alone.
const MAX_BYTES_BEFORE_INTENT: usize = 10_000;
/// Maximum number of compressed bytes of the texts of one language.
const MAX_BYTES_OF_LANGUAGE: usize = 12_000;

/// Builds `dist/`, prints a table of the sizes of its files, and fails if a sum or a function is
/// too large.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    check(&dist::build(workspace)?)
}

/// Prints a table of the sizes of the files in `dist/`, which has been built; fails if a sum of
/// sizes is above its maximum, or a function is too long.
pub(crate) fn check(entries: &[ManifestEntry]) -> Result<(), Error> {
    let (table, is_within) = size_table(entries);
    println!("{table}");
    if !is_within {
        return Err(Error::Wrong("dist/ is over its size budget".into()));
    }
    let dist = Workspace::locate()?.path("dist");
    for entry in entries {
        let file = dist.join(&entry.file);
        if file.extension().is_some_and(|it| it == "wasm") {
            let module = fs::read(&file).map_err(Error::of_file(&file))?;
            functions::check(&entry.file, &module)?;
        }
    }
    Ok(())
}

/// Returns what is wrong with the size of a language's file, in compressed bytes; `None` if nothing
/// is.
pub(crate) fn language_error(bytes: usize) -> Option<String> {
    (bytes > MAX_BYTES_OF_LANGUAGE)
        .then(|| format!("{bytes} bytes after brotli are over {MAX_BYTES_OF_LANGUAGE}"))
}

fn size_table(entries: &[ManifestEntry]) -> (String, bool) {
    let sum = |is_counted: fn(&ManifestEntry) -> bool| -> usize {
        entries
            .iter()
            .filter(|entry| is_counted(entry))
            .map(|entry| entry.brotli)
            .sum()
    };
    let largest = entries.iter().filter(|entry| entry.is_language());
    let largest = largest.map(|entry| entry.brotli).max();
    let budgets = [
        (
            "until an answer is drawn and can be approved",
            sum(|it| it.is_fetched_early() || it.is_late()),
            MAX_BYTES_UNTIL_APPROVAL,
        ),
        (
            "until the widget is alive",
            sum(ManifestEntry::is_fetched_early),
            MAX_BYTES_UNTIL_ALIVE,
        ),
        (
            "before intent",
            sum(ManifestEntry::is_loader),
            MAX_BYTES_BEFORE_INTENT,
        ),
        (
            "the largest language",
            largest.unwrap_or_default(),
            MAX_BYTES_OF_LANGUAGE,
        ),
    ];
    let mut lines = vec![format!(
        "{:<44} {:>10} {:>10} {:>10}",
        "", "raw", "brotli", "budget"
    )];
    let mut is_within = true;
    for (name, size, budget) in budgets {
        let verdict = if size <= budget { "ok" } else { "OVER" };
        is_within &= size <= budget;
        lines.push(format!(
            "{name:<44} {:>10} {size:>10} {budget:>10}  {verdict}",
            ""
        ));
    }
    for (name, size) in [
        ("after the widget is alive", sum(ManifestEntry::is_late)),
        ("only when needed", sum(ManifestEntry::is_on_demand)),
    ] {
        lines.push(format!("{name:<44} {:>10} {size:>10}", ""));
    }
    for entry in entries
        .iter()
        .filter(|entry| entry.stage.is_some() || entry.is_loader())
    {
        lines.push(format!(
            "{:<44} {:>10} {:>10}",
            entry.file, entry.bytes, entry.brotli
        ));
    }
    (lines.join("\n"), is_within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::FetchStage;

    const WIDGET: usize = MAX_BYTES_UNTIL_ALIVE - MAX_BYTES_BEFORE_INTENT;
    const RENDERER: usize = MAX_BYTES_UNTIL_APPROVAL - MAX_BYTES_UNTIL_ALIVE;

    fn entry(file: &str, brotli: usize, stage: Option<FetchStage>) -> ManifestEntry {
        ManifestEntry {
            file: file.to_owned(),
            bytes: brotli,
            brotli,
            integrity: String::new(),
            stage,
        }
    }

    #[test]
    fn within_all_budgets() {
        let entries = [
            entry("assent.js", 10_000, None),
            entry("assent_widget_bg.wasm", WIDGET, Some(FetchStage::Widget)),
            entry("assent_renderer_bg.wasm", RENDERER, Some(FetchStage::After)),
        ];
        assert!(size_table(&entries).1);
    }

    #[test]
    fn each_budget_can_be_exceeded() {
        for entries in [
            vec![entry("assent.js", 10_001, None)],
            vec![
                entry("assent.js", 10_000, None),
                entry(
                    "assent_widget_bg.wasm",
                    WIDGET + 1,
                    Some(FetchStage::Widget),
                ),
            ],
            vec![
                entry("assent_widget_bg.wasm", WIDGET, Some(FetchStage::Widget)),
                entry("assent_renderer_bg.wasm", RENDERER, Some(FetchStage::After)),
                entry("assent_history.js", 10_001, Some(FetchStage::After)),
            ],
            vec![
                entry("locales/de.json", 12_000, Some(FetchStage::Language)),
                entry("locales/fr.json", 12_001, Some(FetchStage::Language)),
            ],
        ] {
            assert!(!size_table(&entries).1, "{entries:?}");
        }
    }

    #[test]
    fn types_and_what_few_pages_need_do_not_count() {
        let entries = [
            entry("assent.d.ts", 900_000, None),
            entry("assent_math_bg.wasm", 900_000, Some(FetchStage::OnDemand)),
            entry("assent_highlight.js", 900_000, Some(FetchStage::OnDemand)),
            entry("locales/de.json", 12_000, Some(FetchStage::Language)),
            entry("locales/fr.json", 12_000, Some(FetchStage::Language)),
            entry("assent.js", 1, None),
        ];
        assert!(size_table(&entries).1);
    }
}
