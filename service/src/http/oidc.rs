//! Tokens of an OpenID Connect issuer: whether one is good, and whose it is.
//!
//! The issuer's keys are fetched when they are first needed, and when a token names another one, at
//! most once in [`OidcSettings::refresh_interval`] and once for all who wait for them. After [`OidcSettings::max_age`]
//! they are fetched again beside the requests, which go on with those that are known, also while the
//! issuer cannot be reached.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use assent_protocol::{MAX_USER_ID_BYTES, is_user_id};
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, Header, Validation, decode, decode_header,
    jwk::{AlgorithmParameters, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use reqwest::Url;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use tokio::{sync::Mutex, time::Instant};

use crate::{Error, Result, http_client::client_for, settings::OidcSettings};

/// The algorithms of signatures that are accepted: the issuer alone has the secret half of their
/// keys.
const ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The types of tokens that open something (RFC 9068, 2.1; `JWT` is that of issuers which name no
/// more exact one). A logout token has `logout+jwt`, for example.
const ACCESS_TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];

/// Claims of tokens that open nothing: those of ID tokens (OpenID Connect Core, 2 and 3.3.2.11), and
/// that of events such as a logout (RFC 8417, 2.2).
const NON_ACCESS_CLAIMS: [&str; 4] = ["nonce", "at_hash", "c_hash", "events"];

/// The kinds of tokens that open nothing, as Keycloak names them in the claim `typ`, and Cognito in
/// `token_use`.
const NON_ACCESS_KINDS: [&str; 4] = ["ID", "Logout", "Refresh", "Offline"];

/// The kind of an access token. Keycloak before 25, and later with a mapper for that, puts the
/// `nonce` of the sign-in into it.
const ACCESS_KIND: &str = "Bearer";

const NO_ACCESS_TOKEN: Error =
    Error::Unauthorized("The token is no access token: it was made for something else.");

/// Difference of clocks that is allowed for, in seconds.
const LEEWAY: u64 = 60;

/// The longest time of fetching a document of the issuer.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// Longest document of the issuer, in bytes.
const MAX_DOCUMENT_BYTES: usize = 1024 * 1024;

/// The path of the issuer's description, which is appended to the issuer's address.
const DISCOVERY: &str = "/.well-known/openid-configuration";

/// An issuer of tokens, and its keys as far as they were fetched.
#[derive(Debug)]
pub(crate) struct Issuer {
    settings: OidcSettings,
    known: RwLock<KnownKeys>,
    /// The time at which the last attempt to fetch the keys ended, `None` before the first. It is
    /// locked during an attempt.
    tried: Mutex<Option<Instant>>,
}

#[derive(Clone, Debug, Default)]
struct KnownKeys {
    keys: Arc<JwkSet>,
    /// The time at which the keys came; `None` if none have come yet.
    since: Option<Instant>,
}

/// The part of the issuer's description that is used.
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl Issuer {
    /// Creates an issuer; nothing is fetched yet.
    pub(crate) fn new(settings: OidcSettings) -> Self {
        Self {
            settings,
            known: RwLock::default(),
            tried: Mutex::default(),
        }
    }

    /// Returns the user whose token this is.
    ///
    /// # Errors
    ///
    /// [`Error::Unauthorized`] for a token that is not good; [`Error::IssuerUnreachable`] where that
    /// cannot be known.
    pub(crate) async fn user(self: &Arc<Self>, token: &[u8]) -> Result<String> {
        const INVALID_TOKEN: Error =
            Error::Unauthorized("The token is not valid, or not any more.");
        let header = decode_header(token)
            .map_err(|_| Error::Unauthorized("The API key or token is not known."))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(INVALID_TOKEN);
        }
        let typ = header.typ.as_deref().unwrap_or("JWT");
        if !ACCESS_TYPES.iter().any(|it| it.eq_ignore_ascii_case(typ)) {
            return Err(NO_ACCESS_TOKEN);
        }
        let key = self.key(&header).await?;
        let key = DecodingKey::from_jwk(&key).map_err(|_| INVALID_TOKEN)?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.settings.issuer]);
        validation.set_audience(&[&self.settings.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        let decoded = decode::<Map<String, Value>>(token, &key, &validation);
        let claims = decoded.map_err(|error| {
            tracing::debug!(%error, "a token is refused");
            INVALID_TOKEN
        })?;
        if is_for_something_else(&claims.claims) {
            return Err(NO_ACCESS_TOKEN);
        }
        let user = claims.claims.get(&self.settings.user_claim);
        let user = user.and_then(Value::as_str).unwrap_or_default();
        if user.len() > MAX_USER_ID_BYTES || !is_user_id(user) {
            return Err(Error::Unauthorized("The token names no user."));
        }
        Ok(user.to_owned())
    }

    /// Returns the key that a token was signed with, by its name.
    async fn key(self: &Arc<Self>, header: &Header) -> Result<Jwk> {
        let known = self.known();
        if let Some(key) = find(&known.keys, header) {
            let max_age = self.settings.max_age;
            if known.since.is_none_or(|since| since.elapsed() >= max_age) {
                let issuer = Arc::clone(self);
                tokio::spawn(async move { issuer.refresh().await });
            }
            return Ok(key);
        }
        self.refresh().await;
        let known = self.known();
        match find(&known.keys, header) {
            Some(key) => Ok(key),
            None if known.since.is_none() => Err(Error::IssuerUnreachable),
            None => Err(Error::Unauthorized("The token's key is not known.")),
        }
    }

    /// Fetches the keys, unless that was tried a short time ago or by somebody else meanwhile.
    async fn refresh(&self) {
        let wanted = Instant::now();
        let mut tried = self.tried.lock().await;
        let interval = self.settings.refresh_interval;
        let waits = tried.is_some_and(|end| end >= wanted || end.elapsed() < interval);
        if !waits {
            match self.fetch().await {
                Ok(keys) => {
                    let known = KnownKeys {
                        keys: Arc::new(keys),
                        since: Some(Instant::now()),
                    };
                    *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
                }
                Err(reason) => {
                    tracing::warn!(reason, "the keys of the issuer of tokens were not fetched");
                }
            }
            *tried = Some(Instant::now());
        }
    }

    fn known(&self) -> KnownKeys {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    async fn fetch(&self) -> Result<JwkSet, String> {
        let issuer = &self.settings.issuer;
        let address = format!("{}{DISCOVERY}", issuer.trim_end_matches('/'));
        let url = Url::parse(&address).map_err(|error| format!("{address}: {error}"))?;
        let found: Discovery = document(&url).await?;
        if found.issuer != *issuer {
            return Err(format!("{address} describes another issuer"));
        }
        let keys = Url::parse(&found.jwks_uri).map_err(|error| format!("jwks_uri: {error}"))?;
        if keys.scheme() != "https" && !issuer.starts_with("http://") {
            return Err("jwks_uri: it does not begin with https://".to_owned());
        }
        document(&keys).await
    }
}

/// Returns true for the claims of a token that tells who signed in or out, and opens nothing.
fn is_for_something_else(claims: &Map<String, Value>) -> bool {
    let kind = claims.get("typ").or_else(|| claims.get("token_use"));
    match kind.and_then(Value::as_str) {
        Some(kind) if kind.eq_ignore_ascii_case(ACCESS_KIND) => claims.contains_key("events"),
        Some(kind)
            if NON_ACCESS_KINDS
                .iter()
                .any(|it| it.eq_ignore_ascii_case(kind)) =>
        {
            true
        }
        _ => NON_ACCESS_CLAIMS.iter().any(|it| claims.contains_key(*it)),
    }
}

/// Fetches a JSON document of the issuer; the error says for the log what failed.
async fn document<T: DeserializeOwned>(address: &Url) -> Result<T, String> {
    let fault = |error: reqwest::Error| format!("{address}: {}", error.without_url());
    let client = client_for(address).timeout(FETCH_TIMEOUT).build();
    let sent = client.map_err(fault)?.get(address.clone()).send().await;
    let mut response = sent
        .and_then(reqwest::Response::error_for_status)
        .map_err(fault)?;
    let mut text = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(fault)? {
        text.extend_from_slice(&piece);
        if text.len() > MAX_DOCUMENT_BYTES {
            return Err(format!("{address}: it is too long"));
        }
    }
    serde_json::from_slice(&text).map_err(|error| format!("{address}: {error}"))
}

/// Returns the key with the name that the token gives, or for a token without one the only key that
/// fits; `None` if there is no such key.
fn find(keys: &JwkSet, header: &Header) -> Option<Jwk> {
    let mut fitting = keys.keys.iter().filter(|key| fits(key, header.alg));
    match &header.kid {
        Some(kid) => fitting.find(|key| key.common.key_id.as_ref() == Some(kid)),
        None => fitting.next().filter(|_| fitting.next().is_none()),
    }
    .cloned()
}

/// Returns true for a key that is made for signatures by this algorithm.
fn fits(key: &Jwk, algorithm: Algorithm) -> bool {
    let family = match &key.algorithm {
        AlgorithmParameters::RSA(_) => AlgorithmFamily::Rsa,
        AlgorithmParameters::EllipticCurve(_) => AlgorithmFamily::Ec,
        AlgorithmParameters::OctetKeyPair(_) => AlgorithmFamily::Ed,
        _ => return false,
    };
    let signs = match &key.common.public_key_use {
        None => true,
        Some(usage) => *usage == PublicKeyUse::Signature,
    };
    let named = match key.common.key_algorithm {
        None => true,
        Some(named) => named == KeyAlgorithm::from(algorithm),
    };
    family == algorithm.family() && signs && named
}
