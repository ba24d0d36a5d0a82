//! Content of an answer: safe links, images that are asked for, code that can be copied, and texts
//! that stay texts.

use js_sys::{Function, Reflect, Set};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, Event, EventInit, HtmlElement, KeyboardEvent, KeyboardEventInit};

use crate::page::{Page, Shown, document, frame, is_same, markup, until};
use crate::replaced_property::ReplacedProperty;

/// Address without a server.
const NOBODY: &str = "http://127.0.0.1:9";

fn attribute(element: &Element, name: &str) -> String {
    element.get_attribute(name).unwrap_or_default()
}

#[wasm_bindgen_test]
fn links_say_where_they_lead_and_tell_the_target_nothing() {
    let shown = Shown::whole(
        &Page::new(),
        "[a](https://a.example/b) [mail](mailto:a@b.example) [x](javascript:alert(1)) [y](data:text/html,x) \
         [z](file:///etc/passwd) [v](vbscript:x) [b](blob:https://a.example/1) [odd](custom:x) [here](/relative)",
    );
    let links = shown.all("a");
    assert_eq!(
        addresses(&shown),
        ["https://a.example/b", "mailto:a@b.example"]
    );
    for link in &links {
        assert_eq!(attribute(link, "target"), "_blank");
        assert_eq!(attribute(link, "rel"), "noopener noreferrer nofollow");
        assert_eq!(attribute(link, "title"), attribute(link, "data-address"));
        assert_eq!(attribute(link, "role"), "link");
        assert_eq!(attribute(link, "tabindex"), "0");
    }
    assert_eq!(shown.text(), "a mail x y z v b odd here");
}

/// Returns where the links lead.
fn addresses(shown: &Shown) -> Vec<String> {
    let links = shown.all("a");
    links
        .iter()
        .map(|it| attribute(it, "data-address"))
        .collect()
}

#[wasm_bindgen_test]
fn a_link_has_no_address_until_it_is_used() {
    let enter = KeyboardEventInit::new();
    enter.set_bubbles(true);
    let pressed = |key: &str| {
        enter.set_key(key);
        KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &enter).unwrap()
    };
    let init = EventInit::new();
    init.set_bubbles(true);
    let event = |kind| Event::new_with_event_init_dict(kind, &init).unwrap();
    for (event, uses) in [
        (event("mouseover"), false),
        (event("focusin"), false),
        (event("touchstart"), false),
        (pressed("Tab").into(), false),
        (pressed("Enter").into(), true),
        (event("mousedown"), true),
        (event("contextmenu"), true),
        (event("click"), true),
    ] {
        let shown = Shown::whole(
            &Page::new(),
            "[*a*](https://a.example/b) [c](https://c.example/)",
        );
        assert!(!shown.has("[href]"), "{}", markup(&shown.root));
        shown.one("a > em").dispatch_event(&event).unwrap();
        let given: Vec<String> = shown
            .all("[href]")
            .iter()
            .map(|it| attribute(it, "href"))
            .collect();
        let expected: &[&str] = if uses { &["https://a.example/b"] } else { &[] };
        assert_eq!(given, expected, "{}", event.type_());
    }
}

#[wasm_bindgen_test]
fn levels_of_headings_leave_no_gap_and_their_looks_stay() {
    let text = "### a\n\n###### b\n\n> #### c\n\n## d\n\n- # e\n- ### f\n\n## g\n";
    let whole = Shown::whole(&Page::new(), text);
    let mut grown = Shown::new(&Page::new());
    for piece in text.split_inclusive('#') {
        grown.push(piece);
    }
    grown.finish();
    for shown in [&whole, &grown] {
        let headings = shown.all("h3, h4, h5, h6");
        let levels: Vec<(String, String)> = headings
            .iter()
            .map(|it| (it.local_name(), attribute(it, "aria-level")))
            .collect();
        let levels: Vec<(&str, &str)> = levels.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(
            levels,
            [
                ("h5", "3"),
                ("h6", "4"),
                ("h6", "4"),
                ("h4", "3"),
                ("h3", "3"),
                ("h5", "4"),
                ("h4", "4"),
            ]
        );
    }
}

#[wasm_bindgen_test]
fn a_policy_decides_for_all_links_but_never_for_scripts() {
    let text = "[a](https://a.example/) [b](https://b.example/) [c](custom:x) [d](javascript:alert(1)) [e](blob:https://b.example/1)";
    let addresses = |page: Page| addresses(&Shown::whole(&page, text));
    let page = |body| Page::new().with_function("link", "url", body);
    assert_eq!(
        addresses(page("return url instanceof URL && url.host != 'a.example'")),
        ["https://b.example/", "custom:x"]
    );
    assert_eq!(addresses(page("throw new Error('no')")), [""; 0]);
    assert_eq!(addresses(page("return 'yes'")), [""; 0]);
}

