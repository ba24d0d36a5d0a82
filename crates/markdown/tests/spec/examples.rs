//! Examples of the specifications, parsed from their text.

/// One example.
pub(crate) struct Example {
    pub(crate) markdown: String,
    pub(crate) html: String,
    pub(crate) name: String,
}

const FENCE: &str = "````````````````````````````````";

/// Returns all examples of both specifications.
pub(crate) fn all() -> Vec<Example> {
    let mut examples = read("CommonMark", include_str!("commonmark.txt"));
    examples.extend(read("GFM", include_str!("gfm.txt")));
    examples
}

fn read(specification: &str, text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with(FENCE) || !line.contains(" example") {
            continue;
        }
        let part = |end: &str, lines: &mut std::str::Lines<'_>| -> String {
            let part = lines.take_while(|line| *line != end);
            part.map(|line| line.replace('→', "\t") + "\n").collect()
        };
        let markdown = part(".", &mut lines);
        let html = part(FENCE, &mut lines);
        examples.push(Example {
            markdown,
            html,
            name: format!("{specification} {}", examples.len() + 1),
        });
    }
    examples
}
