//! Definitions of footnotes that are put before a piece of text for the parser, because the
//! footnotes are defined elsewhere in the answer.

/// Returns empty definitions for all footnotes that `text` seems to refer to and for which
/// `defined` returns true. A thematic break ends them, so that no text belongs to the last one.
pub(crate) fn footnote_definitions(text: &str, defined: &dyn Fn(&str) -> bool) -> String {
    let mut preface = String::new();
    for part in text.split("[^").skip(1) {
        let Some(name) = footnote_name(part) else {
            continue;
        };
        if defined(&name) {
            preface.push_str("[^");
            preface.push_str(&name);
            preface.push_str("]: .\n");
        }
    }
    if !preface.is_empty() {
        preface.push_str("***\n");
    }
    preface
}

/// Returns true if `defined` returns true for the names of all footnotes that the text seems to
/// refer to.
pub(crate) fn all_defined(text: &str, defined: &dyn Fn(&str) -> bool) -> bool {
    let mut names = text.split("[^").skip(1).filter_map(footnote_name);
    names.all(|name| defined(&name))
}

/// Returns the name of a footnote with which `rest` begins, up to its closing bracket, with single
/// spaces as the parser compares it; `None` if there is no such name.
fn footnote_name(rest: &str) -> Option<String> {
    let mut name = String::new();
    let mut escaped = false;
    let mut line = false;
    for c in rest.chars().take(1000) {
        match c {
            ']' if !escaped => {
                let name = name.trim();
                return (!name.is_empty()).then(|| name.to_owned());
            }
            '[' if !escaped => return None,
            '\n' | '\r' => {
                line = true;
                if !name.ends_with(' ') {
                    name.push(' ');
                }
            }
            // Marker of a quote after a line break.
            '>' if line => {}
            c if c.is_ascii_whitespace() => {
                if !name.ends_with(' ') {
                    name.push(' ');
                }
            }
            c => {
                line = false;
                name.push(c);
            }
        }
        escaped = c == '\\' && !escaped;
    }
    None
}
