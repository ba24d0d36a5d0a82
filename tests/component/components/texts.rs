//! The page's own texts and its language: announcements, plural forms, and state that survives a
//! change.

use assent_conversation::{Input, Intent, UploadId};
use assent_i18n::Texts;
use js_sys::Function;
use leptos::prelude::Set;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::renderer::draw_with;
use crate::widget::{Widget, tick, tool};

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
    let approve = |widget: &Widget, place: usize| -> HtmlInputElement {
        widget.all("input[type=radio]")[place]
            .clone()
            .unchecked_into()
    };
    approve(&widget, 0).click();
    widget.type_text("half a mess");
    widget.settle().await;
    speak(&widget, "de", &[("approve", "Erlauben")]).await;
    assert!(approve(&widget, 0).checked());
    assert!(!approve(&widget, 1).checked());
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
            .contains("The agent wants to do this.")
    );
    assert!(widget.read("[part=approval]").contains("Not decided yet"));
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
