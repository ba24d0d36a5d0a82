//! Syntax colours by the CSS Custom Highlight API: ranges of text get a style and the nodes stay as
//! they are, so neither the layout nor a selection changes. Browsers without the API show no
//! colours.

use std::{
    cell::{OnceCell, RefCell},
    rc::{Rc, Weak},
};

use js_sys::{Array, Function, Map, Object, Reflect, Set};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit, Node,
};

use crate::{
    assets::{Asset, Highlight, Token},
    idle::wait_until_idle,
    languages::LANGUAGES,
    node::DomResult,
    page::Page,
};

/// Kinds of tokens of code. The style sheet has a colour for each, as `::highlight(assent-NAME)`.
const SCOPES: [&str; 10] = [
    "keyword", "string", "number", "comment", "name", "type", "operator", "meta", "inserted",
    "deleted",
];
/// Maximum length in bytes of a code block that gets colours.
const MAX_CODE_BYTES: usize = 50_000;
/// Distance from the viewport within which a code block counts as near, and gets its colours.
const NEAR_MARGIN: &str = "200px";
/// Maximum number of times that the tokenizer is called for a code block near the viewport, while
/// it exceeds its time limit: that happens on a busy machine, too.
const MAX_TRIES: usize = 2;
/// Maximum number of times that a code block comes near the viewport and is tokenized, and all
/// `MAX_TRIES` fail: after that it stays without colours.
const MAX_APPROACHES: usize = 3;

/// Colours the code blocks of one answer, each only while it is near the viewport: browsers visit
/// all coloured ranges at each change of the page. The colours are removed when the value is
/// dropped.
pub(crate) struct Painter {
    page: Rc<Page>,
    watch: OnceCell<CodeObserver>,
    codes: RefCell<Vec<ObservedBlock>>,
}

struct CodeObserver {
    observer: IntersectionObserver,
    _seen: Closure<dyn FnMut(Array)>,
}

/// A code block for which the browser reports whether it is near the viewport, and its colours.
struct ObservedBlock {
    block: Element,
    is_near: bool,
    colours: ColourState,
    /// Number of times that the code came near the viewport and the tokenizer timed out.
    failures: usize,
}

enum ColourState {
    /// The colours are not known: the code was never near, or they could not be computed yet.
    Unknown,
    /// The colours are being computed, or the tokenizer timed out too often for another try.
    Wanted,
    /// The ranges of the code that get a colour, each with the `Highlight` object of the browser
    /// that it is in while the block is near the viewport.
    Known(Vec<(Set, JsValue)>),
}

impl Painter {
    pub(crate) fn new(page: &Rc<Page>) -> Rc<Self> {
        Rc::new(Self {
            page: page.clone(),
            watch: OnceCell::new(),
            codes: RefCell::default(),
        })
    }

    /// Lets the code in a finished block get its colours when it comes near the viewport.
    pub(crate) fn observe(self: &Rc<Self>, block: &Element) -> DomResult<()> {
        if self.page.highlight.is_none() {
            return Ok(());
        }
        for code in code_blocks(block)? {
            let language = code.get_attribute("data-language").unwrap_or_default();
            let language = language.to_ascii_lowercase();
            let length = code.text_content().map_or(0, |text| text.len());
            if LANGUAGES.binary_search(&language.as_str()).is_ok()
                && length <= MAX_CODE_BYTES
                && highlight_registry().is_some()
                && let Some(watch) = self.code_observer()
            {
                watch.observer.observe(&code);
                self.codes.borrow_mut().push(ObservedBlock {
                    block: code,
                    is_near: false,
                    colours: ColourState::Unknown,
                    failures: 0,
                });
            }
        }
        Ok(())
    }

    /// Removes the colours of the code in a block of the answer, which is about to change, and
    /// observes it no longer.
    pub(crate) fn forget(&self, block: &Element) {
        self.codes.borrow_mut().retain(|code| {
            let is_other = !block.contains(Some(&code.block));
            if !is_other {
                if let Some(watch) = self.watch.get() {
                    watch.observer.unobserve(&code.block);
                }
                code.hide();
            }
            is_other
        });
    }

