//! Check of the interface description: real answers have the shapes it gives, and it names every
//! endpoint.

use assent_protocol::EVENT_TYPES;
use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};

use crate::common::{
    INBOX, KEY, THREADS, USER, body, decided, messages_of, requests, service, text,
};

/// Checks a value against a schema: the keywords that the description uses, no more.
fn conforms(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document
            .pointer(&reference[1..])
            .unwrap_or_else(|| panic!("{reference}"));
        return conforms(document, target, value);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let fitting = options
            .iter()
            .filter(|s| conforms(document, s, value).is_ok())
            .count();
        return if fitting == 1 {
            Ok(())
        } else {
            Err(format!("{fitting} of {schema} fit {value}"))
        };
    }
    let fault = |what: &str| Err(format!("{what}: {value} against {schema}"));
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|k| k == kind),
        one => one == kind,
    };
    if !allowed {
        return fault("type");
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        return fault("value");
    }
    if let Value::Array(items) = value {
        items
            .iter()
            .try_for_each(|item| conforms(document, &schema["items"], item))?;
    }
    let Value::Object(fields) = value else {
        return Ok(());
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            return fault(&format!("{name} is missing"));
        }
    }
    for (name, field) in fields {
        let known = &schema["properties"][name];
        let rest = &schema["additionalProperties"];
        match (known, rest) {
            (Value::Null, Value::Object(_)) => conforms(document, rest, field)?,
            // Fields that are not described would be a description that is not true.
            (Value::Null, _) => return fault(&format!("{name} is not described")),
            _ => conforms(document, known, field)?,
        }
    }
    Ok(())
}

pub(crate) fn check(document: &Value, name: &str, value: &Value) {
    let schema = &document["components"]["schemas"][name];
    assert!(schema.is_object(), "{name} is not described");
    conforms(document, schema, value).unwrap();
}

#[tokio::test]
async fn real_answers_have_the_described_shapes() {
    let service = service().await;
    let document = service.get("/openapi.json").await.json();
    let thread = service.thread("demo").await;
    let path = messages_of(&thread);

    let mut events = service.say(&thread, "collaborate").await;
    events.extend(service.say(&thread, "approve three").await);
    for path in [INBOX.to_owned(), format!("{INBOX}?arguments=true")] {
        let waiting = service.get(&path).await.json();
        assert_eq!(waiting[0]["tools"].as_array().unwrap().len(), 3);
        check(&document, "WaitingBatch", &waiting[0]);
    }
    let batch = requests(&events).remove(0);
    let mixed = body(&[decided(
        &batch,
        &["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"],
    )]);
    let refused_mix = service.post(&path, &mixed).await.failure(400);
    let part = body(&[decided(&batch[..1], &["APPROVED"])]);
    let refused_part = service.post(&path, &part).await.failure(400);
    let refused_text = service.post(&path, &text("hello")).await.failure(400);
    let answer = body(&[decided(&batch, &["APPROVED", "DENIED", "APPROVED"])]);
    check(&document, "PostMessage", &answer);
    events.extend(service.stream(&thread, &answer).await);

    for event in &events {
        check(&document, "SseEvent", &serde_json::to_value(event).unwrap());
    }
    for item in [
        json!({ "type": "document", "fileId": service.upload("a", "text/plain", b"x").await["fileId"] }),
        json!({ "type": "image", "imageId": service.upload("b", "", b"\x89PNG\r\n\x1a\n").await["imageId"] }),
    ] {
        service.stream(&thread, &body(&[item])).await;
    }
    for message in service.messages(&thread).await {
        check(&document, "StoredMessage", &message);
    }
    for thread in service
        .get(&format!("{THREADS}/demo"))
        .await
        .json()
        .as_array()
        .unwrap()
    {
        check(&document, "SessionThread", thread);
    }
    check(&document, "RejectedMix", &refused_mix);
    check(&document, "RejectedForm", &refused_part);
    check(&document, "Error", &refused_text);
    for refused in [refused_mix, refused_part, refused_text] {
        check(&document, "BadPost", &refused);
    }
    for file in ["text", "\u{89}PNG"] {
        let upload = odd(&Method::POST, UPLOADS, None, file.to_owned());
        check(&document, "Uploaded", &service.send(upload).await.json());
    }
    for item in [
        json!({ "type": "document", "fileId": "d" }),
        json!({ "type": "image", "imageId": "i" }),
    ] {
        check(&document, "ContentItem", &item);
    }
}

