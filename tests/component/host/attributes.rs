//! The table of attributes (`web/attributes.toml`) against what the widget reads of them.

use std::collections::BTreeSet;
use std::{cell::RefCell, rc::Rc};

use assent_widget::host::{parse_options, unmount};
use js_sys::{Function, Object};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::host_page::Host;
use crate::replaced_property::ReplacedProperty;

const TABLE: &str = include_str!("../../../web/attributes.toml");

/// The rows of attributes that the loader does not keep for itself.
fn rows() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.split("[[group.attribute]]").skip(1);
    rows.filter(|row| value(row, "use") != Some("\"frame\""))
}

/// The value of a member of a row, as it is written.
fn value<'row>(row: &'row str, name: &str) -> Option<&'row str> {
    let mut lines = row.lines();
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))
}

fn name(row: &str) -> String {
    value(row, "name").unwrap().trim_matches('"').to_owned()
}

#[wasm_bindgen_test]
fn the_widget_asks_for_every_attribute_of_the_table_and_for_no_other() {
    keep_nothing();
    let asked = Rc::new(RefCell::new(BTreeSet::new()));
    let attribute = |name: &str| {
        asked.borrow_mut().insert(name.to_owned());
        None
    };
    parse_options(&attribute, "https://shop.example/", &mut |_| {});
    assert_eq!(*asked.borrow(), rows().map(name).collect());
}

#[wasm_bindgen_test]
async fn a_closed_set_of_values_is_the_one_of_the_table() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    js("Object.assign(globalThis, { warnings: [] })");
    let _warnings = ReplacedProperty::new("console.warn", "(text) => warnings.push(text)");
    let container = Host::new();
    let choices: Vec<(String, String)> = rows()
        .filter_map(|row| {
            let values = value(row, "values")?.trim_matches(['[', ']']);
            Some((name(row), values.replace('"', "")))
        })
        .collect();
    assert!(choices.len() > 4);
    let options = choices.iter().map(|(name, _)| format!("'{name}': '?'"));
    let options: Vec<String> = options.collect();
    let options = format!("({{ 'agent-id': 'agent', {} }})", options.join(", "));
    let options: Object = js(&options).unchecked_into();
    let emit: Function = js("() => true").unchecked_into();
    let handle = container.start(&options, emit);
    for (name, values) in choices {
        let warning = format!("{name}=\"?\" is not one of {values};");
        assert!(
            holds(&format!("warnings.some((it) => it.includes({warning:?}))")),
            "{warning}"
        );
    }
    unmount(handle);
}
