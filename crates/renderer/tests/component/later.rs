//! Assets that are loaded later: formulas and colours.

use std::cell::Cell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::page::{Page, Shown, document, frame, is_same, markup, until};

/// Writes what the TeX names: `a` is a formula, and the others are invalid ones.
const MATH: &str = r#"
    async () => ({ mathml: (tex, display) => ({
        a: `<math><mfrac linethickness="0"><mi style="color: red; position: fixed; width: url(x)" onclick="x()" class="k">a</mi><mn>1&lt;&#x32;</mn></mfrac><mspace width="1em"/></math>`,
        script: "<math><script>1</script></math>",
        link: `<math><mi href="javascript:x()" xlink:href="x">a</mi></math>`,
        open: "<math><mi>a</math>",
        two: "<math></math><math></math>",
        text: "hello <math></math>",
        html: "<math><mtext><img src=x></mtext></math>",
        deep: "<math>" + "<mrow>".repeat(9999) + "</mrow>".repeat(9999) + "</math>",
        comment: "<math><!-- x --></math>",
        unfinished: "<math a=",
    })[tex.trim()] ?? (() => { throw new Error("no " + tex + display) })() })
"#;

/// Colours `fn` and strings, and returns some invalid tokens.
const TOKENS: &str = r#"
    (code, language) => {
        globalThis.lastLanguage = language;
        const tokens = [[0, 9999999, "keyword"], [5, 2, "keyword"], [0, 1, "unknown"], ["x"], [-1, NaN, "string"]]
            .map(([start, end, scope]) => ({ start, end, scope }));
        tokens.push(null);
        for (const found of code.matchAll(/fn|"[^"]*"/g)) {
            const [text] = found;
            tokens.push({ start: found.index, end: found.index + text.length, scope: text === "fn" ? "keyword" : "string" });
        }
        return tokens;
    }
"#;

fn page() -> Page {
    Page::new().with_asset("math", MATH).with_tokens(TOKENS)
}

fn evaluate(expression: &str) -> JsValue {
    Function::new_no_args(&format!("return {expression}"))
        .call0(&JsValue::UNDEFINED)
        .unwrap()
}

fn number(expression: &str) -> f64 {
    evaluate(expression).as_f64().unwrap_or(-1.0)
}

#[wasm_bindgen_test]
async fn formulas_become_nodes_when_their_block_is_finished() {
    let mut shown = Shown::new(&page());
    shown.push("Let $a$ be");
    frame().await;
    assert!(
        shown.has("code.math") && !shown.has("math"),
        "its block is open"
    );
    shown.push(".\n\n$$a$$\n");
    shown.finish();
    until(|| shown.all("math").len() == 2).await;
    let math = shown.one("p > math");
    assert_eq!(
        math.namespace_uri().unwrap(),
        "http://www.w3.org/1998/Math/MathML"
    );
    assert_eq!(math.text_content().unwrap(), "a1<2");
    assert!(!shown.has("math [onclick], math [class]"));
    assert_eq!(
        shown.one("mi").get_attribute("style").as_deref(),
        Some("color: red;")
    );
    assert_eq!(
        shown.one("mfrac").get_attribute("linethickness").as_deref(),
        Some("0")
    );
    assert_eq!(
        shown
            .one(".formula > math")
            .get_attribute("display")
            .as_deref(),
        Some("block")
    );
}

#[wasm_bindgen_test]
async fn a_formula_is_drawn_at_once_when_the_module_is_there() {
    let page = page();
    let first = Shown::whole(&page, "Let $a$ be.");
    until(|| first.has("math")).await;
    assert!(Shown::whole(&page, "And $a$.").has("math"));
}

#[wasm_bindgen_test]
async fn what_is_no_formula_stays_source() {
    let names = [
        "script",
        "open",
        "two",
        "text",
        "html",
        "deep",
        "comment",
        "unfinished",
        "throws",
    ];
    let text: String = names.iter().map(|name| format!("${name}$ ")).collect();
    let shown = Shown::whole(&page(), &format!("$a$ and {text} and $link$"));
    until(|| shown.has("math")).await;
    let left: Vec<String> = shown
        .all("code.math")
        .iter()
        .map(|it| it.text_content().unwrap())
        .collect();
    assert_eq!(left, names);
    assert_eq!(shown.all("math").len(), 2);
    assert!(!shown.has("img, script, [href]"));
}

fn keyword_count() -> f64 {
    number("CSS.highlights.get('assent-keyword')?.size")
}

fn string_count() -> f64 {
    number("CSS.highlights.get('assent-string')?.size")
}

