//! Recognises file paths, and finds what is unusual in them.

use crate::{Finding, among::is_among, finding::Findings};

/// Endings of the names of programs, and of files that start one.
const PROGRAM_EXTENSIONS: &str = "exe com scr bat cmd pif msi ps1 vbs vbe js jse wsf hta jar lnk app dmg pkg sh command apk reg cpl";

/// Endings of the names of documents, pictures, sounds and films.
const DOCUMENT_EXTENSIONS: &str =
    "pdf doc docx xls xlsx ppt pptx odt ods txt rtf csv html jpg jpeg png gif svg mp3 mp4 avi zip";

/// Returns true if a value, which has no space around it, begins like a file path.
pub(crate) fn is_path(value: &str) -> bool {
    let first = segments(value).next().unwrap_or_default();
    let is_drive = || first.len() == 2 && first.ends_with(':') && first.is_ascii();
    match first {
        "~" | ".." => true,
        // `/remind me to call` is a command.
        "" if value.contains(' ') => value.split('/').count() > 3,
        // A value of one segment is no path.
        _ => first.len() < value.len() && (is_among(" .", first) || is_drive()),
    }
}

/// Adds what is unusual in the file path `value`, which may have space around it, to `findings`.
pub(crate) fn find_in_path(value: &str, findings: &mut Findings) {
    let mut last = "";
    for segment in segments(value) {
        match segment {
            "" | "." => {}
            ".." => findings.add(Finding::ParentFolder),
            "~" => findings.add(Finding::HomeFolder),
            _ => {
                if segment.starts_with('.') {
                    findings.add(Finding::HiddenFile);
                }
                let end = segment.chars().next_back();
                if end.is_some_and(|end| end == '.' || end.is_whitespace()) {
                    findings.add(Finding::TrailingDotOrSpace);
                }
            }
        }
        last = segment;
    }
    // The name, its second to last extension, its last one.
    let (mut name, mut document, mut program) = ("", "", "");
    for piece in last.split('.') {
        (name, document, program) = (document, program, piece.trim());
    }
    if is_among(PROGRAM_EXTENSIONS, program)
        && is_among(DOCUMENT_EXTENSIONS, document)
        && !name.is_empty()
    {
        findings.add(Finding::DisguisedProgram);
    }
}

fn segments(value: &str) -> impl Iterator<Item = &str> {
    value.split('/').flat_map(|segment| segment.split('\\'))
}
