//! The tree as bytes, to pass it from one WebAssembly module to another.
//!
//! The parser and its tables are a quarter of all code; they stand in a module of their own, which the page fetches
//! while the person can type already.
//! Both ends are built from this file in one build, so that the form has no versions.
//! A block or a span is a tag and its fields; a text is its length in bytes and then UTF-8; a list is its length and
//! then its elements; numbers are little-endian.

use crate::{Align, Block, ImageSource, Inline, LinkTarget, ListItem, MAX_DEPTH};

/// Writes blocks.
#[must_use]
pub fn encode(blocks: &[Block]) -> Vec<u8> {
    let mut to = Writer(Vec::new());
    to.list(blocks, Writer::block);
    to.0
}

/// Reads blocks; `None` where the bytes are not what [`encode`] writes.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Vec<Block>> {
    let mut from = Reader { bytes, depth: 0 };
    let blocks = from.blocks()?;
    from.bytes.is_empty().then_some(blocks)
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: usize) {
        // No text of a browser comes near 4 GiB; what does is cut off and then refused as a whole by the reader.
        self.0
            .extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn list<T>(&mut self, list: &[T], mut element: impl FnMut(&mut Self, &T)) {
        self.number(list.len());
        list.iter().for_each(|it| element(self, it));
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        self.list(inlines, Self::inline);
    }

    fn option(&mut self, text: Option<&str>) {
        self.0.push(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(content) => {
                self.0.push(0);
                self.inlines(content);
            }
            Block::Heading { level, content } => {
                self.0.extend([1, *level]);
                self.inlines(content);
            }
            Block::Code { language, text } => {
                self.0.push(2);
                self.option(language.as_deref());
                self.text(text);
            }
            Block::Quote(blocks) => {
                self.0.push(3);
                self.list(blocks, Self::block);
            }
            Block::List { start, items } => {
                self.0.extend([4, u8::from(start.is_some())]);
                self.0.extend_from_slice(&start.unwrap_or(0).to_le_bytes());
                self.list(items, |to, item| {
                    to.0.push(item.task.map_or(0, |done| 1 + u8::from(done)));
                    to.list(&item.blocks, Self::block);
                });
            }
            Block::Table {
                alignment,
                head,
                rows,
            } => {
                self.0.push(5);
                self.list(alignment, |to, align| to.0.push(*align as u8));
                let row = |to: &mut Self, row: &Vec<Vec<Inline>>| {
                    to.list(row, |to, cell| to.inlines(cell));
                };
                row(self, head);
                self.list(rows, row);
            }
            Block::Rule => self.0.push(6),
            Block::Footnote { blocks, .. } => {
                self.0.push(3);
                self.list(blocks, Self::block);
            }
        }
    }

    fn inline(&mut self, inline: &Inline) {
        match inline {
            Inline::Text(text) | Inline::FootnoteReference(text) => {
                self.0.push(0);
                self.text(text);
            }
            Inline::Code(text) | Inline::Math { source: text, .. } => {
                self.0.push(1);
                self.text(text);
            }
            Inline::Emphasis(content) => {
                self.0.push(2);
                self.inlines(content);
            }
            Inline::Strong(content) => {
                self.0.push(3);
                self.inlines(content);
            }
            Inline::Strikethrough(content) => {
                self.0.push(4);
                self.inlines(content);
            }
            Inline::Link { target, content } => {
                self.0.push(5);
                self.text(target.as_str());
                self.inlines(content);
            }
            Inline::Image { source, alt } => {
                self.0.push(6);
                self.text(source.as_str());
                self.text(alt);
            }
            Inline::Break => self.0.push(7),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// How many lists of blocks or spans are open: bounded, so that no bytes can exhaust the stack.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?)
            .ok()
            .map(str::to_owned)
    }

    fn option(&mut self) -> Option<Option<String>> {
        Some(if self.byte()? == 0 {
            None
        } else {
            Some(self.text()?)
        })
    }

    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        // Twice: a list's element adds at most two levels, and a flattened one none.
        if self.depth > 2 * MAX_DEPTH + 8 {
            return None;
        }
        self.depth += 1;
        // The count is not trusted with an allocation; each element takes at least a byte.
        let list = (0..count).map(|_| element(self)).collect();
        self.depth -= 1;
        list
    }

    fn inlines(&mut self) -> Option<Vec<Inline>> {
        self.list(Self::inline)
    }

    fn blocks(&mut self) -> Option<Vec<Block>> {
        self.list(Self::block)
    }

    fn row(&mut self) -> Option<Vec<Vec<Inline>>> {
        self.list(Self::inlines)
    }

    fn block(&mut self) -> Option<Block> {
        Some(match self.byte()? {
            0 => Block::Paragraph(self.inlines()?),
            1 => Block::Heading {
                level: self.byte()?,
                content: self.inlines()?,
            },
            2 => Block::Code {
                language: self.option()?,
                text: self.text()?,
            },
            3 => Block::Quote(self.blocks()?),
            4 => {
                let ordered = self.byte()? != 0;
                let start = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
                Block::List {
                    start: ordered.then_some(start),
                    items: self.list(Self::item)?,
                }
            }
            5 => Block::Table {
                alignment: self.list(Self::align)?,
                head: self.row()?,
                rows: self.list(Self::row)?,
            },
            6 => Block::Rule,
            _ => return None,
        })
    }

    fn item(&mut self) -> Option<ListItem> {
        let task = match self.byte()? {
            0 => None,
            1 => Some(false),
            2 => Some(true),
            _ => return None,
        };
        Some(ListItem {
            task,
            blocks: self.blocks()?,
        })
    }

    fn align(&mut self) -> Option<Align> {
        [Align::Start, Align::Center, Align::End]
            .get(usize::from(self.byte()?))
            .copied()
    }

    fn inline(&mut self) -> Option<Inline> {
        Some(match self.byte()? {
            0 => Inline::Text(self.text()?),
            1 => Inline::Code(self.text()?),
            2 => Inline::Emphasis(self.inlines()?),
            3 => Inline::Strong(self.inlines()?),
            4 => Inline::Strikethrough(self.inlines()?),
            5 => {
                // Checked again: whoever holds a target may follow it.
                let target = LinkTarget::new(&self.text()?)?;
                Inline::Link {
                    target,
                    content: self.inlines()?,
                }
            }
            6 => Inline::Image {
                source: ImageSource::new(&self.text()?),
                alt: self.text()?,
            },
            7 => Inline::Break,
            _ => return None,
        })
    }
}
