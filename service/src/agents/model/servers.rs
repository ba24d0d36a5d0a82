//! Tool servers by the Model Context Protocol: started when they are first needed, and again when
//! they have ended.
//!
//! A server gets no authority: it is offered no sampling, no roots and no elicitation, its hints
//! are hints, and a program is started with an empty environment in a process group of its own.

use std::{collections::BTreeMap, path::PathBuf, process::Stdio, time::Duration};

use process_wrap::tokio::{CommandWrap, ProcessGroup};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    Peer, RoleClient,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
        ContentBlock, Implementation, ProtocolVersion, ResourceContents,
    },
    service::{ClientLifecycleMode, ClientServiceExt as _, RunningService, ServiceError},
    transport::{
        StreamableHttpClientTransport, TokioChildProcess,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Map, Value};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{ChildStderr, Command},
    sync::Mutex,
    time::timeout,
};

use super::tools::Tool;
use crate::transcript::{CallEnd, UNKNOWN_OUTCOME};

/// The time that a server has for its start and for the list of its tools.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// The time that a server has to end.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Longest line of a server's diagnostics that goes into the log.
const MAX_LOG_LINE: usize = 400;

/// A tool server.
#[derive(Debug)]
pub(super) struct Server {
    /// Its id in the agent file.
    pub(super) id: String,
    /// The place where it runs.
    pub(super) place: Place,
    /// The time that one call may take.
    pub(super) call_timeout: Duration,
    /// Longest result of a call, in bytes; more of it is cut off.
    pub(super) max_result_bytes: usize,
    pub(super) running: Mutex<Option<Running>>,
}

type Running = RunningService<RoleClient, ClientConfig>;

