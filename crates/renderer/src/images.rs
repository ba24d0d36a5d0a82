//! Loading of an answer's images, only if the person or the page allows it: it is a request to a
//! host that the agent named.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement};

use crate::{
    node::{DomResult, append_element, append_text, element, picture_icon},
    page::Page,
};

thread_local! {
    /// The answers that are in the page, each with its root and its configuration. A person who
    /// allows a host in one of them allows it in all answers of the same conversation.
    static SHOWN_ANSWERS: RefCell<Vec<(HtmlElement, Rc<Page>)>> =
        const { RefCell::new(Vec::new()) };
}

/// Registers an answer, so that its images are loaded, too, when their host is allowed in another
/// answer of the conversation.
pub(crate) fn register_answer(root: &HtmlElement, page: &Rc<Page>) {
    SHOWN_ANSWERS.with_borrow_mut(|shown| shown.push((root.clone(), page.clone())));
}

/// Unregisters the answer with the configuration `page`: it is not shown any more.
pub(crate) fn unregister_answer(page: &Rc<Page>) {
    SHOWN_ANSWERS.with_borrow_mut(|shown| shown.retain(|(_, other)| !Rc::ptr_eq(page, other)));
}

/// Loads the images of a finished block that may be loaded without asking the person.
pub(crate) fn load_allowed(block: &Element, page: &Page) -> DomResult<()> {
    for_each_image(block, |image, address| {
        if page.allows_image(&address) {
            load_image(image, &address)?;
        }
        Ok(())
    })
}

/// Loads the image around `button`, which a person has pressed, and moves the focus to the image.
pub(crate) fn load_asked(button: &Element) -> DomResult<()> {
    let Some(image) = button.closest(".image")? else {
        return Ok(());
    };
    let Some(address) = image.get_attribute("data-source") else {
        return Ok(());
    };
    load_image(&image, &address)?;
    focus_image(&image)
}

/// Loads the image around `button`, which a person has pressed, and all images of the same host in
/// this conversation, now and later.
pub(crate) fn load_all_asked(button: &Element, page: &Rc<Page>) -> DomResult<()> {
    let image = button.closest(".image")?;
    let host = image.and_then(|image| image.get_attribute("data-host"));
    let Some(host) = host else {
        return Ok(());
    };
    page.allow_host(&host);
    load_asked(button)?;
    let answers = SHOWN_ANSWERS.with_borrow(Vec::clone);
    let of_same = |other: &Rc<Page>| Rc::ptr_eq(page, other) || page.shares_hosts(other);
    for (root, _) in answers.iter().filter(|(_, other)| of_same(other)) {
        for_each_image(root, |image, address| {
            let is_open = image.closest("[data-growing]")?.is_some();
            if !is_open && image.get_attribute("data-host").as_deref() == Some(&host) {
                load_image(image, &address)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Shows its description and a message in the place of an image that could not be loaded. Nothing
/// happens if `broken` is any other element.
pub(crate) fn show_failure(broken: &Element, page: &Page) -> DomResult<()> {
    let frame = broken.parent_element();
    let Some(frame) = frame.filter(|frame| frame.class_name() == "image loaded") else {
        return Ok(());
    };
    let alt = broken.get_attribute("alt").unwrap_or_default();
    frame.set_attribute("class", "image")?;
    frame.set_text_content(None);
    if let Some(document) = frame.owner_document() {
        append_element(&frame, &picture_icon(&document)?)?;
        for (class, text) in [("image-alt", alt), ("image-host", page.text("imageFailed"))] {
            let part = element(&document, "span", class)?;
            part.set_attribute("dir", "auto")?;
            append_text(&document, &part, &text)?;
            frame.append_child(&part)?;
        }
    }
    Ok(())
}

/// Calls `what` with each image in `within` that is not loaded, and with the image's address.
fn for_each_image(
    within: &Element,
    what: impl Fn(&Element, String) -> DomResult<()>,
) -> DomResult<()> {
    let list = within.query_selector_all("[data-source]")?;
    for place in 0..list.length() {
        let image = list
            .item(place)
            .and_then(|it| it.dyn_into::<Element>().ok());
        if let Some(image) = image
            && let Some(address) = image.get_attribute("data-source")
        {
            what(&image, address)?;
        }
    }
    Ok(())
}

fn load_image(image: &Element, address: &str) -> DomResult<()> {
    let Some(document) = image.owner_document() else {
        return Ok(());
    };
    let description = image.query_selector(".image-alt")?;
    let alt = description.and_then(|it| it.text_content());
    let loaded = element(&document, "img", "")?;
    // The address comes last: it starts the request.
    for (name, value) in [
        ("alt", alt.as_deref().unwrap_or_default()),
        ("referrerpolicy", "no-referrer"),
        ("loading", "lazy"),
        ("decoding", "async"),
        ("src", address),
    ] {
        loaded.set_attribute(name, value)?;
    }
    image.remove_attribute("data-source")?;
    image.set_attribute("class", "image loaded")?;
    image.set_text_content(None);
    image.append_child(&loaded)?;
    Ok(())
}

/// Moves the focus to an image that is being loaded: the button that had the focus is gone. The
/// page does not scroll.
fn focus_image(image: &Element) -> DomResult<()> {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    match image.dyn_ref::<HtmlElement>() {
        Some(image) => image.focus_with_options(&options),
        None => Ok(()),
    }
}
