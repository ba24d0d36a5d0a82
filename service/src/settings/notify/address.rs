//! The addresses that a webhook may have: those of the public internet, of this machine where the
//! operator wrote that, and others where the operator named the host.
//!
//! A name is resolved and checked in one step, and the connection goes to what was checked: a name
//! whose address changes in between gains nothing.

use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};

use crate::http_client::is_loopback_url;

/// The fault of a host without an address that may be used.
#[derive(Debug)]
pub(crate) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("its address is not public, and private_hosts does not name it")
    }
}

impl std::error::Error for NotPublic {}

/// The addresses that the host of a URL may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// The operator named the host.
    Any,
    /// The operator wrote that it is this machine.
    Loopback,
    /// Whatever else.
    Public,
}

impl Allowed {
    pub(super) fn of(url: &Url, private_hosts: &[String]) -> Self {
        let host = url.host_str().unwrap_or_default();
        let bare = |host: &str| host.trim_matches(['[', ']']).to_ascii_lowercase();
        let is_named = |named: &String| bare(named) == bare(host);
        if is_loopback_url(url) {
            Self::Loopback
        } else if private_hosts.iter().any(is_named) {
            Self::Any
        } else {
            Self::Public
        }
    }

    fn allows(self, address: IpAddr) -> bool {
        match self {
            Self::Any => true,
            Self::Loopback => address.is_loopback(),
            Self::Public => is_public(address),
        }
    }

    /// Fails if the host of a URL is an address that may not be used; a name is checked when it is
    /// resolved.
    pub(super) fn check(self, url: &Url) -> Result<(), NotPublic> {
        let host = url.host_str().unwrap_or_default();
        match host.trim_matches(['[', ']']).parse() {
            Ok(address) if !self.allows(address) => Err(NotPublic),
            _ => Ok(()),
        }
    }
}

impl Resolve for Allowed {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = *self;
        Box::pin(async move {
            let found: io::Result<Vec<SocketAddr>> = tokio::net::lookup_host((name.as_str(), 0))
                .await
                .map(Iterator::collect);
            let mut found = found?;
            found.retain(|address| allowed.allows(address.ip()));
            if found.is_empty() {
                return Err(NotPublic.into());
            }
            let found: Addrs = Box::new(found.into_iter());
            Ok(found)
        })
    }
}

/// Returns true for an address that is of the public internet for certain.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        // This network; the networks of providers; protocols; the former 6to4 relays; benchmarks;
        // reserved, and broadcast.
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240;
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // Translated (NAT64) and tunnelled (6to4): what they stand for.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x2002, high, low, ..] => embedded(high, low),
        // Protocols, such as Teredo; documentation.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // Of the rest, what is given out: no address of this machine, link, site or of IPv4.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use reqwest::dns::Resolve as _;

    use super::{Allowed, is_public};

    #[test]
    fn only_what_is_public_for_certain_is_public() {
        for public in [
            "8.8.8.8",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "172.32.0.1",
            "2606:4700::1111",
            "2a00::1",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.1.2.3",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::10.0.0.1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }

    #[test]
    fn what_a_url_may_lead_to_is_what_the_operator_wrote() {
        let named = [
            "Hooks.Internal".to_owned(),
            "10.0.0.7".to_owned(),
            "fd00::7".to_owned(),
            "[fd00::8]".to_owned(),
        ];
        for (url, allowed, is_fine) in [
            ("https://hooks.example/a", Allowed::Public, true),
            ("https://8.8.8.8/a", Allowed::Public, true),
            ("https://10.0.0.1/a", Allowed::Public, false),
            // As browsers read it, this is 127.0.0.1.
            ("https://2130706433/a", Allowed::Loopback, true),
            ("https://0x0a000001/a", Allowed::Public, false),
            ("https://169.254.169.254/latest", Allowed::Public, false),
            ("https://[::ffff:10.0.0.1]/", Allowed::Public, false),
            ("https://[fe80::1]/", Allowed::Public, false),
            ("https://hooks.internal/a", Allowed::Any, true),
            ("https://10.0.0.7/", Allowed::Any, true),
            ("https://[fd00::7]/", Allowed::Any, true),
            ("https://[fd00::8]/", Allowed::Any, true),
            ("http://127.0.0.1:8080", Allowed::Loopback, true),
            ("http://localhost", Allowed::Loopback, true),
            ("http://[::1]", Allowed::Loopback, true),
        ] {
            let url = url.parse().unwrap();
            let found = Allowed::of(&url, &named);
            assert_eq!(
                (found, found.check(&url).is_ok()),
                (allowed, is_fine),
                "{url}"
            );
        }
    }

    #[tokio::test]
    async fn a_name_is_checked_where_it_is_resolved() {
        let resolve = async |allowed: Allowed| {
            let found = allowed.resolve("localhost".parse().unwrap()).await;
            found
                .map(Iterator::count)
                .map_err(|fault| fault.to_string())
        };
        assert!(resolve(Allowed::Loopback).await.unwrap() > 0);
        assert!(resolve(Allowed::Any).await.unwrap() > 0);
        let fault = resolve(Allowed::Public).await.unwrap_err();
        assert!(fault.starts_with("its address is not public"), "{fault}");
    }
}