/// The place where a server runs.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A program on this machine, spoken to over its standard input and output.
    Program {
        program: String,
        arguments: Vec<String>,
        /// Its environment besides `PATH`.
        environment: BTreeMap<String, String>,
        /// Its working folder.
        folder: PathBuf,
    },
    /// An address, spoken to over HTTP.
    Address {
        url: String,
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

/// The end of a call and its text for the model.
pub(super) type Outcome = (CallEnd, String);

impl Server {
    /// Returns the server's tools; those that no policy could speak of are left out.
    ///
    /// # Errors
    ///
    /// A sentence, where the server cannot be started or does not answer.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, String> {
        let peer = self.peer().await?;
        let listed = timeout(START_TIMEOUT, peer.list_all_tools()).await;
        let listed = match listed {
            Ok(Ok(listed)) => listed,
            Ok(Err(error)) => return Err(self.fault(&error.to_string())),
            Err(_) => return Err(self.fault("it does not answer")),
        };
        let tools = listed.iter().filter_map(|tool| {
            let hints = tool.annotations.as_ref();
            let made = Tool::new(
                &self.id,
                &tool.name,
                tool.description.as_deref().unwrap_or_default(),
                Value::Object(tool.input_schema.as_ref().clone()),
                hints.and_then(|hints| hints.read_only_hint) == Some(true),
            );
            if made.is_none() {
                tracing::warn!(server = self.id, tool = %tool.name, "a tool has an odd name");
            }
            made
        });
        Ok(tools.collect())
    }

    /// Calls a tool once, never again by itself.
    pub(super) async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Outcome {
        let peer = match self.peer().await {
            Ok(peer) => peer,
            Err(fault) => return (CallEnd::Failed, fault),
        };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let (end, mut text) = match timeout(self.call_timeout, peer.call_tool_once(request)).await {
            Ok(Ok(CallToolResponse::Complete(result))) => read(&result),
            Ok(Ok(_)) => (
                CallEnd::Failed,
                "The tool asked for something that only its own client could give.".to_owned(),
            ),
            Ok(Err(ServiceError::McpError(error))) => (CallEnd::Failed, error.message.to_string()),
            Ok(Err(error)) => {
                tracing::warn!(server = self.id, tool, %error, "a call was lost");
                (CallEnd::Unknown, UNKNOWN_OUTCOME.to_owned())
            }
            Err(_) => (CallEnd::Unknown, UNKNOWN_OUTCOME.to_owned()),
        };
        cut(&mut text, self.max_result_bytes);
        (end, text)
    }

    /// Ends the server, if it runs.
    pub(super) async fn close(&self) {
        if let Some(mut running) = self.running.lock().await.take()
            && let Err(error) = running.close_with_timeout(END_TIMEOUT).await
        {
            tracing::warn!(server = self.id, %error, "a tool server did not end in order");
        }
    }

    /// Returns the connection to the server, which is started if it does not run.
    async fn peer(&self) -> Result<Peer<RoleClient>, String> {
        let mut running = self.running.lock().await;
        if let Some(running) = running.as_ref()
            && !running.is_closed()
            && !running.is_transport_closed()
        {
            return Ok(running.peer().clone());
        }
        let started = match timeout(START_TIMEOUT, self.start()).await {
            Ok(started) => started?,
            Err(_) => return Err(self.fault("it does not answer")),
        };
        let peer = started.peer().clone();
        *running = Some(started);
        Ok(peer)
    }

    async fn start(&self) -> Result<Running, String> {
        // Nothing is offered to the server: it may only be asked.
        let name = Implementation::new("assent-service", env!("CARGO_PKG_VERSION"));
        let client = ClientConfig::new(ClientCapabilities::default(), name);
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: None,
        };
        let started = match &self.place {
            Place::Program {
                program,
                arguments,
                environment,
                folder,
            } => {
                let mut command = Command::new(program);
                command.args(arguments).current_dir(folder).env_clear();
                if let Some(path) = std::env::var_os("PATH") {
                    command.env("PATH", path);
                }
                command.envs(environment);
                let mut group = CommandWrap::from(command);
                group.wrap(ProcessGroup::leader());
                let spawned = TokioChildProcess::builder(group)
                    .stderr(Stdio::piped())
                    .spawn();
                let (process, errors) =
                    spawned.map_err(|error| self.fault(&format!("{program}: {error}")))?;
                if let Some(errors) = errors {
                    tokio::spawn(log_lines(self.id.clone(), errors));
                }
                client.serve_with_lifecycle(process, lifecycle).await
            }
            Place::Address { url, headers } => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                config.custom_headers = headers.iter().cloned().collect();
                let transport = StreamableHttpClientTransport::from_config(config);
                client.serve_with_lifecycle(transport, lifecycle).await
            }
        };
        started.map_err(|error| self.fault(&error.to_string()))
    }

    fn fault(&self, reason: &str) -> String {
        tracing::warn!(server = self.id, reason, "a tool server cannot be used");
        format!("The tool server {} cannot be used at the moment.", self.id)
    }
}

/// Writes what a server says on its standard error into the log, a line at a time.
async fn log_lines(server: String, errors: ChildStderr) {
    let mut lines = BufReader::new(errors).lines();
    while let Ok(Some(mut line)) = lines.next_line().await {
        cut(&mut line, MAX_LOG_LINE);
        tracing::debug!(server, "{line}");
    }
}

/// Reads a result: its texts, or without any its structured value.
fn read(result: &CallToolResult) -> Outcome {
    let end = if result.is_error == Some(true) {
        CallEnd::Failed
    } else {
        CallEnd::Succeeded
    };
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    if parts.is_empty()
        && let Some(value) = &result.structured_content
    {
        parts.push(value.to_string());
    }
    if parts.is_empty() {
        parts.push("(no output)".to_owned());
    }
    (end, parts.join("\n"))
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            _ => "(a file that is no text)".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        ContentBlock::Image(_) => "(an image)".to_owned(),
        ContentBlock::Audio(_) => "(a sound)".to_owned(),
        _ => "(something else)".to_owned(),
    }
}

/// Cuts a text to this many bytes, between characters, and says so.
fn cut(text: &mut String, max_bytes: usize) {
    if text.len() <= max_bytes {
        return;
    }
    let length = text.len();
    text.truncate(text.floor_char_boundary(max_bytes));
    text.push_str(&format!("\n(cut: {length} bytes in all)"));
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        let mut text = "aäb".to_owned();
        cut(&mut text, 2);
        assert_eq!(text, "a\n(cut: 4 bytes in all)");
        let mut short = "aä".to_owned();
        cut(&mut short, 3);
        assert_eq!(short, "aä");
    }
}
