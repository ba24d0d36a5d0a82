//! Steps of `cargo xtask test` that run in the background while other steps leave a processor idle.
//! They have the lowest priority, and their output is printed only when they have ended, so that
//! lines of two steps do not mix.

use crate::error::Error;
use crate::process::{self, FinishedProgram};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A step that ran in the background and has ended, with its output and how long it took.
pub(super) struct EndedStep {
    pub(super) name: &'static str,
    pub(super) finished: Result<FinishedProgram, Error>,
    pub(super) took: Duration,
}

/// Programs that run in the background, one after the other, each of them a step. As an iterator it
/// returns each step when that has ended.
pub(super) struct BackgroundSteps(Receiver<EndedStep>);

impl BackgroundSteps {
    /// Starts the programs, each with the name of its step, in the background. The next one starts
    /// when the one before has ended, even if that failed.
    pub(super) fn start(steps: Vec<(&'static str, Command)>) -> BackgroundSteps {
        let (sender, ended) = channel();
        thread::spawn(move || {
            steps
                .into_iter()
                .map(run)
                .try_for_each(|it| sender.send(it))
        });
        BackgroundSteps(ended)
    }
}

impl Iterator for BackgroundSteps {
    type Item = EndedStep;

    /// Waits until the next step has ended, and returns it.
    fn next(&mut self) -> Option<EndedStep> {
        self.0.recv().ok()
    }
}

fn run((name, command): (&'static str, Command)) -> EndedStep {
    let start = Instant::now();
    EndedStep {
        name,
        finished: process::run_hidden(with_lowest_priority(&command)),
        took: start.elapsed(),
    }
}

fn with_lowest_priority(command: &Command) -> Command {
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        nice.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    nice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_its_own_output_and_result() {
        let script = |line| {
            let mut command = Command::new("sh");
            command.args(["-c", line]).env("WORD", "kept");
            command
        };
        let missing = Command::new("no-such-program-here");
        let steps = BackgroundSteps::start(vec![
            ("good", script("echo $WORD; nice; echo err >&2")),
            ("bad", script("exit 3")),
            ("missing", missing),
        ]);
        let ended: Vec<_> = steps.collect();
        let names: Vec<_> = ended.iter().map(|step| step.name).collect();
        assert_eq!(names, ["good", "bad", "missing"]);
        let results: Vec<_> = ended.into_iter().map(|step| step.finished).collect();
        let good = results[0].as_ref().unwrap();
        assert!(good.success && good.output.ends_with("\nkept\n19\nerr\n"));
        assert!(!results[1].as_ref().unwrap().success);
        assert!(results[2].as_ref().is_ok_and(|missing| !missing.success));
    }
}
