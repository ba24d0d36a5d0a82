//! `cargo xtask test`: every check there is, one table at the end, and an exit code that a machine can rely on.
//! A failed step does not stop the others, unless they need what it should have made.

use crate::chaos;
use crate::dist;
use crate::error::Error;
use crate::examples;
use crate::process;
use crate::scripts;
use crate::servers;
use crate::size;
use crate::summary::{Counts, Outcome, Step, Summary};
use crate::tidy;
use crate::tools;
use crate::workspace::Workspace;
use std::process::Command;
use std::time::Instant;

/// How much is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of it.
    Everything,
    /// Without the release build and the browsers.
    Fast,
}

/// Runs all steps and fails if one of them did.
pub(crate) fn run(workspace: &Workspace, scope: Scope) -> Result<(), Error> {
    install(workspace, scope)?;
    let mut run = Run {
        workspace,
        summary: Summary::default(),
    };
    run.command(
        "format",
        workspace.cargo().args(["fmt", "--all", "--check"]),
    );
    run.command("clippy, host", workspace.cargo().args(CLIPPY_HOST));
    run.command("clippy, page", workspace.cargo().args(CLIPPY_PAGE));
    run.command(
        "clippy, page in two files",
        workspace.cargo().args(CLIPPY_SPLIT),
    );
    run.task("tidy", || tidy::run(workspace));
    run.command("fuzz targets", &mut fuzz_check(workspace));
    run.tests("native tests", workspace.cargo().args(NATIVE_TESTS));
    if scope == Scope::Everything {
        run.tests("component tests", &mut component_tests(workspace));
        run.task("dist and its size", || {
            size::check(&dist::build(workspace)?)
        });
        run.command(
            "service",
            workspace.cargo().args(["build", "-p", "assent-service"]),
        );
        run.tests(
            "highlighting tests",
            &mut scripts::HIGHLIGHT.tests(workspace),
        );
        run.tests("device tests", &mut scripts::DEVICE.tests(workspace));
        run.command("types", &mut type_check(workspace));
        run.tests("package", npm(workspace).args(["run", "package"]));
        run.task("examples", || examples::prepare(workspace));
        run.whole_page_tests("whole-page tests", &["--project", "chromium"])?;
        run.whole_page_tests("whole-page tests, Firefox", &["--project", "firefox"])?;
        run.whole_page_tests("smoke test, WebKit", &["--config", WEBKIT_CONFIG])?;
        run.tests("fault proxy", npm(workspace).args(["run", "chaos"]));
        run.sessions("sessions in bad networks")?;
    }
    println!("\n{}", run.summary.failures());
    println!("{}", run.summary.render());
    if run.summary.is_green() {
        Ok(())
    } else {
        Err(Error::Failed("cargo xtask test".into()))
    }
}

