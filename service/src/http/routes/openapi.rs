//! The interface description (OpenAPI 3.1), generated from the handlers' annotations, the
//! extractors and the wire types.
//!
//! A test checks real answers of the service against it.

use assent_protocol::{Failure, RejectedForm, RejectedMix, SseEvent};
use axum::{Json, extract::State, response::IntoResponse};
use utoipa::{
    OpenApi,
    openapi::{
        self, Header, HeaderBuilder, ObjectBuilder, PathItem, RefOr, Response, Type,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::{
    EXTENSIONS, OFFERED_EXTENSIONS, cancel, executions, failure::describe_failure, grants, health,
    images, inbox, messages, resume, threads, uploads,
};
use crate::{AppState, settings::Settings};

/// The description of the failure 403 of requests that change something.
const OTHER_SITE: &str = "A page of another site asks.";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Session thread assistant service",
        description = "Conversations with agents that ask a person before they act.",
        version = "1.0.0",
        license(name = "MIT", identifier = "MIT"),
    ),
    paths(
        threads::start,
        threads::list,
        threads::rename,
        threads::delete,
        messages::list,
        messages::post,
        resume::follow,
        cancel::cancel,
        inbox::list,
        uploads::upload,
        uploads::list,
        images::read,
        grants::list,
        grants::end,
        uploads::remove,
        executions::read,
        health::health,
        health::live,
        health::ready,
        openapi,
    ),
    components(schemas(SseEvent, Failure, RejectedForm, RejectedMix)),
    tags(
        (
            name = "threads",
            description = "Session threads of the user who is named in the user header.",
        ),
        (name = "messages", description = "What is said in a thread."),
        (
            name = "resume",
            description = "An extension, which is not part of the specification: \
                           an answer is read on after any of its events.",
        ),
        (
            name = "cancel",
            description = "An extension, which is not part of the specification: \
                           an answer is ended before the agent has ended it.",
        ),
        (
            name = "inbox",
            description = "An extension, which is not part of the specification: \
                           all that waits for a decision of the user is one list.",
        ),
        (
            name = "uploads",
            description = "An extension, which is not part of the specification: \
                           files are sent here before a message names them.",
        ),
        (
            name = "grants",
            description = "An extension, which is not part of the specification: \
                           what a person has allowed beforehand.",
        ),
        (
            name = "executions",
            description = "An extension, which is not part of the specification: \
                           what became of a tool run, step by step.",
        ),
        (name = "about", description = "Extensions that need neither header."),
    ),
)]
struct ApiDocument;

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "describeService",
    tag = "about",
    responses((status = 200, description = "An OpenAPI 3.1 document.")),
)]
pub(super) async fn openapi(State(state): State<AppState>) -> impl IntoResponse {
    Json(document(state.settings()))
}

fn document(settings: &Settings) -> openapi::OpenApi {
    let mut document = ApiDocument::openapi();
    for item in document.paths.paths.values_mut() {
        describe_refusals(item);
    }
    let components = document.components.get_or_insert_default();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "An API key of this service, or a token of its issuer, which names the user itself.",
        ))
        .build();
    components.add_security_scheme("apiKey", SecurityScheme::Http(bearer));
    let user = ApiKeyValue::with_description(
        settings.user_id_header.as_str(),
        "The id of the user on whose behalf the request is made: one header with up to 256 bytes of \
         UTF-8, without control characters, and without blanks at the ends.",
    );
    components.add_security_scheme("userId", SecurityScheme::ApiKey(ApiKey::Header(user)));
    announce_extensions(&mut document);
    document
}

/// Adds the failures with which every endpoint that needs a key may refuse a request.
fn describe_refusals(item: &mut PathItem) {
    let operations = [
        (
            &mut item.get,
            "The token belongs to another user than the header names.",
        ),
        (&mut item.put, OTHER_SITE),
        (&mut item.post, OTHER_SITE),
        (&mut item.delete, OTHER_SITE),
    ];
    let with_key = operations
        .into_iter()
        .filter_map(|(operation, forbidden)| Some((operation.as_mut()?, forbidden)))
        .filter(|(operation, _)| operation.security.is_some());
    for (operation, forbidden) in with_key {
        for (status, response) in [
            ("403", describe_failure(forbidden).build()),
            ("429", describe_too_many()),
            (
                "503",
                describe_failure("The issuer of the tokens cannot be reached at the moment.")
                    .build(),
            ),
        ] {
            let responses = &mut operation.responses.responses;
            responses
                .entry(status.to_owned())
                .or_insert(RefOr::T(response));
        }
    }
}

fn describe_too_many() -> Response {
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).build();
    let retry_after = HeaderBuilder::new()
        .schema(Some(seconds))
        .description(Some("The time until one is taken again, in seconds."))
        .build();
    describe_failure(
        "There were too many requests of this user or with this key, or too many answers are \
             being written for the user.",
    )
    .header("Retry-After", retry_after)
    .build()
}

/// Describes the header `Assent-Extensions`, which every response has.
fn announce_extensions(document: &mut openapi::OpenApi) {
    let names = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(OFFERED_EXTENSIONS.to_str().ok()));
    let mut header = Header::new(names);
    header.description = Some("The extensions that a client may look for.".to_owned());
    for item in document.paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            for response in operation.responses.responses.values_mut() {
                if let RefOr::T(response) = response {
                    response
                        .headers
                        .insert(EXTENSIONS.as_str().to_owned(), header.clone().into());
                }
            }
        }
    }
}
