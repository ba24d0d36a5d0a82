//! Where links and images point, checked.

/// Longer addresses are refused: one definition can be referred to a hundred thousand times.
const MAX_ADDRESS: usize = 4096;

/// What runs a script, shows a made-up document or reaches into the reader's machine.
const REFUSED: [&str; 11] = [
    "javascript",
    "data",
    "vbscript",
    "blob",
    "file",
    "filesystem",
    "about",
    "view-source",
    "livescript",
    "mocha",
    "jar",
];

/// Endings of words that look like a domain and cannot be one.
const NO_DOMAINS: [&str; 16] = [
    "js", "ts", "jsx", "tsx", "json", "html", "css", "txt", "toml", "yaml", "yml", "xml", "pdf",
    "png", "jpg", "csv",
];

/// An address that a link may have: absolute, of a scheme that runs no script, without white space and control
/// characters. Whether a page lets readers follow it is the page's own rule; see [`LinkTarget::is_ordinary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTarget(String);

impl LinkTarget {
    /// The address, or `None` where its scheme is refused, it has none, or it holds control characters.
    #[must_use]
    pub fn new(address: &str) -> Option<Self> {
        let address = address.trim();
        let (scheme, rest) = scheme(address)?;
        let sound = match scheme.as_str() {
            "http" | "https" => host(rest).is_some(),
            refused if REFUSED.contains(&refused) => false,
            _ => !rest.is_empty(),
        };
        let clean = address.len() <= MAX_ADDRESS && !address.chars().any(is_unsound);
        (sound && clean).then(|| Self(address.to_owned()))
    }

    /// The address as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is of a kind that any page may let its readers follow: `http`, `https`, `mailto` or `tel`.
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        scheme(&self.0).is_some_and(|(scheme, _)| {
            matches!(scheme.as_str(), "http" | "https" | "mailto" | "tel")
        })
    }

    /// The host that it leads to, in small letters; of an e-mail address the part after the at sign.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        let (scheme, rest) = scheme(&self.0)?;
        if scheme == "mailto" {
            let (_, domain) = rest.split('?').next()?.rsplit_once('@')?;
            return Some(comparable(domain));
        }
        host(rest).map(comparable)
    }

    /// Whether a link's text reads like an address whose host is not the one that the link leads to.
    #[must_use]
    pub fn looks_like_another(&self, text: &str) -> bool {
        let text: String = text.chars().filter(|c| !is_invisible(*c)).collect();
        let own = self.host().map(|host| site(&host).to_owned());
        let mut words = text.split_whitespace().enumerate();
        words.any(|(place, word)| {
            host_in(word, place == 0).is_some_and(|host| own.as_deref() != Some(site(&host)))
        })
    }
}

/// Where an image would be fetched from. Nothing fetches it before the reader asks; the host is for people to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSource {
    address: String,
    /// The host in small letters; `None` where the address is no `http` or `https` one, and nothing can be fetched.
    pub host: Option<String>,
}

impl ImageSource {
    /// Reads an address.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let target = LinkTarget::new(address)
            .filter(|target| matches!(scheme(&target.0), Some((name, _)) if name == "http" || name == "https"));
        Self {
            host: target.as_ref().and_then(LinkTarget::host),
            address: target.map_or_else(String::new, |target| target.0),
        }
    }

    /// The whole address; empty where there is no host.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.address
    }
}

fn is_unsound(c: char) -> bool {
    c.is_control() || c.is_whitespace()
}

/// Characters that people do not see: zero width, soft hyphen, and what turns the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The scheme in small letters, and what follows its colon.
fn scheme(address: &str) -> Option<(String, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    named.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// The host in what follows a scheme's colon: after `//`, without user, port and path.
fn host(rest: &str) -> Option<&str> {
    authority_host(rest.strip_prefix("//")?)
}

fn authority_host(rest: &str) -> Option<&str> {
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    (!host.is_empty()).then_some(host)
}

/// A host as it is compared: small letters, one kind of dot, none at the end.
fn comparable(host: &str) -> String {
    let dots = host.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".");
    dots.trim_end_matches('.').to_lowercase()
}

/// `www.` says nothing about whose site it is.
fn site(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// The host that a word of a link's text names; a bare domain counts only where the text begins.
fn host_in(word: &str, first: bool) -> Option<String> {
    let word = word.trim_matches(|c: char| "()<>\"'“”‘’«»,;!*_".contains(c));
    if let Some((_, rest)) = word.split_once("://") {
        return authority_host(rest).map(comparable);
    }
    let rest = match scheme(word) {
        Some((name, rest)) if name == "mailto" => rest,
        _ => word,
    };
    let host = comparable(authority_host(rest)?);
    let domain = host.starts_with("www.") || (first && is_domain(&host));
    domain.then_some(host)
}

fn is_domain(host: &str) -> bool {
    let Some((name, top)) = host.rsplit_once('.') else {
        return false;
    };
    let labels = name
        .split('.')
        .all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-'));
    let ends = top.chars().count() >= 2
        && (top.chars().all(char::is_alphabetic) || top.starts_with("xn--"));
    labels && ends && !NO_DOMAINS.contains(&top)
}
