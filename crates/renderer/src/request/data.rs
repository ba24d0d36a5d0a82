//! Request data that the widget passes.

use assent_i18n::Texts;
use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use crate::node::DomResult;

#[wasm_bindgen]
extern "C" {
    /// The request as the widget writes it, in `src/components/approval/request_data.rs`. A member
    /// that is missing is `None`.
    pub type RequestData;

    #[wasm_bindgen(method, getter)]
    fn head(this: &RequestData) -> Option<Element>;

    #[wasm_bindgen(method, getter)]
    fn rows(this: &RequestData) -> Option<Element>;

    #[wasm_bindgen(method, getter)]
    fn looks(this: &RequestData) -> Option<Element>;

    #[wasm_bindgen(method, getter)]
    fn label(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn name(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn provider(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn category(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn reason(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn changed(this: &RequestData) -> Option<bool>;

    /// A list of `NamedText`, each with its `state`.
    #[wasm_bindgen(method, getter)]
    fn arguments(this: &RequestData) -> Option<Array>;

    /// A list of `NamedText`.
    #[wasm_bindgen(method, getter)]
    fn before(this: &RequestData) -> Option<Array>;

    /// The language tag of the texts.
    #[wasm_bindgen(method, getter)]
    fn locale(this: &RequestData) -> Option<String>;

    /// The page's own texts by their keys: a list of `NamedText`.
    #[wasm_bindgen(method, getter)]
    fn texts(this: &RequestData) -> Option<Array>;

    #[wasm_bindgen(method, getter)]
    fn open(this: &RequestData) -> Option<Function>;

    #[wasm_bindgen(method, getter)]
    fn seen(this: &RequestData) -> Option<Function>;

    /// A name and its text: an argument, or a text of the page.
    type NamedText;

    #[wasm_bindgen(method, getter, js_name = name)]
    fn named(this: &NamedText) -> Option<String>;

    #[wasm_bindgen(method, getter)]
    fn text(this: &NamedText) -> Option<String>;

    /// `short`, `opened` or `folded`.
    #[wasm_bindgen(method, getter)]
    fn state(this: &NamedText) -> Option<String>;
}

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
    /// The reason why the service asks; may be empty.
    pub(crate) reason: String,
    /// True if the tool is defined otherwise than when it was last approved.
    pub(crate) is_changed: bool,
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
    pub(crate) fn read(request: &RequestData) -> DomResult<Self> {
        let rows = required(request.arguments())?;
        let before = request.before();
        let given = request.texts().as_ref().map(named_texts).transpose()?;
        Ok(Self {
            head: required(request.head())?,
            rows: request.rows(),
            looks: request.looks(),
            label: required(request.label())?,
            name: required(request.name())?,
            provider: required(request.provider())?,
            category: required(request.category())?,
            reason: request.reason().unwrap_or_default(),
            is_changed: request.changed() == Some(true),
            folds: rows.iter().map(fold).collect::<DomResult<_>>()?,
            arguments: named_texts(&rows)?,
            before: before.as_ref().map(named_texts).transpose()?,
            texts: Texts::new(request.locale(), given.unwrap_or_default()),
            open: required(request.open())?,
            seen: request.seen(),
        })
    }
}

fn required<T>(member: Option<T>) -> DomResult<T> {
    member.ok_or(JsValue::UNDEFINED)
}

fn named_texts(list: &Array) -> DomResult<Vec<(String, String)>> {
    let pair = |it: JsValue| {
        let it: NamedText = it.unchecked_into();
        Ok((required(it.named())?, required(it.text())?))
    };
    list.iter().map(pair).collect()
}

fn fold(row: JsValue) -> DomResult<Fold> {
    match row.unchecked_into::<NamedText>().state().as_deref() {
        Some("short") => Ok(Fold::Short),
        Some("opened") => Ok(Fold::Opened),
        Some("folded") => Ok(Fold::Folded),
        _ => Err(JsValue::UNDEFINED),
    }
}
