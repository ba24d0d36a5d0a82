//! The widget's styles: one constructed style sheet, shared by all widgets of the page.
//!
//! Constructed sheets are allowed under any Content-Security-Policy, unlike `<style>` elements.

use std::cell::OnceCell;

use js_sys::{Array, Reflect};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleSheet, HtmlElement, ShadowRoot};

/// The style sheet that `build.rs` joins from `style/`.
const STYLES: &str = include_str!(concat!(env!("OUT_DIR"), "/style.css"));

thread_local! {
    static SHEET: OnceCell<Option<CssStyleSheet>> = const { OnceCell::new() };
}

/// Adds the widgets' style sheet to the shadow root that `container` is in, unless it is there
/// already.
pub(super) fn adopt_sheet(container: &HtmlElement) {
    let Ok(root) = container.get_root_node().dyn_into::<ShadowRoot>() else {
        return;
    };
    let Some(sheet) = sheet() else {
        return;
    };
    let sheets = Array::from(&root.adopted_style_sheets());
    if !sheets.includes(&sheet, 0) {
        sheets.push(&sheet);
        // By name, because a setter of web-sys does not return the exception: a root of another
        // document refuses the sheet, and unstyled is better than stopped.
        Reflect::set(&root, &"adoptedStyleSheets".into(), &sheets).ok();
    }
}

/// Appends the renderer's CSS to the style sheet that all widgets of the page share.
pub(super) fn append_styles(styles: &str) {
    if let Some(sheet) = sheet() {
        sheet.replace_sync(&[STYLES, styles].concat()).ok();
    }
}

/// Returns the style sheet that all widgets of the page share, of which the loader makes copies for
/// other documents; `None` if the browser cannot construct one.
pub(super) fn sheet() -> Option<CssStyleSheet> {
    SHEET.with(|sheet| sheet.get_or_init(make_sheet).clone())
}

fn make_sheet() -> Option<CssStyleSheet> {
    let sheet = CssStyleSheet::new().ok()?;
    sheet.replace_sync(STYLES).ok()?;
    Some(sheet)
}
