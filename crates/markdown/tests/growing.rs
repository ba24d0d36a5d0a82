//! Preview of a text whose end has not arrived.

use assent_markdown::{Block, Document, Inline};

fn shown(text: &str) -> Vec<Block> {
    let mut document = Document::new();
    let mut blocks = Vec::new();
    for c in text.chars() {
        document.push(&c.to_string()).apply(&mut blocks);
    }
    blocks
}

fn write(content: &[Inline]) -> String {
    let part = |inline: &Inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(text) => format!("`{text}`"),
        Inline::Emphasis(inner) => format!("<em {}>", write(inner)),
        Inline::Strong(inner) => format!("<b {}>", write(inner)),
        Inline::Strikethrough(inner) => format!("<s {}>", write(inner)),
        Inline::Link { target, content } => format!("<a {} {}>", target.as_str(), write(content)),
        Inline::Image { alt, .. } => format!("<img {alt}>"),
        Inline::Math { source, .. } => format!("<math {source}>"),
        Inline::FootnoteReference(name) => format!("<note {name}>"),
        Inline::Break => "<br>".to_owned(),
    };
    content.iter().map(part).collect()
}

fn line(block: &Block) -> String {
    let all = |blocks: &[Block]| blocks.iter().map(line).collect::<Vec<_>>().join("/");
    match block {
        Block::Paragraph(content) => write(content),
        Block::Heading { level, content } => format!("h{level} {}", write(content)),
        Block::Code { language, text } => format!("code {language:?} {text:?}"),
        Block::Quote(blocks) => format!("quote {}", all(blocks)),
        Block::List { items, .. } => {
            let items = items.iter().map(|item| all(&item.blocks));
            format!("list {}", items.collect::<Vec<_>>().join(","))
        }
        Block::Table { head, rows, .. } => {
            let row = |cells: &Vec<Vec<Inline>>| {
                cells
                    .iter()
                    .map(|cell| write(cell))
                    .collect::<Vec<_>>()
                    .join("|")
            };
            format!(
                "table {};{}",
                row(head),
                rows.iter().map(row).collect::<Vec<_>>().join(";")
            )
        }
        Block::Rule => "rule".to_owned(),
        Block::Footnote { name, blocks } => format!("note {name} {}", all(blocks)),
    }
}

fn check(text: &str, expected: &[&str]) {
    let lines: Vec<String> = shown(text).iter().map(line).collect();
    assert_eq!(lines, expected, "{text:?}");
}

#[test]
fn open_emphasis_is_emphasis() {
    check("a **", &["a"]);
    check("a **b", &["a <b b>"]);
    check("a **b ", &["a <b b>"]);
    check("a **b*", &["a <b b>"]);
    check("a **b**", &["a <b b>"]);
    check("a *b **c", &["a <em b <b c>>"]);
    check("a ~~b", &["a <s b>"]);
    check("a `b", &["a `b`"]);
    check("a ``b`c", &["a `b`c`"]);
    check("2 * 3 and snake_case", &["2 * 3 and snake_case"]);
    check("# A **b", &["h1 A <b b>"]);
    check("- a\n- **b", &["list a,<b b>"]);
    check("> *b", &["quote <em b>"]);
    check("|a|b|\n|-|-|\n|c|**d", &["table a|b;c|<b d>"]);
}

#[test]
fn half_a_link_is_its_text() {
    for half in ["[te", "[text", "[text]", "[text](", "[text](http://a.exa"] {
        let text = if half == "[te" { "a te" } else { "a text" };
        check(&format!("a {half}"), &[text]);
    }
    check("a [", &["a"]);
    check(
        "a [text](http://a.example)",
        &["a <a http://a.example text>"],
    );
    check("a ![text](http://a.exa", &["a text"]);
    check("a [**b", &["a <b b>"]);
    check("a [^1", &["a"]);
    check("a [^1]", &["a <note 1>"]);
    check(
        "a <https://a.example",
        &["a <a https://a.example https://a.example>"],
    );
}

