//! Replaces the TeX of formulas in an answer by MathML, which the browser draws.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

use crate::{
    assets::Math,
    mathml,
    node::{DomResult, element, set_attributes},
    page::Page,
};

/// Replaces the TeX in a finished block by formulas, at once or when the module `assent_math` is
/// loaded. Until then, and if that fails, the TeX stays.
pub(crate) fn set_formulas(block: &Element, page: &Rc<Page>) -> DomResult<()> {
    let Some(math) = page.math.clone() else {
        return Ok(());
    };
    let list = block.query_selector_all("code.math")?;
    let formulas: Vec<Element> = (0..list.length())
        .filter_map(|place| list.item(place)?.dyn_into().ok())
        .collect();
    if formulas.is_empty() {
        return Ok(());
    }
    if let Some(module) = math.ready() {
        return set_all_formulas(&formulas, &module, page);
    }
    let page = page.clone();
    spawn_local(async move {
        if let Some(module) = math.load().await {
            set_all_formulas(&formulas, &module, &page).ok();
        }
    });
    Ok(())
}

fn set_all_formulas(formulas: &[Element], module: &Math, page: &Page) -> DomResult<()> {
    for formula in formulas {
        // The block may have been replaced in the meantime.
        if formula.parent_node().is_some() && formula.closest("[data-growing]")?.is_none() {
            set_formula(formula, module, page)?;
        }
    }
    Ok(())
}

fn set_formula(formula: &Element, module: &Math, page: &Page) -> DomResult<()> {
    let source = formula.text_content().unwrap_or_default();
    let is_display = formula.class_name() == "math display";
    let Ok(Some(text)) = module.mathml(&source, is_display) else {
        return Ok(());
    };
    let Some(document) = formula.owner_document() else {
        return Ok(());
    };
    let Some(math) = mathml::parse(&document, &text) else {
        return Ok(());
    };
    if !is_display {
        return formula.replace_with_with_node_1(&math);
    }
    math.set_attribute("display", "block")?;
    // Scrolls sideways inside itself; the keyboard can focus it for that.
    let frame = element(&document, "span", "formula")?;
    let name = page.text("formula");
    set_attributes(&frame, &[("role", "group"), ("aria-label", &name)])?;
    math.set_attribute("tabindex", "0")?;
    frame.append_child(&math)?;
    formula.replace_with_with_node_1(&frame)
}
