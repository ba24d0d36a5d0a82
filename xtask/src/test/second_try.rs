//! A second try of tests that failed, in continuous integration alone: once, at the end of their
//! step, by themselves. What passes then is named in the summary as flaky: a defect to be found,
//! but not one that keeps out a change. Elsewhere there is none: who sees a test fail looks for its
//! cause.

use crate::error::Error;
use crate::process::{self, FinishedProgram};
use crate::summary::{FailedTest, TestCounts};
use std::process::Command;

/// The environment variable that continuous integration sets to `true`.
const CI_VARIABLE: &str = "CI";

/// Maximum number of failed tests of a step that are run once more. If more fail, the change is
/// broken, and none is run again.
const MAX_RETRIED: usize = 10;

/// How the failed tests of a step are run once more.
pub(super) enum Retry<'step> {
    /// The whole step is run again: its runner cannot run single tests, or the tests need each
    /// other.
    Step,
    /// Each failed test is run again by a command of its own, which the function makes of its name.
    Each(&'step dyn Fn(&str) -> Result<Command, Error>),
    /// All failed tests are run again by one command, which the function makes: the runner knows
    /// which failed last.
    Failed(&'step dyn Fn() -> Result<Command, Error>),
}

/// The result of a step: whether it succeeded, and its tests.
#[derive(Debug, Default)]
pub(super) struct TestResult {
    pub(super) success: bool,
    pub(super) counts: TestCounts,
    /// The tests that failed, and passed when they were run once more.
    pub(super) flaky: Vec<FailedTest>,
}

/// Returns true if failed tests are to be run once more: in continuous integration alone.
pub(super) fn is_retry_allowed() -> bool {
    std::env::var(CI_VARIABLE).is_ok_and(|value| value == "true")
}

/// Runs a program with tests, and then those that failed once more if `is_allowed`.
pub(super) fn run_with_retry(
    command: &mut Command,
    again: &Retry,
    is_allowed: bool,
) -> Result<TestResult, Error> {
    run_with_retry_by(&process::run_and_keep, command, again, is_allowed)
}

fn run_with_retry_by(
    run: &dyn Fn(&mut Command) -> Result<FinishedProgram, Error>,
    command: &mut Command,
    again: &Retry,
    is_allowed: bool,
) -> Result<TestResult, Error> {
    let attempt = |command: &mut Command| run(command).map(|finished| TestResult::read(&finished));
    let first = attempt(command)?;
    if first.success || !is_allowed || first.counts.failures.len() > MAX_RETRIED {
        return Ok(first);
    }
    println!("\n── second try ──");
    match again {
        Retry::Each(make) if first.are_failures_named() => {
            let mut passed = Vec::new();
            for test in &first.counts.failures {
                passed.push(attempt(&mut make(&test.name)?)?.success);
            }
            Ok(first.after_retry(&passed))
        }
        Retry::Failed(make) if first.are_failures_named() => {
            let passed = attempt(&mut make()?)?.which_passed(&first.counts.failures);
            Ok(first.after_retry(&passed))
        }
        _ => Ok(first.after_whole_retry(attempt(command)?)),
    }
}

impl TestResult {
    /// Returns the result of a step that has no tests to count.
    pub(super) fn of(success: bool) -> TestResult {
        TestResult {
            success,
            ..TestResult::default()
        }
    }

    /// Returns the result of a program with tests, by its output. A program that ran no test has
    /// failed, because a wrong filter makes an empty run look fine.
    fn read(finished: &FinishedProgram) -> TestResult {
        let counts = TestCounts::read(&finished.output);
        TestResult {
            success: finished.success && counts.passed > 0,
            counts,
            flaky: Vec::new(),
        }
    }

    /// Returns true if the output names the test of each failure. Otherwise failed tests cannot be
    /// run alone, or compared between two runs.
    fn are_failures_named(&self) -> bool {
        let named = self.counts.failures.len();
        named > 0 && named == self.counts.failed
    }

    /// Returns for each of `tests` whether it passed in this run.
    fn which_passed(&self, tests: &[FailedTest]) -> Vec<bool> {
        let failed = |test: &FailedTest| self.counts.failures.iter().any(|it| it.name == test.name);
        let passed = |test| self.success || self.are_failures_named() && !failed(test);
        tests.iter().map(passed).collect()
    }

    /// Returns the result of the step after each of its failed tests was run once more. `passed`
    /// says of each, in their order, whether it passed then.
    fn after_retry(self, passed: &[bool]) -> TestResult {
        let mut ran = TestResult::default();
        for (test, passed) in self.counts.failures.into_iter().zip(passed) {
            let list = if *passed {
                &mut ran.flaky
            } else {
                &mut ran.counts.failures
            };
            list.push(test);
        }
        ran.success = ran.counts.failures.is_empty();
        ran.counts.failed = ran.counts.failures.len();
        ran.counts.passed = self.counts.passed + ran.flaky.len();
        ran
    }

    /// Returns the result of the step after all of it was run once more with the result `second`.
    fn after_whole_retry(self, second: TestResult) -> TestResult {
        let mut failed = self.counts.failures;
        if failed.is_empty() {
            failed.push(FailedTest::of_whole_step());
        }
        let passed = second.which_passed(&failed);
        let flaky = failed.into_iter().zip(passed).filter(|(_, passed)| *passed);
        TestResult {
            flaky: flaky.map(|(test, _)| test).collect(),
            ..second
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A runner of one test that fails as long as there is no file, which it makes, and of one that
    /// passes; `$0` is the file.
    const FLAKY: &str = "
        if [ -e $0 ]; then echo 'ok 1 - a'; echo 'ok 2 - b'; echo '# pass 2'; exit 0; fi
        touch $0; echo 'not ok 1 - a'; echo '  late'; echo 'ok 2 - b'
        echo '# pass 1'; echo '# fail 1'; exit 1";

    fn script(text: &str, argument: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text, argument]);
        command
    }

    fn fresh(name: &str) -> String {
        let folder = crate::workspace::Workspace::locate()
            .unwrap()
            .path("target/xtask-tests");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(name);
        std::fs::remove_file(&file).ok();
        file.to_string_lossy().into_owned()
    }

    /// Runs a script without passing its output on: the summary of these tests reads it, too.
    fn try_it(script: &mut Command, again: &Retry, is_allowed: bool) -> TestResult {
        let quietly = |command: &mut Command| {
            let output = command.output().unwrap();
            Ok(FinishedProgram {
                success: output.status.success(),
                output: String::from_utf8(output.stdout).unwrap(),
            })
        };
        run_with_retry_by(&quietly, script, again, is_allowed).unwrap()
    }

    /// What is left after a second try, as counts and names.
    fn check(ran: &TestResult, success: bool, passed: usize, failed: &[&str], flaky: &[&str]) {
        let names = |list: &[FailedTest]| list.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&ran.flaky), flaky);
        assert_eq!(names(&ran.counts.failures), failed);
        assert_eq!(
            (ran.success, ran.counts.passed, ran.counts.failed),
            (success, passed, failed.len())
        );
    }

    #[test]
    fn a_test_that_passes_by_itself_is_flaky_and_the_step_passes() {
        let file = fresh("second-try-each");
        let again = |name: &str| Ok(script("echo \"ok 1 - $0\"; echo '# pass 1'", name));
        let ran = try_it(&mut script(FLAKY, &file), &Retry::Each(&again), true);
        check(&ran, true, 2, &[], &["a"]);
        assert!(ran.flaky[0].report.starts_with("  late\n"));
    }

    #[test]
    fn a_test_that_fails_twice_fails_the_step() {
        let fails = "echo \"not ok 1 - $0\"; echo '# fail 1'; exit 1";
        let again = |name: &str| Ok(script(fails, name));
        let ran = try_it(&mut script(fails, "a"), &Retry::Each(&again), true);
        check(&ran, false, 0, &["a"], &[]);
        // A filter that matches nothing makes an empty run, which is no second try.
        let nothing = |_: &str| Ok(script("echo '# pass 0'", ""));
        let ran = try_it(&mut script(fails, "a"), &Retry::Each(&nothing), true);
        check(&ran, false, 0, &["a"], &[]);
    }

    #[test]
    fn of_two_tests_that_are_run_again_together_each_has_its_own_end() {
        let first =
            "echo 'not ok 1 - a'; echo 'not ok 2 - b'; echo '# pass 3'; echo '# fail 2'; exit 1";
        let second = "echo 'not ok 1 - b'; echo '# pass 1'; echo '# fail 1'; exit 1";
        let again = || Ok(script(second, ""));
        let ran = try_it(&mut script(first, ""), &Retry::Failed(&again), true);
        check(&ran, false, 4, &["b"], &["a"]);
    }

    #[test]
    fn a_step_whose_failure_has_no_name_is_run_again_as_a_whole() {
        let file = fresh("second-try-step");
        let dies = "[ -e $0 ] && echo '# pass 5' || { touch $0; echo 'no driver'; exit 1; }";
        let again = |_: &str| Err(Error::Wrong("there is no name".into()));
        let ran = try_it(&mut script(dies, &file), &Retry::Each(&again), true);
        check(&ran, true, 5, &[], &["the whole step"]);
        let file = fresh("second-try-whole");
        let ran = try_it(&mut script(FLAKY, &file), &Retry::Step, true);
        check(&ran, true, 2, &[], &["a"]);
    }

    #[test]
    fn there_is_no_second_try_elsewhere_or_of_many_tests() {
        let file = fresh("second-try-none");
        let ran = try_it(&mut script(FLAKY, &file), &Retry::Step, false);
        check(&ran, false, 1, &["a"], &[]);
        let many = "for n in 1 2 3 4 5 6 7 8 9 10 11; do echo \"not ok $n - t$n\"; done; echo '# fail 11'; exit 1";
        let again = |_: &str| Err(Error::Wrong("they are too many".into()));
        let ran = try_it(&mut script(many, ""), &Retry::Each(&again), true);
        assert_eq!(
            (ran.success, ran.counts.failed, ran.flaky.len()),
            (false, 11, 0)
        );
    }
}
