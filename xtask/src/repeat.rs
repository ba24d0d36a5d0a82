//! `cargo xtask test --repeat N NAME`: one test many times beside a load, to see whether it fails
//! now and then. The name is that of a Rust function, or words of the title of a JavaScript test;
//! the runner follows from its file.

use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::process;
use crate::summary::TestCounts;
use crate::test;
use crate::tools;
use crate::workspace::Workspace;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A program that runs a test, and where the test is.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TestRunner {
    /// `cargo test` of a crate runs the test.
    Native { package: String },
    /// `cargo test` of a crate that runs only in a page runs the test, in Chromium.
    Component { package: String },
    /// Playwright runs the test, in all browsers that it is for.
    WholePage,
    /// Node runs the test, which is in this file.
    Node { file: String },
}

const PAGE_PACKAGES: [&str; 2] = ["assent_renderer", "assent_widget"];

/// Runs every test of this name `times` times beside a load of the processors, and prints how often
/// one failed.
pub(crate) fn run(workspace: &Workspace, times: &str, name: &str) -> Result<(), Error> {
    let times: usize = times
        .parse()
        .map_err(|_| Error::Usage(format!("`{times}` is not a number of runs")))?;
    let runners = find_runners(workspace, name)?;
    for runner in &runners {
        runner.prepare(workspace, name)?;
    }
    let mut failed = 0;
    {
        let _load = ProcessorLoad::start();
        for runner in &runners {
            failed += runner.repeat(workspace, times, name)?;
        }
    }
    println!("\n`{name}`: {times} runs, {failed} failed");
    match failed {
        0 => Ok(()),
        _ => Err(Error::Failed(format!(
            "cargo xtask test --repeat {times} {name}"
        ))),
    }
}

/// Returns the programs that run the tests of this name, each once. It looks for the name in all
/// files that git does not ignore.
fn find_runners(workspace: &Workspace, name: &str) -> Result<Vec<TestRunner>, Error> {
    let listing = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let files =
        process::standard_output(workspace.command("git").args(listing)).unwrap_or_default();
    let mut runners: Vec<TestRunner> = files
        .lines()
        .filter(|file| {
            std::fs::read_to_string(workspace.path(file))
                .is_ok_and(|text| is_declared(file, &text, name))
        })
        .filter_map(|file| runner_of(workspace, file))
        .collect();
    runners.sort();
    runners.dedup();
    if runners.is_empty() {
        return Err(Error::Usage(format!(
            "no test is called `{name}`: give the name of a function, or words of a title"
        )));
    }
    Ok(runners)
}

fn is_declared(file: &str, text: &str, name: &str) -> bool {
    match Path::new(file).extension().and_then(|it| it.to_str()) {
        Some("rs") => text.contains(&format!("fn {name}(")),
        Some("js") => file.ends_with(".test.js") && text.contains(name),
        _ => false,
    }
}

fn runner_of(workspace: &Workspace, file: &str) -> Option<TestRunner> {
    if file.starts_with("e2e/cases/") {
        return Some(TestRunner::WholePage);
    }
    if file.ends_with(".test.js") {
        let file = file.to_owned();
        return Some(TestRunner::Node { file });
    }
    let package = package_of(workspace, Path::new(file))?;
    Some(match PAGE_PACKAGES.contains(&package.as_str()) {
        true => TestRunner::Component { package },
        false => TestRunner::Native { package },
    })
}

/// Returns the name of the crate that a file belongs to: the name in the nearest manifest above the
/// file.
fn package_of(workspace: &Workspace, file: &Path) -> Option<String> {
    let manifests = file.ancestors().skip(1).map(|it| it.join("Cargo.toml"));
    let text = manifests
        .filter_map(|path| std::fs::read_to_string(workspace.path(path)).ok())
        .next()?;
    let manifest: toml::Table = text.parse().ok()?;
    let name = manifest.get("package")?.get("name")?.as_str()?;
    Some(name.to_owned())
}

