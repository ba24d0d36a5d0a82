//! Where links and images point, checked.

/// An address that a link may have: `http`, `https`, `mailto` or `tel`, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTarget(String);

impl LinkTarget {
    /// The address, or `None` where its scheme is not allowed, it has none, or it holds control characters.
    #[must_use]
    pub fn new(address: &str) -> Option<Self> {
        let address = address.trim();
        let (scheme, rest) = address.split_once(':')?;
        let scheme = scheme.to_ascii_lowercase();
        let allowed = match scheme.as_str() {
            "http" | "https" => host(rest).is_some(),
            "mailto" | "tel" => !rest.is_empty(),
            _ => false,
        };
        let clean = !address.chars().any(|c| c.is_control() || c.is_whitespace());
        (allowed && clean).then(|| Self(address.to_owned()))
    }

    /// The address as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where an image would be fetched from. Nothing fetches it before the reader asks; the host is for people to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSource {
    /// The host, where the address has one.
    pub host: Option<String>,
}

impl ImageSource {
    /// Reads the host of an address.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let after_scheme = address
            .trim()
            .split_once(':')
            .and_then(|(_, rest)| host(rest));
        Self {
            host: after_scheme.map(str::to_owned),
        }
    }
}

/// The host in what follows a scheme's colon: after `//`, without user, port and path.
fn host(rest: &str) -> Option<&str> {
    let authority = rest.strip_prefix("//")?;
    let authority = authority.split(['/', '?', '#', '\\']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    (!host.is_empty()).then_some(host)
}
