//! `strings` and `locale` as the page gives them: accepted values, those refused with a warning,
//! and events to the page.

use assent_widget::host::{ask, set_texts, unmount, update};
use js_sys::{Array, Function, Object};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::host_page::Host;
use crate::replaced_property::ReplacedProperty;

/// A widget that was given these texts, a JavaScript object. `warnings` are those on the console
/// about texts and language: Leptos writes there, too, and so does what an earlier widget asked the
/// service for and did not get.
struct Chat {
    container: Host,
    handle: u32,
    _warnings: ReplacedProperty,
}

impl Chat {
    async fn start(texts: &str) -> Self {
        install().await;
        answer("GET *", 200, JSON, "[]");
        js("Object.assign(globalThis, { warnings: [], ends: [] })");
        let warnings = ReplacedProperty::new(
            "console.warn",
            "(text) => /^assent-chat: (strings|locale)/.test(text) && warnings.push(text)",
        );
        let container = Host::new();
        let options: Object = js(&format!(
            "({{ 'agent-id': 'agent', 'user-id': 'user', 'thread-id': 'new', strings: {texts} }})"
        ))
        .unchecked_into();
        let emit: Function = js("(type, detail) => {
            if (type === 'pending') globalThis.pending = detail.text;
            return true;
        }")
        .unchecked_into();
        Self {
            handle: container.start(&options, emit),
            container,
            _warnings: warnings,
        }
    }

    async fn shows(&self, selector: &str, attribute: &str, text: &str) {
        let shown = || {
            let element = self.container.query_selector(selector).unwrap();
            element.and_then(|it| it.get_attribute(attribute))
        };
        let is_shown = || shown().as_deref() == Some(text);
        until(&format!("{selector} {text}"), is_shown).await;
    }
}

impl Drop for Chat {
    fn drop(&mut self) {
        unmount(self.handle);
    }
}

#[wasm_bindgen_test]
async fn texts_can_be_given_changed_and_taken_away() {
    let chat = Chat::start("{ send: 'Senden' }").await;
    chat.shows("[part=send]", "aria-label", "Senden").await;
    set_texts(chat.handle, Some(js("({ send: 'Los' })").unchecked_into()));
    chat.shows("[part=send]", "aria-label", "Los").await;
    set_texts(chat.handle, None);
    chat.shows("[part=send]", "aria-label", "Send").await;
    let warnings = js("JSON.stringify(warnings)").as_string();
    assert_eq!(warnings.as_deref(), Some("[]"));
}

#[wasm_bindgen_test]
async fn the_launcher_hears_what_it_says_in_other_words() {
    let chat = Chat::start("null").await;
    let texts = "({ 'newMessages.other': '{count} neu' })";
    set_texts(chat.handle, Some(js(texts).unchecked_into()));
    assert!(holds("pending === '0 neu'"));
    // Plural rules are a matter of the language: in French, none counts as one.
    let texts = "({ 'newMessages.one': '{count} message', 'newMessages.other': 'messages' })";
    set_texts(chat.handle, Some(js(texts).unchecked_into()));
    update(chat.handle, "locale", Some("fr".into()));
    assert!(holds("pending === '0 message'"));
}

#[wasm_bindgen_test]
async fn what_is_no_text_of_ours_is_left_out_with_a_warning() {
    let chat =
        Chat::start("{ sned: 'Senden', stop: 3, 'newMessages.some': 'x', send: 'Los' }").await;
    chat.shows("[part=send]", "aria-label", "Los").await;
    assert!(holds("warnings.length === 3"));
    for key in ["sned", "stop", "newMessages.some"] {
        assert!(
            holds(&format!(
                "warnings.filter((it) => it.includes('\"{key}\"')).length === 1"
            )),
            "{key}"
        );
    }
    // Keys of other tables, and all plural forms.
    let all = "({ 'request.empty': 'leer', 'event.NOTIFICATION_AGENT_THINKING_STARTED': 'Denkt', 'newMessages.few': 'x', openChat: 'Auf' })";
    set_texts(chat.handle, Some(js(all).unchecked_into()));
    chat.shows("[part=send]", "aria-label", "Send").await;
    assert!(holds("warnings.length === 3"));
}

#[wasm_bindgen_test]
async fn a_language_that_is_none_is_refused_with_a_warning() {
    let chat = Chat::start("null").await;
    update(chat.handle, "locale", Some("not a language".into()));
    assert!(holds(
        "warnings.length === 1 && warnings[0].includes('locale=\"not a language\"')"
    ));
    update(chat.handle, "locale", Some("pt-BR".into()));
    update(chat.handle, "locale", None);
    assert!(holds("warnings.length === 1"));
    chat.shows("[part=send]", "aria-label", "Send").await;
}

#[wasm_bindgen_test]
async fn what_the_page_is_told_is_said_in_its_words() {
    let chat = Chat::start("{ invalid: 'So geht das nicht.' }").await;
    let arguments: Array = js("[[{ type: 'nothing' }]]").unchecked_into();
    let [resolve, reject] = [
        "() => ends.push('done')",
        "(error) => ends.push(error.message)",
    ]
    .map(|code| js(code).unchecked_into());
    ask(chat.handle, "send", &arguments, resolve, reject);
    let said = "ends[0]?.startsWith('So geht das nicht. (send: item 1 has to be ')";
    until("the end", || holds(said)).await;
}
