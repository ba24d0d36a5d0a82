//! `cargo xtask <command>`: all tasks of development and CI in this repository. This file reads the
//! command line; each command lives in the module of its name. Nothing here is part of the product,
//! and no product crate may depend on it.

mod assets;
mod bench;
mod chaos;
mod checkout;
mod cluster;
mod comments;
mod dependencies;
mod deploy;
mod dev;
mod dist;
mod e2e;
mod error;
mod examples;
mod generate;
mod locales;
mod mutations;
mod peers;
mod process;
mod python;
mod real_model;
mod repeat;
mod schemathesis;
mod seeded;
mod servers;
mod shots;
mod shrink;
mod site;
mod size;
mod summary;
mod test;
mod tidy;
mod tools;
mod transcript;
mod upgrade;
mod web;
mod workspace;

use crate::error::Error;
use crate::workspace::Workspace;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <command>

  dev            install what is missing, run the service and the demo page, print one address
                 (--port N for the page, default 8080; --replicas N for N replicas of the service
                 on PostgreSQL behind HAProxy)
  test           everything that must hold before a commit is merged
  test --fast    the same without the release build and the browsers
  test --long    what takes too long for every change: 200 kills of each kind, 3000 histories,
                 more whole-page tests, 300 sessions in bad networks, and 40 in Firefox
  test --model   a small real model through the service into the widget, and a call that is approved
  test --repeat N NAME
                 one test N times beside a busy machine, to see whether it fails now and then
  dist           build dist/: loader, types, glue, WebAssembly, and what the npm package says of them
  site           build dist-site/, the documentation as HTML, and check its links; with the playground
                 where dist/ is there
  size           build dist/ and hold it, and the length of its functions, against the budgets
  bench NAME     measure `streaming`, `history` or `start` in a browser (--quick, --throttle N, --profile),
                 or `load`, the service under 500 streams (--quick; --before REVISION in turn with that one),
                 or `scale`, replicas on PostgreSQL and many rows (--quick, names of parts)
  kills          kill the service at seeded moments and check what it kept (--kills N, default 200; --seed S)
  history        many users, tabs and faults against the service, and what must hold of them
                 (--trials N, default 3000; --seed S)
  mutations      faults in the code of replicas, for each of which a test has to fail; a word takes
                 those whose name holds it
  upgrade REVISION
                 the tests of the service of another revision on PostgreSQL with the tables of this one
  chaos          seeded sessions in a browser behind a network that fails
                 (--sessions N, --seed S, --jobs N, --browser NAME, --tell)
  transcript LOG NAME
                 make a golden transcript of the core from the last answer of a diagnostic log
  replicas N PROGRAM
                 N replicas of a service that is built, on a PostgreSQL of their own behind HAProxy;
                 further words are options of the service
  tidy           architecture and style rules
  locales        what is missing, unknown or too long in the files of languages; a word takes one language
                 (--write FOLDER for the files that a page in development fetches)
  generate       write what files repeat of the tables of attributes and texts
  dependencies   unused, licences and sources of crates and npm packages, and what NOTICE says
  deploy         what HAProxy, systemd and schemas say of the files in deploy/
  notice         write NOTICE, the licences of everything that dist/ is made of
  advisories     known faults of crates and npm packages; needs git and the network
  shots          build everything and take the screenshots in target/shots/; a word takes the states
                 whose name holds it, and `readme` the picture of README.md
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Error> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let workspace = Workspace::locate()?;
    match words.as_slice() {
        ["dev", options @ ..] => dev::run(&workspace, &dev::Options::parse(options)?),
        ["replicas", words @ ..] => cluster::run(&workspace, words),
        ["test"] => test::run(&workspace, test::TestScope::Everything),
        ["test", "--fast"] => test::run(&workspace, test::TestScope::Fast),
        ["test", "--long"] => test::run(&workspace, test::TestScope::Long),
        ["test", "--model"] => test::run(&workspace, test::TestScope::Model),
        ["test", "--repeat", times, name] => repeat::run(&workspace, times, name),
        ["dist"] => dist::run(&workspace),
        ["site"] => site::run(&workspace),
        ["size"] => size::run(&workspace),
        ["bench", name, options @ ..] => bench::run(&workspace, name, options),
        ["kills", options @ ..] => seeded::KILLS_TEST.run(&workspace, options),
        ["history", options @ ..] => seeded::HISTORY_TEST.run(&workspace, options),
        ["mutations"] => mutations::run(&workspace, ""),
        ["mutations", word] => mutations::run(&workspace, word),
        ["chaos", options @ ..] => chaos::run(&workspace, options),
        ["upgrade", revision] => upgrade::run(&workspace, revision),
        ["locales", words @ ..] => locales::run(&workspace, words),
        ["tidy"] => tidy::run(&workspace),
        ["generate"] => generate::run(&workspace),
        ["dependencies"] => dependencies::check(&workspace),
        ["deploy"] => {
            deploy::install(&workspace)?;
            deploy::check(&workspace)
        }
        ["notice"] => dependencies::write_notice(&workspace),
        ["advisories"] => dependencies::check_advisories(&workspace),
        ["transcript", log, name] => transcript::record_transcript(&workspace, log, name),
        ["shots"] => shots::take_pictures(&workspace, ""),
        ["shots", word] => shots::take_pictures(&workspace, word),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(Error::Usage(format!(
            "unknown command `{}`\n\n{HELP}",
            other.join(" ")
        ))),
    }
}
