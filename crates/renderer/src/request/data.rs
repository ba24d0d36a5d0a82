//! The request for approval as the widget passes it to the renderer.

use assent_i18n::Texts;
use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use crate::node::DomResult;

#[wasm_bindgen]
extern "C" {
    /// The object that describes a request for approval; the widget makes it in
    /// `src/components/request_data.rs`. A member that is missing is `None`.
    pub type RequestData;

    #[wasm_bindgen(method, getter)]
    fn head(this: &RequestData) -> Option<Element>;

    #[wasm_bindgen(method, getter)]
    fn rows(this: &RequestData) -> Option<Element>;

    #[wasm_bindgen(method, getter)]
    fn warnings(this: &RequestData) -> Option<Element>;

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

    #[wasm_bindgen(method, getter)]
    fn effect(this: &RequestData) -> Option<String>;

    #[wasm_bindgen(method, getter, js_name = effectSource)]
    fn effect_source(this: &RequestData) -> Option<String>;

    /// The arguments of the call: a list of `NamedText`, each with its `state`.
    #[wasm_bindgen(method, getter)]
    fn arguments(this: &RequestData) -> Option<Array>;

    /// The arguments of the previous call, a list of `NamedText`; `None` if there was none.
    #[wasm_bindgen(method, getter)]
    fn before(this: &RequestData) -> Option<Array>;

    /// The definition of a tool that is new or was changed: a list of `NamedText`, each with its
    /// `state`.
    #[wasm_bindgen(method, getter)]
    fn definition(this: &RequestData) -> Option<Array>;

    /// The definition that was accepted before, a list of `NamedText`; `None` if none was.
    #[wasm_bindgen(method, getter, js_name = acceptedDefinition)]
    fn accepted_definition(this: &RequestData) -> Option<Array>;

    /// The language tag of the page's texts, such as `de`.
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

    /// The folding state of an argument: `short`, `opened` or `folded`.
    #[wasm_bindgen(method, getter)]
    fn state(this: &NamedText) -> Option<String>;

    /// True for an argument whose value a person approved at the previous call of the tool.
    #[wasm_bindgen(method, getter)]
    fn known(this: &NamedText) -> Option<bool>;
}

/// Arguments of a call or parts of a definition, each with its name and its value.
pub(crate) type Arguments = Vec<(String, String)>;

/// A request for approval, and the elements of the page that it is drawn into.
pub(crate) struct RequestParts {
    /// An empty element for the tool's name, its effect and its provider.
    pub(crate) head: Element,
    /// An empty element for the arguments; `None` if they are not to be shown.
    pub(crate) rows: Option<Element>,
    /// An empty element for the warnings; `None` if they are not to be shown.
    pub(crate) warnings: Option<Element>,
    /// The tool's name as plain text for labels, which cannot contain marks; a placeholder if it
    /// has none.
    pub(crate) label: String,
    pub(crate) name: String,
    pub(crate) provider: String,
    pub(crate) category: String,
    /// The reason why the service asks for approval; may be empty.
    pub(crate) reason: String,
    /// What the tool does: `reads`, `writes` or `deletes`; empty if that is not known.
    pub(crate) effect: String,
    /// Who says what the tool does: `policy` or `server`.
    pub(crate) effect_source: String,
    /// True if the tool's definition differs from the one that was accepted.
    pub(crate) is_changed: bool,
    /// The arguments, compared with those of the previous call, if there was one.
    pub(crate) arguments: Rows,
    /// The definition of a tool that is new or was changed, compared with the accepted one, if
    /// there was one. Of any other tool it has no rows.
    pub(crate) definition: Rows,
    /// The texts for drawing the request: the widget's own, or the page's in their place.
    pub(crate) texts: Texts,
    /// A function that is called with the index of an argument when the user opens it.
    pub(crate) open: Function,
    /// A function that is called with true once all of the request was on the screen; `None` if
    /// nobody waits for that.
    pub(crate) seen: Option<Function>,
}