#[wasm_bindgen_test]
fn a_link_whose_text_looks_like_another_address_is_marked() {
    let shown = Shown::whole(
        &Page::new(),
        "[https://bank.example/login](https://evil.example/x) [bank](https://evil.example/y)",
    );
    let links = shown.all("a");
    assert_eq!(
        links[0].text_content().unwrap(),
        "https://bank.example/login Leads to evil.example"
    );
    assert_eq!(links[1].text_content().unwrap(), "bank");
}

#[wasm_bindgen_test]
fn a_mark_comes_and_goes_while_the_text_of_a_link_grows() {
    let mut shown = Shown::new(&Page::new());
    for piece in [
        "[https://b",
        "ank.example",
        "](https://evil",
        ".example/x)",
        " after",
    ] {
        shown.push(piece);
    }
    shown.finish();
    assert_eq!(
        shown.text(),
        "https://bank.example Leads to evil.example after"
    );
}

#[wasm_bindgen_test]
async fn images_are_no_elements_before_they_are_asked_for() {
    let shown = Shown::whole(
        &Page::new(),
        &format!(
            "![a *cat*]({NOBODY}/1.png) ![dog]({NOBODY}/2.png) ![x](data:image/png;base64,AA) ![y](/relative.png)"
        ),
    );
    frame().await;
    assert!(!shown.has("img"));
    assert_eq!(shown.all("[data-action=image]").len(), 2);
    assert!(
        shown
            .text()
            .contains("a catImage not loaded, from 127.0.0.1:9")
    );
    shown.click("[data-action=image]");
    let images = shown.all("img");
    assert_eq!(images.len(), 1, "this one only");
    let image = &images[0];
    assert_eq!(attribute(image, "src"), format!("{NOBODY}/1.png"));
    assert_eq!(attribute(image, "referrerpolicy"), "no-referrer");
    assert_eq!(attribute(image, "loading"), "lazy");
    assert_eq!(attribute(image, "decoding"), "async");
    assert_eq!(attribute(image, "alt"), "a cat");
    let focused = shown.shadow.active_element().unwrap();
    assert!(is_same(&focused, &image.parent_element().unwrap()));
    until(|| shown.text().contains("The image could not be loaded")).await;
    assert!(!shown.has("img"));
    assert!(shown.text().contains("a cat"));
}

#[wasm_bindgen_test]
fn a_host_is_allowed_in_the_whole_conversation_and_in_no_other() {
    let page = Page::new();
    let text =
        format!("![a]({NOBODY}/1.png)\n\n![b](http://localhost:9/2.png)\n\n![c]({NOBODY}/3.png)");
    let one = Shown::whole(&page, &text);
    let two = Shown::whole(&page, &text);
    let elsewhere = Shown::whole(&Page::new(), &text);
    one.click("[data-action=images]");
    for shown in [&one, &two] {
        let sources: Vec<String> = shown
            .all("img")
            .iter()
            .map(|it| attribute(it, "src"))
            .collect();
        assert_eq!(
            sources,
            [format!("{NOBODY}/1.png"), format!("{NOBODY}/3.png")]
        );
    }
    assert!(!elsewhere.has("img"));
    let later = Shown::whole(&page, &text);
    assert_eq!(later.all("img").len(), 2);
    assert_eq!(later.all("[data-action=image]").len(), 1);
    let hosts: Set = Reflect::get(&page.0, &"hosts".into()).unwrap().into();
    assert!(hosts.has(&"127.0.0.1:9".into()) && hosts.size() == 1);
}

#[wasm_bindgen_test]
fn a_policy_loads_images_of_finished_blocks_only() {
    let page = Page::new().with_function("image", "url", "return url.pathname.startsWith('/yes')");
    let mut shown = Shown::new(&page);
    shown.push(&format!("![a]({NOBODY}/yes.png) ![b]({NOBODY}/no.png)"));
    assert!(!shown.has("img"), "its block is open");
    shown.push(" and\n\nmore");
    shown.finish();
    let sources: Vec<String> = shown
        .all("img")
        .iter()
        .map(|it| attribute(it, "src"))
        .collect();
    assert_eq!(sources, [format!("{NOBODY}/yes.png")]);
    assert_eq!(shown.all("[data-action=image]").len(), 1);
}

/// Replaces the browser's clipboard by the given value.
fn clipboard(value: &str) -> ReplacedProperty {
    ReplacedProperty::new("navigator.clipboard", value)
}