    fn code_observer(self: &Rc<Self>) -> Option<&CodeObserver> {
        if self.watch.get().is_none() {
            let painter = Rc::downgrade(self);
            let seen = Closure::new(move |entries: Array| note_entries(&painter, &entries));
            let options = IntersectionObserverInit::new();
            options.set_root_margin(NEAR_MARGIN);
            // Also for scrolling containers in the page, if the browser supports it; web-sys does
            // not know it.
            Reflect::set(&options, &"scrollMargin".into(), &NEAR_MARGIN.into()).ok()?;
            let observer = IntersectionObserver::new_with_options(
                seen.as_ref().unchecked_ref::<Function>(),
                &options,
            );
            let observer = observer.ok()?;
            let watch = CodeObserver {
                observer,
                _seen: seen,
            };
            self.watch.set(watch).ok();
        }
        self.watch.get()
    }

    /// Records whether a code block is near the viewport. Returns true if its colours are to be
    /// computed.
    fn note_nearness(&self, block: &Element, is_near: bool) -> bool {
        let mut codes = self.codes.borrow_mut();
        let Some(code) = codes.iter_mut().find(|code| code.is_code_of(block)) else {
            return false;
        };
        code.is_near = is_near;
        if is_near {
            code.show();
        } else {
            code.hide();
        }
        let is_new = is_near && matches!(code.colours, ColourState::Unknown);
        if is_new {
            code.colours = ColourState::Wanted;
        }
        is_new
    }

    /// Notes that the module for colours could not be loaded: the next time that the code block
    /// comes near the viewport, it is tried again.
    fn put_off(&self, block: &Element) {
        let mut codes = self.codes.borrow_mut();
        if let Some(code) = codes.iter_mut().find(|code| code.is_code_of(block)) {
            code.colours = ColourState::Unknown;
        }
    }

    /// Counts that the tokenizer timed out on a code block. Below `MAX_APPROACHES` it is tried
    /// again when the block comes near the viewport again.
    fn note_timeout(&self, block: &Element) {
        let mut codes = self.codes.borrow_mut();
        if let Some(code) = codes.iter_mut().find(|code| code.is_code_of(block)) {
            code.failures += 1;
            if code.failures < MAX_APPROACHES {
                code.colours = ColourState::Unknown;
            }
        }
    }

    /// Computes the colours of a code block from its current text, and shows them if the block is
    /// near the viewport. Returns `None` if the tokenizer timed out, or if the block is not
    /// observed any more.
    fn paint(&self, block: &Element, module: &Highlight) -> Option<()> {
        let mut codes = self.codes.borrow_mut();
        let known = codes.iter_mut().find(|code| code.is_code_of(block))?;
        if matches!(known.colours, ColourState::Known(_)) {
            return Some(());
        }
        let code = block.query_selector("pre > code").ok()??;
        let text = code.text_content()?;
        let tokens = module.highlight(&text, &grammar_language(block)).ok()??;
        let texts = CodeTexts::of(&code);
        let ranges = tokens
            .iter()
            .filter(JsValue::is_object)
            .filter_map(|token| token_range(&texts, token.unchecked_ref()))
            .collect();
        known.colours = ColourState::Known(ranges);
        if known.is_near {
            known.show();
        }
        Some(())
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.get() {
            watch.observer.disconnect();
        }
        self.codes.borrow().iter().for_each(ObservedBlock::hide);
    }
}

impl ObservedBlock {
    fn is_code_of(&self, block: &Element) -> bool {
        self.block.is_same_node(Some(block))
    }

    fn ranges(&self) -> &[(Set, JsValue)] {
        match &self.colours {
            ColourState::Known(ranges) => ranges,
            ColourState::Unknown | ColourState::Wanted => &[],
        }
    }

    fn show(&self) {
        for (highlight, range) in self.ranges() {
            highlight.add(range);
        }
    }

    fn hide(&self) {
        for (highlight, range) in self.ranges() {
            highlight.delete(range);
        }
    }
}

fn note_entries(painter: &Weak<Painter>, entries: &Array) {
    let Some(strong) = painter.upgrade() else {
        return;
    };
    for entry in entries.iter() {
        let entry: IntersectionObserverEntry = entry.unchecked_into();
        let Some(asset) = strong.page.highlight.clone() else {
            return;
        };
        let block = entry.target();
        if !strong.note_nearness(&block, entry.is_intersecting()) {
            continue;
        }
        spawn_local(colour_code(painter.clone(), block, asset));
    }
}

/// Loads the module that finds colours, and computes those of a code block. Each step waits until
/// the page is idle, because nobody waits for colours.
async fn colour_code(painter: Weak<Painter>, block: Element, asset: Asset<Highlight>) {
    wait_until_idle().await;
    let Some(module) = asset.load().await else {
        if let Some(painter) = painter.upgrade() {
            painter.put_off(&block);
        }
        return;
    };
    wait_until_idle().await;
    // For the first code in a language, half of the time goes into its grammar.
    module.highlight("", &grammar_language(&block)).ok();
    for _ in 0..MAX_TRIES {
        wait_until_idle().await;
        let painter = painter.upgrade();
        if painter.is_none_or(|painter| painter.paint(&block, &module).is_some()) {
            return;
        }
    }
    if let Some(painter) = painter.upgrade() {
        painter.note_timeout(&block);
    }
}

