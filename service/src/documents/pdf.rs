//! A PDF, read by a process of its own: this program, which is given the file on its standard input
//! and has bounds of time, memory and output. It gets nothing else of the service: no environment,
//! no open file.

use std::process::{ExitStatus, Stdio};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, Command},
    time::timeout,
};

use super::{
    MAX_CHARACTERS, UnreadableReason,
    pdf_program::{EXIT_ENCRYPTED, EXIT_WITHOUT_LIMITS, arguments},
};
use crate::settings::PdfSettings;

/// Longest output that is read, in bytes: what the process writes at most, in UTF-8.
const MAX_OUTPUT: usize = (MAX_CHARACTERS + 1) * 4;

/// Returns the text of a PDF, read by a process of its own. The process has ended when this
/// returns, and it is killed if this future is dropped.
pub(super) async fn read(bytes: &[u8], settings: &PdfSettings) -> Result<String, UnreadableReason> {
    let spawned = Command::new(&settings.program)
        .args(arguments(settings))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // A parser's complaints quote the document.
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let mut child = spawned.map_err(|error| {
        tracing::warn!(%error, "the program that reads PDFs cannot be started");
        UnreadableReason::NoProgram
    })?;
    let ended = timeout(settings.time, exchange(&mut child, bytes)).await;
    let Ok(ended) = ended else {
        if let Err(error) = child.kill().await {
            tracing::warn!(%error, "a process that reads a PDF was not killed");
        }
        return Err(UnreadableReason::TooMuch);
    };
    match ended {
        Ok((status, text)) => outcome(status, text),
        Err(error) => {
            tracing::warn!(%error, "a process that reads a PDF was lost");
            Err(UnreadableReason::Broken)
        }
    }
}

/// Writes the file to the process, and returns its exit status and its output once it has ended.
async fn exchange(child: &mut Child, bytes: &[u8]) -> std::io::Result<(ExitStatus, Vec<u8>)> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let send = async {
        if let Some(mut input) = input {
            // A process that has seen enough reads no more.
            input.write_all(bytes).await.ok();
        }
    };
    let receive = async {
        let mut text = Vec::new();
        if let Some(output) = output {
            let limit = u64::try_from(MAX_OUTPUT).unwrap_or(u64::MAX);
            output.take(limit).read_to_end(&mut text).await?;
        }
        Ok::<_, std::io::Error>(text)
    };
    let ((), text) = tokio::join!(send, receive);
    Ok((child.wait().await?, text?))
}

fn outcome(status: ExitStatus, text: Vec<u8>) -> Result<String, UnreadableReason> {
    match status.code() {
        Some(0) => String::from_utf8(text).map_err(|_| UnreadableReason::Broken),
        Some(code) if code == i32::from(EXIT_ENCRYPTED) => Err(UnreadableReason::Encrypted),
        Some(code) if code == i32::from(EXIT_WITHOUT_LIMITS) => {
            tracing::warn!("the process that reads PDFs cannot be limited, and reads none");
            Err(UnreadableReason::NoProgram)
        }
        Some(_) => Err(UnreadableReason::Broken),
        // A signal: its time, its memory or its stack was used up.
        None => Err(UnreadableReason::TooMuch),
    }
}