#[wasm_bindgen_test]
async fn code_is_copied_as_it_is() {
    let _taking =
        clipboard("{ writeText(text) { window.copied = text; return Promise.resolve(); } }");
    let code: String = (0..120).map(|line| format!("line {line}\n\n")).collect();
    let shown = Shown::whole(&Page::new(), &format!("```js\n{code}```"));
    let button = shown.one("[data-action=copy]");
    assert_eq!(attribute(&button, "aria-label"), "Copy code");
    shown.click("[data-action=copy]");
    until(|| shown.one("[data-action=copy]").text_content().unwrap() == "Copied").await;
    assert_eq!(attribute(&button, "aria-label"), "Copied");
    let copied = Reflect::get(&web_sys::window().unwrap(), &"copied".into()).unwrap();
    assert_eq!(copied.as_string().unwrap(), code);
    Function::new_with_args(
        "it",
        "it.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))",
    )
    .call1(&JsValue::UNDEFINED, &button)
    .unwrap();
    assert_eq!(button.text_content().unwrap(), "Copy");
    let _missing = clipboard("undefined");
    shown.click("[data-action=copy]");
    let _refusing = clipboard("{ writeText() { return Promise.reject(new Error('no')); } }");
    shown.click("[data-action=copy]");
    frame().await;
    assert_eq!(button.text_content().unwrap(), "Copy");
}

#[wasm_bindgen_test]
async fn copied_code_is_said_for_a_moment() {
    let _taking = clipboard("{ writeText() { return Promise.resolve(); } }");
    // What is to happen after a second or more happens when the test says so.
    let keep = "globalThis.later = []";
    Function::new_no_args(keep).call0(&JsValue::NULL).unwrap();
    let timers = "(call, delay) => delay < 1000 ? real.call(window, call, delay) : globalThis.later.push(call)";
    let _timers = ReplacedProperty::new("window.setTimeout", timers);
    let shown = Shown::whole(&Page::new(), "```js\nlet a;\n```");
    shown.click("[data-action=copy]");
    until(|| shown.one("[data-action=copy]").text_content().unwrap() == "Copied").await;
    let pass = Function::new_no_args("for (const call of globalThis.later) call()");
    until(|| {
        pass.call0(&JsValue::NULL).unwrap();
        shown.one("[data-action=copy]").text_content().unwrap() == "Copy"
    })
    .await;
}

#[wasm_bindgen_test]
fn selected_code_is_the_code() {
    let code: String = (0..120)
        .map(|line| {
            if line % 3 == 0 {
                "\n".to_owned()
            } else {
                format!("line {line}\n")
            }
        })
        .collect();
    let shown = Shown::whole(&Page::new(), &format!("```\n{code}```"));
    let sheet = document().create_element("style").unwrap();
    sheet.set_text_content(Some(include_str!("../../../../style/code.css")));
    shown.shadow.append_child(&sheet).unwrap();
    let selection = web_sys::window().unwrap().get_selection().unwrap().unwrap();
    selection
        .select_all_children(&shown.one("pre > code"))
        .unwrap();
    let text = String::from(selection.to_string());
    assert_eq!(text.trim_end(), code.trim_end());
    selection.remove_all_ranges().unwrap();
}

#[wasm_bindgen_test]
fn lines_are_wrapped_when_asked() {
    let shown = Shown::whole(&Page::new(), "```\nx\n```");
    for (pressed, is_wrapped) in [("false", false), ("true", true), ("false", false)] {
        assert_eq!(
            attribute(&shown.one("[data-action=wrap]"), "aria-pressed"),
            pressed
        );
        assert_eq!(shown.one(".code").has_attribute("data-wrap"), is_wrapped);
        shown.click("[data-action=wrap]");
    }
}

#[wasm_bindgen_test]
fn texts_with_markup_stay_texts() {
    let hostile = "<img src=x onerror=alert(1)> <b>\"'&amp;";
    let text = format!(
        "{hostile}\n\n```{hostile}\n{hostile}\n```\n\n| {hostile} |\n|---|\n| {hostile} |\n\n# {hostile}\n\n- {hostile}\n\n\
         ![{hostile}](https://a.example/\"onload=\"x) [^<i>]\n\n[^<i>]: {hostile}\n\n<script>alert(1)</script>\n"
    );
    let shown = Shown::whole(&Page::new(), &text);
    assert!(!shown.has("img, b, i, script, iframe, [onerror], [onload], [style]"));
    assert!(shown.text().contains("<script>alert(1)</script>"));
}