impl TestRunner {
    /// Builds what the test needs, before the load of the processors begins.
    fn prepare(&self, workspace: &Workspace, name: &str) -> Result<(), Error> {
        match self {
            TestRunner::Native { .. } => {}
            TestRunner::Component { .. } => {
                tools::ensure_packaged(workspace, &[&tools::CHROMIUM, &tools::CHROMEDRIVER])?;
                tools::ensure_wasm_bindgen(workspace)?;
            }
            TestRunner::Node { .. } => return test::install_whole_pages(workspace),
            TestRunner::WholePage => {
                test::install_whole_pages(workspace)?;
                if std::env::var_os("ASSENT_DIST").is_none() {
                    dist::build(workspace)?;
                }
                let service = ["build", "-p", "assent-service"];
                return process::run(workspace.cargo().args(service));
            }
        }
        process::run(self.command(workspace, 1, name)?.arg("--no-run"))
    }

    /// Runs the test with this name `times` times, and returns how many runs failed.
    fn repeat(&self, workspace: &Workspace, times: usize, name: &str) -> Result<usize, Error> {
        // Playwright repeats by itself, with servers and browsers that stay.
        let (commands, each) = match self {
            TestRunner::WholePage => (1, times),
            _ => (times, 1),
        };
        let mut failed = 0;
        for number in 1..=commands {
            let finished = process::run_and_keep(&mut self.command(workspace, each, name)?)?;
            let ran = TestCounts::read(&finished.output);
            if ran.passed + ran.failed == 0 {
                return Err(Error::Wrong(format!("`{name}` did not run")));
            }
            if !finished.success {
                failed += ran.failed.max(1);
            }
            println!("{} of {times} runs, {failed} failed", number * each);
        }
        Ok(failed)
    }

    /// Returns the command that runs the tests of this name: `each` times if Playwright runs them,
    /// otherwise once.
    fn command(&self, workspace: &Workspace, each: usize, name: &str) -> Result<Command, Error> {
        Ok(match self {
            TestRunner::Native { package } => {
                let mut command = workspace.cargo();
                // Some tests are those of a feature.
                command.args(["test", "--package", package, "--all-features", name]);
                command
            }
            TestRunner::Component { package } => {
                let mut command = test::cargo_in_page(workspace);
                command.args(["test", "--package", package, name]);
                command.args(["--target", "wasm32-unknown-unknown"]);
                command
            }
            TestRunner::WholePage => {
                let each = each.to_string();
                e2e::playwright_command(workspace, &["--repeat-each", &each, "--grep", name])?
            }
            TestRunner::Node { file } => {
                let mut command = workspace.command("node");
                command.args(["--test", "--test-reporter=tap"]).args([
                    "--test-name-pattern",
                    name,
                    file,
                ]);
                command
            }
        })
    }
}

/// A load on all processors, from as many busy threads as there are. It ends when the value is
/// dropped.
struct ProcessorLoad {
    ended: Arc<AtomicBool>,
}

impl ProcessorLoad {
    fn start() -> ProcessorLoad {
        let ended = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        for _ in 0..processors {
            let ended = Arc::clone(&ended);
            std::thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        ProcessorLoad { ended }
    }
}

impl Drop for ProcessorLoad {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runner_follows_from_the_file() {
        let workspace = Workspace::locate().unwrap();
        let check = |file: &str, expected: TestRunner| {
            assert_eq!(runner_of(&workspace, file), Some(expected), "{file}");
        };
        let service = "assent-service".to_owned();
        check(
            "service/tests/x.rs",
            TestRunner::Native { package: service },
        );
        let widget = "assent_widget".to_owned();
        check("tests/x.rs", TestRunner::Component { package: widget });
        check("e2e/cases/x/x.test.js", TestRunner::WholePage);
        let file = "web/history/test/x.test.js";
        let node = TestRunner::Node { file: file.into() };
        check(file, node);
    }

    #[test]
    fn this_test_is_found_and_others_are_refused() {
        let workspace = Workspace::locate().unwrap();
        let found = find_runners(&workspace, "this_test_is_found_and_others_are_refused").unwrap();
        let package = "xtask".to_owned();
        assert_eq!(found, [TestRunner::Native { package }]);
        // Written in two parts, or this file would have it.
        let absent = ["no_test_is", "called_so"].join("_");
        assert!(find_runners(&workspace, &absent).is_err());
    }
}
