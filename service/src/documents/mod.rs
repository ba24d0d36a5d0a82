//! Documents that users sent, as text. Every byte of them is hostile input: what is read is bounded,
//! and a PDF is read in a process of its own.
//!
//! - `pdf` – the service's side of that process.
//! - [`pdf_program`] – the process itself: this program, started in another way.

pub(crate) mod html;
pub(crate) mod keyed_locks;
pub(crate) mod media;
mod pdf;
pub mod pdf_program;

use std::time::Duration;

use thiserror::Error;
use tokio::{sync::Semaphore, task::spawn_blocking, time::Instant};

use crate::{
    Error, Result,
    documents::keyed_locks::KeyedLocks,
    documents::media::{BYTE_ORDER_MARK, DocumentKind, document_kind},
    settings::PdfSettings,
};

/// Largest document that is read, in bytes.
pub(crate) const MAX_DOCUMENT_BYTES: u64 = 10 * 1024 * 1024;

/// Longest text of a document, in characters.
pub const MAX_CHARACTERS: usize = 40_000;

/// The number of processes that may read PDFs at the same time, for all users together.
const MAX_PROCESSES: usize = 2;

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentText {
    /// The text, or its first [`MAX_CHARACTERS`] characters.
    pub text: String,
    /// True if the document has more text than `text` holds.
    pub is_cut: bool,
}

/// The reason why a document has no text, as the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnreadableReason {
    /// The document is longer than 10 MiB.
    #[error("it is too large")]
    TooLarge,
    /// The document is neither text in UTF-8 nor a PDF.
    #[error("it is neither text in UTF-8 nor a PDF")]
    Kind,
    /// The document holds nothing but blanks, or pictures alone.
    #[error("there is no text in it")]
    Empty,
    /// The document is a PDF that asks for a password.
    #[error("it is protected with a password")]
    Encrypted,
    /// The document is a PDF that cannot be understood.
    #[error("it is a PDF that is damaged or written in an unusual way")]
    Broken,
    /// The document is a PDF that takes more time or memory than there is for one.
    #[error("it takes too long or too much memory to read")]
    TooMuch,
    /// The document is a PDF, and the service has no program for these or cannot limit it.
    #[error("no PDF can be read here")]
    NoProgram,
}

/// The reader of all documents of the service.
#[derive(Debug)]
pub struct DocumentReader {
    pdf: Option<PdfSettings>,
    /// A permit for each process that may read a PDF at the same time.
    processes: Semaphore,
    /// A lock for each user, who has one of the processes at a time.
    users: KeyedLocks<String>,
}

/// The text of a document or the reason why it has none, and the time that it waited until others
/// were read.
pub(crate) type ReadOutcome = (
    std::result::Result<DocumentText, UnreadableReason>,
    Duration,
);

impl DocumentReader {
    /// Makes a reader; without settings it reads no PDF.
    #[must_use]
    pub fn new(pdf: Option<PdfSettings>) -> Self {
        Self {
            pdf,
            processes: Semaphore::new(MAX_PROCESSES),
            users: KeyedLocks::default(),
        }
    }

    /// Reads a document that a user sent with a declared media type and a name. If this future is
    /// dropped, the process that reads a PDF is killed.
    ///
    /// # Errors
    ///
    /// [`Error::Panicked`]; that a document cannot be read is no error of the service.
    pub(crate) async fn read(
        &self,
        bytes: Vec<u8>,
        declared: &str,
        name: &str,
        user: &str,
    ) -> Result<ReadOutcome> {
        let mut waited = Duration::ZERO;
        let text = match document_kind(&bytes, declared, name) {
            None => Err(UnreadableReason::Kind),
            Some(DocumentKind::Pdf) => self.read_pdf(bytes, user, &mut waited).await,
            Some(kind) => {
                // A long page takes a moment.
                let reading =
                    spawn_blocking(move || -> std::result::Result<_, UnreadableReason> {
                        let text = String::from_utf8(bytes).map_err(|_| UnreadableReason::Kind)?;
                        let text = text.trim_start_matches(BYTE_ORDER_MARK);
                        Ok(match kind {
                            DocumentKind::Html => trim_and_cut(&html::as_text(text)),
                            _ => trim_and_cut(text),
                        })
                    });
                reading.await.map_err(|_| Error::Panicked)?
            }
        };
        let text = text.and_then(|read| {
            if read.text.is_empty() {
                Err(UnreadableReason::Empty)
            } else {
                Ok(read)
            }
        });
        Ok((text, waited))
    }

    async fn read_pdf(
        &self,
        bytes: Vec<u8>,
        user: &str,
        waited: &mut Duration,
    ) -> std::result::Result<DocumentText, UnreadableReason> {
        let settings = self.pdf.as_ref().ok_or(UnreadableReason::NoProgram)?;
        let since = Instant::now();
        // However many documents one user sends, the others have a process.
        let _turn = self.users.take(user.to_owned()).await;
        // It is never closed.
        let _place = self.processes.acquire().await;
        *waited = since.elapsed();
        let text = pdf::read(&bytes, settings).await?;
        let read = trim_and_cut(&text);
        Ok(DocumentText {
            // The process stops there, and blanks count for it.
            is_cut: read.is_cut || text.chars().count() > MAX_CHARACTERS,
            ..read
        })
    }
}

/// Returns a text without the blanks around it, cut if it is too long.
fn trim_and_cut(text: &str) -> DocumentText {
    let text = text.trim();
    let end = text.char_indices().nth(MAX_CHARACTERS).map(|(at, _)| at);
    DocumentText {
        text: text
            .get(..end.unwrap_or(text.len()))
            .unwrap_or_default()
            .to_owned(),
        is_cut: end.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentReader, MAX_CHARACTERS, UnreadableReason};

    #[tokio::test]
    async fn a_text_is_cut_between_characters_and_says_so() {
        let reader = DocumentReader::new(None);
        let read = async |text: String| {
            let read = reader
                .read(text.into_bytes(), "text/plain", "a.txt", "ada")
                .await;
            read.unwrap().0.unwrap()
        };
        let whole = read(format!("\u{FEFF} {}\n", "é".repeat(MAX_CHARACTERS))).await;
        assert_eq!(
            (whole.text.chars().count(), whole.is_cut),
            (MAX_CHARACTERS, false)
        );
        let longer = read("é".repeat(MAX_CHARACTERS + 1)).await;
        assert_eq!(
            (longer.text.chars().count(), longer.is_cut),
            (MAX_CHARACTERS, true)
        );
    }

    #[tokio::test]
    async fn without_a_program_no_pdf_is_read() {
        let reader = DocumentReader::new(None);
        let read = reader.read(b"%PDF-1.7".to_vec(), "", "", "ada").await;
        assert_eq!(read.unwrap().0, Err(UnreadableReason::NoProgram));
    }
}
