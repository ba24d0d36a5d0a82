//! The rows of arguments: each by its kind, nothing hidden, nothing cut.

use assent_conversation::{Intent, Verdict};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick, tool};

async fn with(arguments: &str) -> Widget {
    let mut widget = Widget::asked(&[tool("pay", arguments)]).await;
    widget.look().await;
    widget
}

fn long() -> String {
    format!(r#""text":"{}","amount":"1""#, "abcdefgh-".repeat(500))
}

#[wasm_bindgen_test]
async fn a_long_value_is_to_be_opened_before_its_tool_can_be_approved() {
    let mut widget = with(&long()).await;
    let approve = widget.one(".approve");
    assert!(approve.has_attribute("disabled"));
    assert!(!widget.one(".deny").has_attribute("disabled"));
    let hint = "Open the shortened values to approve.";
    assert!(widget.description(&approve).contains(hint));
    approve.click();
    assert!(widget.settle().await.is_empty());

    let value = widget.all(".argument-value")[0].clone();
    assert!(value.text_content().unwrap().ends_with('…'));
    assert!(value.text_content().unwrap().len() < 300);
    let more = widget.button("Show all 4,500 characters");
    assert_eq!(more.get_attribute("aria-expanded").unwrap(), "false");
    assert_eq!(widget.description(&more), "text");
    more.focus().unwrap();
    more.click();
    let wanted = widget.settle().await;
    assert!(
        matches!(wanted.as_slice(), [Intent::OpenArgument(_, _, 0)]),
        "{wanted:?}"
    );
    assert_eq!(value.text_content().unwrap().chars().count(), 4500, "whole");
    assert_eq!(more.get_attribute("aria-expanded").unwrap(), "true");
    assert!(
        more.is_same_node(widget.focused().as_deref()),
        "the focus stays"
    );
    assert!(!approve.has_attribute("disabled"));
    assert!(!widget.description(&approve).contains(hint));
    approve.click();
    let wanted = widget.settle().await;
    assert!(matches!(
        wanted.as_slice(),
        [Intent::Answer(_, _, Verdict::Approve)]
    ));
}

#[wasm_bindgen_test]
async fn an_opened_value_says_how_long_it_is_and_what_was_read_stays_read() {
    let mut widget = with(&long()).await;
    widget.press("Show all 4,500 characters").await;
    assert_eq!(widget.read(".argument-size"), "4,500 characters in 1 line");
    let scrolls = widget.one(".argument-box");
    assert_eq!(scrolls.get_attribute("tabindex").unwrap(), "0");
    assert_eq!(scrolls.get_attribute("aria-label").unwrap(), "text");
    widget.button("Show less").click();
    tick().await;
    assert!(widget.all(".argument-box").is_empty());
    assert!(!widget.one(".approve").has_attribute("disabled"));
    widget.button("Show all 4,500 characters").click();
    tick().await;
    widget.one(".argument-box");
}

#[wasm_bindgen_test]
async fn many_lines_are_folded_too_and_say_how_many() {
    let widget = with(&format!(r#""text":"{}""#, r"line\n".repeat(20))).await;
    widget.button("Show all 20 lines");
    assert!(widget.one(".approve").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn short_json_of_many_lines_is_folded_by_the_lines_it_is_drawn_with() {
    let json = format!("[{}1]", "1,".repeat(40));
    let mut widget = with(&format!(r#""list":"{json}""#)).await;
    let approve = widget.one(".approve");
    assert!(approve.has_attribute("disabled"));
    widget.press("Show all 43 lines").await;
    widget.one(".argument-box");
    assert_eq!(widget.read(".argument-size"), "83 characters in 43 lines");
    assert!(!approve.has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn no_value_is_in_a_box_that_scrolls_without_having_been_opened() {
    let deep = format!("{}{}", "[".repeat(259), "]".repeat(259));
    let spaced = r#"[ 1, [ ], { }, \"a,b,c,d,e,f,g,h,i,j,k,l,m\\\\\", \"\\\",{{{{{{{{\" ]"#;
    for (json, is_open) in [
        (deep.as_str(), false),
        (spaced, true),
        ("[1,2,3,4,5,6,7,8,9,10]", true),
        ("[1,2,3,4,5,6,7,8,9,10,11]", false),
        ("[[],[],{},[],[],{},[],[],{},[]]", true),
    ] {
        let widget = with(&format!(r#""json":"{json}""#)).await;
        let locked = widget.one(".approve").has_attribute("disabled");
        assert_eq!(locked, !is_open, "{json}");
        assert!(widget.all(".argument-box").is_empty());
        if is_open {
            let kind = widget.one(".argument-value").get_attribute("data-kind");
            assert_eq!(kind.as_deref(), Some("json"), "{json}");
        }
    }
}

#[wasm_bindgen_test]
async fn there_is_an_end_to_what_long_names_take() {
    let name = "n".repeat(5000);
    let widget = Widget::asked(&[tool(&name, &format!(r#""{}":"1""#, "a".repeat(41)))]).await;
    let short = format!("{}…", "n".repeat(60));
    let label = |selector: &str| widget.one(selector).get_attribute("aria-label").unwrap();
    assert_eq!(label("[part=approval-tool]"), short);
    let head = widget.one(".tool-name .argument-box");
    assert_eq!(head.text_content().unwrap(), name, "whole");
    assert_eq!(head.get_attribute("tabindex").unwrap(), "0");
    assert!(widget.read(".tool-name").ends_with("5,000 characters"));
    assert_eq!(widget.all(".tool-origin .argument-box").len(), 0);
}

#[wasm_bindgen_test]
async fn an_address_shows_where_it_leads_and_is_no_link() {
    let widget = with(r#""link":"https://bank.example@tracker.invalid:8443/login""#).await;
    assert_eq!(
        widget.read(".argument-value"),
        "https://bank.example@tracker.invalid:8443/login"
    );
    assert_eq!(
        widget.read(".argument-note"),
        "Opens tracker.invalid:8443, not bank.example."
    );
    assert!(widget.all("[part=approval] a").is_empty());
    assert!(widget.all(".argument-host").is_empty(), "it is said once");
    assert_eq!(widget.read(".warnings-title"), "1 suspicious value");
    assert_eq!(widget.read(".warnings-links"), "link");
}

#[wasm_bindgen_test]
async fn a_host_of_other_letters_is_shown_in_both_spellings() {
    let widget = with(r#""link":"https://p\u0430ypal.example/""#).await;
    let note = widget.read(".argument-note");
    assert!(
        note.starts_with("Cyrillic letters imitate Latin ones. Real domain: xn--"),
        "{note}"
    );
    let marks = widget.all(".argument-note .alike");
    assert_eq!(marks.len(), 1);
    assert_eq!(marks[0].get_attribute("title").unwrap(), "Cyrillic letters");
    assert_eq!(marks[0].text_content().unwrap().trim(), "\u{430}Cyrillic");
}

#[wasm_bindgen_test]
async fn the_domain_of_an_email_is_set_apart() {
    let widget = with(r#""to":"ada@customer.example""#).await;
    assert_eq!(widget.read(".argument-value"), "ada@customer.example");
    assert_eq!(widget.read(".argument-host"), "Domain customer.example");
    assert!(widget.all(".tool-warning").is_empty());
}

#[wasm_bindgen_test]
async fn hidden_characters_are_replaced_by_marks_that_are_named_and_heard() {
    let widget = with(r#""file":"invoice_\u202efdp.exe""#).await;
    let value = widget.one(".argument-value");
    assert!(!value.text_content().unwrap().contains('\u{202e}'));
    let mark = widget.one(".argument-value .mark");
    assert_eq!(
        mark.get_attribute("title").unwrap(),
        "right-to-left override, U+202E"
    );
    let seen = mark.query_selector("[aria-hidden=true]").unwrap().unwrap();
    assert_eq!(seen.text_content().unwrap(), "U+202E");
    assert!(
        widget
            .read(".argument-value .visually-hidden")
            .contains("right-to-left override")
    );
    assert_eq!(
        widget.read(".argument-note"),
        "Hidden characters reorder this text."
    );
    let approve = widget.one(".approve");
    assert!(widget.description(&approve).contains("1 suspicious value"));
}

#[wasm_bindgen_test]
async fn names_are_inspected_like_values() {
    let widget = with(r#""approved\u200b":"true","":"x""#).await;
    let names = widget.all("dt");
    assert_eq!(names[0].query_selector_all(".mark").unwrap().length(), 1);
    assert_eq!(names[1].text_content().unwrap().trim(), "no name");
    let widget = Widget::asked(&[tool("pay\u{200b}pal", "")]).await;
    let group = widget.one("[part=approval-tool]");
    assert_eq!(
        group.get_attribute("aria-label").unwrap(),
        "pay [U+200B] pal"
    );
    assert_eq!(widget.all(".tool-name .mark").len(), 1);
    assert!(widget.read(".tool-warning").contains("the tool’s name"));
    assert!(widget.read(".tool-name").starts_with("pay"), "as it is");
    assert_eq!(
        widget.read("[part=approval-tool] .approval-hint"),
        "No arguments"
    );
}

#[wasm_bindgen_test]
async fn an_identifier_is_a_title_in_words_and_any_other_name_stays_as_it_is() {
    let long = format!("n{}", "_a".repeat(30));
    for (name, title) in [
        ("delete_file", "Delete file"),
        ("send-email", "Send email"),
        ("getFileName", "Get file name"),
        ("openURL", "Open URL"),
        ("Pay the invoice", "Pay the invoice"),
        ("files.delete", "files.delete"),
        ("7zip", "7zip"),
        ("p\u{430}y_all", "p\u{430} [U+0430] y_all"),
    ] {
        let widget = Widget::asked(&[tool(name, "")]).await;
        let group = widget.one("[part=approval-tool]");
        assert_eq!(group.get_attribute("aria-label").unwrap(), title);
        let is_other = title != name && name.is_ascii();
        let origin = widget.read(".tool-origin");
        assert_eq!(
            origin.starts_with(&format!("{name} · ")),
            is_other,
            "{origin}"
        );
    }
    let widget = Widget::asked(&[tool(&long, "")]).await;
    assert!(widget.read(".tool-name").starts_with("n_a_a"), "as it is");
}

#[wasm_bindgen_test]
async fn each_kind_is_drawn_in_its_way_and_on_its_own() {
    let arguments = r#""text":"a  b","lines":"a\nb","count":"200","amount":"1,250.00 EUR","path":"/a/b.pdf",
        "json":"{\"b\":2.50,\"a\":[1]}","none":"","active":"true""#;
    let widget = with(arguments).await;
    let values = widget.all(".argument-value");
    let kinds: Vec<_> = values
        .iter()
        .map(|value| value.get_attribute("data-kind").unwrap())
        .collect();
    let expected = [
        "text", "lines", "number", "amount", "path", "json", "empty", "text",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(values[0].text_content().unwrap(), "a  b");
    assert_eq!(values[1].text_content().unwrap(), "a\nb");
    let json = values[5].text_content().unwrap();
    assert!(json.contains("\n") && json.contains("2.50"), "{json}");
    assert_eq!(values[6].text_content().unwrap(), "empty");
    let direction = |index: usize| {
        let text = values[index]
            .query_selector(".argument-text")
            .unwrap()
            .unwrap();
        text.get_attribute("dir").unwrap()
    };
    assert_eq!(
        [direction(0), direction(2), direction(4), direction(5)],
        ["auto", "ltr", "ltr", "ltr"]
    );
}

#[wasm_bindgen_test]
async fn markup_in_arguments_is_text() {
    let widget = with(r#""comment":"<b>ok</b><img src=x>""#).await;
    assert_eq!(widget.read(".argument-value"), "<b>ok</b><img src=x>");
    assert!(widget.all(".argument b, .argument img").is_empty());
}

async fn again(before: &str, now: &str) -> Widget {
    let mut widget = with(before).await;
    widget.press("Deny").await;
    let stream = widget.accept().await;
    let again = tool("pay", now);
    let again = again
        .replace(r#""b""#, r#""b2""#)
        .replace("e-pay", "e-pay2");
    widget.ask(stream, &[again]).await;
    widget
}

#[wasm_bindgen_test]
async fn what_changed_since_the_last_call_of_the_tool_is_marked() {
    let widget = again(
        r#""amount":"1,250.00 EUR","to":"ada","dry_run":"true""#,
        r#""amount":"12,500.00 EUR","to":"ada","urgent":"true""#,
    )
    .await;
    let rows = widget.all("[data-state=pending] .argument dt");
    let names: Vec<_> = rows.iter().map(|row| row.text_content().unwrap()).collect();
    assert_eq!(names, ["amount Changed", "urgent New", "to"]);
    assert_eq!(widget.read(".argument-was"), "Was: 1,250.00 EUR");
    assert_eq!(widget.read(".argument-was del"), ",25");
    assert_eq!(widget.read(".argument-value ins"), "2,50");
    assert_eq!(widget.read(".gone"), "No longer included:dry_run (true)");
    assert!(widget.all(".same").is_empty(), "the last call was denied");
    assert!(
        !widget
            .read("[data-state=pending]")
            .contains("last time in this")
    );
}

#[wasm_bindgen_test]
async fn a_long_value_that_changed_says_what_was_replaced() {
    let words = "word ".repeat(100);
    let widget = again(
        &format!(r#""text":"{words} ten {words}""#),
        &format!(r#""text":"{words} twenty {words}""#),
    )
    .await;
    assert_eq!(widget.read(".argument-was"), "Was: en became wenty");
    let (many, more) = ("a".repeat(100), "b".repeat(1200));
    let widget = again(
        &format!(r#""text":"{many}""#),
        &format!(r#""text":"{more}""#),
    )
    .await;
    assert_eq!(
        widget.read(".argument-was"),
        "100 characters removed, 1,200 added"
    );
}

#[wasm_bindgen_test]
async fn the_same_call_once_more_says_so() {
    let widget = again(r#""amount":"1""#, r#""amount":"1""#).await;
    assert!(
        widget
            .all(".argument-was, .argument-badge, .gone")
            .is_empty()
    );
    assert!(
        widget
            .read("[data-state=pending]")
            .contains("The same as last time in this conversation")
    );
}

#[wasm_bindgen_test]
async fn a_first_call_has_nothing_to_compare_with() {
    let widget = with(r#""amount":"1""#).await;
    assert!(
        widget
            .all(".argument-was, .argument-badge, .gone")
            .is_empty()
    );
    assert!(!widget.read("[part=approval]").contains("last time"));
}
