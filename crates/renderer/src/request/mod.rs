//! A tool request as the user reads it before deciding: its origin, arguments, and findings.
//!
//! This file puts it together; `argument` is one row, `marks` a text with marks for deceptive
//! characters, `change` the differences from the last call, `texts` all texts.

mod argument;
mod change;
mod data;
mod host;
mod marks;
mod pen;
mod seen;
mod texts;

use assent_inspect::{Finding, Inspection, Weight, inspect};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::{
    node::{Made, add, icon, set},
    request::{argument::Toggle, data::Data, pen::Pen, seen::Watch},
};

/// Maximum number of characters of a name; longer ones scroll.
const LONG_NAME: usize = 200;
const ALERT: &str = "M12 8v5M12 16.5h.01M12 3l9.5 17h-19z";

/// A rendered request. Its nodes stay when it is dropped, but are inactive.
pub(crate) struct Drawn {
    _toggles: Vec<Toggle>,
    _watch: Option<Watch>,
}

impl Drawn {
    pub(crate) fn new(request: &JsValue) -> Made<Self> {
        let data = Data::read(request)?;
        let document = data.head.owner_document().ok_or(JsValue::UNDEFINED)?;
        let inspected = InspectedRequest::new(
            Pen {
                document,
                texts: data.texts,
            },
            data,
        );
        inspected.head()?;
        let mut toggles = Vec::new();
        if let Some(root) = &inspected.data.rows {
            inspected.rows(root, &mut toggles)?;
        }
        if let Some(root) = &inspected.data.looks {
            inspected.looks(root)?;
        }
        let data = &inspected.data;
        let roots = [Some(&data.head), data.rows.as_ref(), data.looks.as_ref()];
        let parts = || seen::parts(roots.into_iter().flatten());
        let watch = data.seen.clone().map(|seen| Watch::new(&parts(), seen));
        Ok(Self {
            _toggles: toggles,
            _watch: watch.transpose()?,
        })
    }
}

/// A request, inspected.
struct InspectedRequest {
    pen: Pen,
    data: Data,
    /// The tool's name, and its provider.
    head: Inspection,
    arguments: Vec<Inspection>,
}

impl InspectedRequest {
    fn new(pen: Pen, data: Data) -> Self {
        let origin = texts::origin(&data.provider, &data.category);
        let arguments = data.arguments.iter();
        let arguments = arguments.map(|(name, value)| inspect(name, value, &host::resolve));
        Self {
            head: inspect(&data.name, &origin, &|_| None),
            arguments: arguments.collect(),
            pen,
            data,
        }
    }

    fn head(&self) -> Made<()> {
        let (pen, data) = (&self.pen, &self.data);
        let name = pen.element("bdi", "")?;
        if data.name.trim().is_empty() {
            pen.say(&name, &data.label)?;
        } else {
            pen.inspected(&name, &self.head.name)?;
        }
        self.title("tool-name", &name, data.name.chars().count())?;
        let origin = pen.element("bdi", "")?;
        pen.inspected(&origin, &self.head.value)?;
        let length = data.provider.chars().count() + data.category.chars().count();
        self.title("tool-origin", &origin, length)
    }

    /// Appends a part of the head. Its height is bounded, whatever `length` it has.
    fn title(&self, class: &str, text: &Element, length: usize) -> Made<()> {
        let pen = &self.pen;
        let title = if length <= LONG_NAME {
            let title = pen.element("span", class)?;
            add(&title, text)?;
            title
        } else {
            let title = pen.element("div", class)?;
            let scrolling = pen.scrolling(&self.data.label)?;
            add(&scrolling, text)?;
            add(&title, &scrolling)?;
            pen.append(
                &title,
                "span",
                "argument-size",
                &pen.texts.count(texts::CHARACTERS, length, &[]),
            )?;
            title
        };
        add(&self.data.head, &title)
    }

    fn rows(&self, root: &Element, toggles: &mut Vec<Toggle>) -> Made<()> {
        let (pen, data) = (&self.pen, &self.data);
        if self.arguments.is_empty() {
            pen.append(
                root,
                "p",
                "approval-hint",
                pen.texts.get(texts::NO_ARGUMENTS),
            )?;
        } else {
            let list = pen.element("dl", "arguments")?;
            for (place, inspection) in self.arguments.iter().enumerate() {
                let (row, toggle) = argument::argument(pen, data, place, inspection)?;
                add(&list, &row)?;
                toggles.extend(toggle);
            }
            add(root, &list)?;
            if data.before.as_ref() == Some(&data.arguments) {
                pen.append(
                    root,
                    "p",
                    "approval-hint",
                    pen.texts.get(texts::SAME_AS_LAST_TIME),
                )?;
            }
        }
        match &data.before {
            Some(before) => change::gone(pen, root, before, &data.arguments),
            None => Ok(()),
        }
    }

    /// Appends the names to look at closely before the decision.
    fn looks(&self, root: &Element) -> Made<()> {
        let warns = |inspection: &&Inspection| {
            let first = inspection.findings.first();
            first.is_some_and(|first| first.weight() == Weight::Warning)
        };
        // The kind that a name would have as a value does not matter.
        let deceives = |it: &Finding| *it < Finding::ActiveScheme;
        let is_named = self.head.findings.iter().any(deceives);
        if !is_named && !self.arguments.iter().any(|it| warns(&it)) {
            return Ok(());
        }
        let pen = &self.pen;
        let line = pen.element("span", "")?;
        line.set_attribute("dir", "auto")?;
        pen.say(&line, pen.texts.get(texts::LOOK_CLOSELY))?;
        pen.say(&line, " ")?;
        if is_named {
            pen.say(&line, pen.texts.get(texts::THE_NAME))?;
        }
        for (place, inspection) in self.arguments.iter().filter(warns).enumerate() {
            if is_named || place > 0 {
                pen.say(&line, ", ")?;
            }
            if inspection.name.parts().is_empty() {
                pen.say(&line, pen.texts.get(texts::NO_NAME))?;
            } else {
                let name = pen.element("bdi", "argument-name")?;
                pen.inspected(&name, &inspection.name)?;
                add(&line, &name)?;
            }
        }
        let looks = pen.element("p", "tool-looks")?;
        add(&looks, &icon(&pen.document, ALERT)?)?;
        add(&looks, &line)?;
        add(root, &looks)
    }
}

impl Pen {
    /// Creates a scrolling box for long content.
    fn scrolling(&self, name: &str) -> Made {
        let scrolling = self.element("pre", "argument-box")?;
        let attributes = [("tabindex", "0"), ("role", "group"), ("aria-label", name)];
        set(&scrolling, &attributes)?;
        Ok(scrolling)
    }
}
