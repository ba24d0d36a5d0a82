//! A tool's request, drawn by the reader where that is there.

use assent_conversation::{Intent, ToolRun};
use js_sys::Array;
use leptos::{
    prelude::*,
    wasm_bindgen::{JsValue, closure::Closure},
    web_sys,
};

use super::shown::Shown;
use crate::{
    components::{
        dispatch::Dispatch,
        element::{Element, el},
        record::record,
        renderer::{Rendered, Renderer, give_up, is_gone, renderer},
        strings,
    },
    store::{ApprovalView, Arguments},
};

/// The request of a tool. What is drawn of it does not change until the service asks again with other arguments.
pub(super) struct Request {
    pub(super) view: RwSignal<ApprovalView>,
    pub(super) index: usize,
    /// The tool's name where there can be no marks in it.
    pub(super) name: String,
    pub(super) before: Option<Arguments>,
}

/// Where a request is drawn. Each is a part that has no box of its own.
pub(super) struct Places {
    pub(super) head: Element,
    pub(super) rows: Element,
    /// What is to be looked at before the decision, or why nothing is to be seen.
    pub(super) looks: Element,
}

/// Draws the request, and again whenever another part of it is to be seen, or the reader comes or goes. `looks` is the
/// id of what is to be looked at; `has_rows` and `has_looks` follow what is to be seen.
pub(super) fn drawing(
    request: Request,
    looks: &str,
    has_rows: Memo<bool>,
    has_looks: Memo<bool>,
    shown: Shown,
    dispatch: Dispatch,
) -> Places {
    let (head, rows) = (el("div", "drawn"), el("div", "drawn"));
    let looks = el("div", "drawn").attr("id", looks);
    let roots = [head.node(), rows.node(), looks.node()].map(Clone::clone);
    let mut drawn: Option<Drawn> = None;
    let head = head.follow_effect(move || {
        drop(drawn.take());
        shown.set(request.index, false);
        for root in &roots {
            root.set_text_content(None);
        }
        let wanted = [true, has_rows.get(), has_looks.get()];
        match renderer().map(|it| Drawn::new(&it, &request, &roots, wanted, dispatch)) {
            Some(Ok(it)) => {
                drawn = Some(it);
                shown.set(request.index, has_rows.get() && has_looks.get());
            }
            Some(Err(error)) => give_up(&error),
            None => request.wait(&roots, wanted),
        }
    });
    Places { head, rows, looks }
}

impl Request {
    /// Names the tool, and says why there is nothing else.
    fn wait(&self, [head, rows, looks]: &[web_sys::Element; 3], wanted: [bool; 3]) {
        let name = el("span", "tool-name").child(el("bdi", "").text(&self.name));
        append(head, name);
        let why = el("p", "approval-hint").text(why_unseen());
        match wanted {
            [_, _, true] => append(looks, why),
            [_, true, _] => append(rows, why),
            _ => {}
        }
    }
}

/// Why a request is not to be seen; follows the reader.
pub(super) fn why_unseen() -> &'static str {
    let texts = strings::texts();
    if is_gone() {
        texts.get(strings::CANNOT_SHOW)
    } else {
        texts.get(strings::READING_REQUEST)
    }
}

fn append(root: &web_sys::Element, part: Element) {
    root.append_child(part.node()).ok();
}

/// A drawn request, and what hears of its arguments being opened.
struct Drawn {
    _rendered: Rendered,
    _open: Closure<dyn FnMut(JsValue)>,
}

impl Drawn {
    fn new(
        renderer: &Renderer,
        request: &Request,
        roots: &[web_sys::Element; 3],
        wanted: [bool; 3],
        dispatch: Dispatch,
    ) -> Result<Self, JsValue> {
        let run = request.view.with_untracked(|view| {
            let run = view.batch.tools.get(request.index).cloned();
            run.map(|run| (view.batch.id.clone(), run))
        });
        let (batch, run) = run.ok_or(JsValue::UNDEFINED)?;
        let execution = run.execution.clone();
        let open = Closure::wrap(Box::new(move |place: JsValue| {
            if let Some(place) = place.as_f64() {
                let (batch, execution) = (batch.clone(), execution.clone());
                dispatch.send(Intent::OpenArgument(batch, execution, place as usize));
            }
        }) as Box<dyn FnMut(JsValue)>);
        let before = request.before.as_ref();
        let root = |place: usize| match (roots.get(place), wanted.get(place)) {
            (Some(root), Some(true)) => root.into(),
            _ => JsValue::UNDEFINED,
        };
        let members = [
            ("head", root(0)),
            ("rows", root(1)),
            ("looks", root(2)),
            ("label", request.name.as_str().into()),
            ("name", run.name.as_str().into()),
            ("provider", run.provider.as_str().into()),
            ("category", run.category.as_str().into()),
            (
                "arguments",
                array(&run.arguments, &|place| Some(fold(&run, place))),
            ),
            (
                "before",
                before.map_or(JsValue::UNDEFINED, |it| array(it, &|_| None)),
            ),
            ("texts", strings::request_texts(strings::texts()).into()),
            ("open", open.as_ref().clone()),
        ];
        Ok(Self {
            _rendered: renderer.request(&record(members))?,
            _open: open,
        })
    }
}

fn array(arguments: &Arguments, fold: &dyn Fn(usize) -> Option<&'static str>) -> JsValue {
    let all = Array::new();
    for (place, (name, value)) in arguments.iter().enumerate() {
        let one = Array::of2(&name.into(), &value.into());
        if let Some(fold) = fold(place) {
            one.push(&fold.into());
        }
        all.push(&one);
    }
    all.into()
}

fn fold(run: &ToolRun, place: usize) -> &'static str {
    if run.is_folded(place) {
        "folded"
    } else if run.opened.contains(&place) {
        "opened"
    } else {
        "short"
    }
}
