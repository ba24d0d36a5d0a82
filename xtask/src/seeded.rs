//! `cargo xtask kills` and `cargo xtask history`: tests of the service that seeds decide, with more
//! of them than in `cargo xtask test`. The checks are in `service/tests/kills` and
//! `service/tests/history`.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// A test of the service that runs a number of times, each time with the next seed.
pub(crate) struct SeededTest {
    test: &'static str,
    /// The option of xtask for the number of runs.
    option: &'static str,
    /// The environment variable for the number of runs; the variable for the first seed ends with
    /// `_SEED`.
    variable: &'static str,
    /// The number of runs of a release test.
    runs: u64,
}

/// The test in which the service is killed at moments that seeds choose.
pub(crate) const KILLS_TEST: SeededTest = SeededTest {
    test: "kills",
    option: "--kills",
    variable: "ASSENT_KILLS",
    runs: 200,
};

/// The test with histories of many users behind a bad network.
pub(crate) const HISTORY_TEST: SeededTest = SeededTest {
    test: "history",
    option: "--trials",
    variable: "ASSENT_TRIALS",
    runs: 3000,
};

/// The first seed if none is given; it is not one of those that every test run has.
const FIRST_SEED: u64 = 1000;

/// The number of runs, and the seed of the first one.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    runs: u64,
    seed: u64,
}

impl SeededTest {
    /// Runs the test with the options in `words`; it prints a summary, and the seeds of failures.
    pub(crate) fn run(&self, workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
        let options = self.parse_options(words)?;
        // The tool servers of tests, which cargo builds with all tests, but not with one.
        let mut examples = workspace.cargo();
        examples.args(["build", "--quiet", "-p", "assent-service", "--examples"]);
        process::run(&mut examples)?;
        process::run(
            self.command(workspace, &options)
                .args(["--", "--nocapture"]),
        )
    }

    /// Returns the command that runs the test as often as a release test does.
    pub(crate) fn release_command(&self, workspace: &Workspace) -> Command {
        self.command(workspace, &self.defaults())
    }

    fn defaults(&self) -> Options {
        Options {
            runs: self.runs,
            seed: FIRST_SEED,
        }
    }

    /// Returns the options in `words`: `--seed S` and the number of runs.
    fn parse_options(&self, words: &[&str]) -> Result<Options, Error> {
        let mut options = self.defaults();
        let mut rest = words;
        while let [name, value, after @ ..] = rest {
            let field = match *name {
                "--seed" => &mut options.seed,
                name if name == self.option => &mut options.runs,
                _ => break,
            };
            *field = value
                .parse()
                .map_err(|_| Error::Usage(format!("{name} takes a number, not `{value}`")))?;
            rest = after;
        }
        if rest.is_empty() {
            Ok(options)
        } else {
            Err(Error::Usage(format!(
                "`{}` is not understood: {} N, --seed S",
                rest.join(" "),
                self.option
            )))
        }
    }

    fn command(&self, workspace: &Workspace, options: &Options) -> Command {
        let mut command = workspace.cargo();
        command
            .env(self.variable, options.runs.to_string())
            .env(format!("{}_SEED", self.variable), options.seed.to_string())
            .args([
                "test",
                "--quiet",
                "-p",
                "assent-service",
                "--test",
                self.test,
            ]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::{HISTORY_TEST, KILLS_TEST};

    #[test]
    fn numbers_are_read_in_any_order_and_have_defaults() {
        let read = |words: &[&str]| {
            KILLS_TEST
                .parse_options(words)
                .map(|o| (o.runs, o.seed))
                .ok()
        };
        assert_eq!(read(&[]), Some((200, 1000)));
        assert_eq!(read(&["--seed", "7", "--kills", "1"]), Some((1, 7)));
        for wrong in [
            &["--kills"][..],
            &["--kills", "many"],
            &["7"],
            &["--trials", "1"],
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
        let trials = HISTORY_TEST
            .parse_options(&["--trials", "5"])
            .map(|o| o.runs)
            .ok();
        assert_eq!(trials, Some(5));
    }
}
