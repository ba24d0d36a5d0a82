//! `cargo xtask test`: every check there is, one table at the end, and an exit code that a machine
//! can rely on. A failed step does not stop the others, except that whole pages need `dist/` and
//! the service.

use crate::chaos;
use crate::dependencies;
use crate::dev;
use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::examples;
use crate::peers;
use crate::process;
use crate::real_model;
use crate::schemathesis;
use crate::seeded;
use crate::size;
use crate::summary::{self, Counts, Outcome, Step};
use crate::tidy;
use crate::tools;
use crate::web;
use crate::workspace::Workspace;
use std::process::Command;
use std::time::{Duration, Instant};

/// The scope of a test run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The tests that every change has to pass.
    Everything,
    /// Without the release build and the browsers.
    Fast,
    /// Tests that take too long for every change: more kills, more sessions, and in Firefox tests
    /// that usually run in one engine.
    Long,
    /// The test with a real model alone.
    Model,
}

/// Runs all steps and fails if one of them did.
pub(crate) fn run(workspace: &Workspace, scope: Scope) -> Result<(), Error> {
    install(workspace, scope)?;
    let mut run = Run {
        workspace,
        steps: Vec::new(),
    };
    match scope {
        Scope::Long => {
            run.long()?;
            return run.finish();
        }
        Scope::Model => {
            real_model::install(workspace)?;
            if run.builds() {
                run.real_model();
            }
            return run.finish();
        }
        Scope::Everything | Scope::Fast => {}
    }
    run.command(
        "format",
        workspace.cargo().args(["fmt", "--all", "--check"]),
    );
    run.command("clippy, host", workspace.cargo().args(CLIPPY_HOST));
    run.command("clippy, page", workspace.cargo().args(CLIPPY_PAGE));
    run.task("tidy", || tidy::run(workspace));
    run.command("fuzz targets", &mut fuzz_check(workspace));
    run.tests("native tests", workspace.cargo().args(NATIVE_TESTS));
    if scope == Scope::Everything {
        run.task("dependencies", || dependencies::check(workspace));
        run.tests("component tests", &mut component_tests(workspace));
        // The first step with a whole page: what it needs is what a new user has.
        let mut front_door = e2e::playwright(workspace, &["--config", FRONT_DOOR_CONFIG])?;
        run.tests("front door", &mut front_door);
        run.tests("web tests", web::npm(workspace).arg("test"));
        run.command("types", &mut type_check(workspace));
        run.tests("fault proxy", e2e::npm(workspace).args(["run", "chaos"]));
        if run.builds() {
            run.tests(
                "model and tool servers of others",
                &mut peers::tests(workspace),
            );
            run.task("the service and its description", || {
                schemathesis::run(workspace)
            });
            run.tests("package", e2e::npm(workspace).args(["run", "package"]));
            run.task("examples", || examples::prepare(workspace));
            run.whole_page_tests("whole-page tests", &["--project", "chromium"])?;
            run.whole_page_tests("whole-page tests, Firefox", &["--project", "firefox"])?;
            run.whole_page_tests("smoke test, WebKit", &["--config", WEBKIT_CONFIG])?;
            run.sessions("sessions in bad networks", &chaos::TEST_ARGUMENTS)?;
            match real_model::install(workspace) {
                Ok(()) => run.real_model(),
                Err(error) => run.not_run(REAL_MODEL, &error),
            }
        }
    }
    run.finish()
}

