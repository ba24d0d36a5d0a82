//! The summary at the end of `cargo xtask test`: a table of its steps, such as "native tests", and
//! how many tests passed and failed.

use std::time::Duration;

/// Maximum number of lines about a failed test that the summary repeats of the output of the
/// program that ran the test.
const REPORTED_LINES: usize = 16;

/// Characters with which Playwright fills the rest of a line behind a test's name.
const FILL_CHARACTERS: [char; 2] = [' ', '─'];

/// How many tests passed and failed in a program's run, and which failed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct TestCounts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) failures: Vec<FailedTest>,
}

/// A test that failed, and what was said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FailedTest {
    pub(crate) name: String,
    /// The first lines that the program which ran the test printed about it; the summary repeats
    /// them.
    pub(crate) report: String,
}

impl FailedTest {
    /// Returns what stands for the failed test where a step failed and its output names no test.
    pub(crate) fn of_whole_step() -> FailedTest {
        FailedTest {
            name: "the whole step".to_owned(),
            report: "it ended without naming a test".to_owned(),
        }
    }

    /// Returns the first line of the report that has more than a sign or two; with the next line if
    /// it ends with a colon.
    fn message(&self) -> String {
        let mut lines = self.report.lines().map(str::trim);
        let first = lines.find(|line| line.len() > 3).unwrap_or("no message");
        match lines.next().filter(|_| first.ends_with(':')) {
            Some(second) => format!("{first} {second}"),
            None => first.to_owned(),
        }
    }
}

impl TestCounts {
    /// Reads a program's output. The numbers are the sums of lines such as `test result: ok. 12
    /// passed; 0 failed; …` of cargo and wasm-bindgen, `12 passed (3.2s)` of Playwright, and `#
    /// pass 12` of Node.
    pub(crate) fn read(output: &str) -> TestCounts {
        let mut counts = TestCounts::default();
        for line in output.lines() {
            let words: Vec<&str> = line.split([' ', ';']).filter(|it| !it.is_empty()).collect();
            let (passed, failed) = match words.as_slice() {
                ["test", "result:", _, passed, "passed", failed, "failed", ..] => {
                    (*passed, *failed)
                }
                ["#", "pass", passed] => (*passed, "0"),
                [passed, "passed", duration] if duration.starts_with('(') => (*passed, "0"),
                ["#", "fail", failed] | [failed, "failed"] => ("0", *failed),
                _ => continue,
            };
            counts.passed += passed.parse().unwrap_or(0);
            counts.failed += failed.parse().unwrap_or(0);
        }
        counts.failures = output
            .lines()
            .filter_map(failed_test)
            .map(|name| FailedTest {
                name: name.to_owned(),
                report: failure_report(output, name),
            })
            .collect();
        counts
    }
}

/// Returns the name of the test that failed, if a line of output tells of one: of cargo (`test NAME
/// ... FAILED`), wasm-bindgen (`test NAME ... FAIL`), Playwright (a line of its last list), Node
/// (`not ok 3 - NAME`) or a session (`session 7: FAILED`).
fn failed_test(line: &str) -> Option<&str> {
    let of_cargo = || {
        let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        ["FAILED", "FAIL"].contains(&result).then_some(name)
    };
    let of_playwright = || {
        line.strip_prefix("    ")
            .filter(|it| it.starts_with('[') && it.contains(" › "))
    };
    of_cargo()
        .or_else(of_playwright)
        .or_else(|| failed_node_test(line))
        .or_else(|| failed_session(line))
}

fn failed_session(line: &str) -> Option<&str> {
    let (name, result) = line.split_once(": ")?;
    (name.starts_with("session ") && result.starts_with("FAILED")).then_some(name)
}

fn failed_node_test(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("not ok ")?;
    Some(line.split_once(" - ")?.1)
}

/// Returns the first lines in `output` under the heading with the name of a failed test, up to the
/// next such heading.
fn failure_report(output: &str, name: &str) -> String {
    let name = name.trim_end_matches(FILL_CHARACTERS);
    let lines = output
        .lines()
        .skip_while(|line| failed_test_of_heading(line) != Some(name));
    let lines = lines
        .skip(1)
        .take_while(|line| failed_test_of_heading(line).is_none());
    let lines = lines.filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.take(REPORTED_LINES).collect();
    lines.join("\n")
}

