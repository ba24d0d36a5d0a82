//! One tool's request for approval, drawn by the renderer if it is loaded.

use assent_conversation::{Intent, ToolRun};
use assent_i18n::Texts;
use js_sys::Array;
use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::{JsCast, JsValue, closure::Closure},
    web_sys::Element,
};

use super::shown::{ShownRequests, Visibility};
use crate::{
    components::{
        dispatch::Dispatch,
        renderer::{DrawnRequest, Renderer, give_up_renderer, renderer, why_not_drawn},
        request_data::{ArgumentState, RequestData, named_texts},
        strings,
    },
    store::{ApprovalView, Arguments},
};

/// Says which request for approval is drawn: that of the tool with the index `index` in the batch
/// of `view`.
#[derive(Clone, Copy)]
pub(super) struct DrawingRequest {
    pub(super) view: RwSignal<ApprovalView>,
    pub(super) index: usize,
    /// The tool's name as plain text, without marks.
    pub(super) name: Memo<String>,
}

/// The elements into which the renderer draws the parts of a request. They have no box of their own
/// in the layout (`display: contents`).
#[derive(Clone, Copy, Default)]
pub(super) struct RequestPlaces {
    pub(super) head: NodeRef<Div>,
    pub(super) rows: NodeRef<Div>,
    /// The warnings to check before the decision, or the reason why nothing is drawn.
    pub(super) warnings: NodeRef<Div>,
}

/// The drawing of a request for approval, made again whenever another part of it becomes visible,
/// or the renderer is loaded or fails. `has_rows` and `has_warnings` say which parts are visible.
///
/// The component comes after the elements `places` in the view and shows nothing itself. A view is
/// built in the order of the document, so that these elements are there when its function first
/// runs, and a request is drawn together with its card. An effect would run too late: until then
/// nothing could be approved, and the focus would go elsewhere.
#[component]
pub(super) fn Drawing(
    request: DrawingRequest,
    places: RequestPlaces,
    has_rows: Memo<bool>,
    has_warnings: Memo<bool>,
    shown: ShownRequests,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let drawn = StoredValue::new_local(None::<ActiveDrawing>);
    move || {
        drawn.set_value(None);
        shown.set(request.index, Visibility::Nothing);
        let Some(roots) = places.elements() else {
            return;
        };
        for root in &roots {
            root.set_text_content(None);
        }
        let wanted = [true, has_rows.get(), has_warnings.get()];
        match renderer().map(|it| ActiveDrawing::new(&it, request, &roots, wanted, shown, dispatch))
        {
            Some(Ok(it)) => {
                drawn.set_value(Some(it));
                if has_rows.get() && has_warnings.get() {
                    shown.set(request.index, Visibility::Whole);
                }
            }
            Some(Err(error)) => give_up_renderer(&error),
            None => request.draw_without_renderer(texts, &roots, wanted),
        }
    }
}

impl RequestPlaces {
    fn elements(self) -> Option<[Element; 3]> {
        let [head, rows, warnings] = [self.head.get()?, self.rows.get()?, self.warnings.get()?];
        Some([head.into(), rows.into(), warnings.into()])
    }
}

impl DrawingRequest {
    /// Shows the tool's name, and the reason why nothing else of the request is drawn.
    fn draw_without_renderer(
        self,
        texts: Texts,
        [head, rows, warnings]: &[Element; 3],
        wanted: [bool; 3],
    ) {
        let name = self.name.get_untracked();
        let name = view! {
            <span class="tool-name">
                <bdi>{name}</bdi>
            </span>
        };
        append_static(head, name);
        let why = view! { <p class="approval-hint">{why_not_drawn(texts)}</p> };
        match wanted {
            [_, _, true] => append_static(warnings, why),
            [_, true, _] => append_static(rows, why),
            _ => {}
        }
    }
}

/// Appends the nodes of the view `part` to `root`, where they stay unchanged until `root` is
/// emptied.
fn append_static(root: &Element, part: impl IntoView) {
    part.into_view().build().mount(root, None);
}

