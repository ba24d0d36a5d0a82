//! The summary of `cargo xtask test`: a table of the steps, and the numbers of tests.

use std::time::Duration;

/// The numbers of tests that a program reports.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
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
        counts
    }
}

/// One line of the table.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) success: bool,
    pub(crate) counts: Counts,
    pub(crate) took: Duration,
}

/// Returns the table of all steps and a closing line with the names of those that failed.
pub(crate) fn table(steps: &[Step]) -> String {
    let mut lines = Vec::new();
    for step in steps {
        let Step { name, counts, .. } = step;
        let result = if step.success { "ok" } else { "FAILED" };
        let tests = counts.passed + counts.failed;
        let seconds = step.took.as_secs_f64();
        lines.push(format!(
            "{name:<28} {result:<8} {tests:>6} tests {seconds:>8.1} s"
        ));
    }
    let tests: usize = steps.iter().map(|step| step.counts.passed).sum();
    let failed = steps.iter().filter(|step| !step.success);
    let failed: Vec<&str> = failed.map(|step| step.name).collect();
    lines.push(match failed.as_slice() {
        [] => format!("\nall steps passed, with {tests} tests"),
        names => format!("\nFAILED: {}", names.join("; ")),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: usize, failed: usize) {
        assert_eq!(Counts::read(output), Counts { passed, failed }, "{output}");
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
    fn a_failed_step_is_named_in_the_closing_line() {
        let step = |name, success| Step {
            name,
            success,
            counts: Counts::read("# pass 7"),
            took: Duration::from_secs(1),
        };
        let green = table(&[step("tidy", true), step("native tests", true)]);
        assert!(green.ends_with("\nall steps passed, with 14 tests"));
        let red = table(&[step("tidy", false), step("native tests", true)]);
        assert!(red.ends_with("\nFAILED: tidy"));
    }
}
