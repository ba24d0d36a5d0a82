//! The tables `[model]` and `[[models]]` of an agent file: an address, what is sent to it, and what
//! the model there understands.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    agents::model::{
        provider::{
            endpoint::{Endpoint, ModelParameters},
            habits::Habits,
            presets::{preset, thinks_first},
        },
        request::wire::{Dialect, ToolMode},
    },
    settings::fault::{AtPlace as _, Fault},
    settings::secret::{Secret, SecretSource, TextOrSecret},
};

/// Tokens that request and answer may take together where the file has no `context_tokens`.
const CONTEXT_TOKENS: usize = 32_768;

/// A model, as an agent file gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelConfig {
    /// The id by which `fallback` of `[model]` names a model of `[[models]]`; `[model]` itself has
    /// none.
    pub(super) id: Option<String>,
    /// The address of the model's server, without `/chat/completions` at its end.
    base_url: String,
    name: String,
    /// The key, sent as `Authorization: Bearer …`.
    api_key: Option<SecretSource>,
    /// Further headers of requests, whose values are keys.
    #[serde(default)]
    headers: BTreeMap<String, SecretSource>,
    /// Parameters that are added to the address.
    #[serde(default)]
    query: BTreeMap<String, TextOrSecret>,
    #[serde(default)]
    pub(super) tools: ToolMode,
    /// The kinds of content that the model reads.
    #[serde(default = "default_input")]
    input: Vec<InputKind>,
    /// Tokens that request and answer may take together; `None`: the file does not say what the
    /// model reads.
    pub(super) context_tokens: Option<usize>,
    /// Tokens that one answer may take; `None`: requests do not limit it.
    output_tokens: Option<u64>,
    /// The name of a well-known server whose habits the model's server has.
    preset: Option<String>,
    /// Further parameters of each request, which are sent as they are here.
    #[serde(default)]
    parameters: Map<String, Value>,
    /// Names of parameters that requests leave out.
    #[serde(default)]
    omit: BTreeSet<String>,
    /// The name of the parameter of requests that has the value of `output_tokens`; `None`: the
    /// usual name.
    max_tokens_name: Option<String>,
    /// The parameter `tool_choice` of requests that offer tools; `None`: it is not sent.
    tool_choice: Option<Value>,
    /// The parameter `parallel_tool_calls` of requests that offer tools; `None`: it is not sent.
    parallel_tool_calls: Option<bool>,
    /// True if the model's text begins with thoughts, up to a lone `</think>`; `None`: the model's
    /// name decides.
    thinks_first: Option<bool>,
    /// The number of times that a request is sent again before the first byte of an answer.
    #[serde(default = "retries")]
    retries: u32,
    /// The ids of the models of `[[models]]` that are asked, in this order, where this one gives no
    /// answer.
    #[serde(default)]
    pub(super) fallback: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum InputKind {
    Text,
    Image,
}

/// Parameters of requests that the service sets itself, and that `parameters` must not have.
const OWN_PARAMETERS: [&str; 7] = [
    "model",
    "messages",
    "tools",
    "stream",
    "response_format",
    "tool_choice",
    "parallel_tool_calls",
];

/// Parameters without which there is no request, and that `omit` must not name.
const REQUIRED_PARAMETERS: [&str; 3] = ["model", "messages", "tools"];

fn default_input() -> Vec<InputKind> {
    vec![InputKind::Text]
}

fn retries() -> u32 {
    2
}

impl ModelConfig {
    pub(super) fn open(&self, folder: &Path) -> Result<Endpoint, Fault> {
        let output = usize::try_from(self.output_tokens.unwrap_or_default()).ok();
        let context = self.context_tokens.unwrap_or(CONTEXT_TOKENS);
        let request_tokens = output
            .and_then(|output| context.checked_sub(output))
            .filter(|room| *room > 0)
            .ok_or("it leaves no room in context_tokens")
            .at("output_tokens")?;
        let mut url = append_path(&self.base_url, "/chat/completions").at("base_url")?;
        let mut secrets = Vec::new();
        for (name, value) in &self.query {
            let (value, secret) = value.read(folder).at(name.as_str()).at("query")?;
            url.query_pairs_mut().append_pair(name, &value);
            secrets.extend(secret);
        }
        let (mut headers, keys) = read_headers(&self.headers, folder).at("headers")?;
        secrets.extend(keys);
        if let Some(source) = &self.api_key {
            let (value, secret) = bearer(source, folder).at("api_key")?;
            headers.push((AUTHORIZATION, value));
            secrets.push(secret);
        }
        let parameters = ModelParameters {
            url,
            headers,
            secrets,
            retries: self.retries,
            dialect: Dialect {
                name: self.name.clone(),
                endpoint: String::new(),
                tools: self.tools,
                images: self.input.contains(&InputKind::Image),
                request_tokens,
                output_tokens: self.output_tokens,
                habits: self.habits()?,
            },
        };
        Ok(Endpoint::new(parameters)?)
    }

