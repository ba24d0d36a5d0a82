//! The storage format of drafts, unsent messages and positions, as JSON.

use assent_conversation::{
    Draft, FileRef, Millis, PostStatus, ReadingPosition, ThreadId, UnsentMessage, UploadedFile,
};
use assent_protocol::{Json, Object, quote};

/// The version of the record format. Records of a later version are left alone: a newer widget may
/// run in another tab.
pub(super) const RECORD_VERSION: &str = "1";

/// A value of the storage, as it was parsed.
pub(super) enum Record<'a> {
    Body(Millis, Object<'a>),
    /// The value was written by a later version of the widget.
    Later,
    Broken,
}

pub(super) fn parse_record(value: &str) -> Record<'_> {
    let Some(record) = Json::new(value).and_then(Json::object) else {
        return Record::Broken;
    };
    match record.get("version").map(Json::as_str) {
        Some(RECORD_VERSION) => Record::Body(Millis(integer_member(&record, "at")), record),
        Some(version) if version.parse::<u32>().is_ok() => Record::Later,
        _ => Record::Broken,
    }
}

pub(super) fn position_body(position: ReadingPosition) -> String {
    let ReadingPosition { message, below } = position;
    format!(r#""message":{message},"below":{below}"#)
}

pub(super) fn parse_position(body: &Object<'_>) -> ReadingPosition {
    ReadingPosition {
        message: usize::try_from(integer_member(body, "message")).unwrap_or_default(),
        below: i32::try_from(integer_member(body, "below")).unwrap_or_default(),
    }
}

#[inline(never)]
pub(super) fn draft_body(draft: &Draft) -> String {
    content_json(&draft.text, &draft.files)
}

/// Parses a draft, without its thread.
pub(super) fn parse_draft(body: &Object<'_>) -> Draft {
    Draft {
        thread: None,
        text: body.text("text"),
        files: parse_files(body),
    }
}

/// Parses a draft from the text that `draft_body` returns.
pub(super) fn parse_draft_text(body: &str) -> Draft {
    let value = ["{", body, "}"].concat();
    let object = Json::new(&value).and_then(Json::object);
    object.map(|body| parse_draft(&body)).unwrap_or_default()
}

fn content_json(text: &str, files: &[UploadedFile]) -> String {
    let files: Vec<String> = files.iter().map(file_json).collect();
    let (text, files) = (quote(text), files.join(","));
    [r#""text":"#, &text, r#","files":["#, &files, "]"].concat()
}

fn file_json(file: &UploadedFile) -> String {
    let (kind, id) = match &file.file {
        FileRef::Document(id) => ("fileId", id),
        FileRef::Image(id) => ("imageId", id),
    };
    let (name, id, size) = (quote(&file.name), quote(id), file.size);
    format!(r#"{{"name":{name},"size":{size},"{kind}":{id}}}"#)
}

fn parse_files(body: &Object<'_>) -> Vec<UploadedFile> {
    let file = |json: Json<'_>| {
        let file = json.object()?;
        let document = file.optional_text("fileId").map(FileRef::Document);
        let image = || file.optional_text("imageId").map(FileRef::Image);
        Some(UploadedFile {
            name: file.text("name"),
            size: integer_member(&file, "size").unsigned_abs(),
            file: document.or_else(image)?,
        })
    };
    let mut files = Vec::new();
    for json in body.get("files").and_then(Json::items).unwrap_or_default() {
        files.extend(file(json));
    }
    files
}

pub(super) fn unsent_body(unsent: &UnsentMessage) -> String {
    let thread = unsent.thread.as_ref().map(|id| quote(id.as_str()));
    let thread = thread.unwrap_or_else(|| "null".to_owned());
    let (Millis(at), older) = (unsent.at, unsent.older);
    let status = match unsent.status {
        PostStatus::Unposted => "unposted",
        PostStatus::Refused => "refused",
        PostStatus::Posted => "posted",
        PostStatus::Accepted => "accepted",
    };
    let content = content_json(&unsent.text, &unsent.files);
    let key = unsent.key.as_deref().map(quote).unwrap_or_default();
    let key = match key.is_empty() {
        true => key,
        false => [r#""key":"#, &key, ","].concat(),
    };
    // "standing" is the name of the status in every stored record; another one would lose them.
    format!(
        r#"{{"thread":{thread},"at":{at},"older":{older},{key}"standing":"{status}",{content}}}"#
    )
}

pub(super) fn parse_unsent(json: Json<'_>) -> Option<UnsentMessage> {
    let unsent = json.object()?;
    Some(UnsentMessage {
        thread: unsent.optional_text("thread").map(ThreadId),
        text: unsent.text("text"),
        files: parse_files(&unsent),
        at: Millis(integer_member(&unsent, "at")),
        older: u32::try_from(integer_member(&unsent, "older")).unwrap_or_default(),
        key: unsent.optional_text("key"),
        status: match unsent.text("standing").as_str() {
            "posted" => PostStatus::Posted,
            "refused" => PostStatus::Refused,
            "accepted" => PostStatus::Accepted,
            _ => PostStatus::Unposted,
        },
    })
}

/// Returns the whole number in the member `name`; 0 if there is none.
fn integer_member(of: &Object<'_>, name: &str) -> i64 {
    let number = of.get(name).and_then(|it| it.as_str().parse().ok());
    number.unwrap_or_default()
}