#[wasm_bindgen_test]
async fn code_has_its_colours_while_it_is_near_the_screen() {
    let shown = Shown::whole(&page(), "```rust\nfn main() {}\n```");
    until(|| keyword_count() == 1.0).await;
    let place = shown.one(".code").parent_element().unwrap();
    for _ in 0..2 {
        place
            .set_attribute("style", "position: fixed; top: 5000px")
            .unwrap();
        until(|| keyword_count() == 0.0).await;
        place.remove_attribute("style").unwrap();
        until(|| keyword_count() == 1.0).await;
    }
    drop(shown);
    assert_eq!(keyword_count(), 0.0);
}

#[wasm_bindgen_test]
async fn code_gets_its_colours_without_another_node() {
    let mut shown = Shown::new(&page());
    let lines: String = (0..60)
        .map(|line| format!("let x{line} = \"ä𝄞\";\n"))
        .collect();
    shown.push(&format!("```Rust\nfn main() {{}}\n{lines}"));
    frame().await;
    frame().await;
    assert!(string_count() <= 0.0, "its block is open");
    shown.push("```\n\nafter");
    let code: Element = shown.one("pre > code");
    let before = markup(&code);
    let text = code.first_child().unwrap().first_child().unwrap();
    until(|| string_count() > 0.0).await;
    assert_eq!(string_count(), 60.0);
    assert_eq!(keyword_count(), 1.0, "nonsense is left out");
    assert_eq!(evaluate("lastLanguage").as_string().unwrap(), "rust");
    assert_eq!(markup(&code), before);
    assert!(is_same(
        &text,
        &code.first_child().unwrap().first_child().unwrap()
    ));
    let said = evaluate(
        "[...CSS.highlights.get('assent-string')].every((it) => { \
        const range = new Range(); range.setStart(it.startContainer, it.startOffset); range.setEnd(it.endContainer, it.endOffset); \
        return range.toString() === '\"ä𝄞\"' })",
    );
    assert_eq!(said, JsValue::TRUE);
    // Another text in its place removes the colours.
    shown.reset("```rust\nfn other() {}\n```", true);
    assert_eq!(string_count(), 0.0);
    until(|| keyword_count() == 1.0).await;
    drop(shown.answer.take());
    assert_eq!(keyword_count(), 0.0);
}

#[wasm_bindgen_test]
async fn only_code_that_is_near_the_screen_and_of_a_known_language_is_coloured() {
    let long = format!("```rust\n{}```", "fn x() { \"y\" }\n".repeat(5_000));
    let shown = Shown::whole(
        &page(),
        &format!(
            "```nonsense\nfn a() {{ \"x\" }}\n```\n\n```rust\nfn b() {{ \"b\" }}\n```\n\n{long}"
        ),
    );
    let mut far = Shown::new(&page());
    let host = far.shadow.host();
    host.set_attribute("style", "display: block; margin-block-start: 9000px")
        .unwrap();
    far.push("```rust\nfn far() { \"x\" }\n```");
    far.finish();
    until(|| string_count() > 0.0).await;
    frame().await;
    frame().await;
    assert_eq!(string_count(), 1.0);
    host.remove_attribute("style").unwrap();
    document()
        .body()
        .unwrap()
        .prepend_with_node_1(&host)
        .unwrap();
    until(|| string_count() == 2.0).await;
    drop((far, shown));
    assert_eq!(string_count(), 0.0);
}

#[wasm_bindgen_test]
async fn a_function_that_cannot_be_had_leaves_everything_as_it_is() {
    let shown = Shown::whole(&Page::new(), "$a$\n\n```rust\nfn a() {}\n```");
    frame().await;
    frame().await;
    assert!(shown.has("code.math") && !shown.has("math"));
    assert_eq!(keyword_count().max(0.0), 0.0);
}

/// Fails the first time.
const FAILS_ONCE: &str = "
    async () => {
        globalThis.asked = (globalThis.asked ?? 0) + 1;
        if (globalThis.asked === 1) throw new Error('lost');
        return { highlight: (code) => code ? [{ start: 0, end: 2, scope: 'keyword' }] : [] };
    }
";

#[wasm_bindgen_test]
async fn code_that_comes_near_again_asks_for_its_colours_again() {
    evaluate("globalThis.asked = 0");
    let page = Page::new().with_asset("highlight", FAILS_ONCE);
    let shown = Shown::whole(&page, "```rust\nfn main\n```");
    until(|| number("asked") == 1.0).await;
    let place = shown.one(".code").parent_element().unwrap();
    // It leaves and returns, because the failure is reported some time after the request.
    let is_away = Cell::new(false);
    until(|| {
        let top = if is_away.replace(!is_away.get()) {
            "position: fixed; top: 0"
        } else {
            "position: fixed; top: 5000px"
        };
        place.set_attribute("style", top).unwrap();
        keyword_count() == 1.0
    })
    .await;
    assert_eq!(number("asked"), 2.0);
}
