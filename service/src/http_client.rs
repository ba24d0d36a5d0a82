//! The HTTP clients of the service: what holds for each of them is said here once.

use std::net::IpAddr;

use reqwest::{Client, ClientBuilder, Url, redirect};

/// Returns the builder of a client for requests to one server.
///
/// `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` of the environment are used, but no proxy is asked for
/// this machine's own servers. No redirect is followed: a key goes to the address that the operator
/// wrote, and nowhere else. It is HTTP/1.1, whatever else a feature of this program brings along.
pub(crate) fn client_for(url: &Url) -> ClientBuilder {
    let client = Client::builder()
        .redirect(redirect::Policy::none())
        .http1_only();
    if is_loopback_url(url) {
        client.no_proxy()
    } else {
        client
    }
}

/// Returns true for an address of this machine.
pub(crate) fn is_loopback_url(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback_url;

    #[test]
    fn addresses_of_this_machine_need_no_proxy() {
        for (url, here) in [
            ("http://127.0.0.1:11434/v1", true),
            ("http://127.9.0.1/v1", true),
            ("http://[::1]:8080/v1", true),
            ("http://localhost:8080/v1", true),
            ("http://LOCALHOST:8080/v1", true),
            ("http://localhost.example/v1", false),
            ("https://10.0.0.1/v1", false),
            ("https://api.example/v1", false),
        ] {
            assert_eq!(is_loopback_url(&url.parse().unwrap()), here, "{url}");
        }
    }
}
