//! A collector of traces: takes OTLP over HTTP on this machine.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    routing::post,
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{AnyValue, KeyValue, any_value::Value},
    trace::v1::Span,
};
use prost::Message as _;
use tokio::net::TcpListener;

/// What the collector does with a request, besides keeping it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// It takes it.
    Takes,
    /// It refuses it, and says aloud with which key.
    Refuses,
    /// It never answers.
    Hangs,
}

#[derive(Clone)]
pub struct Collector {
    pub url: String,
    habit: Habit,
    received: Arc<Mutex<Vec<(HeaderMap, Bytes)>>>,
}

/// A span, as far as tests look at it.
pub struct Seen {
    pub span: Span,
    pub attributes: BTreeMap<String, Value>,
}

impl Collector {
    pub async fn new(habit: Habit) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let collector = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            habit,
            received: Arc::default(),
        };
        let app = Router::new()
            .route("/v1/traces", post(receive))
            .with_state(collector.clone());
        // It ends with the runtime of the test.
        tokio::spawn(async move { axum::serve(listener, app).await });
        collector
    }

    /// Returns the header `Authorization` and the body of each request.
    pub fn received(&self) -> Vec<(String, Bytes)> {
        let received = self.received.lock().unwrap();
        let text = |headers: &HeaderMap| {
            let key = headers.get(header::AUTHORIZATION);
            key.map_or_else(String::new, |key| key.to_str().unwrap().to_owned())
        };
        let requests = received.iter();
        requests
            .map(|(headers, body)| (text(headers), body.clone()))
            .collect()
    }

    fn requests(&self) -> Vec<ExportTraceServiceRequest> {
        let bodies = self.received().into_iter();
        bodies
            .map(|(_, body)| ExportTraceServiceRequest::decode(body).unwrap())
            .collect()
    }

    /// Returns all spans, in the order of their beginnings.
    pub fn spans(&self) -> Vec<Seen> {
        let requests = self.requests().into_iter();
        let mut spans: Vec<Span> = requests
            .flat_map(|request| request.resource_spans)
            .flat_map(|resource| resource.scope_spans)
            .flat_map(|scope| scope.spans)
            .collect();
        spans.sort_by_key(|span| span.start_time_unix_nano);
        let seen = |span: Span| Seen {
            attributes: attributes(&span.attributes),
            span,
        };
        spans.into_iter().map(seen).collect()
    }

    /// Returns an attribute of who sent the spans.
    pub fn resource(&self, name: &str) -> String {
        let request = self.requests().remove(0);
        let resource = request.resource_spans[0].resource.clone().unwrap();
        text(&attributes(&resource.attributes)[name])
    }
}

impl Seen {
    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        text(self.attribute(name))
    }

    #[track_caller]
    pub fn number(&self, name: &str) -> i64 {
        match self.attribute(name) {
            Value::IntValue(number) => *number,
            other => panic!("{name} is {other:?}"),
        }
    }

    #[track_caller]
    fn attribute(&self, name: &str) -> &Value {
        let found = self.attributes.get(name);
        found.unwrap_or_else(|| panic!("no {name} in {:?}", self.attributes))
    }
}

fn attributes(list: &[KeyValue]) -> BTreeMap<String, Value> {
    let value = |value: &AnyValue| value.value.clone().unwrap();
    let pairs = list.iter();
    pairs
        .map(|pair| (pair.key.clone(), value(pair.value.as_ref().unwrap())))
        .collect()
}

#[track_caller]
fn text(value: &Value) -> String {
    match value {
        Value::StringValue(text) => text.clone(),
        other => panic!("{other:?} is no text"),
    }
}

async fn receive(
    State(collector): State<Collector>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let said = format!("{headers:?}");
    collector.received.lock().unwrap().push((headers, body));
    match collector.habit {
        Habit::Takes => (StatusCode::OK, String::new()),
        Habit::Refuses => (StatusCode::UNAUTHORIZED, said),
        Habit::Hangs => std::future::pending().await,
    }
}
