//! Paths of files: the few things about them that are surely worth a look.

use crate::Finding;

/// Endings of programs and of files that start one.
const PROGRAMS: &str = "exe com scr bat cmd pif msi ps1 vbs vbe js jse wsf hta jar lnk app dmg pkg sh command apk reg cpl";

/// Endings of documents, pictures and sounds.
const DOCUMENTS: &str =
    "pdf doc docx xls xlsx ppt pptx odt ods txt rtf csv html jpg jpeg png gif svg mp3 mp4 avi zip";

/// Whether a value without the space around it is a path by its beginning.
pub(crate) fn is_path(value: &str) -> bool {
    let has_drive = value
        .get(1..3)
        .is_some_and(|colon| colon == ":\\" || colon == ":/")
        && value.starts_with(|drive: char| drive.is_ascii_alphabetic());
    let starts = ["/", "./", "../", "~/", "\\\\", ".\\", "..\\"];
    has_drive
        || value == "~"
        || value == ".."
        || starts.iter().any(|start| value.starts_with(start))
}

/// What to look at in a path. `value` may have space around it.
pub(crate) fn find(value: &str, findings: &mut Vec<Finding>) {
    let mut last = "";
    for (index, segment) in value.split(['/', '\\']).enumerate() {
        match segment {
            "" | "." => {}
            ".." => findings.push(Finding::ParentFolder),
            _ => {
                if index == 0 && segment.starts_with('~') {
                    findings.push(Finding::HomeFolder);
                }
                if segment.starts_with('.') {
                    findings.push(Finding::HiddenFile);
                }
                if segment.ends_with(|end: char| end == '.' || end.is_whitespace()) {
                    findings.push(Finding::TrailingDotOrSpace);
                }
            }
        }
        last = segment;
    }
    let mut endings = last.rsplit('.').map(str::trim);
    if let (Some(program), Some(document), Some(_)) =
        (endings.next(), endings.next(), endings.next())
        && among(PROGRAMS, program)
        && among(DOCUMENTS, document)
    {
        findings.push(Finding::DisguisedProgram);
    }
}

fn among(list: &str, ending: &str) -> bool {
    list.split_ascii_whitespace()
        .any(|one| one.eq_ignore_ascii_case(ending))
}