/// Returns the language of a code block as the module that finds colours spells it: in lower case.
fn grammar_language(block: &Element) -> String {
    let language = block.get_attribute("data-language").unwrap_or_default();
    language.to_ascii_lowercase()
}

/// Returns the code blocks in a block of an answer, or the block itself if it is one.
fn code_blocks(block: &Element) -> DomResult<Vec<Element>> {
    if block.class_name() == "code" {
        return Ok(vec![block.clone()]);
    }
    let list = block.query_selector_all(".code")?;
    Ok((0..list.length())
        .filter_map(|place| list.item(place)?.dyn_into().ok())
        .collect())
}

/// The text nodes of a code block, each with its start within the whole code in UTF-16 units.
struct CodeTexts(Vec<(u32, Node)>);

impl CodeTexts {
    fn of(code: &Element) -> Self {
        let mut texts = Vec::new();
        let mut start = 0;
        let mut group = code.first_child();
        while let Some(lines) = group {
            if let Some(text) = lines.first_child() {
                let length = text
                    .dyn_ref::<web_sys::Text>()
                    .map_or(0, |text| text.length());
                texts.push((start, text));
                start += length;
            }
            group = lines.next_sibling();
        }
        Self(texts)
    }

    /// Returns the text node with the position `place` of the code, and the offset in it, in UTF-16
    /// units; between two nodes, the earlier one if `is_end`, else the later one.
    fn find(&self, place: u32, is_end: bool) -> Option<(&Node, u32)> {
        let begins = |start: u32| {
            if is_end {
                start < place
            } else {
                start <= place
            }
        };
        let after = self.0.partition_point(|(start, _)| begins(*start));
        let (start, node) = self.0.get(after.checked_sub(1)?)?;
        let within = place - start;
        let length = node.dyn_ref::<web_sys::Text>()?.length();
        (within <= length).then_some((node, within))
    }
}

/// Returns a token's range and the `Highlight` object of its colour; `None` if it has no colour.
fn token_range(texts: &CodeTexts, token: &Token) -> Option<(Set, JsValue)> {
    let scope = token.scope()?;
    if !SCOPES.contains(&scope.as_str()) {
        return None;
    }
    let (start, end) = (token.start(), token.end());
    if start >= end {
        return None;
    }
    let (start_node, start) = texts.find(start, false)?;
    let (end_node, end) = texts.find(end, true)?;
    let places = Object::new();
    for (name, value) in [
        ("startContainer", start_node.as_ref()),
        ("startOffset", &JsValue::from(start)),
        ("endContainer", end_node.as_ref()),
        ("endOffset", &JsValue::from(end)),
    ] {
        // The argument of a class that the browser may lack, as below.
        Reflect::set(&places, &name.into(), value).ok()?;
    }
    // Static: the browser would update a live range with every change of the page.
    let range = construct("StaticRange", &Array::of1(&places))?;
    Some((page_highlight(&scope)?, range))
}

/// Returns the browser's `Highlight` object for a kind of tokens, created if there is none yet.
/// Ranges that are added to it, as to a set, get the colour of `scope`.
fn page_highlight(scope: &str) -> Option<Set> {
    let registry = highlight_registry()?;
    let name = JsValue::from(["assent-", scope].concat());
    let known = registry.get(&name);
    if known.is_object() {
        return Some(known.unchecked_into());
    }
    let made = construct("Highlight", &Array::new())?;
    registry.set(&name, &made);
    Some(made.unchecked_into())
}

/// Returns `CSS.highlights`, the map from names of highlights to their ranges; `None` if the
/// browser does not have it.
fn highlight_registry() -> Option<Map> {
    let css = Reflect::get(&js_sys::global(), &"CSS".into()).ok()?;
    let registry = Reflect::get(&css, &"highlights".into()).ok()?;
    registry.is_object().then(|| registry.unchecked_into())
}

/// Calls the constructor of a class of the browser; `None` if the browser does not have the class.
fn construct(class: &str, arguments: &Array) -> Option<JsValue> {
    let class = Reflect::get(&js_sys::global(), &class.into()).ok()?;
    Reflect::construct(class.dyn_ref::<Function>()?, arguments).ok()
}
