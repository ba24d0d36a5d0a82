//! The table `[[mcp]]` of an agent file: a tool server, which is a program or an address.

use std::{collections::BTreeMap, path::Path, time::Duration};

use reqwest::header::HeaderName;
use serde::Deserialize;

use super::model::{Headers, address, read_headers};
use crate::{
    agents::model::{
        core::limits::Limits,
        mcp::{Scope, ServerParameters, SessionBounds, ToolServer, Transport},
    },
    settings::fault::{AtPlace as _, Fault},
    settings::secret::{SecretSource, TextOrSecret},
};

/// A tool server, as an agent file gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerConfig {
    pub(super) id: String,
    /// The program and its arguments.
    command: Option<Vec<String>>,
    /// The environment of the program, besides `PATH`.
    #[serde(default)]
    env: BTreeMap<String, TextOrSecret>,
    /// The address of the server, instead of a program.
    url: Option<String>,
    /// Headers of requests to the address, whose values are keys.
    #[serde(default)]
    headers: BTreeMap<String, SecretSource>,
    /// Parameters that are added to the address.
    #[serde(default)]
    query: BTreeMap<String, TextOrSecret>,
    /// Patterns of the names of the tools that the model is offered; `None`: all tools of the
    /// server.
    pub(super) tools: Option<Vec<String>>,
    #[serde(default)]
    pub(super) definitions: NewDefinitions,
    /// The users or threads that share a process or session of the server; `None`: everybody, or
    /// the threads of one user where the server is told the user.
    scope: Option<Scope>,
    /// Most processes or sessions at once, where they are not for everybody; `None`:
    /// [`DEFAULT_SESSIONS`].
    sessions: Option<usize>,
    /// The seconds without a turn after which a process or session ends, where it is not for
    /// everybody; `None`: [`IDLE_SECONDS`].
    idle_seconds: Option<u64>,
    /// The name of the HTTP header that tells the server at `url` the user's id; `None`: it is not
    /// told.
    forward_user: Option<String>,
    /// The seconds that a start of the server may take.
    #[serde(default = "start_seconds")]
    start_seconds: u64,
    /// True if each report of progress gives a call its whole time anew.
    #[serde(default)]
    progress_extends: bool,
}

/// Returns the seconds that a start may take by default: enough for a program that is downloaded
/// first.
fn start_seconds() -> u64 {
    120
}

/// Largest number of seconds that an agent file may give a start.
const MAX_START_SECONDS: u64 = 3600;

/// Processes or sessions of a server that are not for everybody, unless the file says otherwise.
const DEFAULT_SESSIONS: usize = 16;
/// Most processes or sessions of a server that an agent file may allow.
const MAX_SESSIONS: usize = 1000;
const IDLE_SECONDS: u64 = 600;

/// Headers of the protocol and of the connection, which `forward_user` must not name; nor may it
/// name one that begins with `mcp-`.
const RESERVED_HEADERS: [&str; 9] = [
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "last-event-id",
    "transfer-encoding",
];

/// The treatment of tool definitions that nobody has seen yet.
#[derive(Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NewDefinitions {
    /// A person is asked about calls of new and changed tools until one is approved.
    #[default]
    Pinned,
    /// New and changed tools are used at once, as far as the policy lets them.
    Any,
}

impl ServerConfig {
    pub(super) fn open(&self, folder: &Path, limits: &Limits) -> Result<ToolServer, Fault> {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.id.is_empty() || !self.id.chars().all(letter) {
            return Err("it has letters, digits, - and _ only").at("id");
        }
        let (scope, bounds) = self.sharing()?;
        if !(1..=MAX_START_SECONDS).contains(&self.start_seconds) {
            let fault = format!("it is a number from 1 to {MAX_START_SECONDS}");
            return Err(fault).at("start_seconds");
        }
        let mut forward_user = None;
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
        let transport = match (&self.command, &self.url) {
            (Some(command), None) => {
                let mut words = command.iter().cloned();
                Transport::Program {
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
                forward_user = self.user_header(&headers).at("forward_user")?;
                Transport::Address { url, headers }
            }
            _ => return Err("give either command or url".into()),
        };
        if forward_user.is_none() && self.forward_user.is_some() {
            return Err("only a server with a url gets headers").at("forward_user");
        }
        let parameters = ServerParameters {
            id: self.id.clone(),
            transport,
            scope,
            bounds,
            start_timeout: Duration::from_secs(self.start_seconds),
            progress_extends: self.progress_extends,
            forward_user,
            secrets,
        };
        Ok(ToolServer::new(parameters, limits))
    }

    /// Returns who shares a session of the server, and how many sessions there may be.
    fn sharing(&self) -> Result<(Scope, SessionBounds), Fault> {
        let scope = match (self.scope, &self.forward_user) {
            (Some(Scope::Agent), Some(_)) => {
                let fault = "a server that is told the user has a session for each: give \"user\" \
                             or \"thread\" instead of \"agent\"";
                return Err(fault).at("scope");
            }
            (None, Some(_)) => Scope::User,
            (scope, _) => scope.unwrap_or_default(),
        };
        let given = [
            ("sessions", self.sessions.is_some()),
            ("idle_seconds", self.idle_seconds.is_some()),
        ];
        let useless = given.iter().find(|(_, given)| *given);
        if let Some((name, _)) = useless.filter(|_| scope == Scope::Agent) {
            return Err("it needs scope = \"thread\" or \"user\"").at(*name);
        }
        let max_sessions = self.sessions.unwrap_or(DEFAULT_SESSIONS);
        if !(1..=MAX_SESSIONS).contains(&max_sessions) {
            return Err(format!("it is a number from 1 to {MAX_SESSIONS}")).at("sessions");
        }
        let idle = self.idle_seconds.unwrap_or(IDLE_SECONDS);
        if idle == 0 {
            return Err("it is at least 1").at("idle_seconds");
        }
        let bounds = match scope {
            Scope::Agent => SessionBounds {
                max_sessions: 1,
                idle: None,
            },
            Scope::Thread | Scope::User => SessionBounds {
                max_sessions,
                idle: Some(Duration::from_secs(idle)),
            },
        };
        Ok((scope, bounds))
    }

    /// Returns the header that tells the user, if `forward_user` names one. A header that has
    /// another meaning, or that is among `others`, is an error.
    fn user_header(&self, others: &Headers) -> Result<Option<HeaderName>, String> {
        let Some(name) = &self.forward_user else {
            return Ok(None);
        };
        let header = HeaderName::try_from(name.as_str());
        let header = header.map_err(|_| "this is no name of a header".to_owned())?;
        if header.as_str().starts_with("mcp-") || RESERVED_HEADERS.contains(&header.as_str()) {
            return Err("this header has a meaning of its own".to_owned());
        }
        if others.iter().any(|(other, _)| *other == header) {
            return Err("headers has it, too".to_owned());
        }
        Ok(Some(header))
    }
}