/// A request that the renderer has drawn, and the functions that the renderer calls when the person
/// opens an argument and when the request was on the screen.
struct ActiveDrawing {
    _rendered: DrawnRequest,
    _listeners: [Closure<dyn FnMut(JsValue)>; 2],
}

impl ActiveDrawing {
    fn new(
        renderer: &Renderer,
        request: DrawingRequest,
        roots: &[Element; 3],
        wanted: [bool; 3],
        shown: ShownRequests,
        dispatch: Dispatch,
    ) -> Result<Self, JsValue> {
        let asked = request.view.with_untracked(|view| {
            let run = view.batch.tools.get(request.index).cloned()?;
            let before = view.before.get(request.index).cloned().flatten();
            Some((view.batch.id.clone(), run, before))
        });
        let (batch, run, before) = asked.ok_or(JsValue::UNDEFINED)?;
        let version = run.version;
        let id = batch.clone();
        let open = js_closure(move |place| {
            if let Some(place) = place.as_f64() {
                dispatch.send(Intent::OpenArgument(id.clone(), version, place as usize));
            }
        });
        let seen = js_closure(move |is_seen| {
            if is_seen.is_truthy() {
                dispatch.send(Intent::MarkSeen(batch.clone(), vec![version]));
            } else {
                shown.set(request.index, Visibility::BeyondScreen);
            }
        });
        let data = RequestData::new();
        let parts: [fn(&RequestData, &Element); 3] = [
            RequestData::set_head_element,
            RequestData::set_rows,
            RequestData::set_warnings,
        ];
        for ((set, root), _) in parts.iter().zip(roots).zip(wanted).filter(|(_, it)| *it) {
            set(&data, root);
        }
        data.set_label(&request.name.get_untracked());
        data.set_name(&run.name);
        data.set_provider(&run.provider);
        data.set_category(&run.category);
        data.set_reason(&run.reason);
        data.set_effect(&run.effect);
        data.set_effect_source(&run.effect_source);
        data.set_changed(run.definition_changed);
        let run = &run;
        let state = |first| move |place: usize| Some(argument_state(run, first + place));
        data.set_arguments(&arguments_array(&run.arguments, &state(0)));
        if let Some(before) = before {
            data.set_previous_arguments(&arguments_array(&before, &|_| None));
        }
        data.set_definition(&arguments_array(
            &run.definition,
            &state(run.arguments.len()),
        ));
        if !run.accepted_definition.is_empty() {
            data.set_accepted_definition(&arguments_array(&run.accepted_definition, &|_| None));
        }
        let texts = strings::texts();
        if let Some(locale) = texts.locale() {
            data.set_locale(locale);
        }
        let given = strings::request_texts(texts);
        data.set_texts(&named_texts(given.map(|(key, text)| (key, text, None))));
        data.set_on_open(open.as_ref().unchecked_ref());
        // Only where all of the request is drawn and was not on the screen yet.
        if wanted == [true; 3] && !run.is_seen {
            data.set_on_seen(seen.as_ref().unchecked_ref());
        }
        Ok(Self {
            _rendered: renderer.draw_request(&data)?,
            _listeners: [open, seen],
        })
    }
}

fn js_closure(listen: impl FnMut(JsValue) + 'static) -> Closure<dyn FnMut(JsValue)> {
    Closure::wrap(Box::new(listen))
}

fn arguments_array(list: &Arguments, state: &dyn Fn(usize) -> Option<ArgumentState>) -> Array {
    let pairs = list.iter().enumerate();
    named_texts(pairs.map(|(place, (name, value))| (&**name, &**value, state(place))))
}

fn argument_state(run: &ToolRun, place: usize) -> ArgumentState {
    let state = if run.is_folded(place) {
        "folded"
    } else if run.is_opened(place) {
        "opened"
    } else {
        "short"
    };
    (state, run.known.contains(&place))
}