/// Returns the name of the failed test if a line is the heading of the report on it: of cargo
/// (`---- NAME stdout ----`), wasm-bindgen (`---- NAME output ----`), Playwright (`1) NAME ────`),
/// Node (`not ok 3 - NAME`) or a session (`session 7: FAILED`). `None` for other lines.
fn failed_test_of_heading(line: &str) -> Option<&str> {
    let of_cargo = || {
        let name = line.strip_prefix("---- ")?;
        name.strip_suffix(" stdout ----")
            .or_else(|| name.strip_suffix(" output ----"))
    };
    let of_playwright = || {
        let (number, name) = line.trim_start().split_once(") ")?;
        number.parse::<u32>().ok()?;
        Some(name.trim_end_matches(FILL_CHARACTERS))
    };
    of_cargo()
        .or_else(of_playwright)
        .or_else(|| failed_node_test(line))
        .or_else(|| failed_session(line))
}

/// How a step of `cargo xtask test` ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    Passed,
    Failed,
    /// The step was not run: it needs something that cannot be had on this machine, which is no
    /// fault of the change. The text says what.
    NotRun(String),
}

impl StepOutcome {
    /// Returns the outcome of a step that was run: `Passed` if `success`, otherwise `Failed`.
    pub(crate) const fn of(success: bool) -> StepOutcome {
        if success {
            StepOutcome::Passed
        } else {
            StepOutcome::Failed
        }
    }
}

/// A step of `cargo xtask test` that has ended, and its tests: one line of the table.
pub(crate) struct TestStep {
    pub(crate) name: &'static str,
    pub(crate) outcome: StepOutcome,
    pub(crate) counts: TestCounts,
    /// The tests that failed, and passed when they were run once more.
    pub(crate) flaky: Vec<FailedTest>,
    pub(crate) took: Duration,
}

/// Returns the table of all steps, with a row for each test that passed only at the second try;
/// then the reports on failed tests, and a line with the names of the steps that failed.
pub(crate) fn step_table(steps: &[TestStep]) -> String {
    let mut lines: Vec<String> = steps.iter().flat_map(step_rows).collect();
    let not_run = steps.iter().filter_map(|step| match &step.outcome {
        StepOutcome::NotRun(reason) => Some(format!("\nNOT RUN: {}: {reason}", step.name)),
        _ => None,
    });
    let not_run: Vec<String> = not_run.collect();
    lines.extend_from_slice(&not_run);
    for step in steps {
        let of_step = step.counts.failures.iter();
        lines.extend(of_step.map(|test| {
            let FailedTest { name, report } = test;
            format!("\nFAILED: {}: {name}\n{report}", step.name)
        }));
    }
    let failed = steps
        .iter()
        .filter(|step| step.outcome == StepOutcome::Failed);
    let failed: Vec<&str> = failed.map(|step| step.name).collect();
    lines.push(match failed.as_slice() {
        [] if not_run.is_empty() => "\nall steps passed".to_owned(),
        [] => "\nall other steps passed".to_owned(),
        names => format!("\nFAILED: {}", names.join("; ")),
    });
    lines.join("\n")
}

fn step_rows(step: &TestStep) -> Vec<String> {
    let TestStep { name, counts, .. } = step;
    let result = match &step.outcome {
        StepOutcome::Passed => "ok",
        StepOutcome::Failed => "FAILED",
        StepOutcome::NotRun(_) => "NOT RUN",
    };
    let tests = counts.passed + counts.failed;
    let seconds = step.took.as_secs_f64();
    let row = format!("{name:<28} {result:<8} {tests:>6} tests {seconds:>8.1} s");
    let flaky = step.flaky.iter().map(|test| {
        let name = test.name.trim_end_matches(FILL_CHARACTERS);
        format!("{:<28} {:<8} {name}: {}", "", "flaky", test.message())
    });
    std::iter::once(row).chain(flaky).collect()
}

