//! Request data that the widget passes.

use assent_i18n::Texts;
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use crate::node::DomResult;

/// Names and values of arguments.
pub(crate) type Arguments = Vec<(String, String)>;

/// A request, and the elements it is rendered into.
pub(crate) struct Data {
    /// An empty element for name and provider.
    pub(crate) head: Element,
    /// An empty element for the arguments, if they are to be shown.
    pub(crate) rows: Option<Element>,
    /// An empty element for the warnings, if they are to be shown.
    pub(crate) looks: Option<Element>,
    /// The tool's name for labels without marks, or its placeholder.
    pub(crate) label: String,
    pub(crate) name: String,
    pub(crate) provider: String,
    pub(crate) category: String,
    pub(crate) arguments: Arguments,
    /// One state for each argument.
    pub(crate) folds: Vec<Fold>,
    /// The arguments of the last call, if there was one.
    pub(crate) before: Option<Arguments>,
    /// The widget's texts, with those of the page.
    pub(crate) texts: Texts,
    /// Gets the index of an opened argument.
    pub(crate) open: Function,
    /// Gets true once all of the request was on the screen, if somebody waits for that.
    pub(crate) seen: Option<Function>,
}

/// Folding state of an argument, by its length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Short enough to be read at a glance.
    Short,
    /// Long, and was opened.
    Opened,
    /// Long, and has to be opened.
    Folded,
}

impl Data {
    pub(crate) fn read(request: &JsValue) -> DomResult<Self> {
        let get = |name: &str| Reflect::get(request, &name.into());
        let text = |name: &str| get(name)?.as_string().ok_or(JsValue::UNDEFINED);
        let element = |name: &str| Ok::<_, JsValue>(get(name)?.dyn_into::<Element>().ok());
        let rows: Array = get("arguments")?.dyn_into()?;
        let before = get("before")?;
        Ok(Self {
            head: get("head")?.dyn_into()?,
            rows: element("rows")?,
            looks: element("looks")?,
            label: text("label")?,
            name: text("name")?,
            provider: text("provider")?,
            category: text("category")?,
            folds: rows
                .iter()
                .map(|row| fold(&row))
                .collect::<DomResult<_>>()?,
            arguments: arguments(&rows)?,
            before: match before.dyn_ref::<Array>() {
                Some(before) => Some(arguments(before)?),
                None => None,
            },
            texts: texts(&get("texts")?),
            open: get("open")?.dyn_into()?,
            seen: get("seen")?.dyn_into().ok(),
        })
    }
}

/// Reads `locale`, a language tag or `undefined`, and `given`, the page's own texts: pairs of key
/// and text.
fn texts(texts: &JsValue) -> Texts {
    let get = |name: &str| Reflect::get(texts, &name.into()).ok();
    let locale = get("locale").and_then(|it| it.as_string());
    let given = get("given").and_then(|it| arguments(it.dyn_ref()?).ok());
    Texts::new(locale, given.unwrap_or_default())
}

fn arguments(rows: &Array) -> DomResult<Arguments> {
    let text = |row: &JsValue, place: u32| {
        let text = Reflect::get_u32(row, place)?.as_string();
        text.ok_or(JsValue::UNDEFINED)
    };
    let pair = |row: JsValue| Ok((text(&row, 0)?, text(&row, 1)?));
    rows.iter().map(pair).collect()
}

fn fold(row: &JsValue) -> DomResult<Fold> {
    match Reflect::get_u32(row, 2)?.as_string().as_deref() {
        Some("short") => Ok(Fold::Short),
        Some("opened") => Ok(Fold::Opened),
        Some("folded") => Ok(Fold::Folded),
        _ => Err(JsValue::UNDEFINED),
    }
}
