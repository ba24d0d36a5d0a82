//! `cargo xtask test`: every check there is, one table at the end, and an exit code that a machine
//! can rely on. A failed step does not stop the others, except that whole pages need `dist/` and
//! the service.

mod beside;
mod commands;
mod install;
mod second_try;

use crate::chaos;
use crate::dependencies;
use crate::deploy;
use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::examples;
use crate::peers;
use crate::process;
use crate::real_model;
use crate::schemathesis;
use crate::seeded;
use crate::site;
use crate::summary::{self, StepOutcome, TestCounts, TestStep};
use crate::tidy;
use crate::web;
use crate::workspace::Workspace;
use beside::BackgroundSteps;
pub(crate) use commands::cargo_in_page;
pub(crate) use install::install_whole_pages;
use second_try::{Retry, TestResult};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Which steps a run of `cargo xtask test` has.
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

/// Runs the steps of `scope`, prints the summary, and fails if a step failed.
pub(crate) fn run(workspace: &Workspace, scope: TestScope) -> Result<(), Error> {
    install::install_tools(workspace, scope)?;
    let mut run = TestRun {
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
            let dist = BackgroundSteps::start(vec![run.dist_step()?]);
            if run.build_pages(dist) {
                run.run_real_model();
            }
        }
    }
    run.finish()
}

const REAL_MODEL: &str = "real model";
const FRONT_DOOR_CONFIG: &str = "front-door/playwright.config.js";
/// The configuration of the whole-page tests in WebKit, which is apart from that of other browsers
/// because Playwright cannot drive the WebKit that Debian ships.
const WEBKIT_CONFIG: &str = "webkit/playwright.config.js";

struct TestRun<'workspace> {
    workspace: &'workspace Workspace,
    /// True if tests that failed are run once more.
    has_second_try: bool,
    steps: Vec<TestStep>,
    start: Instant,
}

