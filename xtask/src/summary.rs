//! The summary of `cargo xtask test`: the outcome of each step, and the tests that the runners'
//! closing lines count.

use std::time::Duration;

/// Number of lines of a failed step's output that are shown again: Playwright's report of one
/// failure fits into it.
const LINES_OF_A_FAILURE: usize = 50;

/// The numbers of tests that a runner reports.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Counts {
    /// Adds up the closing lines of cargo's, wasm-bindgen's and Playwright's runners.
    pub(crate) fn read(output: &str) -> Counts {
        output
            .lines()
            .map(count_line)
            .fold(Counts::default(), Counts::plus)
    }

    /// Returns true if a runner that reported `success` ran tests at all: a filter or a missing
    /// target makes an empty run look fine.
    pub(crate) fn pass(self, success: bool) -> bool {
        success && self.passed > 0
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

/// The outcome of a step.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It succeeded.
    Passed,
    /// It failed; the output above says why.
    Failed,
    /// It needs the named step, which failed.
    Blocked(&'static str),
}

/// One line of the table.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) counts: Counts,
    /// The output of the step, if it was kept.
    pub(crate) output: String,
    pub(crate) took: Duration,
}

/// All steps so far.
#[derive(Default)]
pub(crate) struct Summary {
    steps: Vec<Step>,
}

impl Summary {
    pub(crate) fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(crate) fn has_failed(&self, name: &str) -> bool {
        self.steps
            .iter()
            .any(|step| step.name == name && step.outcome != Outcome::Passed)
    }

    pub(crate) fn is_green(&self) -> bool {
        self.steps
            .iter()
            .all(|step| step.outcome == Outcome::Passed)
    }

    /// Returns the tests of all steps. A step that ends without success but names no failed test (a
    /// compile error, a lint) counts as one failure, so that zero failures means what it says.
    pub(crate) fn totals(&self) -> Counts {
        self.steps.iter().fold(Counts::default(), |total, step| {
            let hidden = step.outcome != Outcome::Passed && step.counts.failed == 0;
            total.plus(step.counts).plus(Counts {
                passed: 0,
                failed: usize::from(hidden),
            })
        })
    }

    /// Returns the last lines of each failed step's output, for a person who sees only the end of a
    /// long log.
    pub(crate) fn failures(&self) -> String {
        let failed = self
            .steps
            .iter()
            .filter(|step| step.outcome == Outcome::Failed && !step.output.is_empty());
        failed
            .map(|step| {
                let lines: Vec<&str> = step.output.lines().collect();
                let end = lines
                    .get(lines.len().saturating_sub(LINES_OF_A_FAILURE)..)
                    .unwrap_or_default()
                    .join("\n");
                format!("── {}, its end again ──\n{end}\n", step.name)
            })
            .collect()
    }

    /// Returns the table and the closing line.
    pub(crate) fn render(&self) -> String {
        let mut lines = vec![format!(
            "{:<28} {:<24} {:>8} {:>8}",
            "step", "result", "tests", "seconds"
        )];
        for step in &self.steps {
            let result = match step.outcome {
                Outcome::Passed => "ok".to_owned(),
                Outcome::Failed => "FAILED".to_owned(),
                Outcome::Blocked(needed) => format!("NOT RUN ({needed})"),
            };
            let tests = match step.counts.passed + step.counts.failed {
                0 => String::new(),
                count => count.to_string(),
            };
            let seconds = step.took.as_secs_f64();
            lines.push(format!(
                "{:<28} {result:<24} {tests:>8} {seconds:>8.1}",
                step.name
            ));
        }
        let Counts { passed, failed } = self.totals();
        lines.push(format!("\n{passed} passed, {failed} failed"));
        lines.join("\n")
    }
}

