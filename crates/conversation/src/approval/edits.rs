//! Arguments that a person may change before approving (extension `edited-arguments`), and what was
//! changed. All of it is read from the request when it is drawn: few requests have any.

use assent_protocol::{FromJson as _, Json, quote};

use super::ToolRun;

/// An argument that a person may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditableArgument {
    /// The name of the argument.
    pub name: String,
    /// The argument's JSON schema, as a text; empty if the service does not tell one.
    pub schema: String,
    /// The value in the request.
    pub proposed: String,
}

impl EditableArgument {
    /// Returns the arguments that the request of a run names; those whose name it does not have
    /// exactly once are left out.
    #[must_use]
    pub fn of(run: &ToolRun) -> Vec<Self> {
        let Some(request) = run.request.as_ref().and_then(|request| request.read()) else {
            return Vec::new();
        };
        let argument = |pointer: &String| {
            let name = pointer.strip_prefix('/').filter(|it| !it.contains('/'))?;
            let name = name.replace("~1", "/").replace("~0", "~");
            let mut named = run.arguments.iter().filter(|(it, _)| *it == name);
            let (_, proposed) = named.next()?;
            let mut schemas = request.editable_schemas.iter();
            let schema = schemas.find(|(it, _)| it == pointer);
            named.next().is_none().then(|| Self {
                name,
                schema: schema.map(|(_, schema)| schema.clone()).unwrap_or_default(),
                proposed: proposed.clone(),
            })
        };
        request.editable.iter().filter_map(argument).collect()
    }
}

/// The arguments of a run that a person changed: the name, the value in the request and the new one.
pub type ArgumentChanges = Vec<(String, String, String)>;

/// Returns the JSON of `editedArguments` in the answer, all arguments with these new values; `None` if
/// nothing is another one.
#[must_use]
pub fn edited_json(arguments: &[(String, String)], edits: &[(String, String)]) -> Option<String> {
    let mut is_changed = false;
    let member = |(name, value): &(String, String)| {
        let edit = edits.iter().find(|(it, _)| it == name);
        let now = edit.map_or(value, |(_, now)| now);
        is_changed |= now != value;
        [quote(name), quote(now)].join(":")
    };
    let members: Vec<String> = arguments.iter().map(member).collect();
    is_changed.then(|| ["{", &members.join(","), "}"].concat())
}

/// Returns what was changed in a run: as the service stored it, or what the user wrote while it does
/// not.
#[must_use]
pub fn argument_changes(run: &ToolRun) -> ArgumentChanges {
    let told = run.stored.as_ref().or(run.request.as_ref());
    let told = told.and_then(|request| {
        let request = Json::new(request.as_str())?.object()?;
        request.get("editedArguments")
    });
    // What is decided is as the service stored it.
    let written = run.edited.as_deref().filter(|_| run.stored.is_none());
    let edited = told.or(written.and_then(Json::new));
    let edited: Vec<(String, String)> = edited.and_then(Vec::from_json).unwrap_or_default();
    let change = |(name, before): &(String, String)| {
        let (_, now) = edited.iter().find(|(it, _)| it == name)?;
        (now != before).then(|| (name.clone(), before.clone(), now.clone()))
    };
    run.arguments.iter().filter_map(change).collect()
}
