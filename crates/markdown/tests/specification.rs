//! All examples of the CommonMark and the GFM specification.
//!
//! The tree is written as HTML, and both sides are normalised: entities are decoded, white space
//! between blocks is dropped, paragraphs within items count as text (the tree does not distinguish
//! tight lists from loose ones), the title of a link is dropped, a link without an allowed target
//! is its text, an image is its description. Remaining differences are intentional: the list below
//! gives the reasons.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use std::fmt::Write as _;

use assent_markdown::{Align, Block, Inline, LinkTarget, parse};

#[path = "spec/examples.rs"]
mod examples;

/// Intentional differences: specification, reason, and examples.
const DIFFERENT: &[(&str, &str, &[usize])] = &[
    (
        "CommonMark",
        "raw HTML is text",
        &[
            21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163,
            164, 165, 166, 167, 169, 170, 171, 172, 173, 174, 176, 177, 178, 179, 180, 181, 182,
            183, 184, 185, 186, 187, 188, 189, 190, 191, 201, 308, 309, 344, 475, 476, 477, 491,
            494, 524, 536, 613, 614, 615, 616, 617, 623, 625, 626, 627, 628, 629, 630, 631, 642,
            643,
        ],
    ),
    (
        "CommonMark",
        "bare addresses are links, as in GFM",
        &[602, 606, 608, 611, 612],
    ),
    (
        "GFM",
        "raw HTML is text",
        &[
            118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134,
            135, 136, 137, 139, 140, 141, 142, 143, 145, 146, 147, 148, 149, 150, 151, 152, 153,
            154, 155, 156, 157, 158, 159, 160, 170, 288, 289, 317, 327, 354, 484, 485, 486, 500,
            503, 532, 544, 632, 633, 634, 635, 636, 642, 644, 647, 648, 649, 650, 651, 653, 663,
            664,
        ],
    ),
    (
        "GFM",
        "bare addresses are links everywhere, not only in the section on them",
        &[610, 614, 616, 619, 620],
    ),
    ("GFM", "no link leads to ftp", &[628]),
];

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn blocks(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(content) => format!("<p>{}</p>\n", inlines(content)),
        Block::Heading { level, content } => format!("<h{level}>{}</h{level}>\n", inlines(content)),
        Block::Code { language, text } => {
            let class = language.as_ref().map_or_else(String::new, |name| {
                format!(" class=\"language-{}\"", escape(name))
            });
            format!("<pre><code{class}>{}</code></pre>\n", escape(text))
        }
        Block::Quote(inner) => format!("<blockquote>\n{}</blockquote>\n", blocks(inner)),
        Block::List { start, items } => {
            let (tag, number) = match start {
                Some(1) => ("ol", String::new()),
                Some(number) => ("ol", format!(" start=\"{number}\"")),
                None => ("ul", String::new()),
            };
            let mut html = format!("<{tag}{number}>\n");
            for item in items {
                let task = match item.task {
                    Some(true) => "<input disabled=\"\" type=\"checkbox\" checked=\"\"/>",
                    Some(false) => "<input disabled=\"\" type=\"checkbox\"/>",
                    None => "",
                };
                writeln!(html, "<li>{task}{}</li>", blocks(&item.blocks)).unwrap();
            }
            format!("{html}</{tag}>\n")
        }
        Block::Table {
            alignment,
            head,
            rows,
        } => {
            let row = |cells: &[Vec<Inline>], tag: &str| {
                let cells = cells.iter().zip(alignment).map(|(cell, align)| {
                    let style = match align {
                        Align::Start => "",
                        Align::Center => " style=\"text-align: center\"",
                        Align::End => " style=\"text-align: right\"",
                    };
                    format!("<{tag}{style}>{}</{tag}>\n", inlines(cell))
                });
                format!("<tr>\n{}</tr>\n", cells.collect::<String>())
            };
            let body: String = rows.iter().map(|cells| row(cells, "td")).collect();
            let body = if body.is_empty() {
                body
            } else {
                format!("<tbody>\n{body}</tbody>\n")
            };
            format!(
                "<table>\n<thead>\n{}</thead>\n{body}</table>\n",
                row(head, "th")
            )
        }
        Block::Rule => "<hr />\n".to_owned(),
        Block::Footnote {
            name,
            blocks: inner,
        } => format!("<note {name}>{}</note>", blocks(inner)),
    }
}

