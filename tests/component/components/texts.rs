//! The page's own texts and its language: announcements, plural forms, and state that survives a
//! change.

use assent_conversation::{Input, Intent, UploadId};
use assent_i18n::Texts;
use js_sys::Function;
use leptos::prelude::Set;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::renderer::draw_with;
use crate::widget::{Widget, load_renderer, tick, tool};

/// Sets the language of the widget, and these texts in it.
async fn speak(widget: &Widget, locale: &str, given: &[(&str, &str)]) {
    let given = given
        .iter()
        .map(|(key, text)| (String::from(*key), String::from(*text)));
    let texts = Texts::new(Some(locale.into()), given.collect());
    widget.settings.texts.set(texts);
    tick().await;
}

#[wasm_bindgen_test]
async fn the_words_of_the_page_go_before_english() {
    let widget = Widget::new();
    speak(
        &widget,
        "de",
        &[
            ("placeholder", "Schreiben Sie …"),
            ("newConversation", "Neues Gespräch"),
        ],
    )
    .await;
    let input = widget.one("[part=input]");
    assert_eq!(
        input.get_attribute("placeholder").unwrap(),
        "Schreiben Sie …"
    );
    widget.button("Neues Gespräch");
    // Texts that the page left out stay English.
    assert_eq!(input.get_attribute("aria-label").unwrap(), "Message");
    speak(&widget, "de", &[]).await;
    let input = widget.one("[part=input]");
    assert_eq!(
        input.get_attribute("placeholder").unwrap(),
        "Write a message…"
    );
}

#[wasm_bindgen_test]
async fn what_was_typed_and_decided_stays_when_the_language_changes() {
    let mut widget = Widget::asked(&[tool("pay", ""), tool("mail", "")]).await;
    let approve = |widget: &Widget, place: usize| widget.all(".choice.approve")[place].clone();
    let is_chosen = |widget: &Widget, place: usize| {
        let chosen = approve(widget, place).get_attribute("aria-pressed");
        chosen.as_deref() == Some("true")
    };
    approve(&widget, 0).click();
    widget.type_text("half a mess");
    widget.settle().await;
    speak(&widget, "de", &[("approve", "Erlauben")]).await;
    assert!(is_chosen(&widget, 0));
    assert!(!is_chosen(&widget, 1));
    let input: web_sys::HtmlTextAreaElement = widget.one("[part=input]").unchecked_into();
    assert_eq!(input.value(), "half a mess");
    assert!(widget.read("[part=approval]").contains("Erlauben"));
    // It is one widget, not two.
    assert_eq!(widget.all("[part=composer]").len(), 1);
    widget.press("Deny all").await;
    assert!(approve(&widget, 1).parent_element().is_some());
}

#[wasm_bindgen_test]
async fn numbers_take_the_forms_of_the_language() {
    let forms = [
        ("actionsWait.one", "{count} czynność"),
        ("actionsWait.few", "{count} czynności"),
        ("actionsWait.many", "{count} czynności razem"),
        ("actionsWait.other", "?"),
    ];
    for (count, said) in [
        (1, "1 czynność"),
        (3, "3 czynności"),
        (5, "5 czynności razem"),
    ] {
        let tools: Vec<String> = (0..count).map(|at| tool(&format!("t{at}"), "")).collect();
        let widget = Widget::asked(&tools).await;
        speak(&widget, "pl", &forms).await;
        let card = widget.read("[part=approval]");
        assert!(card.contains(said), "{card}");
    }
}

#[wasm_bindgen_test]
async fn english_counts_as_english_does_in_every_language() {
    let widget = Widget::asked(&[tool("pay", "")]).await;
    // In French, none is counted as one is.
    speak(&widget, "fr", &[]).await;
    assert!(
        widget
            .read("[part=approval]")
            .contains("1 action needs your approval.")
    );
}

#[wasm_bindgen_test]
async fn numbers_and_times_are_written_as_the_language_writes_them() {
    let mut widget = Widget::new();
    widget.settings.can_attach.set(true);
    widget.input(Input::Intent(Intent::AttachFile {
        batch: None,
        upload: UploadId(1),
        name: "a.pdf".into(),
        size: 4_200,
    }));
    tick().await;
    assert_eq!(widget.read(".file-size"), "PDF · 4.2 kB");
    speak(&widget, "de", &[("kilobytes", "{count} Kilobyte")]).await;
    assert_eq!(widget.read(".file-size"), "PDF · 4,2 Kilobyte");
    let mut widget = Widget::new();
    widget.send("hello").await;
    speak(&widget, "ar-EG", &[]).await;
    let arabic = |text: &str| text.chars().any(|it| ('\u{660}'..='\u{669}').contains(&it));
    let name = widget.all("[part=message]")[0]
        .get_attribute("aria-label")
        .unwrap();
    assert!(name.starts_with("You, ") && arabic(&name), "{name}");
}

