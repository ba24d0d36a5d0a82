//! Options of an OpenID Connect issuer, whose tokens open the service as keys do.

use std::net::IpAddr;

use clap::Args;
use reqwest::Url;

use super::option_error;
use crate::{Result, settings::OidcSettings};

/// An issuer of tokens.
#[derive(Clone, Debug, Args)]
pub struct OidcOptions {
    /// OpenID Connect issuer whose tokens open the service; the user is a claim of the token.
    #[arg(
        long = "oidc-issuer",
        value_name = "URL",
        requires = "oidc-audience",
        id = "oidc-issuer"
    )]
    pub issuer: Option<String>,

    /// The audience that the tokens have to be for.
    #[arg(
        long = "oidc-audience",
        value_name = "NAME",
        requires = "oidc-issuer",
        id = "oidc-audience"
    )]
    pub audience: Option<String>,

    /// The claim of a token that is the user's id: one that users cannot choose.
    #[arg(
        long = "oidc-user-claim",
        value_name = "NAME",
        default_value = "sub",
        id = "oidc-user-claim"
    )]
    pub user_claim: String,
}

impl OidcOptions {
    pub(super) fn settings(&self) -> Result<Option<OidcSettings>> {
        let (Some(issuer), Some(audience)) = (&self.issuer, &self.audience) else {
            return Ok(None);
        };
        if let Some(fault) = fault(issuer) {
            return Err(option_error("--oidc-issuer", fault));
        }
        Ok(Some(OidcSettings::new(issuer, audience, &self.user_claim)))
    }
}

fn fault(issuer: &str) -> Option<&'static str> {
    let Ok(url) = Url::parse(issuer) else {
        return Some("it is no address: give it whole, such as https://login.example.");
    };
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
        return Some("it has more than scheme, host, port and path.");
    }
    let host = url.host_str().unwrap_or_default();
    let is_this_machine = host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback());
    match url.scheme() {
        "https" => None,
        "http" if is_this_machine => None,
        _ => Some("it has to begin with https://: whoever answers for it can let anybody in."),
    }
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn keys_come_over_tls_or_from_this_machine() {
        for good in [
            "https://login.example",
            "https://login.example/realms/shop/",
            "http://127.0.0.1:8080/a",
            "http://[::1]:8080",
            "http://localhost",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "login.example",
            "http://login.example",
            "http://127.0.0.1.example",
            "https://login.example?a=b",
            "https://login.example#a",
            "https://me@login.example",
            "file:///etc/keys",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
