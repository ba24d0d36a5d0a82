//! `cargo xtask transcript LOG NAME`: makes the last answer of a diagnostic log a golden transcript
//! of the core. The log has no secrets; other confidential content has to be removed by hand before
//! it is committed.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use serde_json::Value;
use std::fs;
use std::path::Path;

const TRANSCRIPTS: &str = "crates/conversation/tests/transcripts";

/// Writes the last answer of the diagnostic log `log` to `stream.sse` in a new transcript `name`,
/// and lets the core's tests write what the core makes of it.
pub(crate) fn record_transcript(workspace: &Workspace, log: &str, name: &str) -> Result<(), Error> {
    if name.is_empty()
        || !name
            .chars()
            .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
    {
        return Err(Error::Usage(format!(
            "`{name}` is no name of a transcript: lower-case letters, digits and `-`"
        )));
    }
    let log = Path::new(log);
    let text = fs::read_to_string(log).map_err(Error::of_file(log))?;
    let stream = last_answer_stream(&text)?;
    let folder = workspace.path(TRANSCRIPTS).join(name);
    fs::create_dir_all(&folder).map_err(Error::of_file(&folder))?;
    let file = folder.join("stream.sse");
    fs::write(&file, stream).map_err(Error::of_file(&file))?;
    process::run(
        workspace
            .cargo()
            .args(["test", "-p", "assent-conversation", "--test", "transcripts"])
            .env("UPDATE_TRANSCRIPTS", "1"),
    )?;
    println!("{TRANSCRIPTS}/{name}: read both files before they are committed");
    Ok(())
}

/// Returns the events of the last answer in a diagnostic log, as the text of the stream in which
/// they came.
fn last_answer_stream(log: &str) -> Result<String, Error> {
    let wrong = || Error::Wrong("this is no diagnostic log with an answer in it".into());
    let log: Value = serde_json::from_str(log).map_err(|_| wrong())?;
    let has = |name: &str, value: Value| log.get(name) == Some(&value);
    let is_log = has("log", "assent".into()) && has("format", 1.into());
    let answers = log.get("answers").and_then(Value::as_array);
    let answer = answers.and_then(|all| all.last()).filter(|_| is_log);
    let events = answer.and_then(|it| it.get("events")?.as_array());
    let events = events.ok_or_else(wrong)?;
    let mut stream = String::new();
    for event in events {
        let text = event.get(1).and_then(Value::as_str);
        for line in text.ok_or_else(wrong)?.split('\n') {
            stream.push_str("data: ");
            stream.push_str(line);
            stream.push('\n');
        }
        stream.push('\n');
    }
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_the_last_answer_become_frames() {
        let log = r#"{"log": "assent", "format": 1, "answers": [
            {"events": [[1, "{}"]]},
            {"events": [[1, "{\"type\":\n\"X\"}"], [2, "no JSON"]]}
        ]}"#;
        assert_eq!(
            last_answer_stream(log).unwrap(),
            "data: {\"type\":\ndata: \"X\"}\n\ndata: no JSON\n\n"
        );
    }

    #[test]
    fn what_is_no_log_is_refused() {
        for log in [
            "",
            "{}",
            r#"{"log": "assent", "format": 2, "answers": [{"events": []}]}"#,
            r#"{"log": "assent", "format": 1, "answers": []}"#,
            r#"{"log": "assent", "format": 1, "answers": [{"events": [[1]]}]}"#,
        ] {
            assert!(last_answer_stream(log).is_err(), "{log}");
        }
    }
}
