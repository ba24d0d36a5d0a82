//! The check of the MathML that the library made, before the module returns it: only known elements
//! and attributes, well nested, and not too many. Nothing in it can run, load or link.

/// Maximum number of elements of a formula: more than in any real one, and too few to slow down a
/// page.
const MAX_ELEMENTS: usize = 5_000;
/// Maximum depth of nested elements in a formula, because a page may build them by recursion.
const MAX_DEPTH: usize = 256;

/// Names of the elements that a formula may have: those of MathML Core, and those of HTML that
/// style the text in `mtext`.
const ELEMENTS: &str = " math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts \
    mtable mtr mtd mpadded mphantom b i em code s u span ";
const ATTRIBUTES: &str = " display displaystyle scriptlevel stretchy movablelimits form symmetric largeop lspace rspace minsize maxsize mathvariant \
    linethickness width height accent accentunder style ";
/// Names of attributes that are removed from a formula; any other unknown attribute makes the
/// formula invalid.
const DROPPED_ATTRIBUTES: &str = " id class href ";
const STYLE_PROPERTIES: &str = " color width text-align justify-items padding-left padding-right padding-top padding-bottom margin-left \
    border-left border-right border-top font-size font-variant-caps math-shift ";

/// Returns the MathML of a formula with links replaced by their text; `None` if it has unknown
/// elements, attributes or values.
pub(crate) fn check_markup(markup: &str) -> Option<String> {
    let mut kept = String::with_capacity(markup.len());
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = markup;
    while let Some((text, after)) = rest.split_once('<') {
        put_text(text, &mut kept)?;
        let (tag, after) = after.split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop()? != name {
                return None;
            }
            if name != "a" {
                kept.push_str("</");
                kept.push_str(name);
                kept.push('>');
            }
            continue;
        }
        count += 1;
        let (tag, is_empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if !is_empty {
            open.push(name);
        }
        if count > MAX_ELEMENTS || open.len() > MAX_DEPTH {
            return None;
        }
        if name == "a" {
            continue;
        }
        if !is_in(ELEMENTS, name) {
            return None;
        }
        kept.push('<');
        kept.push_str(name);
        put_attributes(attributes, &mut kept)?;
        kept.push_str(if is_empty { "/>" } else { ">" });
    }
    put_text(rest, &mut kept)?;
    open.is_empty().then_some(kept)
}

fn put_text(text: &str, kept: &mut String) -> Option<()> {
    if text.contains('>') {
        return None;
    }
    kept.push_str(text);
    Some(())
}

fn put_attributes(attributes: &str, kept: &mut String) -> Option<()> {
    let mut rest = attributes.trim_start();
    let mut seen = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        rest = after.trim_start();
        // The library writes `stretchy` twice for `\mathop\middle|`; the first one counts, as in a
        // browser's HTML parser.
        if is_in(DROPPED_ATTRIBUTES, name) || seen.contains(&name) {
            continue;
        }
        seen.push(name);
        if !is_in(ATTRIBUTES, name) || !is_plain_value(value) {
            return None;
        }
        if name == "style" && !value.split(';').all(is_declaration) {
            return None;
        }
        for part in [" ", name, "=\"", value, "\""] {
            kept.push_str(part);
        }
    }
    Some(())
}

/// Returns true if an attribute's value has only characters that words, lengths and colours need,
/// so that it cannot name an address.
fn is_plain_value(value: &str) -> bool {
    value
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || " #.%-:;".contains(character))
}

fn is_declaration(text: &str) -> bool {
    text.trim().is_empty()
        || text.split_once(':').is_some_and(|(property, value)| {
            is_in(STYLE_PROPERTIES, property.trim()) && !value.contains(':')
        })
}

fn is_in(list: &str, name: &str) -> bool {
    !name.is_empty() && !name.contains(' ') && list.contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_stays_and_links_become_what_they_say() {
        let markup = "<math display=\"block\"><mtd style=\"text-align: right;width: 50%\" id=\"x\"><mtext><a href=\"#x\">(2)</a> &lt;</mtext></mtd><mspace width=\"1em\"/></math>";
        let kept = "<math display=\"block\"><mtd style=\"text-align: right;width: 50%\"><mtext>(2) &lt;</mtext></mtd><mspace width=\"1em\"/></math>";
        assert_eq!(check_markup(markup).as_deref(), Some(kept));
    }

    #[test]
    fn an_attribute_that_is_written_twice_is_kept_once() {
        let markup = "<math><mo stretchy=\"false\" form=\"infix\" stretchy=\"true\">|</mo></math>";
        let kept = "<math><mo stretchy=\"false\" form=\"infix\">|</mo></math>";
        assert_eq!(check_markup(markup).as_deref(), Some(kept));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for markup in [
            "<math><script></script></math>",
            "<math><maction></maction></math>",
            "<math onload=\"x\"></math>",
            "<math><mi style=\"background:url(x)\">x</mi></math>",
            "<math><mi style=\"position:fixed\">x</mi></math>",
            "<math><mi>x</math></mi>",
            "<math>",
            "<math",
            "a > b",
            "</math>",
        ] {
            assert_eq!(check_markup(markup), None, "{markup}");
        }
    }

    #[test]
    fn too_many_elements_and_too_deep_ones_are_refused() {
        let many = format!("<math>{}</math>", "<mi>x</mi>".repeat(MAX_ELEMENTS));
        assert_eq!(check_markup(&many), None);
        let deep = format!("{}{}", "<mrow>".repeat(300), "</mrow>".repeat(300));
        assert_eq!(check_markup(&deep), None);
    }
}
