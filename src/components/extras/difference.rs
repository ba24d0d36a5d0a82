//! What a person changed in the arguments of a tool run, as the renderer draws it: the new values with
//! what was added marked, the values before, and what could deceive.

use assent_conversation::{ArgumentChanges, argument_changes};
use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::{JsCast, JsValue, closure::Closure},
    web_sys::Element,
};

use crate::{
    components::{
        effect::{effect, memo},
        escape_invisible::escape_invisible,
        renderer::{DrawnRequest, Renderer, give_up_renderer, renderer},
        request_data::{RequestData, named_texts},
        strings,
    },
    store::ApprovalView,
};

/// Changed arguments, drawn anew with each change; nothing without the renderer.
#[component]
pub(super) fn Difference(changes: Signal<ArgumentChanges>) -> impl IntoView {
    let rows = NodeRef::<Div>::new();
    let drawn = StoredValue::new_local(None::<Drawn>);
    effect(move || {
        drawn.set_value(None);
        let Some(rows) = rows.get() else {
            return;
        };
        rows.set_text_content(None);
        let made = renderer()
            .map(|renderer| changes.with(|changes| Drawn::new(&renderer, &rows, changes)));
        match made {
            Some(Ok(it)) => drawn.set_value(Some(it)),
            Some(Err(error)) => give_up_renderer(&error),
            None => {}
        }
    });
    view! { <div class="difference" node_ref=rows></div> }
}

/// A difference that is drawn, and the function that the renderer calls when a value is opened, which
/// changes nothing else.
struct Drawn(
    #[expect(dead_code, reason = "its listeners live as long as it")] DrawnRequest,
    #[expect(dead_code, reason = "the renderer calls it")] Closure<dyn FnMut(JsValue)>,
);

impl Drawn {
    fn new(
        renderer: &Renderer,
        rows: &Element,
        changes: &ArgumentChanges,
    ) -> Result<Self, JsValue> {
        let document = rows.owner_document().ok_or(JsValue::UNDEFINED)?;
        let open = Closure::<dyn FnMut(JsValue)>::new(|_| {});
        let data = RequestData::new();
        // The name of the tool is in the card already.
        data.set_head_element(&document.create_element("div")?);
        data.set_label("");
        data.set_name("");
        data.set_provider("");
        data.set_category("");
        data.set_rows(rows);
        let short = Some(("short", false));
        let now = changes
            .iter()
            .map(|(name, _, now)| (&**name, &**now, short));
        data.set_arguments(&named_texts(now));
        let before = changes
            .iter()
            .map(|(name, before, _)| (&**name, &**before, None));
        data.set_previous_arguments(&named_texts(before));
        let texts = strings::texts();
        if let Some(locale) = texts.locale() {
            data.set_locale(locale);
        }
        let given = strings::request_texts(texts);
        data.set_texts(&named_texts(given.map(|(key, text)| (key, text, None))));
        data.set_on_open(open.as_ref().unchecked_ref());
        Ok(Self(renderer.draw_request(&data)?, open))
    }
}

/// What the person changed in a tool run that was approved: a sentence, and the difference while
/// `unfolded` is true.
#[component]
pub(super) fn ChangedArguments(
    view: RwSignal<ApprovalView>,
    index: usize,
    unfolded: RwSignal<bool>,
) -> impl IntoView {
    let texts = strings::texts();
    let changes = memo(move || {
        let run = |view: &ApprovalView| view.batch.tools.get(index).map(argument_changes);
        view.with(run).unwrap_or_default()
    });
    let sentence = move || {
        let names = changes.with(|changes| {
            let names = changes.iter().map(|(name, ..)| escape_invisible(name));
            names.collect::<Vec<_>>().join(texts.get(strings::BETWEEN))
        });
        let names = strings::cut_to(&names, strings::MAX_SENTENCE_CHARACTERS);
        texts.fill(strings::extra::YOU_CHANGED, &[("arguments", &names)])
    };
    move || {
        let has_changes = changes.with(|changes| !changes.is_empty());
        has_changes.then(|| {
            view! {
                <p class="footnote" dir="auto">{sentence}</p>
                {move || {
                    unfolded.get().then(|| view! { <Difference changes=changes.into()/> })
                }}
            }
        })
    }
}
