//! A short notation for trees.

use assent_markdown::{Block, Inline};

/// Writes a short notation: one bracket for each block, one for each span.
pub(crate) fn write_blocks(blocks: &[Block]) -> String {
    blocks.iter().map(write_block).collect()
}

fn write_block(block: &Block) -> String {
    match block {
        Block::Paragraph(content) => format!("[p {}]", write_inlines(content)),
        Block::Heading { level, content } => format!("[h{level} {}]", write_inlines(content)),
        Block::Code { language, text } => format!("[code {language:?} {text:?}]"),
        Block::Quote(blocks) => format!("[quote {}]", write_blocks(blocks)),
        Block::List { start, items } => {
            let items: String = items
                .iter()
                .map(|item| {
                    let task = item.task.map_or("", |done| if done { "x " } else { "o " });
                    format!("({task}{})", write_blocks(&item.blocks))
                })
                .collect();
            format!("[list {start:?} {items}]")
        }
        Block::Table { head, rows, .. } => {
            let row = |cells: &Vec<Vec<Inline>>| {
                cells
                    .iter()
                    .map(|cell| write_inlines(cell))
                    .collect::<Vec<_>>()
                    .join("|")
            };
            let rows: Vec<String> = rows.iter().map(row).collect();
            format!("[table {} / {}]", row(head), rows.join(" / "))
        }
        Block::Rule => "[rule]".to_owned(),
        Block::Footnote { name, blocks } => format!("[note {name} {}]", write_blocks(blocks)),
    }
}

fn write_inlines(content: &[Inline]) -> String {
    content
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) => text.clone(),
            Inline::Code(text) => format!("`{text}`"),
            Inline::Emphasis(inner) => format!("<em {}>", write_inlines(inner)),
            Inline::Strong(inner) => format!("<b {}>", write_inlines(inner)),
            Inline::Strikethrough(inner) => format!("<s {}>", write_inlines(inner)),
            Inline::Link { target, content } => {
                format!("<a {} {}>", target.as_str(), write_inlines(content))
            }
            Inline::Image { source, alt } => format!("<img {:?} {alt}>", source.host),
            Inline::Break => "<br>".to_owned(),
            Inline::Math { source, display } => format!("<math {display} {source}>"),
            Inline::FootnoteReference(name) => format!("<note {name}>"),
        })
        .collect()
}
