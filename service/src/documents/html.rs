//! The text of an HTML page, for a search or a model: its headings as those of Markdown, its blocks
//! as paragraphs, its scripts and styles left out. It is never shown as a page. Any text is read in
//! a time that grows with its length alone.

/// Elements whose content is no text of the page.
const SKIPPED: [&str; 5] = ["script", "style", "head", "template", "noscript"];

/// Elements that go on within a paragraph.
const INLINE: [&str; 14] = [
    "a", "abbr", "b", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "u",
];

/// The usual entities; the ampersand is the last, so that nothing is read twice.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&nbsp;", " "),
    ("&amp;", "&"),
];

/// Returns the text of a page.
pub(crate) fn as_text(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        push_text(&mut text, before);
        if let Some(comment) = tag.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let Some((inside, after)) = tag.get(1..).unwrap_or_default().split_once('>') else {
            break;
        };
        rest = after;
        let name = name(inside);
        if SKIPPED.contains(&name.as_str()) && !inside.starts_with('/') {
            rest = after_element(after, &name);
        } else if !INLINE.contains(&name.as_str()) {
            text.push_str("\n\n");
            if let Some(level) = heading_level(&name).filter(|_| !inside.starts_with('/')) {
                text.push_str(&"#".repeat(level));
                text.push(' ');
            }
        }
    }
    push_text(&mut text, rest);
    text
}

fn name(inside: &str) -> String {
    let inside = inside.trim_start_matches('/');
    let end = inside
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(inside.len());
    inside.get(..end).unwrap_or_default().to_ascii_lowercase()
}

fn heading_level(name: &str) -> Option<usize> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

/// Returns what stands after the end of an element.
fn after_element<'a>(text: &'a str, name: &str) -> &'a str {
    let ends = |tag: &str| {
        let found = tag.get(..name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once("</") {
        if ends(tag) {
            return tag.split_once('>').map_or("", |(_, after)| after);
        }
        rest = tag;
    }
    ""
}

/// Adds text with its white space as one space and its usual entities as characters.
fn push_text(text: &mut String, part: &str) {
    let begins = part.starts_with(char::is_whitespace);
    let ends = part.ends_with(char::is_whitespace);
    let words = part.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return;
    }
    if begins && !text.ends_with(['\n', ' ']) {
        text.push(' ');
    }
    let plain = ENTITIES.iter().fold(words, |words, (entity, character)| {
        words.replace(entity, character)
    });
    text.push_str(&plain);
    if ends {
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::as_text;

    #[test]
    fn what_a_page_does_not_show_is_left_out() {
        let page = "<title>T</title><STYLE>p{}</Style >a<script>if (x </y) '</scrip>'</SCRIPT>b\
                    <template><p>c</template><noscript>d";
        assert_eq!(as_text(page).trim(), "T\n\nab");
    }

    #[test]
    fn a_page_of_many_scripts_is_read_as_fast_as_any_other() {
        // Each of them would be looked for in the whole rest.
        let page = "<script></script>x".repeat(200_000);
        assert_eq!(as_text(&page).len(), 200_000);
    }
}
