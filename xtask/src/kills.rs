//! `cargo xtask kills`: the service killed at moments that seeds choose, more often than `cargo
//! xtask test` does it. The checks are in `service/tests/kills`.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// The number of kills of a release test.
const KILLS: u64 = 200;
/// The first seed; not one of those that every test run has.
const FIRST_SEED: u64 = 1000;

/// Number of kills, and their first seed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    kills: u64,
    seed: u64,
}

impl Options {
    /// Reads `--kills N` and `--seed S`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Error> {
        let mut options = Self {
            kills: KILLS,
            seed: FIRST_SEED,
        };
        let mut rest = words;
        while let [name, value, after @ ..] = rest {
            let field = match *name {
                "--kills" => &mut options.kills,
                "--seed" => &mut options.seed,
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
                "`{}` is not understood: --kills N, --seed S",
                rest.join(" ")
            )))
        }
    }
}

/// Runs the test with these numbers; it prints a summary, and the seeds of failures.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Error> {
    process::run(test(workspace, options).args(["--", "--nocapture"]))
}

/// Returns the test with the kills of a release test.
pub(crate) fn many(workspace: &Workspace) -> Command {
    let options = Options {
        kills: KILLS,
        seed: FIRST_SEED,
    };
    test(workspace, &options)
}

fn test(workspace: &Workspace, options: &Options) -> Command {
    let mut command = workspace.cargo();
    command
        .env("ASSENT_KILLS", options.kills.to_string())
        .env("ASSENT_KILLS_SEED", options.seed.to_string())
        .args(["test", "--quiet", "-p", "assent-service", "--test", "kills"]);
    command
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn numbers_are_read_in_any_order_and_have_defaults() {
        let read = |words: &[&str]| Options::read(words).map(|o| (o.kills, o.seed)).ok();
        assert_eq!(read(&[]), Some((200, 1000)));
        assert_eq!(read(&["--seed", "7", "--kills", "1"]), Some((1, 7)));
        for wrong in [&["--kills"][..], &["--kills", "many"], &["7"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
