//! A tool server over standard input and output: notes in one file, a line each.
//!
//! `notes FILE` – `list` reads them, `add` appends one, and the service's tests count its lines to
//! see how often a tool ran. `count` counts its own calls in this process. `environment` tells which
//! variables the server was started with, and `protocol` which version of the protocol the client
//! speaks; `confirm` asks for an input.

use std::{
    borrow::Cow,
    fs::OpenOptions,
    io::Write as _,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
    transport::io::stdio,
};
use serde_json::{Map, Value, json};

struct Notes {
    file: PathBuf,
    calls: AtomicUsize,
}

impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let text = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
        let nothing = json!({ "type": "object" });
        let tools = vec![
            tool("list", self.description(), &nothing, true),
            tool("add", "Adds a note.", &text, false),
            tool(
                "environment",
                "Names the variables of the server.",
                &nothing,
                true,
            ),
            tool("hang", "Adds a note and never answers.", &text, false),
            tool("protocol", "Names the protocol's version.", &nothing, true),
            tool("confirm", "Wants to be told more first.", &nothing, true),
            tool("count", "Counts its calls.", &nothing, true),
        ];
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match request.name.as_ref() {
            "list" => Ok(std::fs::read_to_string(&self.file).unwrap_or_default()),
            "add" => self.add(&arguments),
            "hang" => {
                // The note is there, and nobody hears of it.
                if self.add(&arguments).is_ok() {
                    std::future::pending::<()>().await;
                }
                Err("the file cannot be written".to_owned())
            }
            "environment" => {
                let names =
                    std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
                let mut names: Vec<String> = names.collect();
                names.sort();
                Ok(names.join(" "))
            }
            "protocol" => {
                let version = context.protocol_version();
                version
                    .map(|version| version.to_string())
                    .ok_or_else(|| "it was not named".to_owned())
            }
            "confirm" => return Ok(InputRequiredResult::from_request_state("more").into()),
            "count" => Ok((self.calls.fetch_add(1, Ordering::AcqRel) + 1).to_string()),
            other => Err(format!("there is no tool {other}")),
        };
        Ok(match result {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        }
        .into())
    }
}

impl Notes {
    /// The description of `list`: another text, if there is a file with it.
    fn description(&self) -> String {
        let file = self.file.with_extension("description");
        std::fs::read_to_string(file).unwrap_or_else(|_| "Lists all notes.".to_owned())
    }

    fn add(&self, arguments: &Map<String, Value>) -> Result<String, String> {
        let text = arguments.get("text").and_then(Value::as_str);
        let text = text.ok_or("text is missing")?;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)
            .map_err(|error| error.to_string())?;
        writeln!(file, "{text}").map_err(|error| error.to_string())?;
        Ok("added".to_owned())
    }
}

fn tool(
    name: &'static str,
    description: impl Into<Cow<'static, str>>,
    schema: &Value,
    read_only: bool,
) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    let mut tool = Tool::new(name, description.into(), Arc::new(schema));
    tool.annotations = Some(ToolAnnotations::new().read_only(read_only));
    tool
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: notes FILE")?;
    let server = Notes {
        file: file.into(),
        calls: AtomicUsize::new(0),
    };
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
