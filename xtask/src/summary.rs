//! The summary of `cargo xtask test`: a table of the steps, and the numbers of tests.

use std::time::Duration;

/// Lines of a runner's report on a failed test that the summary repeats.
const REPORTED_LINES: usize = 16;

/// What Playwright fills the rest of a line with.
const FILLING: [char; 2] = [' ', '─'];

/// The numbers of tests that a program reports, and those that failed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) failures: Vec<Failure>,
}

/// A test that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    name: String,
    /// The first lines of what its runner says of it, for whoever has the end of the output alone.
    report: String,
}

impl Counts {
    /// Adds up the lines `test result: ok. 12 passed; 0 failed; …` of cargo and wasm-bindgen,
    /// `12 passed (3.2s)` and `1 failed` of Playwright, and `# pass 12` of Node.
    pub(crate) fn read(output: &str) -> Counts {
        let mut counts = Counts::default();
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
            .filter_map(failure)
            .map(|name| Failure {
                name: name.to_owned(),
                report: report(output, name),
            })
            .collect();
        counts
    }
}

/// Returns the name of a test that failed, where a line of cargo (`test NAME ... FAILED`),
/// wasm-bindgen (`test NAME ... FAIL`), Playwright (a line of its closing list) or Node
/// (`not ok 3 - NAME`) tells one.
fn failure(line: &str) -> Option<&str> {
    let of_cargo = || {
        let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        ["FAILED", "FAIL"].contains(&result).then_some(name)
    };
    let of_playwright = || {
        line.strip_prefix("    ")
            .filter(|it| it.starts_with('[') && it.contains(" › "))
    };
    of_cargo().or_else(of_playwright).or_else(|| of_node(line))
}

fn of_node(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("not ok ")?;
    Some(line.split_once(" - ")?.1)
}

/// Returns the first lines that a runner prints under its heading of a failed test, up to the next
/// heading.
fn report(output: &str, name: &str) -> String {
    let name = name.trim_end_matches(FILLING);
    let lines = output
        .lines()
        .skip_while(|line| heading(line) != Some(name));
    let lines = lines.skip(1).take_while(|line| heading(line).is_none());
    let lines = lines.filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.take(REPORTED_LINES).collect();
    lines.join("\n")
}

/// Returns the name in the heading of a report on a failed test: of cargo (`---- NAME stdout ----`),
/// wasm-bindgen (`---- NAME output ----`), Playwright (`1) NAME ────`) or Node (`not ok 3 - NAME`).
fn heading(line: &str) -> Option<&str> {
    let of_cargo = || {
        let name = line.strip_prefix("---- ")?;
        name.strip_suffix(" stdout ----")
            .or_else(|| name.strip_suffix(" output ----"))
    };
    let of_playwright = || {
        let (number, name) = line.trim_start().split_once(") ")?;
        number.parse::<u32>().ok()?;
        Some(name.trim_end_matches(FILLING))
    };
    of_cargo().or_else(of_playwright).or_else(|| of_node(line))
}

/// The end of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// What it needs cannot be had on this machine, which is no fault of the change; the text says
    /// what.
    NotRun(String),
}

impl Outcome {
    /// Returns the outcome of something that passed or failed.
    pub(crate) const fn of(success: bool) -> Outcome {
        if success {
            Outcome::Passed
        } else {
            Outcome::Failed
        }
    }
}

/// One line of the table.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) counts: Counts,
    pub(crate) took: Duration,
}

/// Returns the table of all steps, the tests that failed, and a closing line with the names of the
/// steps that did.
pub(crate) fn table(steps: &[Step]) -> String {
    let mut lines = Vec::new();
    for step in steps {
        let Step { name, counts, .. } = step;
        let result = match &step.outcome {
            Outcome::Passed => "ok",
            Outcome::Failed => "FAILED",
            Outcome::NotRun(_) => "NOT RUN",
        };
        let tests = counts.passed + counts.failed;
        let seconds = step.took.as_secs_f64();
        lines.push(format!(
            "{name:<28} {result:<8} {tests:>6} tests {seconds:>8.1} s"
        ));
    }
    let tests: usize = steps.iter().map(|step| step.counts.passed).sum();
    let failed = steps.iter().filter(|step| step.outcome == Outcome::Failed);
    let failed: Vec<&str> = failed.map(|step| step.name).collect();
    let not_run = steps.iter().filter_map(|step| match &step.outcome {
        Outcome::NotRun(reason) => Some(format!("\nNOT RUN: {}: {reason}", step.name)),
        _ => None,
    });
    let not_run: Vec<String> = not_run.collect();
    lines.extend_from_slice(&not_run);
    for step in steps {
        let of_step = step.counts.failures.iter();
        lines.extend(of_step.map(|test| {
            let Failure { name, report } = test;
            format!("\nFAILED: {}: {name}\n{report}", step.name)
        }));
    }
    lines.push(match failed.as_slice() {
        [] if not_run.is_empty() => format!("\nall steps passed, with {tests} tests"),
        [] => format!("\nall other steps passed, with {tests} tests"),
        names => format!("\nFAILED: {}", names.join("; ")),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: usize, failed: usize) {
        let counts = Counts::read(output);
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
                      not ok 3 - draws\n  ---\n  error: 1 !== 2\n";
        let step = Step {
            name: "tests",
            outcome: Outcome::Failed,
            counts: Counts::read(output),
            took: Duration::from_secs(1),
        };
        let table = table(&[step]);
        let lines = table.lines().collect::<Vec<_>>();
        for (name, report) in [
            ("store::breaks", "panicked at src/store.rs"),
            ("box::sends", "    error output:"),
            (
                "[firefox] › a.test.js:3:1 › opens ────",
                "    Error: not focused",
            ),
            ("draws", "  ---"),
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
    fn a_failed_step_is_named_in_the_closing_line() {
        let step = |name, success| Step {
            name,
            outcome: Outcome::of(success),
            counts: Counts::read("# pass 7"),
            took: Duration::from_secs(1),
        };
        let green = table(&[step("tidy", true), step("native tests", true)]);
        assert!(green.ends_with("\nall steps passed, with 14 tests"));
        let red = table(&[step("tidy", false), step("native tests", true)]);
        assert!(red.ends_with("\nFAILED: tidy"));
    }

    #[test]
    fn a_step_that_was_not_run_is_named_with_the_reason() {
        let step = Step {
            name: "real model",
            outcome: Outcome::NotRun("no package".to_owned()),
            counts: Counts::default(),
            took: Duration::from_secs(1),
        };
        let table = table(&[step]);
        assert!(table.contains("NOT RUN: real model: no package"), "{table}");
        assert!(table.ends_with("\nall other steps passed, with 0 tests"));
    }
}