fn inlines(content: &[Inline]) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Text(text) => escape(text),
        Inline::Code(text) => format!("<code>{}</code>", escape(text)),
        Inline::Emphasis(inner) => format!("<em>{}</em>", inlines(inner)),
        Inline::Strong(inner) => format!("<strong>{}</strong>", inlines(inner)),
        Inline::Strikethrough(inner) => format!("<del>{}</del>", inlines(inner)),
        Inline::Link { target, content } => {
            format!(
                "<a href=\"{}\">{}</a>",
                escape(target.as_str()),
                inlines(content)
            )
        }
        Inline::Image { alt, .. } => format!("<img alt=\"{}\" />", escape(alt)),
        Inline::Math { source, .. } => format!("<math>{}</math>", escape(source)),
        Inline::FootnoteReference(name) => format!("<note {}>", escape(name)),
        Inline::Break => "<br />\n".to_owned(),
    };
    content.iter().map(part).collect()
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

fn attribute<'tag>(tag: &'tag str, name: &str) -> &'tag str {
    let start = tag
        .find(&format!(" {name}=\""))
        .map(|at| at + name.len() + 3);
    let rest = start.and_then(|start| tag.get(start..)).unwrap_or_default();
    rest.split('"').next().unwrap_or_default()
}

fn decoded(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Normalises HTML for comparison: one tag or text per line.
fn normal(html: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut text = String::new();
    let (mut items, mut code) = (0_usize, false);
    let mut links = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let until = rest.find('<').unwrap_or(rest.len());
        let (words, after) = rest.split_at(until);
        text.push_str(words);
        let end = after.find('>').map_or(after.len(), |end| end + 1);
        let (tag, next) = after.split_at(end);
        rest = next;
        let name = tag
            .trim_matches(['<', '>', '/'])
            .split([' ', '\n'])
            .next()
            .unwrap_or_default();
        let written = match name {
            "" => continue,
            "p" if items > 0 => {
                text.push('\n');
                continue;
            }
            "a" if tag.starts_with("</") => match links.pop() {
                Some(true) => tag.to_owned(),
                _ => continue,
            },
            "a" => {
                let address = unescape(attribute(tag, "href"));
                links.push(LinkTarget::new(&address).is_some());
                if links.last() == Some(&false) {
                    continue;
                }
                format!("<a {}>", decoded(&address))
            }
            "img" => format!("<img {}>", unescape(attribute(tag, "alt"))),
            // A table without rows has no body.
            "tbody" => continue,
            // The two specifications write the same thing in different ways.
            "input" if tag.contains("checked") => "<input checked>".to_owned(),
            "input" => "<input>".to_owned(),
            "th" | "td" if tag.contains(" align=") => {
                format!("<{name} style=\"text-align: {}\">", attribute(tag, "align"))
            }
            _ => tag.replace(" />", "/>"),
        };
        match tag {
            "<li>" => items += 1,
            "</li>" => items = items.saturating_sub(1),
            _ => {}
        }
        flush(&mut parts, &mut text, code);
        code = name == "pre" && !tag.starts_with("</") || code && tag != "</pre>";
        parts.push(written);
    }
    flush(&mut parts, &mut text, code);
    parts.join("\n")
}

fn flush(parts: &mut Vec<String>, text: &mut String, code: bool) {
    let text = unescape(&std::mem::take(text));
    if code {
        parts.push(format!("{text:?}"));
        return;
    }
    let words: Vec<&str> = text
        .split([' ', '\n', '\t'])
        .filter(|word| !word.is_empty())
        .collect();
    if !words.is_empty() {
        parts.push(words.join(" "));
    }
}

#[test]
fn all_examples_are_read_as_specified() {
    let examples = examples::all();
    let mut wrong = Vec::new();
    for example in &examples {
        let ours = normal(&blocks(&parse(&example.markdown)));
        let theirs = normal(&example.html);
        if ours != theirs {
            println!(
                "--- {}\n{:?}\n{ours}\n=== \n{theirs}",
                example.name, example.markdown
            );
            wrong.push(example.name.clone());
        }
    }
    let agree = examples.len() - wrong.len();
    println!(
        "{} examples, {agree} agree, {} differ on purpose",
        examples.len(),
        wrong.len()
    );
    let listed = DIFFERENT.iter().flat_map(|(specification, _, examples)| {
        examples
            .iter()
            .map(move |number| format!("{specification} {number}"))
    });
    let mut listed: Vec<String> = listed.collect();
    listed.sort_unstable();
    wrong.sort_unstable();
    assert_eq!(wrong, listed);
}