const CLIPPY_HOST: [&str; 10] = [
    "clippy",
    "--workspace",
    "--exclude",
    "assent",
    "--exclude",
    "assent-example-leptos",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
const CLIPPY_SPLIT: [&str; 10] = [
    "clippy",
    "-p",
    "assent",
    "--target",
    "wasm32-unknown-unknown",
    "--features",
    "split",
    "--",
    "-D",
    "warnings",
];
/// `math` is checked with the rest: it is the same code everywhere, and what its tests use needs a system.
const CLIPPY_PAGE: [&str; 13] = [
    "clippy",
    "-p",
    "assent",
    "-p",
    "assent-reader",
    "-p",
    "assent-example-leptos",
    "--target",
    "wasm32-unknown-unknown",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
const NATIVE_TESTS: [&str; 7] = [
    "test",
    "--workspace",
    "--exclude",
    "assent",
    "--exclude",
    "assent-example-leptos",
    "--no-fail-fast",
];
const COMPONENT_TESTS: [&str; 8] = [
    "test",
    "-p",
    "assent",
    "-p",
    "assent-reader",
    "--target",
    "wasm32-unknown-unknown",
    "--no-fail-fast",
];

/// Playwright does not drive WebKit as Debian ships it, so that one is no project of the others.
const WEBKIT_CONFIG: &str = "webkit/playwright.config.js";

fn install(workspace: &Workspace, scope: Scope) -> Result<(), Error> {
    tools::ensure_components(workspace)?;
    tools::ensure_wasm_target(workspace)?;
    if scope == Scope::Everything {
        use tools::{CADDY, CHROMEDRIVER, CHROMIUM, FIREFOX, NGINX, NODE, NPM, SCREEN, WEBKIT};
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
        scripts::HIGHLIGHT.install(workspace)?;
        scripts::DEVICE.install(workspace)?;
        install_e2e(workspace)?;
    }
    Ok(())
}

/// Installs the packages of `e2e/package-lock.json`.
pub(crate) fn install_e2e(workspace: &Workspace) -> Result<(), Error> {
    process::run(
        npm(workspace)
            // The browsers are Debian's.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .args(["ci", "--no-audit", "--no-fund"]),
    )
}

fn component_tests(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    command
        .args(COMPONENT_TESTS)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
        // Seconds that the driver may take to listen.
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

fn npm(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("e2e"));
    command
}

/// The fuzz targets are a workspace of their own, which nothing else compiles.
fn fuzz_check(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    command
        // Nothing is linked, so that libFuzzer need not be there: its C++ is compiled where no path is given.
        .env(
            "CUSTOM_LIBFUZZER_PATH",
            workspace.path("target/libfuzzer.a"),
        )
        .args(["check", "--manifest-path", "fuzz/Cargo.toml"]);
    command
}

/// What a step did.
#[derive(Default)]
struct Ran {
    success: bool,
    counts: Counts,
    /// What it printed, where that was kept.
    output: String,
}

struct Run<'workspace> {
    workspace: &'workspace Workspace,
    summary: Summary,
}

impl Run<'_> {
    /// A step that is one program.
    fn command(&mut self, name: &'static str, command: &mut Command) {
        self.task(name, || process::run(command));
    }

    /// A step that is a program which runs tests and says how many; it has to run some.
    fn tests(&mut self, name: &'static str, command: &mut Command) {
        self.record(name, || {
            let finished = process::run_and_keep(command)?;
            let counts = Counts::read(&finished.output);
            Ok(Ran {
                success: counts.pass(finished.success),
                counts,
                output: finished.output,
            })
        });
    }

    /// A step of xtask itself.
    fn task(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Error>) {
        self.record(name, || {
            work().map(|()| Ran {
                success: true,
                ..Ran::default()
            })
        });
    }

    /// The cases that a configuration of Playwright chooses for a browser.
    fn whole_page_tests(&mut self, name: &'static str, choice: &[&str]) -> Result<(), Error> {
        if self.is_blocked(name) {
            return Ok(());
        }
        let mut command = self.workspace.command("npx");
        command
            .current_dir(self.workspace.path("e2e"))
            .env("ASSENT_PAGE_PORT", servers::free_port()?.to_string())
            .env("ASSENT_SERVICE_PORT", servers::free_port()?.to_string())
            .args(["playwright", "test"])
            .args(choice);
        self.tests(name, tools::pass_browsers(self.workspace, &mut command));
        Ok(())
    }

    /// Sessions behind a network that fails.
    fn sessions(&mut self, name: &'static str) -> Result<(), Error> {
        if !self.is_blocked(name) {
            let mut command = chaos::sessions(self.workspace, &chaos::OF_A_TEST)?;
            self.tests(name, &mut command);
        }
        Ok(())
    }

    /// Notes a step of whole pages as not run where what it needs has failed.
    fn is_blocked(&mut self, name: &'static str) -> bool {
        let mut needs = ["dist and its size", "service"].into_iter();
        let Some(needed) = needs.find(|needed| self.summary.has_failed(needed)) else {
            return false;
        };
        let outcome = Outcome::Blocked(needed);
        let (counts, output, took) = Default::default();
        self.summary.add(Step {
            name,
            outcome,
            counts,
            output,
            took,
        });
        true
    }

    fn record(&mut self, name: &'static str, work: impl FnOnce() -> Result<Ran, Error>) {
        println!("\n── {name} ──");
        let start = Instant::now();
        let ran = work().unwrap_or_else(|error| {
            println!("{error}");
            Ran::default()
        });
        let outcome = if ran.success {
            Outcome::Passed
        } else {
            Outcome::Failed
        };
        self.summary.add(Step {
            name,
            outcome,
            counts: ran.counts,
            output: ran.output,
            took: start.elapsed(),
        });
    }
}
