//! Creation of nodes from the MathML that the module `assent_math` returns, if it is well-formed
//! XML of known elements. The TeX may come from an attacker, so that the MathML is not trusted
//! either.

use js_sys::Reflect;
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, Document, Element};

const MATHML_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";
/// Maximum depth of nested elements in a formula; a deeper one stays TeX, because browsers may walk
/// the tree by recursion.
const MAX_DEPTH: usize = 256;
/// Maximum length in bytes of a formula's MathML; a longer formula stays TeX.
const MAX_MATHML_BYTES: usize = 200_000;

const ELEMENTS: [&str; 25] = [
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "mspace",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "mtable",
    "mtr",
    "mtd",
    "mpadded",
    "mphantom",
    "merror",
    "mstyle",
];
/// Names of the HTML elements that may be in a formula, to style the text in its `mtext`.
const TEXT_ELEMENTS: [&str; 7] = ["b", "i", "em", "code", "s", "u", "span"];
/// Names of the attributes that elements of a formula may have; others are left out.
const ATTRIBUTES: [&str; 18] = [
    "accent",
    "accentunder",
    "display",
    "displaystyle",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rspace",
    "scriptlevel",
    "stretchy",
    "symmetric",
    "width",
];
/// Names of the CSS properties that are taken from a `style` attribute of a formula; others are
/// left out. Each is set by itself, as strict policies refuse the attribute.
const STYLE_PROPERTIES: [&str; 15] = [
    "border-bottom",
    "border-left",
    "border-right",
    "border-top",
    "color",
    "font-size",
    "font-variant-caps",
    "justify-items",
    "margin-left",
    "math-shift",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "text-align",
];

/// Returns the element `math` that `text` describes, with all its content; `None` if `text` is
/// anything else.
pub(crate) fn parse(document: &Document, text: &str) -> Option<Element> {
    if text.len() > MAX_MATHML_BYTES {
        return None;
    }
    let mut open: Vec<(&str, Element)> = Vec::new();
    let mut rest = text.trim();
    loop {
        let (content, tag) = rest.split_once('<')?;
        let (tag, after) = split_tag(tag)?;
        rest = after;
        match open.last() {
            Some((_, parent)) if !content.is_empty() => {
                let text = document.create_text_node(&decode_references(content)?);
                parent.append_child(&text).ok()?;
            }
            None if !content.is_empty() => return None,
            _ => {}
        }
        let closed = if let Some(name) = tag.strip_prefix('/') {
            let (opened, element) = open.pop()?;
            if opened != name.trim_end() {
                return None;
            }
            Some(element)
        } else {
            let (tag, is_empty) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, element) = create_element(document, tag)?;
            let is_root = name == "math";
            match open.last() {
                Some((_, parent)) if !is_root && open.len() < MAX_DEPTH => {
                    parent.append_child(&element).ok()?;
                }
                None if is_root => {}
                _ => return None,
            }
            if !is_empty {
                open.push((name, element));
                None
            } else {
                Some(element)
            }
        };
        if let Some(element) = closed
            && open.is_empty()
        {
            return rest.is_empty().then_some(element);
        }
    }
}

/// Returns the tag that `text` begins with, up to its `>`, and the rest of the text. A `>` in the
/// value of an attribute does not end the tag.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let end = text.find(|character| {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '"' | '\'') => quote = Some(character),
            _ => {}
        }
        quote.is_none() && character == '>'
    })?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

fn create_element<'text>(document: &Document, tag: &'text str) -> Option<(&'text str, Element)> {
    let (name, mut rest) = match tag.split_once(|character: char| character.is_ascii_whitespace()) {
        Some((name, rest)) => (name, rest.trim()),
        None => (tag, ""),
    };
    let element = if ELEMENTS.contains(&name) {
        document
            .create_element_ns(Some(MATHML_NAMESPACE), name)
            .ok()?
    } else if TEXT_ELEMENTS.contains(&name) {
        document.create_element(name).ok()?
    } else {
        return None;
    };
    while !rest.is_empty() {
        let (attribute, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (value, after) = value.get(1..)?.split_once(quote)?;
        rest = after.trim_start();
        let attribute = attribute.trim_end();
        if attribute == "style" {
            set_properties(&element, &decode_references(value)?);
        } else if ATTRIBUTES.contains(&attribute) {
            element
                .set_attribute(attribute, &decode_references(value)?)
                .ok()?;
        }
    }
    Some((name, element))
}

/// Sets those of the CSS `declarations` on the element whose property is in `STYLE_PROPERTIES`. A
/// value with a parenthesis is left out: it could name an address.
fn set_properties(element: &Element, declarations: &str) {
    // Elements of MathML have it, whose type counts as unstable in web-sys.
    let Ok(style) = Reflect::get(element, &"style".into()) else {
        return;
    };
    let style: CssStyleDeclaration = style.unchecked_into();
    for (property, value) in declarations.split(';').filter_map(|it| it.split_once(':')) {
        let (property, value) = (property.trim(), value.trim());
        if STYLE_PROPERTIES.contains(&property) && !value.contains(['(', '\\']) {
            style.set_property(property, value).ok();
        }
    }
}

/// Returns the text with its character references, such as `&lt;`, decoded; `None` if one is
/// unknown.
fn decode_references(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) = after.split_once(';')?;
        decoded.push_str(before);
        decoded.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => '\u{a0}',
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        });
        rest = after;
    }
    decoded.push_str(rest);
    Some(decoded)
}
