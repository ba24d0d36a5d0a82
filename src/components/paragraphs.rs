//! A text as plain paragraphs that grow in place.

use leptos::{prelude::document, web_sys};

/// A text that is drawn as plain paragraphs inside of one element.
pub(super) struct Paragraphs {
    root: web_sys::Element,
    /// The text node of the last paragraph; `None` before the first paragraph.
    last: Option<web_sys::Text>,
    /// The blanks and line ends after the last paragraph, which are shown once more text comes.
    blank: String,
}

impl Paragraphs {
    /// Creates an empty text that will be drawn inside of `root`.
    pub(super) fn new(root: &web_sys::Element) -> Self {
        Self {
            root: root.clone(),
            last: None,
            blank: String::new(),
        }
    }

    /// Removes all paragraphs from the page.
    pub(super) fn clear(&mut self) {
        self.root.set_text_content(None);
        self.last = None;
        self.blank.clear();
    }

    /// Appends text; a paragraph ends at a blank line.
    pub(super) fn push(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            if !content.is_empty() {
                self.append(content);
            }
            self.blank
                .push_str(line.get(content.len()..).unwrap_or_default());
        }
    }

    fn append(&mut self, content: &str) {
        let blank = std::mem::take(&mut self.blank);
        let goes_on = blank.bytes().filter(|byte| *byte == b'\n').count() < 2;
        match &self.last {
            Some(last) if goes_on => {
                last.append_data(&[&blank, content].concat()).ok();
            }
            _ => {
                let node = document().create_text_node(content.trim_start());
                if let Ok(paragraph) = document().create_element("p") {
                    paragraph.set_attribute("dir", "auto").ok();
                    paragraph.append_child(&node).ok();
                    self.root.append_child(&paragraph).ok();
                }
                self.last = Some(node);
            }
        }
    }
}
