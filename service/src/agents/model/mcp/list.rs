//! The list of a server's tools, page by page and entry by entry: what is wrong with one entry takes
//! no other one away.

use std::{collections::BTreeSet, fmt};

use rmcp::{
    Peer, RoleClient,
    model::{ClientRequest, ListToolsRequest, PaginatedRequestParams},
    service::ServiceError,
};
use serde_json::{Map, Value};

use crate::rules::policy::Tool;

/// Most entries of a list that are read: no model could use more tools than that.
const MAX_TOOLS: usize = 500;
/// Most pages of a list that are read.
const MAX_PAGES: usize = 100;

/// Longest name of a tool that a sentence quotes, in bytes.
const MAX_QUOTED_NAME_BYTES: usize = 128;

/// The tools that a server lists, and what of its list is left out.
#[derive(Clone, Debug, Default)]
pub(in crate::agents::model) struct ToolList {
    pub(in crate::agents::model) tools: Vec<Tool>,
    /// Sentences about what of the list is left out, and why.
    pub(in crate::agents::model) left_out: Vec<String>,
    /// The number of entries of the list that were read.
    entries: usize,
    names: BTreeSet<String>,
}

/// The reason why a page could not be read.
pub(super) enum PageError {
    /// The server did not answer, or answered with an error.
    Service(ServiceError),
    /// The answer is no list of tools.
    Malformed,
}

impl From<ServiceError> for PageError {
    fn from(error: ServiceError) -> Self {
        Self::Service(error)
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service(error) => error.fmt(f),
            Self::Malformed => f.write_str("what it answers is no list of tools"),
        }
    }
}

/// A page of a server's list of tools.
struct ToolPage {
    entries: Vec<Value>,
    next_cursor: Option<String>,
}

/// Reads the list of a server's tools page by page, at most [`MAX_PAGES`] pages and [`MAX_TOOLS`]
/// entries.
///
/// # Errors
///
/// The first page could not be read, or the connection was lost.
pub(super) async fn read_list(
    server: &str,
    peer: &Peer<RoleClient>,
) -> Result<ToolList, PageError> {
    let mut list = ToolList::default();
    let mut cursor = None;
    for _ in 0..MAX_PAGES {
        let page = match read_page(peer, cursor.clone()).await {
            Ok(page) => page,
            Err(error @ (PageError::Malformed | PageError::Service(ServiceError::McpError(_))))
                if cursor.is_some() =>
            {
                let count = list.tools.len();
                list.left_out.push(format!(
                    "its list breaks off after {count} of its tools: {error}"
                ));
                return Ok(list);
            }
            Err(error) => return Err(error),
        };
        // There are servers whose last page leads to itself.
        if cursor.is_some() && cursor == page.next_cursor && list.has_all(&page.entries) {
            return Ok(list);
        }
        for entry in page.entries {
            if list.entries == MAX_TOOLS {
                list.note_left_out();
                return Ok(list);
            }
            list.add(server, &entry);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(list);
        }
    }
    list.note_left_out();
    Ok(list)
}

/// Asks for a page of the list. `Peer::list_tools` reads all entries of a page as one: a single
/// malformed one would take all others away. An answer that `rmcp` cannot read as a list it hands
/// out as JSON, which is read here.
async fn read_page(peer: &Peer<RoleClient>, cursor: Option<String>) -> Result<ToolPage, PageError> {
    let from = PaginatedRequestParams::default().with_cursor(cursor);
    let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(from));
    let answer = peer.send_request(request).await?;
    let mut answer = serde_json::to_value(answer).unwrap_or_default();
    let next_cursor = answer.get("nextCursor").and_then(Value::as_str);
    let next_cursor = next_cursor.map(str::to_owned);
    match answer.get_mut("tools").map(Value::take) {
        Some(Value::Array(entries)) => Ok(ToolPage {
            entries,
            next_cursor,
        }),
        _ => Err(PageError::Malformed),
    }
}

impl ToolList {
    /// Returns true if this list has the names of all these entries already.
    fn has_all(&self, entries: &[Value]) -> bool {
        let name = |entry: &Value| Some(entry.get("name")?.as_str()?.to_owned());
        let is_known = |entry| name(entry).is_none_or(|name| self.names.contains(&name));
        entries.iter().all(is_known)
    }

    fn note_left_out(&mut self) {
        self.left_out.push(format!(
            "what is beyond {MAX_TOOLS} entries or {MAX_PAGES} pages of its list is left out"
        ));
    }

    /// Adds the tool of an entry, or a sentence that says why it has none.
    fn add(&mut self, server: &str, entry: &Value) {
        self.entries += 1;
        let name = entry.get("name").and_then(Value::as_str);
        let tool = match name {
            Some(name) if !self.names.insert(name.to_owned()) => {
                Err("another one has its name".to_owned())
            }
            _ => read_entry(server, entry),
        };
        match tool {
            Ok(tool) => self.tools.push(tool),
            Err(why) => {
                let who = match name {
                    Some(name) => {
                        let end = name.floor_char_boundary(MAX_QUOTED_NAME_BYTES);
                        format!("{:?}", name.get(..end).unwrap_or_default())
                    }
                    None => format!("number {}", self.entries),
                };
                let sentence = format!("the tool {who} is left out: {why}");
                self.left_out.push(sentence);
            }
        }
    }
}

/// Reads an entry of the list as a tool. The members that are read have to be what the protocol
/// says; all others, such as the schema of the tool's results, are for other clients, and may be
/// anything.
fn read_entry(server: &str, entry: &Value) -> Result<Tool, String> {
    let entry = entry.as_object().ok_or("it is no object")?;
    let name = text(entry, "name")?.ok_or("it has no name")?;
    text(entry, "title")?;
    let description = text(entry, "description")?.unwrap_or_default();
    let schema = match entry.get("inputSchema") {
        None | Some(Value::Null) => return Err("it has no inputSchema".to_owned()),
        Some(schema @ Value::Object(_)) => schema.clone(),
        Some(_) => return Err("its inputSchema is no object".to_owned()),
    };
    let hints = match entry.get("annotations") {
        None | Some(Value::Null) => Hints::default(),
        Some(Value::Object(hints)) => Hints::read(hints)?,
        Some(_) => return Err("its annotations are no object".to_owned()),
    };
    let tool = Tool::new(server, name, description, schema, hints.read_only);
    let tool = tool.ok_or_else(|| {
        "its name has to be 1 to 128 of the characters a-z, A-Z, 0-9, _, - and .".to_owned()
    })?;
    Ok(tool.with_destructive_hint(hints.destructive))
}

fn text<'a>(entry: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match entry.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("its {name} is no text")),
    }
}

/// What a server hints at of a tool's effect.
#[derive(Default)]
struct Hints {
    /// True if the server says that the tool changes nothing.
    read_only: bool,
    /// Whether the tool destroys something; `None` if the server does not say so, and for a tool
    /// that is read-only.
    destructive: Option<bool>,
}

impl Hints {
    fn read(hints: &Map<String, Value>) -> Result<Self, String> {
        let is_odd = |(name, value): &(&String, &Value)| {
            name.ends_with("Hint") && !(value.is_boolean() || value.is_null())
        };
        if let Some((name, _)) = hints.iter().find(is_odd) {
            return Err(format!("its hint {name} is neither true nor false"));
        }
        let hint = |name| hints.get(name).and_then(Value::as_bool);
        let read_only = hint("readOnlyHint") == Some(true);
        Ok(Self {
            read_only,
            // It has a meaning only where something is changed.
            destructive: hint("destructiveHint").filter(|_| !read_only),
        })
    }
}
