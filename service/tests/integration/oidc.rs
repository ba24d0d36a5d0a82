//! Tokens of an OpenID Connect issuer, which is a server of the test: whose they are, and which are
//! refused.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_service::{Settings, settings::OidcSettings};
use aws_lc_rs::{
    encoding::AsDer as _,
    rsa,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{Request, StatusCode},
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::future::join_all;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp, jwk::Jwk};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore};

use crate::common::{self, Answer, DEMO, KEY, Service, service_with, settings, until};

/// A key of the issuer.
struct Key {
    name: &'static str,
    algorithm: Algorithm,
    secret: EncodingKey,
}

impl Key {
    fn elliptic(name: &'static str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self {
            name,
            algorithm: Algorithm::ES256,
            secret: EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref()),
        }
    }

    fn rsa(name: &'static str) -> Self {
        /// What stands before the key itself (PKCS #1) in its wrapping (PKCS #8).
        const WRAPPING: usize = 26;
        let pair = rsa::KeyPair::generate(rsa::KeySize::Rsa2048).unwrap();
        let wrapped = pair.as_der().unwrap();
        Self {
            name,
            algorithm: Algorithm::RS256,
            secret: EncodingKey::from_rsa_der(&wrapped.as_ref()[WRAPPING..]),
        }
    }

    fn public(&self) -> Value {
        let mut key = Jwk::from_encoding_key(&self.secret, self.algorithm).unwrap();
        key.common.key_id = Some(self.name.to_owned());
        serde_json::to_value(key).unwrap()
    }

    fn token(&self, claims: &Value) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(self.name.to_owned());
        encode(&header, claims, &self.secret).unwrap()
    }
}

#[derive(Default)]
struct Shared {
    /// `None`: the issuer is down.
    keys: Option<Vec<Value>>,
    /// Requests for the keys.
    asked: usize,
    /// Requests wait for a permit of these.
    hangs: Option<Arc<Semaphore>>,
}

/// The issuer.
struct Issuer {
    url: String,
    shared: Arc<Mutex<Shared>>,
}

impl Issuer {
    async fn new(keys: &[&Key]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/realm", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared::default()));
        let described = json!({ "issuer": url, "jwks_uri": format!("{url}/keys") });
        let app = Router::new()
            .route(
                "/realm/.well-known/openid-configuration",
                get(async move || Json(described)),
            )
            .route("/realm/keys", get(send_keys))
            .with_state(Arc::clone(&shared));
        // It ends with the runtime of the test.
        tokio::spawn(async move { axum::serve(listener, app).await });
        let issuer = Self { url, shared };
        issuer.has(keys);
        issuer
    }

    fn has(&self, keys: &[&Key]) {
        let keys = keys.iter().map(|key| key.public()).collect();
        self.shared.lock().unwrap().keys = Some(keys);
    }

    fn goes_down(&self) {
        self.shared.lock().unwrap().keys = None;
    }

    /// Lets requests for the keys wait for a permit each.
    fn hangs(&self) -> Arc<Semaphore> {
        let permits = Arc::new(Semaphore::new(0));
        self.shared.lock().unwrap().hangs = Some(Arc::clone(&permits));
        permits
    }

    fn asked(&self) -> usize {
        self.shared.lock().unwrap().asked
    }

    /// Returns good claims for a user.
    fn claims(&self, user: &str) -> Value {
        json!({ "iss": self.url, "aud": "assent", "sub": user, "exp": get_current_timestamp() + 300 })
    }

    /// A service that takes the issuer's tokens, and fetches keys as often as it has a reason.
    async fn service(&self) -> Service {
        self.service_with(Duration::ZERO, "sub").await
    }

    async fn service_with(&self, refresh_interval: Duration, user_claim: &str) -> Service {
        let oidc = OidcSettings {
            refresh_interval,
            ..OidcSettings::new(&self.url, "assent", user_claim)
        };
        let settings = Settings {
            oidc: Some(oidc),
            ..settings()
        };
        service_with(settings, Vec::new()).await
    }
}

