//! A question to the model beside the conversation, such as which way a request should take: its
//! answer is one JSON object of a known schema.
//!
//! Not every server can force that: what refuses a schema is asked without it
//! ([`lessons`](super::lessons)), and the object is found in what the model writes around
//! it.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{client::Model, completion::Usage, model_error::ModelError, object_reader::read};
use crate::agents::model::request::wire::{Dialect, RequestBody, common_members};

/// A question to the model that one JSON object answers.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents::model) struct ObjectRequest<'a> {
    /// The messages that the model is sent, as chat completions have them; at least one.
    pub(in crate::agents::model) messages: &'a [Value],
    /// The name of the schema: letters, digits, `_` and `-`.
    pub(in crate::agents::model) name: &'a str,
    /// The JSON schema. So that strict servers take it, it closes each object with
    /// `additionalProperties: false` and requires all properties.
    pub(in crate::agents::model) schema: &'a Value,
}

/// The object that the model answered.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agents::model) struct Object<T> {
    pub(in crate::agents::model) value: T,
    /// The tokens that question and answer took; `None` if the server does not tell them.
    pub(in crate::agents::model) usage: Option<Usage>,
}

impl Model {
    /// Asks the model for one object. The future may be dropped at any await: the connection ends
    /// with it.
    ///
    /// # Errors
    ///
    /// Why there is no answer; [`ModelError::Unreadable`] if no object in it is a `T`.
    pub(in crate::agents::model) async fn object<T: DeserializeOwned>(
        &self,
        request: &ObjectRequest<'_>,
    ) -> Result<Object<T>, ModelError> {
        let messages = messages(request);
        let schema = json!({ "name": request.name, "strict": true, "schema": request.schema });
        let format = json!({ "type": "json_schema", "json_schema": schema });
        let forced = |dialect: &Dialect| {
            let mut body = common_members(messages.clone(), dialect);
            if dialect.habits.takes("response_format") {
                body.insert("response_format".to_owned(), format.clone());
            }
            RequestBody::plain(body)
        };
        let mut reply = self.begin(&forced).await?;
        while reply.next().await?.is_some() {}
        let completion = reply.into_completion();
        let value = read(&completion.text).ok_or(ModelError::Unreadable)?;
        let usage = completion.usage;
        Ok(Object { value, usage })
    }
}

/// Returns the messages with the schema told in the system message, which stands first: servers
/// that force a schema do not show it to the model.
fn messages(request: &ObjectRequest<'_>) -> Vec<Value> {
    let rule = format!(
        "Answer with one JSON object that fits this JSON schema, and with nothing else: {}",
        request.schema
    );
    let (system, rest) = match request.messages.split_first() {
        Some((first, rest)) if first.get("role").is_some_and(|role| role == "system") => {
            (first.get("content").and_then(Value::as_str), rest)
        }
        _ => (None, request.messages),
    };
    let system = system.map_or_else(|| rule.clone(), |system| format!("{system}\n\n{rule}"));
    let system = json!({ "role": "system", "content": system });
    [&[system], rest].concat()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{ObjectRequest, messages, read};
    use crate::agents::model::provider::{
        client::Model,
        completion::Usage,
        model_error::ModelError,
        test_server::{TestServer, answer, says, stream},
    };

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Route {
        route: String,
    }

    #[test]
    fn an_object_is_found_alone_in_a_fence_or_between_words_and_never_by_halves() {
        for text in [
            r#"{"route":"simple"}"#,
            "```json\n{ \"route\": \"simple\" }\n```",
            r#"<think>{ maybe {"route": 1} or {"rout</think> So: {"route":"simple"}. Good {}"#,
            r#"{"path":"a"} {"route":"simple"} {"route":"complex"}"#,
        ] {
            let found: Option<Route> = read(text);
            assert_eq!(found.map(|found| found.route).as_deref(), Some("simple"));
        }
        for text in [
            "",
            "simple",
            r#"{"route":"simple""#,
            r#"{"route":1}"#,
            r#"{"route":"simple","more":1}"#,
            r#"["route"]"#,
        ] {
            assert_eq!(read::<Route>(text), None, "{text}");
        }
        assert_eq!(read::<Route>(&"{\"a\":".repeat(100_000)), None);
    }

    /// Asks for a route from a server with these answers.
    async fn route(answers: Vec<String>) -> (Result<super::Object<Route>, ModelError>, TestServer) {
        let server = TestServer::new(answers).await;
        let schema = json!({ "type": "object" });
        let request = ObjectRequest {
            messages: &[json!({ "role": "user", "content": "hi" })],
            name: "route",
            schema: &schema,
        };
        (Model::at(&server.url).object(&request).await, server)
    }

    #[tokio::test]
    async fn a_schema_is_asked_for_and_the_object_comes_with_its_tokens() {
        let piece = |text: &str| json!({ "choices": [{ "delta": { "content": text } }] });
        let usage =
            json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
        let chunks = [piece("{\"route\":"), piece("\"simple\"}"), usage];
        let (found, server) = route(vec![stream(&chunks)]).await;
        let found = found.unwrap();
        assert_eq!(found.value.route, "simple");
        let (input, output, cached) = (7, 2, 0);
        let usage = Usage {
            input,
            output,
            cached,
        };
        assert_eq!(found.usage, Some(usage));
        let format = &server.received()[0].body["response_format"];
        let expected = json!({ "name": "route", "strict": true, "schema": { "type": "object" } });
        assert_eq!(format["type"], "json_schema");
        assert_eq!(format["json_schema"], expected);
    }

    #[tokio::test]
    async fn a_server_without_schemas_is_asked_without_one() {
        let refused = || answer(400, "", "{\"error\":\"unknown response_format\"}");
        let fenced = says("Sure:\n```json\n{\"route\":\"simple\"}\n```");
        let (found, server) = route(vec![refused(), fenced]).await;
        assert_eq!(found.unwrap().value.route, "simple");
        let sent = server.received();
        assert_eq!(sent[1].body.get("response_format"), None);
        assert_eq!(sent[1].body["messages"], sent[0].body["messages"]);
        let (failed, server) = route(vec![refused(), refused()]).await;
        assert!(matches!(
            failed,
            Err(ModelError::Refused { status: 400, .. })
        ));
        assert_eq!(server.received().len(), 2);
    }

    #[tokio::test]
    async fn what_is_no_such_object_is_a_failure_and_the_beginning_is_tried_again() {
        let busy = answer(429, "retry-after: 0\r\n", "");
        let (found, _) = route(vec![busy, says("I would say simple.")]).await;
        assert_eq!(found, Err(ModelError::Unreadable));
    }

    #[test]
    fn the_schema_is_told_in_the_one_system_message() {
        let schema = json!({ "type": "object" });
        let told = |given: &[Value]| {
            let request = ObjectRequest {
                messages: given,
                name: "route",
                schema: &schema,
            };
            messages(&request)
        };
        let user = json!({ "role": "user", "content": "hi" });
        let rule = "Answer with one JSON object that fits this JSON schema, and with nothing else: \
                    {\"type\":\"object\"}";
        let alone = told(std::slice::from_ref(&user));
        assert_eq!(
            alone,
            [json!({ "role": "system", "content": rule }), user.clone()]
        );
        let system = json!({ "role": "system", "content": "Choose." });
        let both = told(&[system, user.clone()]);
        let expected = format!("Choose.\n\n{rule}");
        assert_eq!(
            both,
            [json!({ "role": "system", "content": expected }), user]
        );
    }
}