#[tokio::test]
async fn the_description_names_every_endpoint_and_event_type() {
    let service = service().await;
    let document = service.get("/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    let mut operations: Vec<_> = paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .keys()
                .map(move |m| format!("{m} {path}"))
        })
        .collect();
    operations.sort();
    let mut expected = [
        "post /api/assistants/threads",
        "get /api/assistants/threads/{id}",
        "put /api/assistants/threads/{id}",
        "delete /api/assistants/threads/{id}",
        "delete /api/assistants/threads/{threadId}/answer",
        "get /api/assistants/threads/{threadId}/messages",
        "get /api/assistants/threads/{threadId}/messages/stream",
        "post /api/assistants/threads/{threadId}/messages",
        "get /api/assistants/approvals",
        "post /api/assistants/uploads",
        "delete /api/assistants/uploads/{id}",
        "get /api/assistants/uploads",
        "get /api/assistants/uploads/{id}",
        "get /api/assistants/grants",
        "delete /api/assistants/grants/{id}",
        "get /api/assistants/executions/{toolExecutionId}",
        "get /healthz",
        "get /livez",
        "get /openapi.json",
        "get /readyz",
    ];
    expected.sort_unstable();
    assert_eq!(operations, expected);
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with("/api/")) {
        for operation in item.as_object().unwrap().values() {
            assert_eq!(
                operation["security"],
                json!([{ "apiKey": [], "userId": [] }]),
                "{path}"
            );
        }
    }
    let types = document["components"]["schemas"]["SseEventType"]["enum"]
        .as_array()
        .unwrap();
    let names: Vec<_> = EVENT_TYPES.iter().map(|info| info.name).collect();
    assert_eq!(*types, names);
    let header = &document["components"]["securitySchemes"]["userId"]["name"];
    assert_eq!(header, "x-service-user-id");
}

#[test]
fn the_checker_finds_faults() {
    let document = json!({ "components": { "schemas": { "A": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } } } } });
    let schema = json!({ "$ref": "#/components/schemas/A" });
    assert!(conforms(&document, &schema, &json!({ "a": "x" })).is_ok());
    for bad in [
        json!({}),
        json!({ "a": 1 }),
        json!({ "a": "x", "b": 1 }),
        json!([]),
    ] {
        assert!(conforms(&document, &schema, &bad).is_err(), "{bad}");
    }
}

const UPLOADS: &str = "/api/assistants/uploads";
const EXECUTIONS: &str = "/api/assistants/executions";

/// Builds a request that is answered with something else than success.
fn odd(method: &Method, path: &str, kind: Option<&str>, body: String) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", USER);
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    request.body(Body::from(body)).unwrap()
}

#[tokio::test]
async fn every_status_that_is_answered_is_described() {
    let service = service().await;
    let document = service.get("/openapi.json").await.json();
    let thread = service.thread("demo").await;
    let one = format!("{THREADS}/{{id}}");
    let messages = format!("{THREADS}/{{threadId}}/messages");
    let upload = "/api/assistants/uploads/{id}";
    let execution = "/api/assistants/executions/{toolExecutionId}";
    let json = Some("application/json");
    let endpoints = [
        (Method::POST, THREADS, THREADS.to_owned(), true),
        (Method::GET, one.as_str(), format!("{THREADS}/demo"), false),
        (Method::PUT, &one, format!("{THREADS}/{thread}"), true),
        (Method::GET, &messages, messages_of(&thread), false),
        (Method::POST, &messages, messages_of(&thread), true),
        (Method::DELETE, &one, format!("{THREADS}/{thread}"), false),
        (Method::GET, upload, upload.replace("{id}", "x"), false),
        (Method::DELETE, upload, upload.replace("{id}", "x"), false),
        (Method::GET, execution, format!("{EXECUTIONS}/x"), false),
    ];
    let mut seen = Vec::new();
    for round in ["open", "closed"] {
        for (method, template, path, has_body) in &endpoints {
            let mut requests = vec![odd(method, path, json, WORKS.to_owned())];
            let mut anonymous = odd(method, path, json, WORKS.to_owned());
            anonymous.headers_mut().remove("authorization");
            requests.push(anonymous);
            if *has_body {
                requests.push(odd(method, path, json, "{}".to_owned()));
                requests.push(odd(method, path, json, "{".to_owned()));
                requests.push(odd(method, path, None, WORKS.to_owned()));
                let long = format!("\"{}\"", "x".repeat(1024 * 1024));
                requests.push(odd(method, path, json, long));
            }
            if path != THREADS {
                let nobody = path.replace(&thread, "nobody").replace("/demo", "/nobody");
                requests.push(odd(method, &nobody, json, WORKS.to_owned()));
            }
            for request in requests {
                let answer = service.send(request).await;
                let status = answer.status.as_str().to_owned();
                let place = &document["paths"][*template][method.as_str().to_lowercase()];
                assert!(
                    place["responses"][&status].is_object(),
                    "{round}: {method} {template} answers {status}: {}",
                    answer.text
                );
                if !answer.status.is_success() {
                    check(&document, "Error", &answer.json());
                }
                seen.push(format!("{method} {template} {status}"));
            }
        }
        // From now on everything that needs the database fails.
        service.state.store().close().await;
    }
    for (method, template, _, has_body) in &endpoints {
        let mut statuses = vec!["401", "500"];
        if *has_body {
            statuses.extend(["400", "413", "415"]);
        }
        for status in statuses {
            let line = format!("{method} {template} {status}");
            assert!(seen.contains(&line), "{line} was never answered");
        }
    }
}

/// A body that endpoints 1, 3 and 6 all accept.
const WORKS: &str =
    r#"{"agentId":"demo","threadName":"x","content":[{"type":"text","text":"hello"}]}"#;