#[wasm_bindgen_test]
fn each_block_has_its_own_direction() {
    let shown = Shown::whole(
        &Page::new(),
        "# t\n\nשלום\n\n- שלום\n\n| a |\n|---|\n| b |\n\n> q\n\n```\nx\n```\n\n`x`",
    );
    for selector in ["h3", "p", "th", "td", "blockquote > p"] {
        assert!(
            shown
                .all(selector)
                .iter()
                .all(|it| attribute(it, "dir") == "auto"),
            "{selector}"
        );
    }
    assert_eq!(attribute(&shown.one("pre"), "dir"), "ltr");
}

#[wasm_bindgen_test]
fn lists_tables_and_notes_say_what_they_are() {
    let shown = Shown::whole(
        &Page::new(),
        "3. a\n4. b\n\n- [x] c\n- [ ] d\n\n| l | m |\n|:-:|--:|\n| 1 | 2 |\n\nSee[^a b].\n\n[^a b]: What it says.\n",
    );
    assert_eq!(attribute(&shown.one("ol"), "start"), "3");
    let marks = shown.all("li.task > input[disabled]");
    let names: Vec<String> = marks.iter().map(|it| attribute(it, "aria-label")).collect();
    assert_eq!(names, ["done", "not done"]);
    assert!(marks[0].has_attribute("checked") && !marks[1].has_attribute("checked"));
    assert_eq!(attribute(&shown.one(".table"), "aria-label"), "Table");
    assert!(shown.has(".table > table[tabindex='0']"));
    let heads: Vec<String> = shown
        .all("th[scope=col]")
        .iter()
        .map(|it| attribute(it, "data-align"))
        .collect();
    assert_eq!(heads, ["center", "end"]);
    let note = shown.one("[role=note]");
    assert_eq!(attribute(&note, "aria-label"), "Footnote 1");
    let described_by = attribute(&shown.one("sup"), "aria-describedby");
    assert!(!described_by.contains(' '), "{}", markup(&note));
    let description = shown.shadow.get_element_by_id(&described_by).unwrap();
    assert!(
        !description.has_attribute("aria-label"),
        "it would be the description"
    );
    assert_eq!(description.text_content().unwrap(), "What it says.");
}

#[wasm_bindgen_test]
fn notes_have_numbers_in_the_order_of_the_text_and_not_their_names() {
    let text =
        "By sea[^ferry] or air[^plane], by sea[^ferry].\n\n[^plane]: Fast.\n\n[^ferry]: Slow.\n";
    let shown = Shown::whole(&Page::new(), text);
    let texts = |selector: &str| -> Vec<String> {
        let all = shown.all(selector);
        all.iter().map(|it| it.text_content().unwrap()).collect()
    };
    assert_eq!(texts("sup"), ["1", "2", "1"]);
    assert_eq!(texts(".footnote-name"), ["2", "1"]);
    assert_eq!(attribute(&shown.one("sup"), "title"), "Footnote 1");
    let names = shown.all("[role=note]");
    let names: Vec<String> = names.iter().map(|it| attribute(it, "aria-label")).collect();
    assert_eq!(names, ["Footnote 2", "Footnote 1"]);
}

#[wasm_bindgen_test]
fn a_wide_table_scrolls_and_its_cells_stay_readable() {
    let cell = "a text of some words that goes on";
    let row = format!("| {} |", [cell; 5].join(" | "));
    let shown = Shown::whole(&Page::new(), &format!("{row}\n|--|--|--|--|--|\n{row}\n"));
    let sheet = document().create_element("style").unwrap();
    sheet.set_text_content(Some(include_str!("../../../../style/answer.css")));
    shown.shadow.append_child(&sheet).unwrap();
    let frame = shown.one(".table");
    let style = "inline-size: 300px; overflow-wrap: anywhere; font: 15px/20px monospace; --assent-font-size-s: 13px";
    frame.set_attribute("style", style).unwrap();
    assert!(frame.scroll_width() > frame.client_width());
    let lines = (height(&shown.one("td")) - 14) / 20;
    assert!((1..=2).contains(&lines), "{lines} lines");
}

#[wasm_bindgen_test]
fn a_reference_to_a_note_moves_no_line() {
    let shown = Shown::whole(
        &Page::new(),
        "Plain.\n\nWith a note[^a].\n\n[^a]: What it says.\n",
    );
    let sheet = document().create_element("style").unwrap();
    sheet.set_text_content(Some(include_str!("../../../../style/answer.css")));
    shown.shadow.append_child(&sheet).unwrap();
    let heights: Vec<i32> = shown.all(".blocks > p").iter().map(height).collect();
    assert!(heights[0] > 0 && shown.has("p > sup"));
    assert_eq!(heights[0], heights[1]);
}

fn height(element: &Element) -> i32 {
    element.unchecked_ref::<HtmlElement>().offset_height()
}