/// Returns the last lines of the summary: how many tests passed only at the second try, if any did,
/// and `N passed, N failed`. A failed step without a failed test counts as one.
pub(crate) fn closing_lines(steps: &[TestStep]) -> String {
    let flaky: usize = steps.iter().map(|step| step.flaky.len()).sum();
    let flaky = match flaky {
        0 => String::new(),
        1 => "1 flaky test, which passed at its second try alone\n".to_owned(),
        many => format!("{many} flaky tests, which passed at their second try alone\n"),
    };
    let passed: usize = steps.iter().map(|step| step.counts.passed).sum();
    let failed = steps.iter().map(|step| {
        let without_a_test = usize::from(step.outcome == StepOutcome::Failed);
        step.counts.failed.max(without_a_test)
    });
    format!("{flaky}{passed} passed, {} failed", failed.sum::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: usize, failed: usize) {
        let counts = TestCounts::read(output);
        assert_eq!((counts.passed, counts.failed), (passed, failed), "{output}");
    }

    #[test]
    fn the_closing_lines_of_the_runners_are_added_up() {
        check(
            "test result: ok. 12 passed; 0 failed; 0 ignored; finished in 0.03s\n\
             test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 filtered out\n",
            15,
            2,
        );
        check(
            "  2 failed\n    [chromium] › a.spec.js:3:1 › it works\n  41 passed (12.3s)\n",
            41,
            2,
        );
        check("# tests 9\n# pass 7\n# fail 2\n", 7, 2);
        check("running 12 tests\nnothing passed here\n", 0, 0);
    }

    #[test]
    fn the_tests_that_failed_are_named_with_what_the_runner_says() {
        let output = "test store::works ... ok\ntest store::breaks ... FAILED\n\n\
                      ---- store::breaks_too stdout ----\npanicked at src/other.rs\n\n\
                      ---- store::breaks stdout ----\npanicked at src/store.rs\n\n\
                      test result: FAILED. 1 passed; 1 failed; 0 ignored\n\
                      test box::sends ... FAIL\n\
                      ---- box::sends output ----\n    error output:\n\n\
                      \x20 ✘  2 [firefox] › a.test.js:3:1 › opens (431ms)\n\
                      \x20 1) [firefox] › a.test.js:3:1 › opens ────\n\n    Error: not focused\n\n\
                      \x20 1 failed\n    [firefox] › a.test.js:3:1 › opens ────\n\
                      not ok 3 - draws\n  ---\n  error: 1 !== 2\n\
                      session 7: FAILED (3.2 s)\n    it does not come to rest\n\
                      session 8: ok (3.1 s)\n";
        let table = step_table(&[step("tests", false, output)]);
        let lines = table.lines().collect::<Vec<_>>();
        for (name, report) in [
            ("store::breaks", "panicked at src/store.rs"),
            ("box::sends", "    error output:"),
            (
                "[firefox] › a.test.js:3:1 › opens ────",
                "    Error: not focused",
            ),
            ("draws", "  ---"),
            ("session 7", "    it does not come to rest"),
        ] {
            let heading = format!("FAILED: tests: {name}");
            assert!(
                lines.windows(2).any(|it| it == [&heading, report]),
                "{table}"
            );
        }
        assert_eq!(table.matches("Error: not focused").count(), 1, "{table}");
    }

    #[test]
    fn a_failed_step_is_named_and_counted() {
        let seven = "# pass 7";
        let green = [step("tidy", true, ""), step("native tests", true, seven)];
        assert!(step_table(&green).ends_with("\nall steps passed"));
        assert_eq!(closing_lines(&green), "7 passed, 0 failed");
        let red = [step("tidy", false, ""), step("native tests", true, seven)];
        assert!(step_table(&red).ends_with("\nFAILED: tidy"));
        assert_eq!(closing_lines(&red), "7 passed, 1 failed");
        let red = [step("native tests", false, "# pass 7\n# fail 2")];
        assert_eq!(closing_lines(&red), "7 passed, 2 failed");
    }

    #[test]
    fn a_flaky_test_has_a_row_with_its_first_message_and_is_counted() {
        let mut tests = step("whole-page tests", true, "  41 passed (12.3s)");
        tests.flaky.push(FailedTest {
            name: "[firefox] › a.test.js:3:1 › opens ────".to_owned(),
            report: "---\n    Error: not focused:\n    it is hidden\n    at a.test.js".to_owned(),
        });
        let steps = [tests];
        let row = "flaky    [firefox] › a.test.js:3:1 › opens: Error: not focused: it is hidden\n";
        assert!(step_table(&steps).contains(row), "{}", step_table(&steps));
        let closing = closing_lines(&steps);
        assert!(closing.starts_with("1 flaky test,") && closing.ends_with("\n41 passed, 0 failed"));
    }

    #[test]
    fn a_step_that_was_not_run_is_named_with_the_reason() {
        let mut model = step("real model", true, "");
        model.outcome = StepOutcome::NotRun("no package".to_owned());
        let table = step_table(&[model]);
        assert!(table.contains("NOT RUN: real model: no package"), "{table}");
        assert!(table.ends_with("\nall other steps passed"));
    }

    fn step(name: &'static str, success: bool, output: &str) -> TestStep {
        TestStep {
            name,
            outcome: StepOutcome::of(success),
            counts: TestCounts::read(output),
            flaky: Vec::new(),
            took: Duration::from_secs(1),
        }
    }
}