    /// Returns what the model's server takes, refuses and wants: what `preset` says, changed by the
    /// other fields of the table.
    fn habits(&self) -> Result<Habits, Fault> {
        let mut habits = match &self.preset {
            Some(name) => preset(name).at("preset")?,
            None => Habits::default(),
        };
        for name in self.parameters.keys() {
            if OWN_PARAMETERS.contains(&name.as_str()) {
                let fault = "the service says this itself";
                return Err(fault).at(name.as_str()).at("parameters");
            }
        }
        if let Some(name) = self
            .omit
            .iter()
            .find(|name| REQUIRED_PARAMETERS.contains(&name.as_str()))
        {
            return Err(format!("there is no request without {name}")).at("omit");
        }
        habits.parameters.clone_from(&self.parameters);
        habits
            .omit
            .retain(|name| !self.parameters.contains_key(name));
        habits.omit.extend(self.omit.iter().cloned());
        if let Some(name) = &self.max_tokens_name {
            habits.max_tokens_name.clone_from(name);
        }
        habits.tool_choice.clone_from(&self.tool_choice);
        habits.parallel_tool_calls = self.parallel_tool_calls;
        habits.thinks_first = self
            .thinks_first
            .unwrap_or_else(|| thinks_first(&self.name));
        Ok(habits)
    }
}

/// Names and values of HTTP headers that are sent with each request.
pub(super) type Headers = Vec<(HeaderName, HeaderValue)>;

/// Returns the address `base` with `path` added; an error is a fault of `base`.
pub(super) fn append_path(base: &str, path: &str) -> Result<Url, String> {
    let base = base.trim_end_matches('/');
    if address(base)?.query().is_some() {
        return Err("parameters do not belong into it".to_owned());
    }
    if base.ends_with(path) {
        return Err(format!("{path} is added to it; leave it out"));
    }
    address(&format!("{base}{path}"))
}

/// Reads an address with `http` or `https`; a user name or password in it is an error.
pub(super) fn address(text: &str) -> Result<Url, String> {
    // `localhost:11434` is an address with the scheme `localhost`.
    let schemes = ["http://", "https://"];
    if !schemes.iter().any(|scheme| text.starts_with(scheme)) {
        let example = "such as http://127.0.0.1:11434/v1";
        return Err(format!("it begins with http:// or https://, {example}"));
    }
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a key does not belong into an address".to_owned());
    }
    Ok(url)
}

pub(super) fn read_headers(
    sources: &BTreeMap<String, SecretSource>,
    folder: &Path,
) -> Result<(Headers, Vec<Secret>), Fault> {
    let mut headers = Vec::new();
    let mut secrets = Vec::new();
    for (name, source) in sources {
        let parsed = HeaderName::try_from(name.as_str());
        let parsed = parsed.map_err(|_| "this is no name of a header");
        let secret = source.read(folder).at(name.as_str())?;
        let value = header_value(&secret.expose()).at(name.as_str())?;
        headers.push((parsed.at(name.as_str())?, value));
        secrets.push(secret);
    }
    Ok((headers, secrets))
}

/// Returns the header `Authorization` with a key, and the key.
pub(super) fn bearer(
    source: &SecretSource,
    folder: &Path,
) -> Result<(HeaderValue, Secret), String> {
    let secret = source.read(folder)?;
    Ok((
        header_value(&format!("Bearer {}", secret.expose()))?,
        secret,
    ))
}

fn header_value(text: &str) -> Result<HeaderValue, String> {
    let value = HeaderValue::from_str(text);
    let mut value = value.map_err(|_| "the key has characters that no header may have")?;
    value.set_sensitive(true);
    Ok(value)
}
