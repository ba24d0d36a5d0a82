//! The HTTP clients of the service: what holds for each of them is said here once.

use std::{net::IpAddr, time::Duration};

use jiff::{Timestamp, fmt::rfc2822};
use reqwest::{
    Client, ClientBuilder, Url,
    header::{HeaderMap, RETRY_AFTER},
    redirect,
};

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

/// Returns the time that the header `Retry-After` of an answer asks for (RFC 9110, 10.2.3); `None`
/// if it asks for none, or cannot be read.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    pause(value, Timestamp::now())
}

/// Returns the time that a value of `Retry-After` asks for: seconds, or until a date.
fn pause(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(value.trim()).ok()?.timestamp();
    // A date that is over means now.
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{is_loopback_url, pause};

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

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now = "2026-11-24T08:49:37Z".parse().unwrap();
        for (value, seconds) in [
            ("7", Some(7)),
            ("Tue, 24 Nov 2026 08:49:47 GMT", Some(10)),
            ("Tue, 24 Nov 2026 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
        ] {
            assert_eq!(
                pause(value, now),
                seconds.map(Duration::from_secs),
                "{value}"
            );
        }
    }
}