/// Parses a line `test result: ok. 12 passed; 0 failed; …` (cargo, wasm-bindgen), `  12 passed
/// (3.2s)`, `  1 failed` (Playwright) or `# pass 12` (Node).
fn count_line(line: &str) -> Counts {
    let words: Vec<&str> = line
        .split([' ', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    let number_before = |word: &str| -> usize {
        words
            .windows(2)
            .find_map(|pair| match pair {
                [number, after] if *after == word => number.parse().ok(),
                _ => None,
            })
            .unwrap_or(0)
    };
    match words.as_slice() {
        ["test", "result:", ..] => Counts {
            passed: number_before("passed"),
            failed: number_before("failed"),
        },
        [_, "passed", duration] if duration.starts_with('(') => Counts {
            passed: number_before("passed"),
            failed: 0,
        },
        [_, "failed" | "interrupted"] => Counts {
            passed: 0,
            failed: number_before("failed") + number_before("interrupted"),
        },
        ["#", "pass", count] => Counts {
            passed: count.parse().unwrap_or(0),
            failed: 0,
        },
        ["#", "fail", count] => Counts {
            passed: 0,
            failed: count.parse().unwrap_or(0),
        },
        [_, "did", "not", "run"] => Counts {
            passed: 0,
            failed: number_before("did"),
        },
        _ => Counts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: usize, failed: usize) {
        assert_eq!(Counts::read(output), Counts { passed, failed }, "{output}");
    }

    #[test]
    fn cargo_and_wasm_bindgen_lines_are_added_up() {
        check(
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s\n\
             test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 filtered out\n",
            15,
            2,
        );
    }

    #[test]
    fn playwright_lines_are_read() {
        check(
            "  2 failed\n    [chromium] › a.spec.js:3:1 › it works\n  41 passed (12.3s)\n",
            41,
            2,
        );
        check("  3 did not run\n  7 passed (1.0m)\n", 7, 3);
        check("# tests 9\n# pass 7\n# fail 2\n", 7, 2);
    }

    #[test]
    fn other_lines_count_nothing() {
        check(
            "running 12 tests\ntest tests::two_passed ... ok\nnothing passed here\n",
            0,
            0,
        );
    }

    #[test]
    fn a_run_of_no_test_does_not_pass() {
        let none = Counts::read("test result: ok. 0 passed; 0 failed; 0 ignored\n");
        assert!(!none.pass(true));
        let some = Counts::read("test result: ok. 2 passed; 0 failed; 0 ignored\n");
        assert!(some.pass(true) && !some.pass(false));
    }

    fn step(name: &'static str, outcome: Outcome, passed: usize, failed: usize) -> Step {
        let counts = Counts { passed, failed };
        Step {
            name,
            outcome,
            counts,
            output: String::new(),
            took: Duration::from_secs(1),
        }
    }

    #[test]
    fn the_closing_line_never_says_zero_failures_for_a_red_run() {
        let mut summary = Summary::default();
        summary.add(step("native tests", Outcome::Passed, 10, 0));
        assert!(summary.is_green() && summary.render().ends_with("10 passed, 0 failed"));
        summary.add(step("clippy", Outcome::Failed, 0, 0));
        assert!(!summary.is_green() && summary.render().ends_with("10 passed, 1 failed"));
        summary.add(step("whole pages", Outcome::Failed, 5, 2));
        assert!(summary.render().ends_with("15 passed, 3 failed"));
    }

    #[test]
    fn the_end_of_a_failed_step_is_shown_again() {
        let printed = |step: Step, lines: usize| Step {
            output: (1..=lines).map(|line| format!("line {line}\n")).collect(),
            ..step
        };
        let mut summary = Summary::default();
        summary.add(printed(step("native tests", Outcome::Passed, 10, 0), 1));
        assert_eq!(summary.failures(), "");
        summary.add(printed(step("whole pages", Outcome::Failed, 5, 1), 60));
        let shown = summary.failures();
        assert!(shown.starts_with("── whole pages, its end again ──\nline 11\nline 12\n"));
        assert!(shown.ends_with("\nline 60\n"));
    }

    #[test]
    fn a_blocked_step_names_what_it_needed() {
        let mut summary = Summary::default();
        summary.add(step("whole pages", Outcome::Blocked("dist"), 0, 0));
        assert!(summary.render().contains("NOT RUN (dist)"));
        assert!(summary.has_failed("whole pages"));
    }
}
