//! `[[mcp]]`: a tool server, which is a program or an address.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::model::{address, read_headers};
use crate::agents::model::{
    fault::{At as _, Fault},
    limits::Limits,
    secret::{SecretSource, TextOrSecret},
    servers::{Place, Server},
};

/// A tool server, as an agent file gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerFile {
    pub(super) id: String,
    /// The program and its arguments.
    command: Option<Vec<String>>,
    /// Its environment, besides `PATH`.
    #[serde(default)]
    env: BTreeMap<String, TextOrSecret>,
    /// An address instead of a program.
    url: Option<String>,
    /// Headers with keys in them.
    #[serde(default)]
    headers: BTreeMap<String, SecretSource>,
    /// Further parameters of the address.
    #[serde(default)]
    query: BTreeMap<String, TextOrSecret>,
    #[serde(default)]
    pub(super) definitions: Definitions,
}

/// What is done with definitions of tools that nobody has seen yet.
#[derive(Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Definitions {
    /// Calls of new and changed tools are asked about until a person approves one.
    #[default]
    Pinned,
    /// They are used as they come.
    Any,
}

impl ServerFile {
    pub(super) fn open(&self, folder: &Path, limits: &Limits) -> Result<Server, Fault> {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.id.is_empty() || !self.id.chars().all(letter) {
            return Err("it has letters, digits, - and _ only").at("id");
        }
        let mut secrets = Vec::new();
        let mut values = |values: &BTreeMap<String, TextOrSecret>| {
            let mut read = BTreeMap::new();
            for (name, value) in values {
                let (value, secret) = value.read(folder).at(name.as_str())?;
                secrets.extend(secret);
                read.insert(name.clone(), value);
            }
            Ok::<_, Fault>(read)
        };
        let place = match (&self.command, &self.url) {
            (Some(command), None) => {
                let mut words = command.iter().cloned();
                Place::Program {
                    program: words.next().ok_or("it is empty").at("command")?,
                    arguments: words.collect(),
                    environment: values(&self.env).at("env")?,
                    folder: folder.to_owned(),
                }
            }
            (None, Some(url)) => {
                let mut url = address(url).at("url")?;
                for (name, value) in values(&self.query).at("query")? {
                    url.query_pairs_mut().append_pair(&name, &value);
                }
                let (headers, keys) = read_headers(&self.headers, folder).at("headers")?;
                secrets.extend(keys);
                Place::Address { url, headers }
            }
            _ => return Err("give either command or url".into()),
        };
        Ok(Server::new(self.id.clone(), place, secrets, limits))
    }
}
