//! Answers: as plain paragraphs, and with any renderer of the page.

use assent_conversation::{ConversationKey, Input, Intent, StreamEnd, StreamId};
use assent_widget::{
    components::{Lazy, Renderer, set_renderer},
    store::Policies,
};
use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::Set;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::replaced_property::ReplacedProperty;
use crate::widget::{Widget, tick};

/// A renderer that records its calls, and throws at "boom".
struct Spy {
    module: Object,
    log: Array,
    pages: Array,
}

impl Spy {
    fn new() -> Self {
        let script = "class Answer { \
             constructor(root, page) { pages.push(page); log.push('new'); this.root = root; } \
             push(text) { if (text.includes('boom')) throw new Error('boom'); log.push('push ' + text); \
                 const part = document.createElement('i'); part.textContent = text; this.root.append(part); } \
             finish() { log.push('finish'); } \
             reset(text, whole) { log.push('reset ' + text + ' ' + whole); this.root.textContent = text; } \
             free() { log.push('free'); } \
         } return { Answer };";
        let (log, pages) = (Array::new(), Array::new());
        let make = Function::new_with_args("log, pages", script);
        let module = make.call2(&JsValue::NULL, &log, &pages).unwrap();
        Self {
            module: module.unchecked_into(),
            log,
            pages,
        }
    }

    /// Installs it as the renderer.
    fn arrive(&self) {
        let module = self.module.clone().unchecked_into();
        set_renderer(Lazy::Ready(Renderer::new(module, "the assets".into())));
    }

    fn log(&self) -> Vec<String> {
        self.log.iter().map(|it| it.as_string().unwrap()).collect()
    }

    /// Returns a member of the page that the answer at this index was given.
    fn page(&self, place: u32, name: &str) -> JsValue {
        Reflect::get(&self.pages.get(place), &name.into()).unwrap()
    }
}

fn without_renderer() {
    set_renderer(Lazy::Loading);
}