#[test]
fn half_a_link_in_bold_in_a_list_is_its_text() {
    for half in ["[te", "[text", "[text]", "[text](", "[text](https://a.exa"] {
        let text = if half == "[te" { "te" } else { "text" };
        check(&format!("- a **{half}"), &[&format!("list a <b {text}>")]);
    }
    check(
        "- a **[text](https://a.example)*",
        &["list a <b <a https://a.example text>>"],
    );
    check(
        "- a **[text](https://a.example)** b",
        &["list a <b <a https://a.example text>> b"],
    );
}

#[test]
fn an_open_formula_is_a_formula() {
    for half in ["a \\(x", "a \\(x ", "a \\(x\\", "a \\(x\\)"] {
        check(half, &["a <math x>"]);
    }
    for half in ["\\", "\\(", "\\( "] {
        check(&format!("a {half}"), &["a"]);
    }
    check("a **b \\(x_1", &["a <b b <math x_1>>"]);
    check("\\[\nx\n+ y\n", &["<math \nx\n+ y>"]);
    check("- \\[x", &["list <math x>"]);
    check("$$x^2$", &["<math x^2>"]);
    check("| a |\n|--|\n| \\(x", &["table a;<math x>"]);
    check(
        "\\begin{align}\na",
        &["<math \\begin{align}\na\\end{align}>"],
    );
    check("\\[\nx\n\ny", &["[\nx", "y"]);
    check("```\n\\[\nx", &["code None \"\\\\[\\nx\""]);
    check("a[^1] \\(x\n", &["a<note 1> <math x>"]);
    check("a $5", &["a $5"]);
}

#[test]
fn half_a_line_break_waits() {
    check("a <b", &["a"]);
    check("a <br", &["a"]);
    check("a<br>b <br/", &["a<br>b"]);
}

#[test]
fn half_an_alert_waits() {
    check("> [", &["quote "]);
    check("> [!WARN", &["quote "]);
    check("> [!WARNING]", &["quote <b Warning>"]);
}

#[test]
fn what_may_become_several_things_waits() {
    check("a\n-", &["a"]);
    check("a\n- ", &["a"]);
    check("a\n---", &["a"]);
    check("a\n=", &["a"]);
    check("a\n\n--", &["a"]);
    check("a\n\n#", &["a"]);
    check("a\n\n``", &["a"]);
    check("12.", &["list "]);
    check("-", &["list "]);
    check("- [", &["list "]);
    check("- [x", &["list "]);
    check("a\n\n[^1]:", &["a"]);
}

#[test]
fn an_open_fence_is_code() {
    check("```", &[]);
    check("```py", &["code None \"\""]);
    check("```python\nx", &["code Some(\"python\") \"x\""]);
    check("```python\nx\n``", &["code Some(\"python\") \"x\\n\""]);
    check("```python\n**x\n", &["code Some(\"python\") \"**x\\n\""]);
    check("- a\n  ```py", &["list a/code None \"\""]);
    check("$$x^2", &["<math x^2>"]);
}

#[test]
fn a_table_grows_by_its_rows() {
    check("| a | b", &["| a | b"]);
    check("| a | b |\n|--", &["| a | b |"]);
    check("| a | b |\n|--|--|\n| c", &["table a|b;c|"]);
}

#[test]
fn a_definition_counts_as_soon_as_a_blank_line_follows_it() {
    for rest in ["\n\n", "\n\nThe end", "\n\n- one\n"] {
        let mut document = Document::new();
        let mut blocks = Vec::new();
        document
            .push("See [it][t].\n\nMore.\n\n")
            .apply(&mut blocks);
        let definition = format!("[t]: https://a.example/{rest}");
        document.push(&definition).apply(&mut blocks);
        let first = blocks.first().map(line);
        assert_eq!(
            first.as_deref(),
            Some("See <a https://a.example/ it>."),
            "{rest:?}"
        );
    }
}