impl TestRun<'_> {
    /// Runs all steps that need no browser, then all that do. `dist/` is built in the background,
    /// while tests leave a processor idle. So are the lints run, once Cargo has nothing else to
    /// build: otherwise these builds would wait for them.
    fn run_everything(&mut self) -> Result<(), Error> {
        let workspace = self.workspace;
        let dist = BackgroundSteps::start(vec![self.dist_step()?]);
        self.run_style();
        install::install_packages(workspace)?;
        self.run_native_tests();
        self.run_database_tests();
        self.run_tests_or_repeat("models", &mut commands::models_command(workspace));
        self.run_task("dependencies", || dependencies::check(workspace));
        self.run_task("deployment", || deploy::check(workspace));
        self.run_component_tests();
        // The first step with a whole page: what it needs is what a new user has.
        self.run_front_door()?;
        self.run_tests_or_repeat("web tests", web::npm_command(workspace).arg("test"));
        self.run_program("types", &mut commands::type_check_command(workspace));
        self.run_tests_or_repeat(
            "fault proxy",
            e2e::npm_command(workspace).args(["run", "chaos"]),
        );
        if !self.build_pages(dist) {
            self.run_lints();
            return Ok(());
        }
        self.run_task("documentation site", || site::run(workspace));
        let mut site_tests = site::npm_command(workspace);
        self.run_tests_or_repeat("checks of the site", site_tests.arg("test"));
        self.run_task("examples", || examples::prepare_examples(workspace));
        let lints = BackgroundSteps::start(commands::lint_steps(workspace).into());
        self.run_tests_or_repeat(
            "model and tool servers of others",
            &mut peers::tests_command(workspace),
        );
        self.run_task("the service and its description", || {
            schemathesis::run(workspace)
        });
        self.run_tests_or_repeat(
            "package",
            e2e::npm_command(workspace).args(["run", "package"]),
        );
        self.run_whole_page_tests("whole-page tests", &["--project", "chromium"])?;
        self.run_whole_page_tests("whole-page tests, Firefox", &["--project", "firefox"])?;
        self.run_whole_page_tests("smoke test, WebKit", &["--config", WEBKIT_CONFIG])?;
        self.run_sessions("sessions in bad networks", &chaos::TEST_ARGUMENTS)?;
        match real_model::install(workspace) {
            Ok(()) => self.run_real_model(),
            Err(error) => self.add_not_run(REAL_MODEL, &error),
        }
        self.join_steps(lints);
        Ok(())
    }

    /// Runs a step that is one program without tests; returns true if it succeeded.
    fn run_program(&mut self, name: &'static str, command: &mut Command) -> bool {
        self.run_task(name, || process::run(command))
    }

    /// Runs a step that is a program with tests. `again` says how its failed tests are run once
    /// more.
    fn run_tests(&mut self, name: &'static str, command: &mut Command, again: &Retry) {
        let has_second_try = self.has_second_try;
        self.run_and_add(name, || {
            second_try::run_with_retry(command, again, has_second_try)
        });
    }

    /// Runs a step that is a program with tests. If one fails, all are run once more.
    fn run_tests_or_repeat(&mut self, name: &'static str, command: &mut Command) {
        self.run_tests(name, command, &Retry::Step);
    }

    fn run_native_tests(&mut self) {
        let workspace = self.workspace;
        let again = |test: &str| Ok(commands::native_test_command(workspace, test));
        let mut tests = commands::native_tests_command(workspace);
        self.run_tests("native tests", &mut tests, &Retry::Each(&again));
    }

    /// Runs the service's tests on PostgreSQL, and again with what distributed ones do otherwise.
    fn run_database_tests(&mut self) {
        let workspace = self.workspace;
        for (name, database) in [
            ("service tests on PostgreSQL", "postgres"),
            ("service tests, distributed", "distributed"),
        ] {
            let again = |test: &str| Ok(commands::database_test_command(workspace, database, test));
            let mut tests = commands::database_tests_command(workspace, database);
            self.run_tests(name, &mut tests, &Retry::Each(&again));
        }
    }

    fn run_component_tests(&mut self) {
        let workspace = self.workspace;
        let again = |test: &str| Ok(commands::component_test_command(workspace, test));
        let mut tests = commands::component_tests_command(workspace);
        self.run_tests("component tests", &mut tests, &Retry::Each(&again));
    }

    /// Runs the tests of README's commands, one after the other, in a fresh clone of the
    /// repository.
    fn run_front_door(&mut self) -> Result<(), Error> {
        let mut tests = e2e::playwright_command(self.workspace, &["--config", FRONT_DOOR_CONFIG])?;
        self.run_tests_or_repeat("front door", &mut tests);
        Ok(())
    }

    /// Runs the test with a real model, which has to be installed before.
    fn run_real_model(&mut self) {
        let workspace = self.workspace;
        let has_second_try = self.has_second_try;
        self.run_and_add(REAL_MODEL, || {
            let mut model = real_model::start(workspace)?;
            second_try::run_with_retry(&mut model.test, &Retry::Step, has_second_try)
        });
    }

    /// Adds a step that cannot be run on this machine to the table, with the reason.
    fn add_not_run(&mut self, name: &'static str, reason: &Error) {
        println!("\n── {name} ──\n{reason}");
        self.steps.push(TestStep {
            name,
            outcome: StepOutcome::NotRun(reason.to_string()),
            counts: TestCounts::default(),
            flaky: Vec::new(),
            took: Duration::ZERO,
        });
    }

    /// Runs a step that is a function of xtask; returns true if it succeeded.
    fn run_task(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Error>) -> bool {
        self.run_and_add(name, || work().map(|()| TestResult::of(true)))
    }

    /// Runs the whole-page tests that Playwright's options `choice` choose.
    fn run_whole_page_tests(&mut self, name: &'static str, choice: &[&str]) -> Result<(), Error> {
        let workspace = self.workspace;
        let again = || e2e::playwright_command(workspace, &[choice, &e2e::RERUN_FAILED].concat());
        let mut tests = e2e::playwright_command(workspace, choice)?;
        self.run_tests(name, &mut tests, &Retry::Failed(&again));
        Ok(())
    }

    /// Runs the steps that need neither the release build nor a browser, the quickest first.
    fn run_fast(&mut self) {
        self.run_style();
        self.run_lints();
        self.run_native_tests();
        self.run_database_tests();
        self.run_tests_or_repeat("models", &mut commands::models_command(self.workspace));
    }

    fn run_style(&mut self) {
        let workspace = self.workspace;
        self.run_program(
            "format",
            workspace.cargo().args(["fmt", "--all", "--check"]),
        );
        self.run_task("tidy", || tidy::run(workspace));
    }

    fn run_lints(&mut self) {
        for (name, mut lint) in commands::lint_steps(self.workspace) {
            self.run_program(name, &mut lint);
        }
    }

    /// Returns the step that builds `dist/`, after it has removed the folder.
    fn dist_step(&self) -> Result<(&'static str, Command), Error> {
        dist::remove(self.workspace)?;
        // Not `cargo xtask`: Cargo would wait for the lock of the steps that it is to run beside.
        let xtask = std::env::current_exe().map_err(Error::of_file(Path::new("xtask")))?;
        let mut size = self.workspace.command(&xtask.to_string_lossy());
        size.arg("size");
        Ok(("dist and its size", size))
    }

    /// Waits for `dist/` and builds the service; returns true if whole-page tests can run. A
    /// `dist/` that is too large is a failed step, but can be tested.
    fn build_pages(&mut self, dist: BackgroundSteps) -> bool {
        self.join_steps(dist);
        let mut service = self.workspace.cargo();
        service.args(["build", "-p", "assent-service"]);
        self.run_program("service", &mut service) && dist::is_there(self.workspace)
    }

    /// Waits for the steps that run in the background, and adds them to the table.
    fn join_steps(&mut self, beside: BackgroundSteps) {
        for step in beside {
            println!("\n── {} ──", step.name);
            let result = step.finished.map(|finished| {
                print!("{}", finished.output);
                TestResult::of(finished.success)
            });
            self.add_step(step.name, result, step.took);
        }
    }

    /// Runs the tests of the scope `Long`: those that otherwise have few seeds, and those that are
    /// for this scope alone.
    fn run_long(&mut self) -> Result<(), Error> {
        let dist = BackgroundSteps::start(vec![self.dist_step()?]);
        install_whole_pages(self.workspace)?;
        let is_built = self.build_pages(dist);
        self.run_tests_or_repeat(
            "kills",
            &mut seeded::KILLS_TEST.release_command(self.workspace),
        );
        self.run_tests_or_repeat(
            "histories",
            &mut seeded::HISTORY_TEST.release_command(self.workspace),
        );
        if is_built {
            self.run_whole_page_tests("whole-page tests", &["--project", "long"])?;
            self.run_sessions("sessions in bad networks", &chaos::LONG_ARGUMENTS)?;
            let in_firefox = &chaos::LONG_FIREFOX_ARGUMENTS;
            self.run_sessions("sessions in bad networks, Firefox", in_firefox)?;
        }
        Ok(())
    }

    /// Prints the table of the steps, and how long the whole run took; fails if a step failed.
    fn finish(self) -> Result<(), Error> {
        println!("\n{}", summary::step_table(&self.steps));
        println!("after {} s\n", self.start.elapsed().as_secs());
        println!("{}", summary::closing_lines(&self.steps));
        let failed = self
            .steps
            .iter()
            .any(|step| step.outcome == StepOutcome::Failed);
        match failed {
            true => Err(Error::Failed("cargo xtask test".into())),
            false => Ok(()),
        }
    }

    /// Runs sessions in a browser behind a network that fails, with the options `options`.
    fn run_sessions(&mut self, name: &'static str, options: &[&str]) -> Result<(), Error> {
        let workspace = self.workspace;
        let again = |session: &str| chaos::session_command(workspace, options, session);
        let mut sessions = chaos::sessions_command(workspace, options)?;
        self.run_tests(name, &mut sessions, &Retry::Each(&again));
        Ok(())
    }

    fn run_and_add(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<TestResult, Error>,
    ) -> bool {
        println!("\n── {name} ──");
        let start = Instant::now();
        let result = work();
        self.add_step(name, result, start.elapsed())
    }

    /// Adds a step that was run to the table; returns true if it succeeded.
    fn add_step(
        &mut self,
        name: &'static str,
        result: Result<TestResult, Error>,
        took: Duration,
    ) -> bool {
        let ran = result.unwrap_or_else(|error| {
            println!("{error}");
            TestResult::default()
        });
        self.steps.push(TestStep {
            name,
            outcome: StepOutcome::of(ran.success),
            counts: ran.counts,
            flaky: ran.flaky,
            took,
        });
        ran.success
    }
}
