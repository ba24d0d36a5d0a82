//! `cargo xtask kills` and `cargo xtask history`: tests of the service whose course a random
//! number, the seed, decides, with more seeds than in `cargo xtask test`. The tests are in
//! `service/tests/kills` and `service/tests/history`.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// A test of the service that is run many times, each time with the next seed.
pub(crate) struct SeededTest {
    test: &'static str,
    /// The option of the command for the number of runs, such as `--kills`.
    option: &'static str,
    /// The environment variable by which the test gets the number of runs; with `_SEED` at its end,
    /// it is the variable for the first seed.
    variable: &'static str,
    /// The number of runs if none is given, as in a release test.
    runs: u64,
}

/// The test that kills the service at moments which the seed chooses, and checks what it kept.
pub(crate) const KILLS_TEST: SeededTest = SeededTest {
    test: "kills",
    option: "--kills",
    variable: "ASSENT_KILLS",
    runs: 200,
};

/// The test in which many users talk to the service over a bad network, in an order that the seed
/// chooses.
pub(crate) const HISTORY_TEST: SeededTest = SeededTest {
    test: "history",
    option: "--trials",
    variable: "ASSENT_TRIALS",
    runs: 3000,
};

/// The first seed if none is given. `cargo xtask test` uses other seeds.
const FIRST_SEED: u64 = 1000;

/// How often a test is run, and the seed of the first run.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    runs: u64,
    seed: u64,
}

impl SeededTest {
    /// Runs the test as often as the options in `words` say; it prints a summary, and the seeds
    /// with which it failed.
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

    /// Returns the command that runs the test as often as before a release.
    pub(crate) fn release_command(&self, workspace: &Workspace) -> Command {
        self.command(workspace, &self.defaults())
    }

    fn defaults(&self) -> Options {
        Options {
            runs: self.runs,
            seed: FIRST_SEED,
        }
    }

    /// Returns what the options in `words`, such as `--kills 5 --seed 7`, say; an error if one is
    /// not understood.
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
