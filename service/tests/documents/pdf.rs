//! PDFs as they are written, and as somebody writes them who means harm.

use std::fmt::Write as _;

/// Returns a PDF of these objects, numbered from 1, with further words in its trailer.
fn file(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut text = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(text.len());
        let number: usize = number;
        write!(text, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let start = text.len();
    let size = objects.len() + 1;
    write!(text, "xref\n0 {size}\n0000000000 65535 f \n").unwrap();
    for place in places {
        writeln!(text, "{place:010} 00000 n ").unwrap();
    }
    let trailer = format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n");
    write!(text, "{trailer}startxref\n{start}\n%%EOF\n").unwrap();
    text.into_bytes()
}

fn stream(entries: &str, content: &str) -> String {
    let length = content.len();
    format!("<< {entries} /Length {length} >>\nstream\n{content}\nendstream")
}

const FONT: &str =
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/// Returns the objects of a document with a page for each content, and resources of all of them.
fn pages(contents: &[String], resources: &str) -> Vec<String> {
    let count = contents.len();
    let kids: String = (0..count)
        .map(|at| format!("{} 0 R ", 4 + 2 * at))
        .collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [ {kids}] /Count {count} /MediaBox [0 0 600 800] \
             /Resources << /Font << /F1 3 0 R >> {resources} >> >>"
        ),
        FONT.to_owned(),
    ];
    for (at, content) in contents.iter().enumerate() {
        let content_at = 5 + 2 * at;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content_at} 0 R >>"
        ));
        objects.push(stream("", content));
    }
    objects
}

fn line(text: &str) -> String {
    format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET")
}

/// A PDF with a page for each text.
pub fn saying(texts: &[&str]) -> Vec<u8> {
    let contents: Vec<String> = texts.iter().map(|text| line(text)).collect();
    file(&pages(&contents, ""), "")
}

/// A PDF whose second page asks for a colour space that is not there.
pub fn with_a_broken_page() -> Vec<u8> {
    let broken = "/No cs BT /F1 12 Tf (never) Tj ET".to_owned();
    file(&pages(&[line("First."), broken, line("Third.")], ""), "")
}

/// A PDF with a password.
pub fn encrypted() -> Vec<u8> {
    let (owner, user) = ("00".repeat(32), "11".repeat(32));
    let mut objects = pages(&[line("secret")], "");
    objects.push(format!(
        "<< /Filter /Standard /V 1 /R 2 /P -4 /O <{owner}> /U <{user}> >>"
    ));
    file(&objects, "/Encrypt 6 0 R /ID [<00> <00>]")
}

/// A PDF that draws a form twice, which draws another one twice, and so on: its end never comes.
pub fn endless() -> Vec<u8> {
    const FORMS: usize = 60;
    let mut objects = pages(&["/X Do /X Do".to_owned()], "/XObject << /X 6 0 R >>");
    for at in 0..FORMS {
        let next = if at + 1 == FORMS { 3 } else { 7 + at };
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] \
             /Resources << /XObject << /X {next} 0 R >> >>"
        );
        let content = if at + 1 == FORMS {
            "q Q"
        } else {
            "/X Do /X Do"
        };
        objects.push(stream(&entries, content));
    }
    file(&objects, "")
}

/// A PDF with a form that draws itself.
pub fn deep() -> Vec<u8> {
    let mut objects = pages(&["/X Do".to_owned()], "/XObject << /X 6 0 R >>");
    let entries = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] \
                   /Resources << /XObject << /X 6 0 R >> >>";
    objects.push(stream(entries, "/X Do"));
    file(&objects, "")
}

/// A PDF that keeps a state for each of so many commands before it says something.
pub fn hungry(commands: usize) -> Vec<u8> {
    let content = format!("{}{}", "q ".repeat(commands), line("full"));
    file(&pages(&[content], ""), "")
}
