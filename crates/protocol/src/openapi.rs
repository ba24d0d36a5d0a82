//! The parts of the interface description (OpenAPI 3.1) that are written by hand: the words that
//! some text fields may have, and shapes that are made of others. All else is derived from the
//! types.

use std::borrow::Cow;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Object, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema,
        schema::{ArrayBuilder, KnownFormat, SchemaFormat, Type},
    },
};

use crate::{
    ApprovalRequest, ApprovalStatus, ContentItem, EVENT_TYPES, EventType, Role, StoredFile,
};

/// One event of a stream, as the format of server-sent events frames it: only the field `data` is
/// sent.
#[derive(Debug, ToSchema)]
pub struct StreamedEvent {
    /// The JSON of an `SseEvent`.
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// The decision about one tool run: the request as it was streamed, with `approvalResult` changed.
#[derive(Debug)]
pub struct ToolApprovalResponse;

/// A file of a stored message, described by the member that identifies it: `fileId` or `imageId`.
#[derive(Debug)]
pub struct MessageFile;

/// Returns the schema of `sessionType` of a thread.
pub(crate) fn session_type_schema() -> ObjectBuilder {
    words_schema(["LIVE"]).description(Some("There is one type of sessions."))
}

/// Returns the schema of `effect` of a request for approval: what the tool does.
pub(crate) fn effect_schema() -> ObjectBuilder {
    words_schema(["reads", "writes", "deletes"]).description(Some(
        "What a tool does, where the policy or the tool's server says it.",
    ))
}

/// Returns the schema of `effectSource` of a request for approval: whether a rule of the service or
/// the tool's server says what the tool does.
pub(crate) fn effect_source_schema() -> ObjectBuilder {
    words_schema(["policy", "server"]).description(Some(
        "Who says what a tool does; left out together with `effect`.",
    ))
}

/// Returns the schema of `step` of a step of a tool run.
pub(crate) fn step_schema() -> ObjectBuilder {
    words_schema(["proposed", "shown", "decided", "effective", "run", "result"]).description(Some(
        "What happened: the agent proposed the call, a person was shown it, it was decided whether \
         it may run, it got the arguments with which it may, it began to run, and it ended.",
    ))
}

/// Returns the schema of `decision` of a step: what was decided.
pub(crate) fn step_decision_schema() -> ObjectBuilder {
    words_schema(["allowed", "refused", "approved", "denied", "aborted"]).description(Some(
        "What was decided: of `decided`. A rule, a grant or a limit allows or refuses.",
    ))
}

/// Returns the schema of `by` of a step: who or what decided.
pub(crate) fn step_source_schema() -> ObjectBuilder {
    words_schema(["person", "rule", "grant", "limit", "timeout", "crash"]).description(Some(
        "Who or what decided that a person is asked (`shown`), whether the call may run \
         (`decided`), or that its outcome is not known (`result`); left out if nobody says it.",
    ))
}

/// Returns the schema of `outcome` of a step: the way in which the run ended.
pub(crate) fn step_outcome_schema() -> ObjectBuilder {
    words_schema([
        "succeeded",
        "failed",
        "unknown",
        "refused",
        "denied",
        "skipped",
    ])
    .description(Some("The way in which the run ended: of `result`."))
}

/// Returns the schema of `role` of a message: the kind of its author.
pub(crate) fn role_schema() -> ObjectBuilder {
    words_schema([Role::User, Role::Assistant].iter().map(Role::as_str))
}

fn words_schema<'a>(words: impl IntoIterator<Item = &'a str>) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words))
}

impl PartialSchema for ApprovalStatus {
    fn schema() -> RefOr<Schema> {
        let declared = [Self::Pending, Self::Approved, Self::Denied, Self::Aborted];
        words_schema(declared.iter().map(Self::as_str))
            .description(Some("The status of the approval of one run of a tool."))
            .into()
    }
}

impl ToSchema for ApprovalStatus {}

impl PartialSchema for EventType {
    fn schema() -> RefOr<Schema> {
        words_schema(EVENT_TYPES.iter().map(|info| info.name))
            .description(Some("What happened."))
            .into()
    }
}

impl ToSchema for EventType {
    fn name() -> Cow<'static, str> {
        "SseEventType".into()
    }
}

