//! Lists, quotes and tables begin at the side of most of an answer's letters.

use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::page::{Page, Shown, document};

const CONTAINERS: &str = "ul, ol, blockquote, table";

/// An answer from right to left, with words of another script at the beginning of each block.
const LEFTWARD: &str = "בשורה הראשונה יש הרבה אותיות\n\n- Python שפה\n- JSON\n\n1. API של השירות\n\n\
    > README הוא קובץ\n\n| Name | שם |\n|---|---|\n| a | ב |\n";

fn style(element: &Element, property: &str) -> String {
    let window = document().default_view().unwrap();
    let style = window.get_computed_style(element).unwrap().unwrap();
    style.get_property_value(property).unwrap()
}

fn directions(shown: &Shown) -> Vec<String> {
    let containers = shown.all(CONTAINERS);
    containers.iter().map(|it| style(it, "direction")).collect()
}

/// Shows a text letter by letter.
fn grown(text: &str) -> Shown {
    let mut shown = Shown::new(&Page::new());
    for letter in text.chars() {
        shown.push(&letter.to_string());
    }
    shown.finish();
    shown
}

#[wasm_bindgen_test]
fn all_containers_of_an_answer_begin_at_the_side_of_its_letters() {
    for shown in [Shown::whole(&Page::new(), LEFTWARD), grown(LEFTWARD)] {
        assert_eq!(directions(&shown), ["rtl"; 4]);
        assert_eq!(
            style(&shown.root, "direction"),
            "ltr",
            "the page keeps its own"
        );
    }
    let text = "Many words are in this line.\n\n- שלום\n- word\n\n> שלום\n\n| שם |\n|---|\n| a |\n";
    for shown in [Shown::whole(&Page::new(), text), grown(text)] {
        assert_eq!(directions(&shown), ["ltr"; 3]);
    }
}

#[wasm_bindgen_test]
fn containers_turn_when_most_letters_do() {
    let mut shown = Shown::new(&Page::new());
    shown.push("- Python\n\n");
    assert_eq!(directions(&shown), ["ltr"]);
    shown.push("שפת תכנות נוחה");
    assert_eq!(directions(&shown), ["rtl"]);
    shown.push(" for all who program");
    assert_eq!(directions(&shown), ["ltr"]);
}

#[wasm_bindgen_test]
fn code_formulas_and_addresses_do_not_count() {
    let text = "- שלום `some_long_name` $x_{index}$ https://a.example/long/path\n\n```\nlet value = 1;\n```\n";
    for shown in [Shown::whole(&Page::new(), text), grown(text)] {
        assert_eq!(directions(&shown), ["rtl"]);
    }
}

#[wasm_bindgen_test]
fn an_answer_without_letters_has_the_direction_of_its_page() {
    let shown = Shown::whole(&Page::new(), "- 1\n- 2\n");
    assert!(!shown.has(".blocks[dir]"));
}

#[wasm_bindgen_test]
fn a_sentence_that_is_told_to_be_english_says_so_where_it_is_a_paragraph() {
    let languages = |shown: &Shown| -> Vec<_> {
        let lines = shown.all("p").into_iter();
        lines.map(|line| line.get_attribute("lang")).collect()
    };
    let told = |shown: &mut Shown, sentences: &[&str]| {
        let sentences = sentences.iter().map(|it| JsValue::from_str(it)).collect();
        shown
            .answer
            .as_mut()
            .unwrap()
            .mark_english(&sentences)
            .unwrap();
    };
    let english = Some("en".to_owned());
    let page = Page::new();
    let mut shown = Shown::new(&page);
    let sentence = "*It is not known whether `a*b` ran.*";
    told(&mut shown, &[sentence]);
    shown.push("مرحبا\n\n*It is not known whether");
    assert_eq!(languages(&shown), [None, None]);
    shown.push(" `a*b` ran.*\n\nA *It is not known whether `a*b` ran.*");
    assert_eq!(languages(&shown), [None, english.clone(), None]);
    shown.finish();
    // It may be known later than its text.
    told(&mut shown, &[sentence, "مرحبا"]);
    assert_eq!(languages(&shown), [english.clone(), english.clone(), None]);
    told(&mut shown, &[sentence]);
    shown.reset("وداعا\n\nما\n\n*It is not known whether `a*b` ran.*", true);
    assert_eq!(languages(&shown), [None, None, english]);
}
