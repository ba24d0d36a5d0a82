//! What a person does with an answer: listeners at the answer's root for its buttons, links and
//! images.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AddEventListenerOptions, Clipboard, Element, Event, HtmlElement, KeyboardEvent, UiEvent,
};

use crate::{images, node::DomResult, page::Page};

type Listener = Closure<dyn FnMut(Event)>;

/// Names of the events in which a link gets its address, because the browser is about to follow it
/// or to show a menu for it.
const LINK_EVENTS: &[&str] = &["mousedown", "contextmenu", "keydown", "click"];

/// The listeners of one answer, each with the names of its events. They are removed from the
/// answer's root when the value is dropped.
pub(crate) struct AnswerListeners {
    root: HtmlElement,
    listeners: [(&'static [&'static str], Listener); 4],
}

impl AnswerListeners {
    pub(crate) fn new(root: &HtmlElement, page: &Rc<Page>) -> DomResult<Self> {
        let click = {
            let page = page.clone();
            Closure::new(move |event: Event| {
                handle_click(&event, &page).ok();
            })
        };
        let leave = {
            let page = page.clone();
            Closure::new(move |event: Event| {
                if let Some(button) = button_of(&event, "copy") {
                    set_copy_name(&button, &page, false).ok();
                }
            })
        };
        let error = {
            let page = page.clone();
            Closure::new(move |event: Event| {
                if let Some(element) = target(&event) {
                    images::show_failure(&element, &page).ok();
                }
            })
        };
        let used = Closure::new(|event: Event| {
            if let Some(link) = used_link(&event) {
                give_address(&link).ok();
            }
        });
        let listeners: [(&[&str], Listener); 4] = [
            (&["click"], click),
            (&["focusout"], leave),
            (&["error"], error),
            (LINK_EVENTS, used),
        ];
        let options = AddEventListenerOptions::new();
        // An error event does not bubble.
        options.set_capture(true);
        for (kinds, listener) in &listeners {
            for kind in *kinds {
                root.add_event_listener_with_callback_and_add_event_listener_options(
                    kind,
                    listener.as_ref().unchecked_ref(),
                    &options,
                )?;
            }
        }
        Ok(Self {
            root: root.clone(),
            listeners,
        })
    }
}

impl Drop for AnswerListeners {
    fn drop(&mut self) {
        for (kinds, listener) in &self.listeners {
            let listener = listener.as_ref().unchecked_ref();
            for kind in *kinds {
                self.root
                    .remove_event_listener_with_callback_and_bool(kind, listener, true)
                    .ok();
            }
        }
    }
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn button_of(event: &Event, action: &str) -> Option<Element> {
    let button = target(event)?.closest("[data-action]").ok()??;
    (button.get_attribute("data-action")? == action).then_some(button)
}

/// Returns the link in which an event happened, if the event is to follow it or to show a menu for
/// it; of all keys Enter alone does that.
fn used_link(event: &Event) -> Option<Element> {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    let uses = key.is_none_or(|key| key == "Enter");
    let link = target(event)?.closest("[data-address]").ok()?;
    link.filter(|_| uses)
}

/// Sets the `href` of a link to its address, which it lacks until it is used.
pub(crate) fn give_address(link: &Element) -> DomResult<()> {
    match link.get_attribute("data-address") {
        Some(address) => link.set_attribute("href", &address),
        None => Ok(()),
    }
}

fn handle_click(event: &Event, page: &Rc<Page>) -> DomResult<()> {
    if let Some(button) = button_of(event, "copy") {
        copy_code(event, button, page)
    } else if let Some(button) = button_of(event, "wrap") {
        toggle_wrap(&button)
    } else if let Some(button) = button_of(event, "image") {
        images::load_asked(&button)
    } else if let Some(button) = button_of(event, "images") {
        images::load_all_asked(&button, page)
    } else {
        Ok(())
    }
}

fn copy_code(event: &Event, button: Element, page: &Rc<Page>) -> DomResult<()> {
    let Some(clipboard) = clipboard(event) else {
        return Ok(());
    };
    let block = button.closest(".code")?;
    let code = block.and_then(|block| block.query_selector("pre > code").ok().flatten());
    let Some(code) = code.and_then(|code| code.text_content()) else {
        return Ok(());
    };
    let writing = JsFuture::from(clipboard.write_text(&code));
    let page = page.clone();
    wasm_bindgen_futures::spawn_local(async move {
        if writing.await.is_ok() {
            set_copy_name(&button, &page, true).ok();
            JsFuture::from(copied_delay()).await.ok();
            set_copy_name(&button, &page, false).ok();
        }
    });
    Ok(())
}

/// Returns the clipboard of the page in which a click happened; `None` on pages that are not served
/// securely.
fn clipboard(event: &Event) -> Option<Clipboard> {
    let view = event.dyn_ref::<UiEvent>()?.view()?;
    let clipboard = view.navigator().clipboard();
    let there: &wasm_bindgen::JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}

/// Returns a promise that resolves after the time for which a button says that it has copied.
fn copied_delay() -> Promise {
    const COPIED_MS: i32 = 3000;
    Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, COPIED_MS)
                .ok();
        }
    })
}

/// Sets the label and the accessible name of a button that copies code: they say that it has copied
/// if `is_copied`, and are the usual ones otherwise.
fn set_copy_name(button: &Element, page: &Page, is_copied: bool) -> DomResult<()> {
    let (text, name) = if is_copied {
        ("copied", "copied")
    } else {
        ("copy", "copyCode")
    };
    button.set_text_content(Some(&page.text(text)));
    button.set_attribute("aria-label", &page.text(name))
}

fn toggle_wrap(button: &Element) -> DomResult<()> {
    let Some(block) = button.closest(".code")? else {
        return Ok(());
    };
    let is_wrapped = block.toggle_attribute("data-wrap")?;
    button.set_attribute("aria-pressed", if is_wrapped { "true" } else { "false" })
}
