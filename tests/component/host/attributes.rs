//! The table of attributes (`web/attributes.toml`) against what the widget reads of them.

use std::collections::BTreeSet;
use std::{cell::RefCell, rc::Rc};

use assent_widget::host::{parse_options, unmount};
use js_sys::{Function, Object};
use toml::{Table, Value};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::host_page::Host;
use crate::replaced_property::ReplacedProperty;

const TABLE: &str = include_str!("../../../web/attributes.toml");

/// The rows of attributes that the loader does not keep for itself.
fn rows() -> Vec<Table> {
    let table: Table = TABLE.parse().unwrap();
    let members = |table: &Table, name: &str| -> Vec<Table> {
        let rows = table[name].as_array().unwrap().iter();
        rows.map(|row| row.as_table().unwrap().clone()).collect()
    };
    let groups = members(&table, "group").into_iter();
    let rows = groups.flat_map(|group| members(&group, "attribute"));
    rows.filter(|row| row["use"].as_str() != Some("frame"))
        .collect()
}

fn name(row: &Table) -> String {
    row["name"].as_str().unwrap().to_owned()
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
    assert_eq!(*asked.borrow(), rows().iter().map(name).collect());
}

#[wasm_bindgen_test]
async fn a_closed_set_of_values_is_the_one_of_the_table() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    js("Object.assign(globalThis, { warnings: [] })");
    let _warnings = ReplacedProperty::new("console.warn", "(text) => warnings.push(text)");
    let container = Host::new();
    let choices: Vec<(String, String)> = rows()
        .iter()
        .filter_map(|row| {
            let values = row.get("values")?.as_array()?.iter();
            let values: Vec<&str> = values.filter_map(Value::as_str).collect();
            Some((name(row), values.join(", ")))
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