impl PartialSchema for ContentItem {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let id = || {
            text()
                .min_length(Some(1))
                .pattern(Some(MORE_THAN_WHITE_SPACE))
        };
        let results = ArrayBuilder::new()
            .items(Ref::from_schema_name(ToolApprovalResponse::name()))
            .min_items(Some(1))
            .max_items(Some(500));
        let items: [(&str, &str, RefOr<Schema>); 4] = [
            ("text", "text", text().into()),
            ("document", "fileId", id().into()),
            ("image", "imageId", id().into()),
            ("tool_approval_result", "toolApprovalResult", results.into()),
        ];
        let item = |(kind, name, value): (&str, &str, RefOr<Schema>)| {
            ObjectBuilder::new()
                .property(name, value)
                .required(name)
                .property("type", words_schema([kind]))
                .required("type")
        };
        items
            .into_iter()
            .map(item)
            .fold(OneOfBuilder::new(), OneOfBuilder::item)
            .description(Some(
                "One item of a posted message. `image_url` with `url` is understood as an image,\n\
                 `tool_approval_results` as `toolApprovalResult`.",
            ))
            .into()
    }
}

impl ToSchema for ContentItem {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let response = ToolApprovalResponse::schema();
        schemas.push((ToolApprovalResponse::name().into(), response));
    }
}

/// A regular expression for texts that have a character other than white space.
const MORE_THAN_WHITE_SPACE: &str =
    r"[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";

impl PartialSchema for ToolApprovalResponse {
    fn schema() -> RefOr<Schema> {
        let mut response = object_schema(ApprovalRequest::schema());
        response.description = Some(
            "The decision about one tool: the request as it was streamed, with `approvalResult` changed."
                .to_owned(),
        );
        response.required.retain(|name| name != "toolArguments");
        for (name, property) in &mut response.properties {
            let is_needed = response.required.contains(name);
            if let RefOr::T(Schema::Object(property)) = property
                && !is_needed
                && property.enum_values.is_none()
            {
                property.description = Some("If sent, it has to be as it was asked.".to_owned());
            }
        }
        let decisions = [
            ApprovalStatus::Approved,
            ApprovalStatus::Denied,
            ApprovalStatus::Aborted,
        ];
        let spelled = decisions.iter().map(ApprovalStatus::as_str);
        let result = words_schema(spelled.chain(["ABORTED"]));
        let accepts = ObjectBuilder::new().schema_type(Type::Boolean).description(Some(
            "Of an approval with `definition`: false if this call alone is approved, and not the tool as it\n\
             is defined now.",
        ));
        let grant = ObjectBuilder::new()
            .description(Some(
                "Extension `grants`, of an approval whose request has `grantScopes`: calls of this tool as it is\n\
                 defined now are allowed beforehand.",
            ))
            .property("scope", words_schema(["thread", "agent"]).description(Some(
                "In this conversation, or in all with this agent.",
            )))
            .required("scope")
            .property("until", ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
                .description(Some(
                    "The end of the permission: no later than `grantMaxSeconds` from now, and needed for `agent`.",
                )))
            .property("when", ObjectBuilder::new().description(Some(
                "Conditions on arguments, by JSON pointer, as in the file of an agent, or the word `same` for the value\n\
                 that the call has. They have to hold for the call itself.",
            )));
        let edited = ObjectBuilder::new().description(Some(
            "Extension `edited-arguments`, of an approval whose request has `editable`: all arguments of the call, as\n\
             it is to run. A text is read as `toolArguments` shows values; only what `editable` names may differ.",
        ));
        let properties = &mut response.properties;
        properties.insert("editedArguments".to_owned(), edited.into());
        properties.insert("approvalResult".to_owned(), result.into());
        properties.insert("grant".to_owned(), grant.into());
        properties.insert("acceptDefinition".to_owned(), accepts.into());
        response.into()
    }
}

impl ToSchema for ToolApprovalResponse {}

impl PartialSchema for MessageFile {
    fn schema() -> RefOr<Schema> {
        let ids = [("StoredDocument", "fileId"), ("StoredImage", "imageId")];
        let file = |(title, id): (&str, &str)| {
            let mut file = object_schema(StoredFile::schema());
            file.title = Some(title.to_owned());
            file.description = None;
            file.properties
                .retain(|name, _| !ids.iter().any(|(_, other)| name == other && name != id));
            file.required.insert(0, id.to_owned());
            file
        };
        ids.into_iter()
            .map(file)
            .fold(OneOfBuilder::new(), OneOfBuilder::item)
            .description(Some(
                "Extension: a file of a stored message, with the field by which the message named it.",
            ))
            .into()
    }
}

impl ToSchema for MessageFile {
    fn name() -> Cow<'static, str> {
        StoredFile::name()
    }
}

/// Returns the schema of an object out of one that was derived for a struct, so that it can be
/// changed; an empty one for any other schema.
fn object_schema(schema: RefOr<Schema>) -> Object {
    match schema {
        RefOr::T(Schema::Object(object)) => object,
        _ => Object::new(),
    }
}