async fn chunk(widget: &mut Widget, stream: StreamId, text: &str) {
    let content = serde_json::to_string(text).unwrap();
    widget.event(
        stream,
        "AGENT_RESPONSE_CHUNK",
        &format!(r#""content":{content}"#),
    );
    tick().await;
}

async fn complete(widget: &mut Widget, stream: StreamId, text: &str) {
    let content = serde_json::to_string(text).unwrap();
    widget.event(
        stream,
        "AGENT_RESPONSE_COMPLETE",
        &format!(r#""content":{content}"#),
    );
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
}

fn texts(widget: &Widget, selector: &str) -> Vec<String> {
    let all = widget.all(selector);
    all.iter().map(|it| it.text_content().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn without_a_renderer_paragraphs_grow_in_place() {
    without_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    chunk(&mut widget, stream, "# One\n").await;
    chunk(&mut widget, stream, "\n<b>Tw").await;
    let before = widget.all(".answer > p");
    let node = before[1].first_child().unwrap();
    chunk(&mut widget, stream, "o</b>  ").await;
    chunk(&mut widget, stream, "and\nmore\n \n\nThree").await;
    assert_eq!(
        texts(&widget, ".answer > *"),
        ["# One", "<b>Two</b>  and\nmore", "Three"]
    );
    let after = widget.all(".answer > p");
    assert!(before[0].is_same_node(Some(&after[0])) && before[1].is_same_node(Some(&after[1])));
    assert!(node.is_same_node(after[1].first_child().as_ref()));
    assert_eq!(
        widget.all(".answer *").len(),
        3,
        "nothing of it comes to life"
    );
    complete(&mut widget, stream, "Another\n\none").await;
    assert_eq!(texts(&widget, ".answer > *"), ["Another", "one"]);
}

#[wasm_bindgen_test]
async fn a_renderer_gets_what_is_new_and_hears_of_the_end() {
    let spy = Spy::new();
    spy.arrive();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    chunk(&mut widget, stream, "One").await;
    let first = widget.one(".answer > i");
    chunk(&mut widget, stream, " twö").await;
    chunk(&mut widget, stream, " three").await;
    complete(&mut widget, stream, "One twö three").await;
    assert_eq!(
        spy.log(),
        ["new", "push One", "push  twö", "push  three", "finish"]
    );
    assert!(first.is_connected());
}

#[wasm_bindgen_test]
async fn a_text_of_the_service_s_own_replaces_the_chunks() {
    let spy = Spy::new();
    spy.arrive();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    chunk(&mut widget, stream, "One").await;
    complete(&mut widget, stream, "Two").await;
    assert_eq!(spy.log(), ["new", "push One", "reset Two true"]);
    assert_eq!(texts(&widget, ".answer"), ["Two"]);
}

#[wasm_bindgen_test]
async fn an_answer_is_drawn_anew_when_the_renderer_comes() {
    without_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    chunk(&mut widget, stream, "One\n\nTwo").await;
    assert_eq!(widget.all(".answer > p").len(), 2);
    let spy = Spy::new();
    spy.arrive();
    tick().await;
    assert_eq!(spy.log(), ["new", "push One\n\nTwo"]);
    assert!(widget.all(".answer > p").is_empty());
    chunk(&mut widget, stream, "!").await;
    assert_eq!(texts(&widget, ".answer > i"), ["One\n\nTwo", "!"]);
}

#[wasm_bindgen_test]
async fn a_renderer_that_throws_is_left_for_good_with_one_warning() {
    let spy = Spy::new();
    spy.arrive();
    let warnings = Array::new();
    Reflect::set(&js_sys::global(), &"warnings".into(), &warnings).unwrap();
    let _warnings = ReplacedProperty::new("console.warn", "(text) => void warnings.push(text)");
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    complete(&mut widget, stream, "Fine").await;
    let stream = widget.send("again").await;
    chunk(&mut widget, stream, "One").await;
    chunk(&mut widget, stream, " boom").await;
    chunk(&mut widget, stream, " two").await;
    assert_eq!(
        texts(&widget, ".answer > *"),
        ["Fine", "One boom two"],
        "as paragraphs"
    );
    assert_eq!(widget.all(".answer > p").len(), 2);
    assert_eq!(warnings.length(), 1);
    let freed = spy.log().iter().filter(|it| *it == "free").count();
    assert_eq!(freed, 2);
}

#[wasm_bindgen_test]
async fn an_answer_that_leaves_the_screen_gives_back_its_memory() {
    let spy = Spy::new();
    spy.arrive();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    complete(&mut widget, stream, "One").await;
    widget.input(Input::Intent(Intent::NewThread));
    tick().await;
    assert!(widget.all(".answer").is_empty());
    assert_eq!(spy.log(), ["new", "push One", "finish", "free"]);
}

#[wasm_bindgen_test]
async fn an_answer_is_given_texts_assets_hosts_and_what_the_page_judges() {
    let spy = Spy::new();
    spy.arrive();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    complete(&mut widget, stream, "One").await;
    let stream = widget.send("again").await;
    chunk(&mut widget, stream, "Two").await;
    let copy = Reflect::get(&spy.page(0, "texts"), &"copy".into()).unwrap();
    assert_eq!(copy.as_string().unwrap(), "Copy");
    assert_eq!(spy.page(0, "assets"), JsValue::from("the assets"));
    assert!(spy.page(0, "link").is_undefined());
    assert!(spy.page(0, "hosts").is_instance_of::<js_sys::Set>());
    assert_eq!(spy.page(0, "hosts"), spy.page(1, "hosts"));
    let policy = Function::new_no_args("return false");
    widget.settings.answers.policies.set(Policies {
        link: Some(policy.clone()),
        image: None,
    });
    tick().await;
    assert_eq!(spy.pages.length(), 4, "both are drawn anew");
    assert_eq!(spy.page(3, "link"), JsValue::from(policy));
    assert!(spy.page(3, "image").is_undefined());
    assert_eq!(spy.page(0, "hosts"), spy.page(3, "hosts"));
    let elsewhere = widget.settings.answers.allowed_hosts(ConversationKey(99));
    assert!(spy.page(3, "hosts") != JsValue::from(elsewhere));
}
