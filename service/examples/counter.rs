//! A tool server whose tools can be watched from outside: `counter FILE ADDRESS` connects to the
//! address when its tools are listed, before a tool does anything, and after it did; it goes on
//! when it is told to, and ends when the connection does.
//!
//! All tools append a line to the file, with the id of their execution and the number that they were
//! given, so that a test of kills can count; for an agent file `look` is one that reads.

use std::{fmt::Display, fs::OpenOptions, io::Write as _, path::PathBuf, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::io::stdio,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

struct Counter {
    file: PathBuf,
    watcher: String,
}

impl ServerHandler for Counter {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.report("listed").await?;
        let schema = json!({ "type": "object", "properties": { "n": { "type": "number" } } });
        let schema = schema.as_object().cloned().unwrap_or_default();
        let schema = Arc::new(schema);
        let count = Tool::new("count", "Counts.", Arc::clone(&schema));
        let tick = Tool::new("tick", "Ticks.", Arc::clone(&schema));
        let look = Tool::new("look", "Looks.", schema);
        Ok(ListToolsResult::with_all_items(vec![count, tick, look]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let meta = serde_json::to_value((&request.meta, &context.meta)).unwrap_or_default();
        let id = |meta: &Value| Some(meta.get("assent/executionId")?.as_str()?.to_owned());
        let execution = meta.as_array().into_iter().flatten().find_map(id);
        let execution = execution.ok_or_else(|| lost(&"there is no execution id"))?;
        self.report("called").await?;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file)
            .map_err(|error| lost(&error))?;
        let number = request.arguments.as_ref().and_then(|it| it.get("n"));
        let number = number.map(Value::to_string).unwrap_or_default();
        writeln!(file, "{execution} {number}").map_err(|error| lost(&error))?;
        self.report("done").await?;
        Ok(CallToolResult::success(vec![ContentBlock::text("counted")]).into())
    }
}

impl Counter {
    /// Tells the watcher what happens, and waits until it says to go on.
    async fn report(&self, what: &str) -> Result<(), ErrorData> {
        let mut watcher = TcpStream::connect(&self.watcher)
            .await
            .map_err(|error| lost(&error))?;
        let line = format!("{what}\n");
        watcher
            .write_all(line.as_bytes())
            .await
            .map_err(|error| lost(&error))?;
        let mut told = String::new();
        let mut reader = BufReader::new(watcher);
        reader
            .read_line(&mut told)
            .await
            .map_err(|error| lost(&error))?;
        match told.as_str() {
            "go\n" => Ok(()),
            _ => Err(lost(&"the watcher is gone")),
        }
    }
}

fn lost(error: &dyn Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None::<Value>)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, watcher) = (arguments.next(), arguments.next());
    let server = Counter {
        file: file.ok_or("usage: counter FILE ADDRESS")?.into(),
        watcher: watcher.ok_or("usage: counter FILE ADDRESS")?,
    };
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
