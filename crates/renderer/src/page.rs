//! What the page wants and has: texts, policies, hosts that were allowed, and the assets that come later.

use js_sys::{Function, Object, Reflect, Set};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Url;

/// Never followed and never loaded, whatever a policy says.
const FORBIDDEN: [&str; 5] = ["javascript:", "data:", "vbscript:", "blob:", "file:"];
const WEB: [&str; 2] = ["http:", "https:"];

/// The object that the widget gave.
pub(crate) struct Page {
    texts: JsValue,
    link: Option<Function>,
    image: Option<Function>,
    hosts: Option<Set>,
    /// Gives a promise of what turns TeX into MathML.
    pub(crate) math: Option<Function>,
    /// Gives a promise of what finds the tokens of code.
    pub(crate) highlight: Option<Function>,
}

impl Page {
    pub(crate) fn new(page: &JsValue) -> Self {
        Self {
            texts: member(page, "texts").unwrap_or(JsValue::UNDEFINED),
            link: member(page, "link"),
            image: member(page, "image"),
            hosts: member(page, "hosts"),
            math: member(page, "math"),
            highlight: member(page, "highlight"),
        }
    }

    /// A text of the widget's table.
    pub(crate) fn text(&self, key: &str) -> String {
        let text = Reflect::get(&self.texts, &key.into());
        text.ok()
            .and_then(|text| text.as_string())
            .unwrap_or_default()
    }

    /// A text with a place for a name in braces.
    pub(crate) fn text_with(&self, key: &str, place: &str, name: &str) -> String {
        self.text(key).replace(place, name)
    }

    /// Whether a link may be followed. A policy decides for ordinary addresses, too.
    pub(crate) fn allows_link(&self, address: &str, is_ordinary: bool) -> bool {
        match (&self.link, parse(address)) {
            (_, None) => false,
            (None, _) => is_ordinary,
            (Some(policy), Some(url)) => allows(policy, &url),
        }
    }

    /// Whether an image may be loaded without asking: its host was allowed, or the page's policy says so.
    pub(crate) fn allows_image(&self, address: &str) -> bool {
        let Some(url) = web(address) else {
            return false;
        };
        let is_known = |hosts: &Set| hosts.has(&url.host().into());
        self.hosts.as_ref().is_some_and(is_known)
            || self
                .image
                .as_ref()
                .is_some_and(|policy| allows(policy, &url))
    }

    /// From now on, images of this host are loaded in this conversation.
    pub(crate) fn allow_host(&self, host: &str) {
        if let Some(hosts) = &self.hosts {
            hosts.add(&host.into());
        }
    }

    /// Whether `other` is of the same conversation.
    pub(crate) fn shares_hosts(&self, other: &Self) -> bool {
        match (&self.hosts, &other.hosts) {
            (Some(ours), Some(theirs)) => Object::is(ours, theirs),
            _ => false,
        }
    }
}

/// A web address as the browser reads it: what the host shown and the host asked must both come from.
pub(crate) fn web(address: &str) -> Option<Url> {
    parse(address).filter(|url| WEB.contains(&url.protocol().as_str()))
}

fn parse(address: &str) -> Option<Url> {
    let url = Url::new(address).ok()?;
    (!FORBIDDEN.contains(&url.protocol().as_str())).then_some(url)
}

/// A policy that throws refuses.
fn allows(policy: &Function, url: &Url) -> bool {
    let verdict = policy.call1(&JsValue::UNDEFINED, url);
    verdict.is_ok_and(|verdict| verdict.as_bool() == Some(true))
}

fn member<T: JsCast>(object: &JsValue, name: &str) -> Option<T> {
    Reflect::get(object, &name.into()).ok()?.dyn_into().ok()
}