/// The service's optional part is checked and tested with the rest, which costs its crates alone:
/// built for itself, the service would have other features of what it depends on, and all of that
/// would be compiled again. The steps after these build the service as it is by default.
const CLIPPY_HOST: [&str; 12] = [
    "clippy",
    "--workspace",
    "--exclude",
    "assent_widget",
    "--exclude",
    "assent-example-leptos",
    "--features",
    FEATURES,
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
/// `math` is checked with the rest: it is the same code everywhere, and its tests need an operating
/// system.
const CLIPPY_PAGE: [&str; 15] = [
    "clippy",
    "-p",
    "assent_widget",
    "-p",
    "assent_renderer",
    "-p",
    "assent-client",
    "-p",
    "assent-example-leptos",
    "--target",
    "wasm32-unknown-unknown",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
const NATIVE_TESTS: [&str; 9] = [
    "test",
    "--workspace",
    "--exclude",
    "assent_widget",
    "--exclude",
    "assent-example-leptos",
    "--features",
    FEATURES,
    "--no-fail-fast",
];
/// The features that are off by default.
const FEATURES: &str = "assent-service/otel";
const COMPONENT_TESTS: [&str; 8] = [
    "test",
    "-p",
    "assent_widget",
    "-p",
    "assent_renderer",
    "--target",
    "wasm32-unknown-unknown",
    "--no-fail-fast",
];

const REAL_MODEL: &str = "real model";
const FRONT_DOOR_CONFIG: &str = "front-door/playwright.config.js";
/// Playwright does not drive WebKit as Debian ships it, so that one is no project of the others.
const WEBKIT_CONFIG: &str = "webkit/playwright.config.js";

fn install(workspace: &Workspace, scope: Scope) -> Result<(), Error> {
    tools::ensure_components(workspace)?;
    tools::ensure_wasm_target(workspace)?;
    if scope != Scope::Fast {
        use tools::{CADDY, CHROMEDRIVER, CHROMIUM, FIREFOX, NGINX, NODE, NPM, SCREEN, WEBKIT};
        // All at once: each call that finds something missing updates the lists of packages.
        let programs = [
            &CHROMIUM,
            &CHROMEDRIVER,
            &FIREFOX,
            &WEBKIT,
            &SCREEN,
            &NODE,
            &NPM,
            &NGINX,
            &CADDY,
        ];
        tools::ensure_packaged(workspace, &programs)?;
        tools::ensure_wasm_bindgen(workspace)?;
        tools::ensure_trunk(workspace)?;
        install_whole_pages(workspace)?;
        peers::install(workspace)?;
        schemathesis::install(workspace)?;
    }
    Ok(())
}

/// Installs the requirements of tests of whole pages and of scripts.
pub(crate) fn install_whole_pages(workspace: &Workspace) -> Result<(), Error> {
    use tools::{CHROMIUM, FIREFOX, NODE, NPM};
    tools::ensure_packaged(workspace, &[&CHROMIUM, &FIREFOX, &NODE, &NPM])?;
    web::install(workspace)?;
    dev::install_files_server(workspace)?;
    e2e::install(workspace)
}

fn component_tests(workspace: &Workspace) -> Command {
    let mut command = in_page(workspace);
    command.args(COMPONENT_TESTS);
    command
}

/// Returns Cargo as component tests need it: they run in Chromium.
pub(crate) fn in_page(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    // Timeouts, in seconds, of all tests of a program, and of the driver until it listens.
    command
        .env("WASM_BINDGEN_TEST_TIMEOUT", "600")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    if let Some(driver) = tools::locate(workspace, "chromedriver") {
        command.env("CHROMEDRIVER", driver);
    }
    command
}

fn type_check(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npx");
    command
        .current_dir(workspace.path("e2e"))
        .args(["tsc", "--project", "tsconfig.json"]);
    command
}

/// Returns the check of the fuzz targets, which are a workspace of their own that nothing else
/// compiles.
fn fuzz_check(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    command
        // Nothing is linked, so that libFuzzer need not be there: its C++ is compiled where no path
        // is given.
        .env(
            "CUSTOM_LIBFUZZER_PATH",
            workspace.target().join("libfuzzer.a"),
        )
        .args(["check", "--manifest-path", "fuzz/Cargo.toml"]);
    command
}

/// Runs a program with tests whose number it prints. It has to run some: a filter or a missing
/// target makes an empty run look fine.
fn run_tests(command: &mut Command) -> Result<(bool, Counts), Error> {
    let finished = process::run_and_keep(command)?;
    let counts = Counts::read(&finished.output);
    Ok((finished.success && counts.passed > 0, counts))
}

struct Run<'workspace> {
    workspace: &'workspace Workspace,
    steps: Vec<Step>,
}

impl Run<'_> {
    /// Runs a step that is one program; returns true if it succeeded.
    fn command(&mut self, name: &'static str, command: &mut Command) -> bool {
        self.task(name, || process::run(command))
    }

    /// Runs a step that is a program with tests.
    fn tests(&mut self, name: &'static str, command: &mut Command) {
        self.record(name, || run_tests(command));
    }

    /// Runs the test with a real model, which is installed.
    fn real_model(&mut self) {
        let workspace = self.workspace;
        self.record(REAL_MODEL, || {
            let mut model = real_model::start(workspace)?;
            run_tests(&mut model.test)
        });
    }

    /// Adds a step that cannot be run here to the table.
    fn not_run(&mut self, name: &'static str, reason: &Error) {
        println!("\n── {name} ──\n{reason}");
        self.steps.push(Step {
            name,
            outcome: Outcome::NotRun(reason.to_string()),
            counts: Counts::default(),
            took: Duration::ZERO,
        });
    }

    /// Runs a step of xtask itself; returns true if it succeeded.
    fn task(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Error>) -> bool {
        self.record(name, || work().map(|()| (true, Counts::default())))
    }

    /// Runs the cases that a configuration of Playwright chooses for a browser.
    fn whole_page_tests(&mut self, name: &'static str, choice: &[&str]) -> Result<(), Error> {
        self.tests(name, &mut e2e::playwright(self.workspace, choice)?);
        Ok(())
    }

    /// Builds the parts of whole pages; returns true if all are there. A `dist/` that is too large
    /// is a failed step, and can be tested all the same.
    fn builds(&mut self) -> bool {
        let workspace = self.workspace;
        let mut dist = Vec::new();
        let is_there = self.task("dist", || {
            dist = dist::build(workspace)?;
            Ok(())
        });
        if is_there {
            self.task("size of dist", || size::check(&dist));
        }
        let mut service = workspace.cargo();
        service.args(["build", "-p", "assent-service"]);
        self.command("service", &mut service) && is_there
    }

    /// Runs the tests of `cargo xtask test` that otherwise have few seeds or one engine.
    fn long(&mut self) -> Result<(), Error> {
        let is_built = self.builds();
        self.tests("kills", &mut seeded::KILLS.many(self.workspace));
        self.tests("histories", &mut seeded::HISTORY.many(self.workspace));
        if is_built {
            self.whole_page_tests("whole-page tests, Firefox", &["--project", "firefox-long"])?;
            self.sessions("sessions in bad networks", &chaos::LONG_ARGUMENTS)?;
            let in_firefox = &chaos::LONG_FIREFOX_ARGUMENTS;
            self.sessions("sessions in bad networks, Firefox", in_firefox)?;
        }
        Ok(())
    }

    /// Prints the table.
    fn finish(self) -> Result<(), Error> {
        println!("\n{}", summary::table(&self.steps));
        let failed = self
            .steps
            .iter()
            .any(|step| step.outcome == Outcome::Failed);
        match failed {
            true => Err(Error::Failed("cargo xtask test".into())),
            false => Ok(()),
        }
    }

    /// Runs sessions behind a network that fails.
    fn sessions(&mut self, name: &'static str, options: &[&str]) -> Result<(), Error> {
        self.tests(name, &mut chaos::sessions(self.workspace, options)?);
        Ok(())
    }

    fn record(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<(bool, Counts), Error>,
    ) -> bool {
        println!("\n── {name} ──");
        let start = Instant::now();
        let (success, counts) = work().unwrap_or_else(|error| {
            println!("{error}");
            Default::default()
        });
        self.steps.push(Step {
            name,
            outcome: Outcome::of(success),
            counts,
            took: start.elapsed(),
        });
        success
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_features_run_with_the_native_tests() {
        let workspace = Workspace::locate().unwrap();
        let manifest = std::fs::read_to_string(workspace.path("service/Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let tests = manifest["test"].as_array().unwrap();
        let needed = tests.iter().flat_map(|test| {
            let features = test["required-features"].as_array().unwrap();
            features.iter().map(|feature| feature.as_str().unwrap())
        });
        let needed: Vec<String> = needed
            .map(|name| format!("assent-service/{name}"))
            .collect();
        // Cargo leaves such a test out without a word.
        assert_eq!(needed, [FEATURES]);
        assert!(
            NATIVE_TESTS
                .windows(2)
                .any(|it| it == ["--features", FEATURES])
        );
    }
}
