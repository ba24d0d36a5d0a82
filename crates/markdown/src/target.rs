//! Addresses of links and images, of which only safe ones can be made.

use assent_characters::{is_invisible, lower_case};

/// Maximum length in bytes of the address of a link or image; a longer one is refused, because many
/// thousand references can repeat it.
const MAX_ADDRESS_BYTES: usize = 4096;

/// Schemes that no link has: they run a script, show a document that is no page of a site, or
/// access the person's machine.
const REFUSED_SCHEMES: [&str; 11] = [
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

/// Endings of files, such as `txt` in `notes.txt`, after which a name is not taken for a domain.
const FILE_EXTENSIONS: [&str; 16] = [
    "js", "ts", "jsx", "tsx", "json", "html", "css", "txt", "toml", "yaml", "yml", "xml", "pdf",
    "png", "jpg", "csv",
];

/// An address that a link may have: absolute, of a scheme that runs no script, without white space
/// and control characters. Following it is up to the page's own policy; see
/// [`LinkTarget::is_ordinary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTarget(String);

impl LinkTarget {
    /// Returns the address as a target; `None` if its scheme is missing or refused, if it is too
    /// long, or if it contains white space or control characters.
    #[must_use]
    pub fn new(address: &str) -> Option<Self> {
        let address = address.trim();
        let (scheme, rest) = scheme(address)?;
        let sound = match scheme.as_str() {
            "http" | "https" => host(rest).is_some(),
            refused if REFUSED_SCHEMES.contains(&refused) => false,
            _ => !rest.is_empty(),
        };
        let clean = address.len() <= MAX_ADDRESS_BYTES && !address.chars().any(is_space_or_control);
        (sound && clean).then(|| Self(address.to_owned()))
    }

    /// Returns the link's address as the agent wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the scheme is one that is followed without a policy of the page: `http`,
    /// `https`, `mailto` or `tel`.
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        scheme(&self.0).is_some_and(|(scheme, _)| {
            matches!(scheme.as_str(), "http" | "https" | "mailto" | "tel")
        })
    }

    /// Returns the host that the link leads to, in lowercase, or the part after the at sign of an
    /// e-mail address; `None` if it has none.
    #[must_use]
    pub fn host(&self) -> Option<String> {
        let (scheme, rest) = scheme(&self.0)?;
        if scheme == "mailto" {
            let (_, domain) = rest.split('?').next()?.rsplit_once('@')?;
            return Some(comparable_host(domain));
        }
        host(rest).map(comparable_host)
    }

    /// Returns true if `text`, which a link with this target shows, looks like an address with
    /// another host.
    #[must_use]
    pub fn looks_like_another(&self, text: &str) -> bool {
        let text: String = text.chars().filter(|c| !is_invisible(*c)).collect();
        let own = self.host().map(|host| host_without_www(&host).to_owned());
        let mut words = text.split_whitespace().enumerate();
        words.any(|(place, word)| {
            host_in_word(word, place == 0)
                .is_some_and(|host| own.as_deref() != Some(host_without_www(&host)))
        })
    }
}

/// The address that an image would be loaded from, and its host, which is shown before a person
/// decides to load it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSource {
    address: String,
    /// The host in lowercase; `None` if the address is not `http` or `https`, and so cannot be
    /// fetched.
    pub host: Option<String>,
}

impl ImageSource {
    /// Creates the source of an image from its address; an address that is not `http` or `https` is
    /// dropped.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let target = LinkTarget::new(address)
            .filter(|target| matches!(scheme(&target.0), Some((name, _)) if name == "http" || name == "https"));
        Self {
            host: target.as_ref().and_then(LinkTarget::host),
            address: target.map_or_else(String::new, |target| target.0),
        }
    }

    /// Returns the whole address; empty if the image cannot be fetched.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.address
    }
}

fn is_space_or_control(c: char) -> bool {
    c.is_control() || c.is_whitespace()
}

/// Returns the scheme of an address in lowercase, and the text after its colon; `None` if it has no
/// scheme.
fn scheme(address: &str) -> Option<(String, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    named.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// Returns the host in the text after a scheme's colon, without user, port and path; `None` if
/// there is no `//` and host.
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

/// Returns a host in the form in which hosts are compared: in lowercase, with one kind of dot, and
/// none at the end.
fn comparable_host(host: &str) -> String {
    let dots = host.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".");
    let dots = dots.trim_end_matches('.');
    dots.chars().flat_map(lower_case).collect()
}

/// Returns a host without `www.`, which does not identify a site.
fn host_without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns the host that a word of a link's text seems to name; `None` if it names none. A domain
/// without `www.` or a scheme counts only as the `first` word.
fn host_in_word(word: &str, first: bool) -> Option<String> {
    let word = word.trim_matches(|c: char| "()<>\"'“”‘’«»,;!*_".contains(c));
    if let Some((_, rest)) = word.split_once("://") {
        return authority_host(rest).map(comparable_host);
    }
    let rest = match scheme(word) {
        Some((name, rest)) if name == "mailto" => rest,
        _ => word,
    };
    let host = comparable_host(authority_host(rest)?);
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
    labels && ends && !FILE_EXTENSIONS.contains(&top)
}
