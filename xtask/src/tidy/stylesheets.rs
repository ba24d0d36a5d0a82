//! The rule that style sheets use logical properties, such as `margin-inline-start`, classes
//! instead of ids, and no `!important`.

use super::sources::{SourceFile, Violation, numbered_lines};
use crate::comments::without_comments;

const SIDES: [&str; 4] = ["left", "right", "top", "bottom"];
const SIDED_PROPERTIES: [&str; 6] = [
    "margin",
    "padding",
    "border",
    "inset",
    "scroll-margin",
    "scroll-padding",
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        let is_sheet = source.is_in(&["style/"]) && source.extension() == "css";
        // The loader draws its first frame from a style sheet in a template literal.
        let holds_sheet = source.is_in(&["web/loader/"]) && source.extension() == "js";
        if !is_sheet && !holds_sheet {
            continue;
        }
        for (number, line) in numbered_lines(&without_comments(&source.text)) {
            for message in faults_of_line(line, is_sheet) {
                violations.push(source.violation(number, message));
            }
        }
    }
    violations
}

fn faults_of_line(line: &str, is_sheet: bool) -> Vec<String> {
    let mut found = Vec::new();
    if line.contains("!important") {
        found
            .push("no `!important`: raise the specificity, or lower that of the other rule".into());
    }
    if is_sheet && has_id_selector(line) {
        found.push("no id selectors: style a class or a part".into());
    }
    for declaration in line.split(['{', '}', ';']) {
        let Some((property, value)) = declaration.split_once(':') else {
            continue;
        };
        let (property, value) = (property.trim(), value.trim());
        // In a script, `top: 0` may be an argument and not a declaration.
        if is_physical(property) && (is_sheet || property.contains('-')) {
            found.push(format!(
                "`{property}` is physical: use the logical property"
            ));
        }
        if ["text-align", "float", "clear"].contains(&property) && SIDES.contains(&value) {
            found.push(format!(
                "`{property}: {value}` is physical: use start or end"
            ));
        }
    }
    found
}

fn is_physical(property: &str) -> bool {
    let mut words = property.rsplitn(2, '-');
    let (last, first) = (words.next().unwrap_or_default(), words.next());
    match first {
        None => SIDES.contains(&last),
        Some(first) if SIDED_PROPERTIES.contains(&first) => SIDES.contains(&last),
        Some(first) => SIDES
            .iter()
            .any(|side| first.starts_with(&format!("border-{side}"))),
    }
}

/// Returns true if a line of a style sheet has a selector with an id, such as `#send`. A `#` behind
/// a colon is a colour.
fn has_id_selector(line: &str) -> bool {
    line.split([';', '}']).any(|part| {
        let selector = part.split('{').next().unwrap_or_default();
        let is_selector = part.contains('{') || part.trim_end().ends_with(',');
        let before_value = selector.split(": ").next().unwrap_or_default();
        is_selector && before_value.contains('#') && !before_value.contains('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    fn found(text: &str) -> usize {
        messages_of(check, "style/app.css", text).len()
    }

    #[test]
    fn physical_properties_are_found() {
        for text in [
            "a { margin-left: 1px; }",
            "  padding-top: 1px;",
            "  left: 0;",
            "  border-bottom: 1px solid;",
            "  border-top-left-radius: 4px;",
            "  border-left-color: red;",
            "  inset-right: 0;",
            "  text-align: left;",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
        assert_eq!(
            messages_of(check, "web/loader/frame.js", "`a { margin-left: 1px }`").len(),
            1
        );
    }

    #[test]
    fn logical_properties_pass() {
        let text = "a { margin-inline-start: 1px; inset-block-end: 0; text-align: start; border: 0 }\n\
                    b { border-start-start-radius: 1px; transition: top 1s; overflow-anchor: none }\n";
        assert_eq!(found(text), 0);
        assert!(messages_of(check, "web/loader/frame.js", "scrollTo({ top: 0 });").is_empty());
    }

    #[test]
    fn important_and_ids_are_found_and_colours_are_not() {
        assert_eq!(found("a { color: red !important; }"), 1);
        assert_eq!(found("#send { color: red; }"), 1);
        assert_eq!(found(".a #send,\n.b { color: red; }"), 1);
        assert_eq!(
            found(".a { color: #fff; background: #000; }\n  --x: #abc;\n"),
            0
        );
        assert_eq!(found("/* #send { !important } */"), 0);
    }
}
