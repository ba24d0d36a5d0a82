//! `cargo xtask kills` and `cargo xtask history`: tests of the service that seeds decide, with more
//! of them than in `cargo xtask test`. The checks are in `service/tests/kills` and
//! `service/tests/history`.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// A test of the service that takes a number of runs and a first seed.
pub(crate) struct Seeded {
    test: &'static str,
    /// The option with the number of runs.
    option: &'static str,
    /// The variable with it; that of the seed ends with `_SEED`.
    variable: &'static str,
    /// The number of runs of a release test.
    runs: u64,
}

/// The service killed at moments that seeds choose.
pub(crate) const KILLS: Seeded = Seeded {
    test: "kills",
    option: "--kills",
    variable: "ASSENT_KILLS",
    runs: 200,
};

/// Histories of many users behind a bad network.
pub(crate) const HISTORY: Seeded = Seeded {
    test: "history",
    option: "--trials",
    variable: "ASSENT_TRIALS",
    runs: 3000,
};

/// The first seed; not one of those that every test run has.
const FIRST_SEED: u64 = 1000;

/// Number of runs, and their first seed.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    runs: u64,
    seed: u64,
}

impl Seeded {
    /// Runs the test with these options; it prints a summary, and the seeds of failures.
    pub(crate) fn run(&self, workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
        let options = self.read(words)?;
        // The tool servers of tests, which cargo builds with all tests, but not with one.
        let mut examples = workspace.cargo();
        examples.args(["build", "--quiet", "-p", "assent-service", "--examples"]);
        process::run(&mut examples)?;
        process::run(
            self.command(workspace, &options)
                .args(["--", "--nocapture"]),
        )
    }

    /// Returns the test with the runs of a release test.
    pub(crate) fn many(&self, workspace: &Workspace) -> Command {
        self.command(workspace, &self.defaults())
    }

    fn defaults(&self) -> Options {
        Options {
            runs: self.runs,
            seed: FIRST_SEED,
        }
    }

    /// Reads `--seed S` and the number of runs.
    fn read(&self, words: &[&str]) -> Result<Options, Error> {
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
    use super::{HISTORY, KILLS};

    #[test]
    fn numbers_are_read_in_any_order_and_have_defaults() {
        let read = |words: &[&str]| KILLS.read(words).map(|o| (o.runs, o.seed)).ok();
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
        let trials = HISTORY.read(&["--trials", "5"]).map(|o| o.runs).ok();
        assert_eq!(trials, Some(5));
    }
}
