//! Runs other programs: hidden, for their output; visibly, with their output in the terminal; or
//! both.

use crate::error::Error;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Whether a program that has ended reported success, and what it wrote to standard output and
/// standard error, in order of arrival.
pub(crate) struct FinishedProgram {
    pub(crate) success: bool,
    pub(crate) output: String,
}

/// Returns the line that a person would type for a command.
pub(crate) fn command_line(command: &Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    command.get_args().fold(program, |line, argument| {
        line + " " + &argument.to_string_lossy()
    })
}

/// Prints the command line of a program and runs the program with its output in the terminal;
/// returns an error unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    let line = command_line(command);
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Error::Failed(line)),
        Err(source) => Err(Error::NotStarted {
            command: line,
            source,
        }),
    }
}

/// Runs a program without showing its output. Returns what it wrote to standard output, or `None`
/// if it does not exist or fails.
pub(crate) fn standard_output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program, shows what it writes to standard output and standard error line by line, and
/// returns that, too.
pub(crate) fn run_and_keep(command: &mut Command) -> Result<FinishedProgram, Error> {
    let line = command_line(command);
    println!("$ {line}");
    let not_started = |source| Error::NotStarted {
        command: line.clone(),
        source,
    };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(not_started)?;
    let kept = Mutex::new(String::new());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        if let Some(stream) = stdout {
            scope.spawn(|| pass_on(stream, &mut std::io::stdout(), &kept));
        }
        if let Some(stream) = stderr {
            scope.spawn(|| pass_on(stream, &mut std::io::stderr(), &kept));
        }
    });
    let status = child.wait().map_err(not_started)?;
    let output = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(FinishedProgram {
        success: status.success(),
        output,
    })
}

/// Runs a program without showing its output. Returns what it wrote to standard output and standard
/// error.
pub(crate) fn run_hidden(mut command: Command) -> Result<FinishedProgram, Error> {
    let line = command_line(&command);
    let not_started = |source| Error::NotStarted {
        command: line.clone(),
        source,
    };
    // One pipe for both streams keeps the order of their lines.
    let (mut reader, writer) = std::io::pipe().map_err(not_started)?;
    let both = writer.try_clone().map_err(not_started)?;
    command.stdin(Stdio::null()).stdout(writer).stderr(both);
    let mut child = command.spawn().map_err(not_started)?;
    // The command has the ends that are written to: the pipe is at its end without them.
    drop(command);
    let mut output = Vec::new();
    reader.read_to_end(&mut output).map_err(not_started)?;
    let status = child.wait().map_err(not_started)?;
    Ok(FinishedProgram {
        success: status.success(),
        output: format!("$ {line}\n{}", String::from_utf8_lossy(&output)),
    })
}

fn pass_on(stream: impl Read, shown: &mut impl Write, kept: &Mutex<String>) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        let text = String::from_utf8_lossy(&line);
        // A closed terminal must not stop the program whose result is waited for.
        shown
            .write_all(text.as_bytes())
            .and_then(|()| shown.flush())
            .ok();
        kept.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_str(&text);
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_are_kept_and_failure_is_seen() {
        let finished =
            run_and_keep(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]))
                .unwrap();
        assert!(!finished.success);
        assert!(finished.output.contains("out\n") && finished.output.contains("err\n"));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`no-such-program-here` could not be started")
        );
    }

    #[test]
    fn no_answer_from_a_program_that_fails() {
        assert_eq!(standard_output(&mut Command::new("false")), None);
    }
}
