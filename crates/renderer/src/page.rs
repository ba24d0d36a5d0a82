//! What the page decides for an answer: texts, policies about links and images, allowed hosts, and
//! modules that are loaded later.

use js_sys::{Function, Object, Reflect, Set};
use wasm_bindgen::prelude::*;
use web_sys::Url;

use crate::assets::{Asset, Assets, Highlight, Math};

/// Schemes of addresses that no link and no image of an answer may have, whatever the page's
/// policies say.
const FORBIDDEN_SCHEMES: [&str; 5] = ["javascript:", "data:", "vbscript:", "blob:", "file:"];
const WEB_SCHEMES: [&str; 2] = ["http:", "https:"];

#[wasm_bindgen]
extern "C" {
    /// The object that the widget passes with what the page decides; the widget makes it in
    /// `src/components/renderer.rs`. Every member may be missing.
    type AnswerPage;

    #[wasm_bindgen(method, getter)]
    fn texts(this: &AnswerPage) -> JsValue;

    #[wasm_bindgen(method, getter)]
    fn link(this: &AnswerPage) -> Option<Function>;

    #[wasm_bindgen(method, getter)]
    fn image(this: &AnswerPage) -> Option<Function>;

    #[wasm_bindgen(method, getter)]
    fn hosts(this: &AnswerPage) -> Option<Set>;

    #[wasm_bindgen(method, getter)]
    fn assets(this: &AnswerPage) -> Option<Assets>;
}

/// What the page decides for an answer: the widget's texts, which links and images are allowed, and
/// which modules can be loaded later.
pub(crate) struct Page {
    texts: JsValue,
    link: Option<Function>,
    image: Option<Function>,
    hosts: Option<Set>,
    /// The module that converts TeX to MathML; `None` if the page does not have it.
    pub(crate) math: Option<Asset<Math>>,
    /// The module that finds the tokens of code; `None` if the page does not have it.
    pub(crate) highlight: Option<Asset<Highlight>>,
}

impl Page {
    pub(crate) fn new(page: &JsValue) -> Self {
        let page: &AnswerPage = page.unchecked_ref();
        let assets = page.assets();
        Self {
            texts: page.texts(),
            link: page.link(),
            image: page.image(),
            hosts: page.hosts(),
            math: assets.as_ref().and_then(Assets::math),
            highlight: assets.as_ref().and_then(Assets::highlight),
        }
    }

    /// Returns the widget's text with this key, in the page's words; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> String {
        // A dictionary: its keys are those of the table in `crates/i18n/locales/en.toml`.
        let text = Reflect::get(&self.texts, &key.into());
        text.ok()
            .and_then(|text| text.as_string())
            .unwrap_or_default()
    }

    /// Returns the widget's text with this key, with `name` instead of the placeholder `place`,
    /// such as `{host}`.
    pub(crate) fn text_with(&self, key: &str, place: &str, name: &str) -> String {
        self.text(key).replace(place, name)
    }

    /// Returns true if a link to `address` may be followed: the page's policy allows it, or there
    /// is no policy and `is_ordinary`, which says that the address has a usual scheme.
    pub(crate) fn allows_link(&self, address: &str, is_ordinary: bool) -> bool {
        match (&self.link, parse_url(address)) {
            (_, None) => false,
            (None, _) => is_ordinary,
            (Some(policy), Some(url)) => policy_allows(policy, &url),
        }
    }

    /// Returns true if the image at `address` may be loaded without asking the person: its host was
    /// allowed in this conversation, or the page's policy allows the image.
    pub(crate) fn allows_image(&self, address: &str) -> bool {
        let Some(url) = parse_web_address(address) else {
            return false;
        };
        let is_known = |hosts: &Set| hosts.has(&url.host().into());
        self.hosts.as_ref().is_some_and(is_known)
            || self
                .image
                .as_ref()
                .is_some_and(|policy| policy_allows(policy, &url))
    }

    /// Allows all images of this host in this conversation from now on.
    pub(crate) fn allow_host(&self, host: &str) {
        if let Some(hosts) = &self.hosts {
            hosts.add(&host.into());
        }
    }

    /// Returns true if `other` has the same set of hosts whose images are allowed. Answers of one
    /// conversation share that set, and no others do.
    pub(crate) fn shares_hosts(&self, other: &Self) -> bool {
        match (&self.hosts, &other.hosts) {
            (Some(ours), Some(theirs)) => Object::is(ours, theirs),
            _ => false,
        }
    }
}

/// Parses an address as the browser does; `None` if it is not one of `http` or `https`. The host
/// that is shown is taken from here, and so is the address that is requested.
pub(crate) fn parse_web_address(address: &str) -> Option<Url> {
    parse_url(address).filter(|url| WEB_SCHEMES.contains(&url.protocol().as_str()))
}

fn parse_url(address: &str) -> Option<Url> {
    let url = Url::new(address).ok()?;
    (!FORBIDDEN_SCHEMES.contains(&url.protocol().as_str())).then_some(url)
}

/// Returns true if `policy`, a function of the page, returns true for an address; if it throws, the
/// address is refused.
fn policy_allows(policy: &Function, url: &Url) -> bool {
    let verdict = policy.call1(&JsValue::UNDEFINED, url);
    verdict.is_ok_and(|verdict| verdict.as_bool() == Some(true))
}
