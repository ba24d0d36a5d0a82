//! `cargo xtask test`: every check there is, one table at the end, and an exit code that a machine
//! can rely on. A failed step does not stop the others, except that whole pages need `dist/` and
//! the service.

mod beside;
mod commands;
mod second_try;

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
use crate::summary::{self, Counts, Outcome, TestStep};
use crate::tidy;
use crate::tools;
use crate::web;
use crate::workspace::Workspace;
use beside::BackgroundSteps;
pub(crate) use commands::cargo_in_page;
use second_try::{Ran, Retry};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Which tests a run has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestScope {
    /// The tests that every change has to pass.
    Everything,
    /// The tests that need neither the release build nor a browser.
    Fast,
    /// Tests that take too long for every change: more kills and sessions, and more whole-page
    /// tests, of the demo site for example.
    Long,
    /// Only the test with a real model.
    Model,
}

/// Runs all steps of the scope, and fails if one of them did.
pub(crate) fn run(workspace: &Workspace, scope: TestScope) -> Result<(), Error> {
    install_tools(workspace, scope)?;
    let mut run = Run {
        workspace,
        has_second_try: second_try::is_retry_allowed(),
        steps: Vec::new(),
        start: Instant::now(),
    };
    match scope {
        TestScope::Everything => run.run_everything()?,
        TestScope::Fast => run.run_fast(),
        TestScope::Long => run.run_long()?,
        TestScope::Model => {
            install_whole_pages(workspace)?;
            real_model::install(workspace)?;
            let dist = BackgroundSteps::start(vec![run.dist()?]);
            if run.build_pages(dist) {
                run.real_model();
            }
        }
    }
    run.finish()
}

const REAL_MODEL: &str = "real model";
const FRONT_DOOR_CONFIG: &str = "front-door/playwright.config.js";
/// The configuration of the whole-page tests in WebKit. Playwright does not drive WebKit as Debian
/// ships it, so that it is no project of the other configuration.
const WEBKIT_CONFIG: &str = "webkit/playwright.config.js";

fn install_tools(workspace: &Workspace, scope: TestScope) -> Result<(), Error> {
    tools::ensure_components(workspace)?;
    tools::ensure_wasm_target(workspace)?;
    tools::ensure_packaged(workspace, &[&tools::POSTGRES])?;
    if scope != TestScope::Fast {
        use tools::{
            CADDY, CHROMEDRIVER, CHROMIUM, FIREFOX, HEADLESS_SHELL, NGINX, NODE, NPM, WEBKIT, XVFB,
        };
        // All at once: each call that finds something missing updates the lists of packages.
        let programs = [
            &CHROMIUM,
            &HEADLESS_SHELL,
            &CHROMEDRIVER,
            &FIREFOX,
            &WEBKIT,
            &XVFB,
            &NODE,
            &NPM,
            &NGINX,
            &CADDY,
        ];
        tools::ensure_packaged(workspace, &programs)?;
        tools::ensure_rust_src(workspace)?;
        tools::ensure_wasm_bindgen(workspace)?;
        tools::ensure_trunk(workspace)?;
        web::install(workspace)?;
    }
    Ok(())
}

/// Installs the requirements of tests of whole pages and of scripts.
pub(crate) fn install_whole_pages(workspace: &Workspace) -> Result<(), Error> {
    use tools::{FIREFOX, HEADLESS_SHELL, NODE, NPM};
    tools::ensure_packaged(workspace, &[&HEADLESS_SHELL, &FIREFOX, &NODE, &NPM])?;
    web::install(workspace)?;
    dev::install_files_server(workspace)?;
    e2e::install(workspace)
}

struct Run<'workspace> {
    workspace: &'workspace Workspace,
    /// True if a failed test is run once more.
    has_second_try: bool,
    steps: Vec<TestStep>,
    start: Instant,
}

