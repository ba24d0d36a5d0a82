//! The agent file of an agent with a model: `[model]`, its tools, its policy and its limits.

use std::{collections::BTreeMap, path::Path};

use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::{
    ModelAgent,
    client::{Model, Parameters},
    policy::PolicyFile,
    secret::SecretSource,
    servers::{Place, Server},
    step::Limits,
};
use crate::profile::Profile;

/// `agent.toml` of an agent with a model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelAgentFile {
    agent: Profile,
    /// What the model is told first: a text, or a file beside this one.
    #[serde(default)]
    instructions: Instructions,
    model: ModelFile,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    mcp: Vec<ServerFile>,
    #[serde(default)]
    policy: PolicyFile,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Instructions {
    Text(String),
    File { file: String },
}

impl Default for Instructions {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    /// The address before `/chat/completions`.
    base_url: String,
    name: String,
    /// The key, sent as `Authorization: Bearer …`.
    api_key: Option<SecretSource>,
    /// Further headers with keys in them.
    #[serde(default)]
    headers: BTreeMap<String, SecretSource>,
    /// Further parameters of the address.
    #[serde(default)]
    query: BTreeMap<String, String>,
    /// Tokens that request and answer may take together.
    #[serde(default = "context_tokens")]
    context_tokens: usize,
    /// Tokens that one answer may take.
    output_tokens: Option<u64>,
    /// Tries again before the first byte of an answer.
    #[serde(default = "retries")]
    retries: u32,
}

fn context_tokens() -> usize {
    32_768
}

fn retries() -> u32 {
    2
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerFile {
    id: String,
    /// The program and its arguments.
    command: Option<Vec<String>>,
    /// Its environment, besides `PATH`.
    #[serde(default)]
    env: BTreeMap<String, EnvironmentValue>,
    /// An address instead of a program.
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, SecretSource>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum EnvironmentValue {
    Plain(String),
    Secret(SecretSource),
}

impl ModelAgentFile {
    /// Makes the agent; `folder` is that of the file.
    pub(super) fn agent(self, id: &str, folder: &Path) -> Result<ModelAgent, String> {
        let instructions = match self.instructions {
            Instructions::Text(text) => text,
            Instructions::File { file } => std::fs::read_to_string(folder.join(&file))
                .map_err(|error| format!("instructions: {file}: {error}"))?,
        };
        let ids: Vec<&str> = self.mcp.iter().map(|server| server.id.as_str()).collect();
        let policy = self
            .policy
            .compile(&ids)
            .map_err(|fault| format!("policy: {fault}"))?;
        let context_tokens = self.model.context_tokens;
        let output_tokens = self.model.output_tokens.unwrap_or_default();
        let room = usize::try_from(output_tokens)
            .ok()
            .and_then(|output| context_tokens.checked_sub(output))
            .filter(|room| *room > 0)
            .ok_or("model: output_tokens leaves no room in context_tokens")?;
        let model = self
            .model
            .open(folder)
            .map_err(|fault| format!("model: {fault}"))?;
        let mut servers = Vec::new();
        for server in self.mcp {
            let id = server.id.clone();
            if servers.iter().any(|other: &Server| other.id == id) {
                return Err(format!("mcp: {id:?} is there twice"));
            }
            let server = server.open(folder, &self.limits);
            servers.push(server.map_err(|fault| format!("mcp {id}: {fault}"))?);
        }
        Ok(ModelAgent {
            profile: Profile {
                id: id.to_owned(),
                ..self.agent
            },
            instructions,
            model,
            request_tokens: room,
            limits: self.limits,
            policy,
            servers,
        })
    }
}

impl ModelFile {
    fn open(self, folder: &Path) -> Result<Model, String> {
        let base = format!("{}/chat/completions", self.base_url.trim_end_matches('/'));
        let mut url = Url::parse(&base).map_err(|error| format!("base_url: {error}"))?;
        if !["http", "https"].contains(&url.scheme()) {
            return Err("base_url: it begins with http:// or https://".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("base_url: a key does not belong into an address".to_owned());
        }
        for (name, value) in &self.query {
            url.query_pairs_mut().append_pair(name, value);
        }
        let (mut headers, mut secrets) = read_headers(&self.headers, folder)?;
        if let Some(source) = &self.api_key {
            let secret = source.read(folder).map_err(|f| format!("api_key: {f}"))?;
            let bearer = format!("Bearer {}", secret.expose());
            headers.push((AUTHORIZATION, header_value(&bearer)?));
            secrets.push(secret);
        }
        Model::new(Parameters {
            url: url.into(),
            name: self.name,
            headers,
            secrets,
            output_tokens: self.output_tokens,
            retries: self.retries,
        })
    }
}

impl ServerFile {
    fn open(self, folder: &Path, limits: &Limits) -> Result<Server, String> {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.id.is_empty() || !self.id.chars().all(letter) {
            return Err("an id has letters, digits, - and _ only".to_owned());
        }
        let place = match (self.command, self.url) {
            (Some(command), None) => {
                let mut words = command.into_iter();
                let program = words.next().ok_or("command is empty")?;
                let mut environment = BTreeMap::new();
                for (name, value) in self.env {
                    let value = match value {
                        EnvironmentValue::Plain(text) => text,
                        EnvironmentValue::Secret(source) => {
                            source.read(folder)?.expose().to_owned()
                        }
                    };
                    environment.insert(name, value);
                }
                Place::Program {
                    program,
                    arguments: words.collect(),
                    environment,
                    folder: folder.to_owned(),
                }
            }
            (None, Some(url)) => Place::Address {
                url: Url::parse(&url)
                    .map_err(|error| format!("url: {error}"))?
                    .into(),
                headers: read_headers(&self.headers, folder)?.0,
            },
            _ => return Err("give either command or url".to_owned()),
        };
        Ok(Server {
            id: self.id,
            place,
            call_timeout: limits.tool_timeout(),
            max_result_bytes: limits.tool_result_bytes,
            running: Mutex::default(),
        })
    }
}

type Headers = Vec<(HeaderName, HeaderValue)>;

fn read_headers(
    sources: &BTreeMap<String, SecretSource>,
    folder: &Path,
) -> Result<(Headers, Vec<super::secret::Secret>), String> {
    let mut headers = Vec::new();
    let mut secrets = Vec::new();
    for (name, source) in sources {
        let fault = |fault: String| format!("the header {name}: {fault}");
        let secret = source.read(folder).map_err(fault)?;
        let parsed = HeaderName::try_from(name.as_str())
            .map_err(|_| fault("this is no name of a header".to_owned()))?;
        headers.push((parsed, header_value(secret.expose()).map_err(fault)?));
        secrets.push(secret);
    }
    Ok((headers, secrets))
}

fn header_value(text: &str) -> Result<HeaderValue, String> {
    let mut value =
        HeaderValue::from_str(text).map_err(|_| "the key has odd characters".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}
