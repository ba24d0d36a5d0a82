//! The list of what the user has allowed beforehand.

use js_sys::eval;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::undone::Undone;
use crate::widget::{Widget, tick};

const ITEM: &str = "What I allowed";

/// Lets the service have these grants, as the JSON of its list; what is ended goes into `grantsEnded`.
/// While `grantsFail` is true, every request fails.
fn serve(list: &str) -> Undone {
    eval(&format!(
        "globalThis.grantsEnded = []; globalThis.grantsFail = false; \
         globalThis.grants = async (ended) => {{ \
           if (globalThis.grantsFail) throw null; \
           if (ended !== undefined) {{ globalThis.grantsEnded.push(ended); return ''; }} \
           return {list:?}; }};"
    ))
    .unwrap();
    Undone::new(|| {
        eval("delete globalThis.grants").unwrap();
    })
}

async fn opened() -> Widget {
    let mut widget = Widget::new();
    widget.one("[part=menu]").click();
    widget.settle().await;
    widget.button(ITEM).click();
    settle(&mut widget).await;
    widget
}

/// Lets promises of the service come to their end.
async fn settle(widget: &mut Widget) {
    for _ in 0..3 {
        widget.settle().await;
        tick().await;
    }
}

fn is_focused(widget: &Widget, name: &str) -> bool {
    let focused = widget.focused().unwrap();
    focused.is_same_node(Some(&widget.button(name)))
}

const LIST: &str = r#"[
    {"id":"g1","agentId":"desk","agentName":"Desk","toolId":"files/write_file","scope":"agent",
     "until":"2999-01-31T18:40:00.000Z","when":{"/path":{"same":"drafts/\u202ea.md"}},"uses":7},
    {"id":"g2","agentId":"desk","toolId":"read","scope":"thread","threadId":"gone","when":{},"uses":1}
]"#;

#[wasm_bindgen_test]
async fn what_is_allowed_is_listed_in_words_and_ended() {
    let _served = serve(LIST);
    let mut widget = opened().await;
    assert_eq!(
        widget
            .one("[role=dialog]")
            .get_attribute("aria-label")
            .unwrap(),
        ITEM
    );
    assert!(is_focused(&widget, "Close"));
    let rows = widget.all(".grant");
    let text = |at: usize| rows[at].text_content().unwrap();
    assert!(text(0).contains("Write file"), "{}", text(0));
    assert!(
        text(0).contains("In all conversations with Desk"),
        "{}",
        text(0)
    );
    assert!(text(0).contains("used 7 times"), "{}", text(0));
    assert!(text(0).contains("path: drafts/"), "{}", text(0));
    assert!(!text(0).contains('\u{202e}'), "{}", text(0));
    assert!(text(1).contains("In one conversation"), "{}", text(1));
    assert!(text(1).contains("used once"), "{}", text(1));
    // The page cannot be reached meanwhile, and the focus stays in the list.
    widget.key(".dialog", "Tab", false);
    let stop = rows[0].query_selector("button").unwrap().unwrap();
    assert!(widget.focused().unwrap().is_same_node(Some(&stop)));

    eval("globalThis.grantsFail = true").unwrap();
    widget.button("Stop allowing").click();
    settle(&mut widget).await;
    assert_eq!(widget.all(".grant").len(), 2);
    assert_eq!(
        widget.read(".grant [role=alert]"),
        "This could not be ended. Try again."
    );
    eval("globalThis.grantsFail = false").unwrap();
    widget.button("Stop allowing").click();
    settle(&mut widget).await;
    assert_eq!(widget.all(".grant").len(), 1);
    assert!(is_focused(&widget, "Close"));
    let ended = eval("globalThis.grantsEnded.join()").unwrap();
    assert_eq!(ended.as_string().unwrap(), "g1");

    widget.key(".dialog", "Escape", false);
    settle(&mut widget).await;
    assert!(widget.all("[role=dialog]").is_empty());
    let focused = widget.focused().unwrap();
    assert_eq!(focused.get_attribute("aria-label").unwrap(), "More");
}

#[wasm_bindgen_test]
async fn a_list_that_cannot_be_loaded_says_so_and_is_loaded_again() {
    let _served = serve("[]");
    eval("globalThis.grantsFail = true").unwrap();
    let mut widget = opened().await;
    assert_eq!(
        widget.read(".dialog [role=status]"),
        "What you allowed could not be loaded."
    );
    eval("globalThis.grantsFail = false").unwrap();
    widget.button("Try again").click();
    settle(&mut widget).await;
    assert!(widget.read(".dialog").contains("Nothing. You are asked"));
}

#[wasm_bindgen_test]
async fn a_service_without_it_has_no_such_line_in_the_menu() {
    let mut widget = Widget::new();
    widget.one("[part=menu]").click();
    widget.settle().await;
    let lines = widget.all("[role=menuitem]");
    assert!(lines.iter().all(|it| it.text_content().unwrap() != ITEM));
}