async fn send_keys(State(shared): State<Arc<Mutex<Shared>>>) -> Response {
    let hangs = {
        let mut shared = shared.lock().unwrap();
        shared.asked += 1;
        shared.hangs.clone()
    };
    if let Some(hangs) = hangs {
        hangs.acquire().await.unwrap().forget();
    }
    match &shared.lock().unwrap().keys {
        Some(keys) => Json(json!({ "keys": keys })).into_response(),
        None => StatusCode::BAD_GATEWAY.into_response(),
    }
}

/// Reads the list of threads with a token, and with a user header if there is one.
async fn list(service: &Service, token: &str, user: Option<&str>) -> Answer {
    let mut request = Request::get(DEMO).header("authorization", format!("Bearer {token}"));
    if let Some(user) = user {
        request = request.header("x-service-user-id", user);
    }
    service.send(request.body(Body::empty()).unwrap()).await
}

#[track_caller]
fn refused(answer: &Answer, status: u16) -> String {
    answer.failure(status)["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_token_names_its_user_and_no_other() {
    let (rsa, elliptic) = (Key::rsa("rsa"), Key::elliptic("ec"));
    let issuer = Issuer::new(&[&rsa, &elliptic]).await;
    let service = issuer.service().await;
    for key in [&rsa, &elliptic] {
        let token = key.token(&issuer.claims("ada"));
        for user in [None, Some("ada")] {
            assert_eq!(list(&service, &token, user).await.status, 200);
        }
        let message = refused(&list(&service, &token, Some("bob")).await, 403);
        assert!(message.contains("another user"), "{message}");
        assert_eq!(list(&service, &token, Some(" ")).await.status, 401);
    }
    for nobody in ["", " ada", "ada\u{a0}", "a\nda", &"x".repeat(257)] {
        let token = rsa.token(&issuer.claims(nobody));
        let message = refused(&list(&service, &token, None).await, 401);
        assert!(message.contains("names no user"), "{nobody:?} {message}");
    }
    // What the user of the token makes is that user's, as if a key had named them.
    let token = rsa.token(&issuer.claims("ada"));
    let start = Request::post(common::THREADS)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(Body::from(json!({ "agentId": "demo" }).to_string()));
    assert_eq!(service.send(start.unwrap()).await.status, 201);
    let own = list(&service, KEY, Some("ada")).await.json();
    assert_eq!(own.as_array().unwrap().len(), 1);
    let bob = rsa.token(&issuer.claims("bob"));
    assert_eq!(list(&service, &bob, None).await.json(), json!([]));
    assert_eq!(issuer.asked(), 1, "the keys are kept");
}

#[tokio::test]
async fn a_token_that_is_not_for_this_service_or_not_for_now_is_refused() {
    let key = Key::elliptic("one");
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service().await;
    let now = get_current_timestamp();
    let with = |name: &str, value: Value| {
        let mut claims = issuer.claims("ada");
        claims[name] = value;
        claims
    };
    for claims in [
        with("aud", json!("another")),
        with("aud", json!(["another"])),
        with("aud", Value::Null),
        with("iss", json!("https://login.example")),
        with("exp", json!(now - 300)),
        with("exp", json!("never")),
        with("nbf", json!(now + 300)),
        with("sub", json!("")),
        with("sub", json!(" ada")),
        with("sub", json!(7)),
        with("sub", json!("a".repeat(257))),
    ] {
        let answer = list(&service, &key.token(&claims), None).await;
        assert_eq!(answer.status, 401, "{claims}");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
        refused(&answer, 401);
    }
    for missing in ["aud", "iss", "exp", "sub"] {
        let mut claims = issuer.claims("ada");
        claims.as_object_mut().unwrap().remove(missing);
        let answer = list(&service, &key.token(&claims), None).await;
        assert_eq!(answer.status, 401, "{claims}");
    }
    let many = with("aud", json!(["another", "assent"]));
    assert_eq!(list(&service, &key.token(&many), None).await.status, 200);
}

#[tokio::test]
async fn a_token_that_the_issuer_did_not_sign_is_refused() {
    let (rsa, key) = (Key::rsa("rsa"), Key::elliptic("one"));
    let issuer = Issuer::new(&[&rsa, &key]).await;
    let service = issuer.service().await;
    let claims = issuer.claims("ada");
    let forged = Key::elliptic("one").token(&claims);
    let good = key.token(&claims);
    let (head, body) = good.rsplit_once('.').unwrap().0.split_once('.').unwrap();
    // {"alg":"none","kid":"one"}
    let none = "eyJhbGciOiJub25lIiwia2lkIjoib25lIn0";
    let shared = Key {
        name: "rsa",
        algorithm: Algorithm::HS256,
        secret: EncodingKey::from_secret(rsa.public()["n"].as_str().unwrap().as_bytes()),
    };
    let swapped = Key {
        name: "rsa",
        ..Key::elliptic("rsa")
    };
    for token in [
        forged,
        format!("{none}.{body}."),
        format!("{none}.{body}"),
        format!("{head}.{body}."),
        format!("{good}x"),
        shared.token(&claims),
        swapped.token(&claims),
        "a.b.c".to_owned(),
        "no-token".to_owned(),
    ] {
        let answer = list(&service, &token, Some("ada")).await;
        assert_eq!(answer.status, 401, "{token}");
    }
    assert_eq!(list(&service, &good, None).await.status, 200);
    assert_eq!(list(&service, KEY, Some("ada")).await.status, 200);
    assert_eq!(
        list(&service, KEY, None).await.status,
        401,
        "keys name nobody"
    );
}

#[tokio::test]
async fn a_key_that_is_new_is_fetched_and_one_that_is_gone_is_not_taken() {
    let (old, new) = (Key::elliptic("old"), Key::elliptic("new"));
    let issuer = Issuer::new(&[&old]).await;
    let service = issuer.service().await;
    let claims = issuer.claims("ada");
    assert_eq!(list(&service, &old.token(&claims), None).await.status, 200);
    issuer.has(&[&new]);
    assert_eq!(list(&service, &new.token(&claims), None).await.status, 200);
    assert_eq!(issuer.asked(), 2);
    assert_eq!(list(&service, &old.token(&claims), None).await.status, 401);
}

#[tokio::test]
async fn keys_that_nobody_knows_cost_the_issuer_one_request_in_an_interval() {
    let (key, unknown) = (Key::elliptic("one"), Key::elliptic("two"));
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service_with(Duration::from_secs(3600), "sub").await;
    let claims = issuer.claims("ada");
    for _ in 0..20 {
        let answer = list(&service, &unknown.token(&claims), None).await;
        assert_eq!(answer.status, 401);
    }
    assert_eq!(issuer.asked(), 1);
    assert_eq!(list(&service, &key.token(&claims), None).await.status, 200);
}

#[tokio::test]
async fn an_issuer_that_is_down_is_said_and_keys_that_are_known_stay_good() {
    let (key, other) = (Key::elliptic("one"), Key::elliptic("two"));
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service().await;
    let claims = issuer.claims("ada");
    issuer.goes_down();
    let message = refused(&list(&service, &key.token(&claims), None).await, 503);
    assert!(message.contains("issuer"), "{message}");
    assert_eq!(list(&service, KEY, Some("ada")).await.status, 200);
    issuer.has(&[&key]);
    assert_eq!(list(&service, &key.token(&claims), None).await.status, 200);
    issuer.goes_down();
    assert_eq!(list(&service, &key.token(&claims), None).await.status, 200);
    assert_eq!(
        list(&service, &other.token(&claims), None).await.status,
        401
    );
}

#[tokio::test]
async fn a_token_that_was_made_for_something_else_opens_nothing() {
    let key = Key::elliptic("one");
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service().await;
    let claims = issuer.claims("ada");
    let typed = |typ: Option<&str>, claims: &Value| {
        let mut header = Header::new(key.algorithm);
        header.kid = Some(key.name.to_owned());
        header.typ = typ.map(str::to_owned);
        encode(&header, claims, &key.secret).unwrap()
    };
    for typ in [
        None,
        Some("JWT"),
        Some("at+jwt"),
        Some("application/AT+JWT"),
    ] {
        let answer = list(&service, &typed(typ, &claims), None).await;
        assert_eq!(answer.status, 200, "{typ:?}");
    }
    for typ in ["logout+jwt", "secevent+jwt", "dpop+jwt", "id+jwt", ""] {
        let answer = list(&service, &typed(Some(typ), &claims), None).await;
        assert!(refused(&answer, 401).contains("no access token"), "{typ}");
    }
    let logout = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
    for (claim, value) in [
        ("nonce", json!("n")),
        ("at_hash", json!("h")),
        ("events", logout),
        ("typ", json!("ID")),
        ("typ", json!("Refresh")),
        ("token_use", json!("id")),
    ] {
        let mut other = claims.clone();
        other[claim] = value;
        let answer = list(&service, &key.token(&other), None).await;
        assert!(refused(&answer, 401).contains("no access token"), "{claim}");
    }
    let mut bearer = claims;
    bearer["typ"] = json!("Bearer");
    // As Keycloak did before 25.
    bearer["nonce"] = json!("n");
    assert_eq!(list(&service, &key.token(&bearer), None).await.status, 200);
}

#[tokio::test]
async fn all_who_wait_for_the_keys_wait_for_one_request() {
    let key = Key::elliptic("one");
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service().await;
    let token = key.token(&issuer.claims("ada"));
    let hanging = issuer.hangs();
    let asking: Vec<_> = (0..5)
        .map(|_| {
            let (service, token) = (service.clone(), token.clone());
            tokio::spawn(async move { list(&service, &token, None).await.status })
        })
        .collect();
    until(async || issuer.asked() == 1).await;
    hanging.add_permits(1);
    for status in join_all(asking).await {
        assert_eq!(status.unwrap(), 200);
    }
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn old_keys_serve_while_new_ones_are_fetched() {
    let key = Key::elliptic("one");
    let issuer = Issuer::new(&[&key]).await;
    let oidc = OidcSettings {
        refresh_interval: Duration::ZERO,
        max_age: Duration::ZERO,
        ..OidcSettings::new(&issuer.url, "assent", "sub")
    };
    let settings = Settings {
        oidc: Some(oidc),
        ..settings()
    };
    let service = service_with(settings, Vec::new()).await;
    let token = key.token(&issuer.claims("ada"));
    assert_eq!(list(&service, &token, None).await.status, 200);
    let hanging = issuer.hangs();
    for _ in 0..3 {
        assert_eq!(list(&service, &token, None).await.status, 200);
    }
    until(async || issuer.asked() > 1).await;
    // One that is gone is forgotten as soon as the issuer answers.
    issuer.has(&[&Key::elliptic("two")]);
    hanging.add_permits(Semaphore::MAX_PERMITS);
    until(async || list(&service, &token, None).await.status == 401).await;
}

#[tokio::test]
async fn the_operator_chooses_the_claim_that_is_the_user() {
    let key = Key::elliptic("one");
    let issuer = Issuer::new(&[&key]).await;
    let service = issuer.service_with(Duration::ZERO, "employee").await;
    let mut claims = issuer.claims("ada");
    assert_eq!(list(&service, &key.token(&claims), None).await.status, 401);
    claims["employee"] = json!("e-7");
    let answer = list(&service, &key.token(&claims), Some("e-7")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}
