//! Creation of the nodes of Markdown's inline content: texts, links, images. Each part of a line is
//! one node, so that an index in a list of parts is an index among the children of their parent.

use assent_markdown::{ImageSource, Inline, LinkTarget};
use web_sys::{Element, Node};

use crate::{
    line::plain_text,
    node::{DomResult, append_element, append_text, button, picture_icon, set_attributes},
    page::parse_web_address,
    renderer::Renderer,
};

impl Renderer {
    /// Appends the nodes of the inline parts `content`, such as texts and links, to `into`.
    pub(crate) fn inlines(&self, into: &Element, content: &[Inline]) -> DomResult<()> {
        for part in content {
            into.append_child(&self.inline(part)?)?;
        }
        Ok(())
    }

    pub(crate) fn inline(&self, part: &Inline) -> DomResult<Node> {
        let element = match part {
            Inline::Text(text) => return Ok(self.document.create_text_node(text).into()),
            Inline::Code(code) => {
                let element = self.element("code", "")?;
                element.set_attribute("translate", "no")?;
                append_text(&self.document, &element, code)?;
                element
            }
            Inline::Emphasis(inner) => self.wrapped("em", inner)?,
            Inline::Strong(inner) => self.wrapped("strong", inner)?,
            Inline::Strikethrough(inner) => self.wrapped("del", inner)?,
            Inline::Link { target, content } => self.link(target, content)?,
            Inline::Image { source, alt } => self.image(source, alt)?,
            Inline::Math { source, display } => self.formula(source, *display)?,
            Inline::FootnoteReference(name) => self.footnote_reference(name)?,
            Inline::Break => self.element("br", "")?,
        };
        Ok(element.into())
    }

    fn wrapped(&self, tag: &str, content: &[Inline]) -> DomResult {
        let element = self.element(tag, "")?;
        self.inlines(&element, content)?;
        Ok(element)
    }

    /// Creates a link, or plain text if the link may not be followed. The link gets its `href` when
    /// it is used (`events`): browsers look up the hosts of all links, and may even load their
    /// pages before.
    fn link(&self, target: &LinkTarget, content: &[Inline]) -> DomResult {
        let address = target.as_str();
        if !self.page.allows_link(address, target.is_ordinary()) {
            return self.wrapped("span", content);
        }
        let link = self.wrapped("a", content)?;
        set_attributes(
            &link,
            &[
                ("data-address", address),
                ("role", "link"),
                ("tabindex", "0"),
                ("title", address),
                ("target", "_blank"),
                ("rel", "noopener noreferrer nofollow"),
            ],
        )?;
        if let Some(host) = disguised_host(target, content) {
            let mark = self.element("span", "leads-to")?;
            mark.set_attribute("dir", "auto")?;
            let text = self.page.text_with("leadsTo", "{host}", &host);
            append_text(&self.document, &mark, &text)?;
            append_text(&self.document, &link, " ")?;
            link.append_child(&mark)?;
        }
        Ok(link)
    }

    /// Creates what stands in the place of an image that is not loaded: its description, its host,
    /// and two buttons, to load this image or all images of the host.
    fn image(&self, source: &ImageSource, alt: &str) -> DomResult {
        let image = self.element("span", "image")?;
        let address = parse_web_address(source.as_str());
        append_element(&image, &picture_icon(&self.document)?)?;
        let description = self.element("span", "image-alt")?;
        description.set_attribute("dir", "auto")?;
        append_text(&self.document, &description, alt)?;
        image.append_child(&description)?;
        let origin = self.element("span", "image-host")?;
        origin.set_attribute("dir", "auto")?;
        image.append_child(&origin)?;
        let Some(url) = address else {
            append_text(&self.document, &origin, &self.page.text("image"))?;
            return Ok(image);
        };
        let host = url.host();
        let text = format!("{} {host}", self.page.text("imageFrom"));
        append_text(&self.document, &origin, &text)?;
        set_attributes(
            &image,
            &[
                ("data-source", url.href().as_str()),
                ("data-host", &host),
                ("tabindex", "-1"),
            ],
        )?;
        let all = self.page.text_with("loadImagesFrom", "{host}", &host);
        let one = self.page.text("loadImage");
        append_element(&image, &button(&self.document, "image", &one)?)?;
        append_element(&image, &button(&self.document, "images", &all)?)?;
        Ok(image)
    }

    /// Creates the element with the TeX of a formula, which stands in its place until its block is
    /// finished. If `display`, the formula is a paragraph of its own.
    fn formula(&self, source: &str, display: bool) -> DomResult {
        let code = self.element("code", if display { "math display" } else { "math" })?;
        code.set_attribute("dir", "ltr")?;
        append_text(&self.document, &code, source)?;
        Ok(code)
    }

    fn footnote_reference(&self, name: &str) -> DomResult {
        let mark = self.element("sup", "footnote-reference")?;
        let number = self.footnote_number(name);
        let label = self.page.text_with("footnote", "{name}", &number);
        set_attributes(
            &mark,
            &[
                ("title", &label),
                ("aria-describedby", &self.footnote_id(name)),
            ],
        )?;
        append_text(&self.document, &mark, &number)?;
        Ok(mark)
    }
}

/// Returns the host that a link leads to, if the link's text looks like the address of another one;
/// `None` if it does not deceive.
pub(crate) fn disguised_host(target: &LinkTarget, content: &[Inline]) -> Option<String> {
    let mut text = String::new();
    plain_text(content, &mut text);
    if !target.looks_like_another(&text) {
        return None;
    }
    let url = web_sys::Url::new(target.as_str()).ok()?;
    let host = url.host();
    // A mail address has no host of its own.
    Some(if host.is_empty() {
        url.pathname()
    } else {
        host
    })
}