#[wasm_bindgen_test]
async fn what_a_tool_asks_for_is_drawn_in_the_words_of_the_page() {
    let long = "x".repeat(1_500);
    let arguments = format!(r#""note":"{long}""#);
    let widget = Widget::asked(&[tool("pay", ""), tool("mail", &arguments)]).await;
    let given = [
        ("request.noArguments", "Ohne Angaben"),
        (
            "request.showAllCharacters.other",
            "Alle {count} Zeichen zeigen",
        ),
        ("argumentsOf", "Angaben für {tool}"),
    ];
    speak(&widget, "de", &given).await;
    let card = widget.read("[part=approval]");
    assert!(card.contains("Ohne Angaben"), "{card}");
    assert!(card.contains("Alle 1.500 Zeichen zeigen"), "{card}");
}

#[wasm_bindgen_test]
async fn what_is_announced_and_done_is_said_in_the_words_of_the_page() {
    let mut widget = Widget::new();
    let given = [
        ("event.NOTIFICATION_AGENT_THINKING_STARTED", "Denkt nach"),
        ("answering", "{agent} antwortet."),
    ];
    speak(&widget, "de", &given).await;
    let stream = widget.send("hello").await;
    widget.event(
        stream,
        "NOTIFICATION_AGENT_THINKING_STARTED",
        r#""content":"""#,
    );
    tick().await;
    assert_eq!(widget.read(".activity-current"), "Denkt nach");
    let said: Vec<String> = widget
        .all("[part=status]")
        .iter()
        .map(|it| it.text_content().unwrap())
        .collect();
    assert!(said.iter().any(|it| it.contains("antwortet.")), "{said:?}");
}

#[wasm_bindgen_test]
async fn answers_have_the_words_of_the_page() {
    let script = "class Answer { constructor(root, page) { root.append(page.texts.copyCode, ' ', page.texts.copy); } \
         push() {} finish() {} reset() {} free() {} } return { Answer };";
    let module = Function::new_no_args(script).call0(&JsValue::NULL).unwrap();
    draw_with(&module);
    let mut widget = Widget::new();
    speak(&widget, "de", &[("copyCode", "Code kopieren")]).await;
    let stream = widget.send("hello").await;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"Hi""#);
    tick().await;
    assert_eq!(widget.read(".answer"), "Code kopieren Copy");
    speak(&widget, "de", &[("copy", "Kopieren")]).await;
    assert_eq!(widget.read(".answer"), "Copy code Kopieren");
}

/// The inside of an event message, or of a stored message, with a sentence of the service.
fn with_sentence(content: &str) -> String {
    let sentence = r#"{"key":"service.unknownOutcome","values":{"tool":"a*b_c"},"text":"*Unknown: `a*b_c`.*"}"#;
    format!(r#""content":"{content}","words":[{sentence}]"#)
}

const GERMAN: [(&str, &str); 1] = [("service.unknownOutcome", "Ob {tool} lief, ist unbekannt.")];

#[wasm_bindgen_test]
async fn a_sentence_of_the_service_is_drawn_in_the_language_of_the_page_as_it_comes() {
    let mut widget = Widget::new();
    load_renderer();
    speak(&widget, "de", &GERMAN).await;
    let stream = widget.send("go").await;
    let (chunk, complete) = ("AGENT_RESPONSE_CHUNK", "AGENT_RESPONSE_COMPLETE");
    widget.event(stream, chunk, &with_sentence("*Unknown: `a*b_c`.*"));
    tick().await;
    let german = r"*Ob a\*b\_c lief, ist unbekannt.*";
    assert_eq!(widget.read(".answer"), german);
    widget.event(stream, chunk, r#""content":"\n\nHm.""#);
    tick().await;
    let answer = widget.one(".answer");
    let drawn = answer.inner_html();
    let nodes = answer.child_nodes();
    let nodes: Vec<_> = (0..nodes.length()).map(|at| nodes.get(at)).collect();
    let whole = with_sentence(r"*Unknown: `a*b_c`.*\n\nHm.");
    widget.event(stream, complete, &whole);
    tick().await;
    assert_eq!(answer.inner_html(), drawn);
    assert_eq!(answer.text_content().unwrap(), format!("{german}\n\nHm."));
    // This renderer draws each new part of a text as a node, and another text anew.
    let after = answer.child_nodes();
    let after: Vec<_> = (0..after.length()).map(|at| after.get(at)).collect();
    assert_eq!(after, nodes);
}

#[wasm_bindgen_test]
async fn a_sentence_of_a_stored_message_is_in_the_language_of_the_page_where_it_has_it() {
    let mut widget = Widget::new();
    load_renderer();
    let content = with_sentence(r"As *Unknown: `a*b_c`.*\n\n*Unknown: `a*b_c`.*");
    let stored = format!(r#"{{"id":"m1","role":"assistant",{content}}}"#);
    widget.input(Input::Intent(Intent::OpenThread("t2".into())));
    widget.read_messages(Ok(vec![serde_json::from_str(&stored).unwrap()]));
    tick().await;
    let shown = |widget: &Widget| widget.one(".answer").text_content().unwrap();
    let beside = "As *Unknown: `a*b_c`.*\n\n";
    let english = format!("{beside}*Unknown: `a*b_c`.*");
    assert_eq!(shown(&widget), english);
    speak(&widget, "de", &[("service.stopped", "Angehalten.")]).await;
    assert_eq!(shown(&widget), english);
    let told = |widget: &Widget| widget.one(".answer").get_attribute("data-english");
    assert_eq!(told(&widget).as_deref(), Some("*Unknown: `a*b_c`.*"));
    // Only where it is a paragraph of its own.
    speak(&widget, "de", &GERMAN).await;
    let german = format!(r"{beside}*Ob a\*b\_c lief, ist unbekannt.*");
    assert_eq!(shown(&widget), german);
}