/// The arguments of a call, or the parts of a tool's definition, as they are shown one below the
/// other.
pub(crate) struct Rows {
    pub(crate) now: Arguments,
    /// For each row, whether it is short, opened or folded.
    pub(crate) folds: Vec<FoldState>,
    /// For each row, whether a person approved the previous call with the same value.
    pub(crate) known: Vec<bool>,
    /// The arguments of the previous call, or the accepted definition, that the rows are compared
    /// with; `None` if there are none.
    pub(crate) before: Option<Arguments>,
    pub(crate) comparison: Comparison,
    /// The index of the first of these rows among all rows of the request: those of arguments come
    /// before those of the definition.
    pub(crate) first: usize,
}

/// What the rows of a request are compared with, to show what changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The rows are compared with the arguments of the previous call. Of a change that is too long
    /// to be quoted, only the numbers of characters are shown.
    LastCall,
    /// The rows are compared with the definition that was accepted. What changed in it is shown at
    /// any length.
    AcceptedDefinition,
}

/// Whether an argument is so long that it has to be opened by a person, and whether it was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoldState {
    /// The argument is short enough to be read at a glance, and is always shown whole.
    Short,
    /// The argument is long, and a person has opened it.
    Opened,
    /// The argument is long, and a person has to open it before the tool can be approved.
    Folded,
}

impl RequestParts {
    pub(crate) fn read(request: &RequestData) -> DomResult<Self> {
        let arguments = require(request.arguments())?;
        let definition = request.definition().unwrap_or_default();
        let accepted = request.accepted_definition();
        let arguments = Rows {
            before: request.before().as_ref().map(named_texts).transpose()?,
            ..Rows::read(&arguments, 0, Comparison::LastCall)?
        };
        let definition = Rows {
            before: accepted.as_ref().map(named_texts).transpose()?,
            ..Rows::read(
                &definition,
                arguments.now.len(),
                Comparison::AcceptedDefinition,
            )?
        };
        let given = request.texts().as_ref().map(named_texts).transpose()?;
        Ok(Self {
            head: require(request.head())?,
            rows: request.rows(),
            warnings: request.warnings(),
            label: require(request.label())?,
            name: require(request.name())?,
            provider: require(request.provider())?,
            category: require(request.category())?,
            reason: request.reason().unwrap_or_default(),
            effect: request.effect().unwrap_or_default(),
            effect_source: request.effect_source().unwrap_or_default(),
            is_changed: request.changed() == Some(true),
            arguments,
            definition,
            texts: Texts::new(request.locale(), given.unwrap_or_default()),
            open: require(request.open())?,
            seen: request.seen(),
        })
    }
}

impl Rows {
    fn read(rows: &Array, first: usize, comparison: Comparison) -> DomResult<Self> {
        Ok(Self {
            now: named_texts(rows)?,
            folds: rows.iter().map(fold_state).collect::<DomResult<_>>()?,
            known: rows.iter().map(is_known).collect(),
            before: None,
            comparison,
            first,
        })
    }
}

fn require<T>(member: Option<T>) -> DomResult<T> {
    member.ok_or(JsValue::UNDEFINED)
}

fn named_texts(list: &Array) -> DomResult<Vec<(String, String)>> {
    let pair = |it: JsValue| {
        let it: NamedText = it.unchecked_into();
        Ok((require(it.named())?, require(it.text())?))
    };
    list.iter().map(pair).collect()
}

fn is_known(row: JsValue) -> bool {
    row.unchecked_into::<NamedText>().known() == Some(true)
}

fn fold_state(row: JsValue) -> DomResult<FoldState> {
    match row.unchecked_into::<NamedText>().state().as_deref() {
        Some("short") => Ok(FoldState::Short),
        Some("opened") => Ok(FoldState::Opened),
        Some("folded") => Ok(FoldState::Folded),
        _ => Err(JsValue::UNDEFINED),
    }
}
