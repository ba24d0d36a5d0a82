//! The process that reads one PDF: the file comes on standard input, its text goes to standard
//! output, and the exit code says why there is none. It limits itself before it reads anything.

use std::{
    io::{self, Read as _, StdoutLock, Write, stdin, stdout},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

use pdf_extract::{Document, PlainTextOutput, output_doc_page};

use super::{MAX_CHARACTERS, MAX_DOCUMENT_BYTES};
use crate::settings::PdfSettings;

/// The first argument of a program that is to read a PDF.
const READ_PDF: &str = "read-pdf";

/// The exit code for a PDF that asks for a password.
pub(super) const EXIT_ENCRYPTED: u8 = 3;

/// The exit code for a PDF that cannot be read.
const EXIT_UNREADABLE: u8 = 4;

/// The exit code where the process cannot be limited.
pub(super) const EXIT_WITHOUT_LIMITS: u8 = 5;

/// The limits of a process that reads one PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdfLimits {
    /// The greatest time of the processor, in seconds.
    seconds: u64,
    /// The greatest address space of the process, in bytes.
    memory: u64,
}

/// Returns the arguments of a process that reads a PDF within the limits of `settings`.
pub(super) fn arguments(settings: &PdfSettings) -> [String; 3] {
    // A part of a second is given as a whole one.
    let seconds = settings.time.as_secs().max(1);
    [
        READ_PDF.to_owned(),
        seconds.to_string(),
        settings.memory.to_string(),
    ]
}

impl PdfLimits {
    /// Reads the limits from the arguments of the program; `None` if these are not for reading a
    /// PDF.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        if arguments.next()? != READ_PDF {
            return None;
        }
        let mut number = || arguments.next()?.parse().ok();
        Some(Self {
            seconds: number()?,
            memory: number()?,
        })
    }

    /// Limits this process's processor time and memory, and keeps it from opening or writing files.
    #[cfg(unix)]
    fn apply(self) -> io::Result<()> {
        use rlimit::Resource;
        // With the hard limit it is killed, whether anybody waits for it or not.
        Resource::CPU.set(self.seconds, self.seconds)?;
        Resource::AS.set(self.memory, self.memory)?;
        // A memory image would hold the document.
        Resource::CORE.set(0, 0)?;
        Resource::FSIZE.set(0, 0)?;
        // Nothing is opened beyond the three that are.
        Resource::NOFILE.set(3, 3)
    }

    /// Fails, because this system has no such limits.
    #[cfg(not(unix))]
    fn apply(self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Reads a PDF from standard input within these limits, and returns the exit code of the process.
#[must_use]
pub fn run(limits: PdfLimits) -> ExitCode {
    let code = limits
        .apply()
        .map_err(|_| EXIT_WITHOUT_LIMITS)
        .and_then(|()| read_pdf());
    code.map_or_else(ExitCode::from, |()| ExitCode::SUCCESS)
}

fn read_pdf() -> Result<(), u8> {
    let mut bytes = Vec::new();
    let mut input = stdin().lock().take(MAX_DOCUMENT_BYTES);
    input.read_to_end(&mut bytes).map_err(|_| EXIT_UNREADABLE)?;
    // A PDF that only its owner may change opens without a password.
    let document = Document::load_mem(&bytes).map_err(|_| EXIT_UNREADABLE)?;
    if document.is_encrypted() {
        return Err(EXIT_ENCRYPTED);
    }
    let pages = document.get_pages();
    let mut output = Output {
        to: stdout().lock(),
        left: MAX_CHARACTERS + 1,
    };
    let mut read = 0;
    for page in pages.keys() {
        // The parser panics where a page is not what it expects; the others can be read.
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut text = PlainTextOutput::new(&mut output as &mut dyn Write);
            output_doc_page(&document, &mut text, *page)
        }));
        if output.left == 0 {
            read += 1;
            break;
        }
        let words = match done {
            Ok(Ok(())) => {
                read += 1;
                "\n\n".to_owned()
            }
            _ => format!("\n[page {page} cannot be read]\n\n"),
        };
        output.write_all(words.as_bytes()).ok();
    }
    output.to.flush().map_err(|_| EXIT_UNREADABLE)?;
    if read == 0 {
        Err(EXIT_UNREADABLE)
    } else {
        Ok(())
    }
}

/// Writes the text of a PDF to standard output, at most a number of characters; more are an error,
/// which ends the reading.
struct Output {
    to: StdoutLock<'static>,
    left: usize,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let begins = |byte: &u8| byte & 0b1100_0000 != 0b1000_0000;
        let mut starts = bytes.iter().enumerate().filter(|(_, byte)| begins(byte));
        let end = starts.nth(self.left).map_or(bytes.len(), |(at, _)| at);
        let taken = bytes.get(..end).unwrap_or_default();
        self.to.write_all(taken)?;
        self.left -= taken.iter().filter(|byte| begins(byte)).count();
        if end == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(end)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{PdfLimits, arguments};
    use crate::settings::PdfSettings;

    #[test]
    fn the_process_reads_its_limits_and_other_arguments_are_none() {
        let settings = PdfSettings {
            time: Duration::from_millis(10),
            ..PdfSettings::new("program".into())
        };
        let limits = PdfLimits::from_arguments(arguments(&settings).into_iter()).unwrap();
        assert_eq!((limits.seconds, limits.memory), (1, settings.memory));
        for other in [
            &[][..],
            &["--listen", "x"],
            &["read-pdf"],
            &["read-pdf", "1", "x"],
        ] {
            let other = other.iter().map(|word| (*word).to_owned());
            assert_eq!(PdfLimits::from_arguments(other), None);
        }
    }
}
