//! Formats of numbers, dates and plurals by the browser's `Intl`. The objects for them are kept,
//! because creating one takes as long as using it a hundred times.

use std::cell::RefCell;

use js_sys::{Array, Function, Intl, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// The names and values of the options with which an object of `Intl` is created.
pub type FormatOptions = &'static [(&'static str, &'static str)];

/// A function that creates an object of `Intl`, such as `NumberFormat`, from a list of languages
/// and the options.
pub type MakeFormat = fn(&Array, &Object) -> JsValue;

/// An object of `Intl` that is kept, with what it was created from.
struct CachedFormat {
    language: Option<String>,
    options: FormatOptions,
    make: MakeFormat,
    format: JsValue,
}

thread_local! {
    static FORMATS: RefCell<Vec<CachedFormat>> = const { RefCell::new(Vec::new()) };
}

/// Returns the object of `Intl` that `make` creates for a language and options; it is created once.
/// Without `locale`, or if the browser cannot parse it, the language is the document's or the
/// browser's.
pub fn cached_format(locale: Option<&str>, options: FormatOptions, make: MakeFormat) -> JsValue {
    let language = locale.map(str::to_owned).or_else(document_language);
    let is_same = |it: &&CachedFormat| {
        let is_made_alike = it.options == options && std::ptr::fn_addr_eq(it.make, make);
        is_made_alike && it.language == language
    };
    let known = FORMATS.with_borrow(|all| all.iter().find(is_same).map(|it| it.format.clone()));
    // Nothing is borrowed while the browser creates one: a page may have replaced the constructors.
    known.unwrap_or_else(|| {
        let record = Object::new();
        for (name, value) in options {
            // A dictionary of the browser. A plain object accepts any property.
            Reflect::set(&record, &(*name).into(), &(*value).into()).ok();
        }
        // An unknown language would make every format throw.
        let locales = match &language {
            Some(language) if is_language_tag(language) => Array::of1(&language.as_str().into()),
            _ => Array::new(),
        };
        let format = make(&locales, &record);
        FORMATS.with_borrow_mut(|all| {
            all.push(CachedFormat {
                language,
                options,
                make,
                format: format.clone(),
            });
        });
        format
    })
}

/// Returns true if the browser can parse this BCP 47 tag.
#[must_use]
pub fn is_language_tag(language: &str) -> bool {
    let one = Array::of1(&language.into());
    let names =
        property(&js_sys::global(), "Intl").and_then(|intl| property(&intl, "getCanonicalLocales"));
    let names = names.and_then(|names| names.dyn_into::<Function>().ok());
    names.is_some_and(|names| names.call1(&JsValue::UNDEFINED, &one).is_ok())
}

/// Returns the name of the plural form that a language has for a number, such as `one`, `few` or
/// `other`.
pub(crate) fn plural_category(locale: Option<&str>, count: usize) -> String {
    let rules = cached_format(locale, &[], |locales, options| {
        Intl::PluralRules::new(locales, options).into()
    });
    let rules: Intl::PluralRules = rules.unchecked_into();
    rules.select(as_f64(count)).into()
}

/// Returns a whole number as a language writes it; without `locale`, the document's language.
pub(crate) fn format_number(locale: Option<&str>, number: usize) -> String {
    format_decimal(locale, as_f64(number), &[])
}

/// Returns a number as a language writes it, with options of `Intl.NumberFormat`; without `locale`,
/// the document's language.
#[must_use]
pub fn format_decimal(locale: Option<&str>, number: f64, options: FormatOptions) -> String {
    let format = cached_format(locale, options, |locales, options| {
        Intl::NumberFormat::new(locales, options).into()
    });
    let format: Intl::NumberFormat = format.unchecked_into();
    let text = format.format().call1(&JsValue::UNDEFINED, &number.into());
    text.ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// Returns the name of a script, given by its ISO 15924 code such as `Cyrl`, as a language writes it;
/// `None` if the browser has no such name.
#[must_use]
pub fn script_name(locale: Option<&str>, code: &str) -> Option<String> {
    let options = &[("type", "script"), ("fallback", "none")];
    let names = cached_format(locale, options, |locales, options| {
        Intl::DisplayNames::new(locales, options).into()
    });
    let names: Intl::DisplayNames = names.unchecked_into();
    names.of(code).map(String::from)
}

/// Returns the attribute `lang` of the document; `None` if it has none.
fn document_language() -> Option<String> {
    let document = property(&js_sys::global(), "document")?;
    let root = property(&document, "documentElement")?;
    property(&root, "lang")?
        .as_string()
        .filter(|it| !it.is_empty())
}

/// Returns a property of an object; `None` if `object` is none, as in tests, which run without a
/// document.
fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &name.into()).ok()
}

/// Returns a count as the type that the browser has for numbers.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of what is on a page fit into 53 bits"
)]
fn as_f64(count: usize) -> f64 {
    count as f64
}