impl Run<'_> {
    /// Runs all steps that need no browser, then all that do. Where a processor is idle, such as
    /// while tests wait, `dist/` is built beside them. The lints run beside the steps after Cargo's
    /// last build, which would wait for them otherwise.
    fn run_everything(&mut self) -> Result<(), Error> {
        let workspace = self.workspace;
        let dist = BackgroundSteps::start(vec![self.dist()?]);
        self.run_style();
        install_whole_pages(workspace)?;
        peers::install(workspace)?;
        schemathesis::install(workspace)?;
        self.native_tests();
        self.database_tests();
        self.task("dependencies", || dependencies::check(workspace));
        self.component_tests();
        // The first step with a whole page: what it needs is what a new user has.
        self.run_front_door()?;
        self.step_of_tests("web tests", web::npm(workspace).arg("test"));
        self.command("types", &mut commands::type_check(workspace));
        self.step_of_tests("fault proxy", e2e::npm(workspace).args(["run", "chaos"]));
        if !self.build_pages(dist) {
            self.run_lints();
            return Ok(());
        }
        self.task("examples", || examples::prepare(workspace));
        let lints = BackgroundSteps::start(commands::lints(workspace).into());
        self.step_of_tests(
            "model and tool servers of others",
            &mut peers::tests(workspace),
        );
        self.task("the service and its description", || {
            schemathesis::run(workspace)
        });
        self.step_of_tests("package", e2e::npm(workspace).args(["run", "package"]));
        self.whole_page_tests("whole-page tests", &["--project", "chromium"])?;
        self.whole_page_tests("whole-page tests, Firefox", &["--project", "firefox"])?;
        self.whole_page_tests("smoke test, WebKit", &["--config", WEBKIT_CONFIG])?;
        self.sessions("sessions in bad networks", &chaos::TEST_ARGUMENTS)?;
        match real_model::install(workspace) {
            Ok(()) => self.real_model(),
            Err(error) => self.add_not_run(REAL_MODEL, &error),
        }
        self.join_steps(lints);
        Ok(())
    }

    /// Runs a step that is one program; returns true if it succeeded.
    fn command(&mut self, name: &'static str, command: &mut Command) -> bool {
        self.task(name, || process::run(command))
    }

    /// Runs a step that is a program with tests. `again` says how failed tests are run a second
    /// time.
    fn tests(&mut self, name: &'static str, command: &mut Command, again: &Retry) {
        let has_second_try = self.has_second_try;
        self.record(name, || {
            second_try::run_with_retry(command, again, has_second_try)
        });
    }

    /// Runs a step with tests. If one fails, the second try runs all of them.
    fn step_of_tests(&mut self, name: &'static str, command: &mut Command) {
        self.tests(name, command, &Retry::Step);
    }

    fn native_tests(&mut self) {
        let workspace = self.workspace;
        let again = |test: &str| Ok(commands::native_test(workspace, test));
        let mut tests = commands::native_tests(workspace);
        self.tests("native tests", &mut tests, &Retry::Each(&again));
    }

    /// Runs the service's tests once more, on PostgreSQL, and where that is as its distributed
    /// relatives are.
    fn database_tests(&mut self) {
        let workspace = self.workspace;
        for (name, database) in [
            ("service tests on PostgreSQL", "postgres"),
            ("service tests, distributed", "distributed"),
        ] {
            let again = |test: &str| Ok(commands::database_test(workspace, database, test));
            let mut tests = commands::database_tests(workspace, database);
            self.tests(name, &mut tests, &Retry::Each(&again));
        }
    }

    fn component_tests(&mut self) {
        let workspace = self.workspace;
        let again = |test: &str| Ok(commands::component_test(workspace, test));
        let mut tests = commands::component_tests(workspace);
        self.tests("component tests", &mut tests, &Retry::Each(&again));
    }

    /// Runs the step of the front door, whose tests follow each other in one clone of the
    /// repository.
    fn run_front_door(&mut self) -> Result<(), Error> {
        let mut tests = e2e::playwright(self.workspace, &["--config", FRONT_DOOR_CONFIG])?;
        self.step_of_tests("front door", &mut tests);
        Ok(())
    }

    /// Runs the step with a real model, which has to be installed.
    fn real_model(&mut self) {
        let workspace = self.workspace;
        let has_second_try = self.has_second_try;
        self.record(REAL_MODEL, || {
            let mut model = real_model::start(workspace)?;
            second_try::run_with_retry(&mut model.test, &Retry::Step, has_second_try)
        });
    }

    /// Adds a step that cannot be run here to the table.
    fn add_not_run(&mut self, name: &'static str, reason: &Error) {
        println!("\n── {name} ──\n{reason}");
        self.steps.push(TestStep {
            name,
            outcome: Outcome::NotRun(reason.to_string()),
            counts: Counts::default(),
            flaky: Vec::new(),
            took: Duration::ZERO,
        });
    }

    /// Runs a step of xtask itself; returns true if it succeeded.
    fn task(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Error>) -> bool {
        self.record(name, || work().map(|()| Ran::of(true)))
    }

    /// Runs the cases that a configuration of Playwright chooses for a browser.
    fn whole_page_tests(&mut self, name: &'static str, choice: &[&str]) -> Result<(), Error> {
        let workspace = self.workspace;
        let again = || e2e::playwright(workspace, &[choice, &e2e::RERUN_FAILED].concat());
        let mut tests = e2e::playwright(workspace, choice)?;
        self.tests(name, &mut tests, &Retry::Failed(&again));
        Ok(())
    }

    /// Runs the steps that need neither the release build nor a browser, the quickest first.
    fn run_fast(&mut self) {
        self.run_style();
        self.run_lints();
        self.native_tests();
        self.database_tests();
    }

    fn run_style(&mut self) {
        let workspace = self.workspace;
        self.command(
            "format",
            workspace.cargo().args(["fmt", "--all", "--check"]),
        );
        self.task("tidy", || tidy::run(workspace));
    }

    fn run_lints(&mut self) {
        for (name, mut lint) in commands::lints(self.workspace) {
            self.command(name, &mut lint);
        }
    }

    /// Returns the step that builds `dist/`. The folder is missing until the build is through.
    fn dist(&self) -> Result<(&'static str, Command), Error> {
        dist::remove(self.workspace)?;
        // Not `cargo xtask`: Cargo would wait for the lock of the steps that it is to run beside.
        let xtask = std::env::current_exe().map_err(Error::of_file(Path::new("xtask")))?;
        let mut size = self.workspace.command(&xtask.to_string_lossy());
        size.arg("size");
        Ok(("dist and its size", size))
    }

    /// Builds what whole pages are made of; returns true if all of it is there. A `dist/` that is
    /// too large is a failed step, and can be tested all the same.
    fn build_pages(&mut self, dist: BackgroundSteps) -> bool {
        self.join_steps(dist);
        let mut service = self.workspace.cargo();
        service.args(["build", "-p", "assent-service"]);
        self.command("service", &mut service) && dist::is_there(self.workspace)
    }

    /// Waits for steps that run beside others, and adds them to the table.
    fn join_steps(&mut self, beside: BackgroundSteps) {
        for step in beside {
            println!("\n── {} ──", step.name);
            let result = step.finished.map(|finished| {
                print!("{}", finished.output);
                Ran::of(finished.success)
            });
            self.add(step.name, result, step.took);
        }
    }

    /// Runs the tests of the scope `Long`: those that otherwise have few seeds, and those that are
    /// for this scope alone.
    fn run_long(&mut self) -> Result<(), Error> {
        let dist = BackgroundSteps::start(vec![self.dist()?]);
        install_whole_pages(self.workspace)?;
        let is_built = self.build_pages(dist);
        self.step_of_tests(
            "kills",
            &mut seeded::KILLS_TEST.release_command(self.workspace),
        );
        self.step_of_tests(
            "histories",
            &mut seeded::HISTORY_TEST.release_command(self.workspace),
        );
        if is_built {
            self.whole_page_tests("whole-page tests", &["--project", "long"])?;
            self.sessions("sessions in bad networks", &chaos::LONG_ARGUMENTS)?;
            let in_firefox = &chaos::LONG_FIREFOX_ARGUMENTS;
            self.sessions("sessions in bad networks, Firefox", in_firefox)?;
        }
        Ok(())
    }

    /// Prints the table, and how long the whole run took: less than the sum of its steps, where
    /// they ran side by side.
    fn finish(self) -> Result<(), Error> {
        println!("\n{}", summary::table(&self.steps));
        println!("after {} s\n", self.start.elapsed().as_secs());
        println!("{}", summary::closing_lines(&self.steps));
        let failed = self
            .steps
            .iter()
            .any(|step| step.outcome == Outcome::Failed);
        match failed {
            true => Err(Error::Failed("cargo xtask test".into())),
            false => Ok(()),
        }
    }

    /// Runs a step with sessions behind a network that fails.
    fn sessions(&mut self, name: &'static str, options: &[&str]) -> Result<(), Error> {
        let workspace = self.workspace;
        let again = |session: &str| chaos::session(workspace, options, session);
        let mut sessions = chaos::sessions(workspace, options)?;
        self.tests(name, &mut sessions, &Retry::Each(&again));
        Ok(())
    }

    fn record(&mut self, name: &'static str, work: impl FnOnce() -> Result<Ran, Error>) -> bool {
        println!("\n── {name} ──");
        let start = Instant::now();
        let result = work();
        self.add(name, result, start.elapsed())
    }

    /// Adds a step to the table; returns true if it succeeded.
    fn add(&mut self, name: &'static str, result: Result<Ran, Error>, took: Duration) -> bool {
        let ran = result.unwrap_or_else(|error| {
            println!("{error}");
            Ran::default()
        });
        self.steps.push(TestStep {
            name,
            outcome: Outcome::of(ran.success),
            counts: ran.counts,
            flaky: ran.flaky,
            took,
        });
        ran.success
    }
}
