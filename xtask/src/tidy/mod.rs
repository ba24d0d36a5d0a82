//! `cargo xtask tidy`: rules about the repository's files that no compiler checks. This file runs
//! them; each rule is in a module of its name.

mod circles;
mod edge_cases;
mod edges;
mod error_codes;
mod faults;
mod generated;
mod imports;
mod layers;
mod left_overs;
mod length;
mod loader;
mod locales;
mod manifests;
mod markup;
mod names;
mod parts;
mod paths;
mod promises;
mod sentences;
pub(crate) mod sources;
mod specification;
mod storeys;
mod stylesheets;
mod theme_tokens;

use crate::error::Error;
use crate::workspace::Workspace;
use sources::{SourceFile, Violation};

type Rule = fn(&[SourceFile]) -> Vec<Violation>;

const RULES: &[Rule] = &[
    circles::check,
    edge_cases::check,
    edges::check,
    error_codes::check,
    faults::check,
    generated::check,
    layers::check,
    length::check,
    loader::check,
    locales::check,
    manifests::check,
    markup::check,
    names::check,
    parts::check,
    paths::check,
    promises::check,
    sentences::check,
    specification::check,
    storeys::check,
    stylesheets::check,
    theme_tokens::check,
    left_overs::check,
];

/// Checks the repository's files by every rule, prints each violation with its file and line, and
/// fails if there is one.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    let sources = sources::collect_sources(workspace)?;
    let violations: Vec<Violation> = RULES.iter().flat_map(|rule| rule(&sources)).collect();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => {
            println!(
                "tidy: {} files, {} rules, nothing to say",
                sources.len(),
                RULES.len()
            );
            Ok(())
        }
        count => Err(Error::Wrong(format!("tidy found {count} things to change"))),
    }
}
