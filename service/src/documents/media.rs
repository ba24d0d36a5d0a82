//! The types of files, by their bytes.

/// Returns the media type of an image by its first bytes; `None` for all but PNG, JPEG, GIF and
/// WebP. What a browser or a program says of a file is a guess from its name.
pub(crate) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}

/// The kind of a document, which is how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    /// Text, Markdown included: nothing in it is left out.
    Text,
    /// An HTML page, of which the text alone is read.
    Html,
    /// A PDF.
    Pdf,
}

/// Returns a document's kind by its bytes; `None` for what is neither text in UTF-8 nor a PDF. The
/// declared type and the name count only for text that does not begin as an HTML page does: one of
/// them can say that it is such a page.
pub(crate) fn document_kind(bytes: &[u8], declared: &str, name: &str) -> Option<DocumentKind> {
    let begin = bytes.trim_ascii_start();
    if begin.starts_with(b"%PDF-") {
        return Some(DocumentKind::Pdf);
    }
    let text = std::str::from_utf8(bytes).ok()?;
    // No text has this character, and many files that are none have it.
    if text.contains('\0') {
        return None;
    }
    let text = text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
    let begins = |word: &str| {
        let begin = text.get(..word.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    let declared = declared.split(';').next().unwrap_or_default().trim();
    let called = declared.eq_ignore_ascii_case("text/html")
        || [".html", ".htm"].iter().any(|end| {
            let name = name.to_ascii_lowercase();
            name.ends_with(end)
        });
    let is_page = begins("<!doctype html") || begins("<html") || called;
    Some(if is_page {
        DocumentKind::Html
    } else {
        DocumentKind::Text
    })
}

/// The character with which some programs begin a text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{FEFF}';

#[cfg(test)]
mod tests {
    use super::{
        DocumentKind::{Html, Pdf, Text},
        document_kind, image_type,
    };

    #[test]
    fn images_are_known_by_their_first_bytes() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a...", Some("image/gif")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"%PDF-1.7", None),
            (b"<svg/>", None),
            (b"", None),
        ] {
            assert_eq!(image_type(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn documents_are_known_by_their_bytes_and_by_their_names_only_where_these_tell_nothing() {
        for (bytes, declared, name, kind) in [
            (&b"%PDF-1.7\n"[..], "text/plain", "a.txt", Some(Pdf)),
            (b"\n %PDF-1.7\xff", "", "", Some(Pdf)),
            (b"about %PDF-1.7", "application/pdf", "a.pdf", Some(Text)),
            (b"# Title", "text/markdown", "a.md", Some(Text)),
            (
                b"\xef\xbb\xbf <!DOCTYPE html>",
                "text/plain",
                "a.txt",
                Some(Html),
            ),
            (b"<HTML>", "", "", Some(Html)),
            (b"<p>a</p>", "Text/HTML; charset=utf-8", "", Some(Html)),
            (b"<p>a</p>", "", "A.HTM", Some(Html)),
            (b"<p>a</p>", "text/plain", "a.txt", Some(Text)),
            (b"a\0b", "text/plain", "a.txt", None),
            (b"caf\xe9", "text/plain", "a.txt", None),
            (b"\xff\xfea\0", "text/html", "a.html", None),
            (b"PK\x03\x04\xff", "text/plain", "a.md", None),
        ] {
            let found = document_kind(bytes, declared, name);
            assert_eq!(found, kind, "{bytes:?} {declared} {name}");
        }
    }
}
