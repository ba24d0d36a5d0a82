//! The start of a server: a program in a process group of its own with an empty environment, or a
//! connection to an address.

use std::{collections::BTreeMap, path::PathBuf, process::Stdio as Pipe, time::Duration};

use assent_protocol::is_user_id;
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};
use rmcp::{
    RoleClient,
    model::ProtocolVersion,
    service::{ClientLifecycleMode, ClientServiceExt as _, RunningService},
};
use tokio::{process::Command, task::JoinHandle, time::timeout};

use super::{
    client::Client,
    http::{connect, reason},
    log::{StrayOutput, log},
    stdio::Stdio,
};
use crate::settings::secret::Secret;

/// The time that a connection has to close in order, and then the time that its program has to end
/// before it is killed.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// How a tool server is reached: as a program or at an address.
#[derive(Clone, Debug)]
pub(in crate::agents::model) enum Transport {
    /// A program on this machine, spoken to over its standard input and output.
    Program {
        program: String,
        arguments: Vec<String>,
        /// The environment of the program besides `PATH`.
        environment: BTreeMap<String, String>,
        /// The working folder of the program.
        folder: PathBuf,
    },
    /// An address, spoken to over HTTP.
    Address {
        url: Url,
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

impl Transport {
    /// Returns the transport with `header`, which tells the user's id with each request.
    ///
    /// # Errors
    ///
    /// The reason, for the log, if the user cannot be told: then the server is not asked at all.
    pub(super) fn with_user_header(&self, header: &HeaderName, user: &str) -> Result<Self, String> {
        let Self::Address { url, headers } = self else {
            return Err("a program is told no user".to_owned());
        };
        // As strictly as the user header of the service's own requests.
        let value = HeaderValue::from_bytes(user.as_bytes()).ok();
        let value = value.filter(|_| is_user_id(user));
        let mut value = value.ok_or("the user's id is none that a header can name")?;
        value.set_sensitive(true);
        Ok(Self::Address {
            url: url.clone(),
            headers: [headers.as_slice(), &[(header.clone(), value)]].concat(),
        })
    }
}

/// A tool server that runs: the connection to it, and its process if it is a program.
#[derive(Debug)]
pub(super) struct RunningServer {
    pub(super) service: RunningService<RoleClient, Client>,
    program: Option<Program>,
}

/// A program and everything that it started; all of them are killed when this is dropped.
#[derive(Debug)]
struct Program(Box<dyn ChildWrapper>);

impl Drop for Program {
    fn drop(&mut self) {
        // The whole group: what a program started may live on without it.
        let _is_gone = self.0.start_kill();
    }
}

impl RunningServer {
    /// Returns true if the connection to the server is open.
    pub(super) fn is_alive(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed()
    }

    /// Ends the server: its input is closed, and what is left of it after a while is killed.
    pub(super) async fn close(mut self) {
        if self.service.close_with_timeout(END_TIMEOUT).await.is_err() {
            tracing::warn!("a connection to a tool server did not end in order");
        }
        if let Some(program) = &mut self.program
            && timeout(END_TIMEOUT, program.0.wait()).await.is_err()
        {
            tracing::debug!("a tool server is killed");
        }
    }
}

/// Starts a server and shakes hands, with the newest protocol or with an older one.
///
/// # Errors
///
/// The reason, for the log.
pub(super) async fn start(
    id: &str,
    transport: &Transport,
    secrets: &[Secret],
) -> Result<RunningServer, String> {
    let client = Client::new(id, secrets);
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: None,
    };
    match transport {
        Transport::Program {
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
            command
                .stdin(Pipe::piped())
                .stdout(Pipe::piped())
                .stderr(Pipe::piped());
            let mut group = CommandWrap::from(command);
            group.wrap(ProcessGroup::leader());
            let spawned = group.spawn();
            let mut process = Program(spawned.map_err(|error| format!("{program}: {error}"))?);
            let said = process.0.stderr().take();
            let said = said.map(|said| tokio::spawn(log(id.to_owned(), said, secrets.to_vec())));
            let pipes = process.0.stdout().take().zip(process.0.stdin().take());
            let (output, input) = pipes.ok_or("it has no input and output")?;
            let transport = Stdio::new(output, input, StrayOutput::new(id, secrets));
            match client.serve_with_lifecycle(transport, lifecycle).await {
                Ok(service) => Ok(RunningServer {
                    service,
                    program: Some(process),
                }),
                Err(error) => Err(describe_death(process, said, &reason(&error)).await),
            }
        }
        Transport::Address { url, headers } => {
            let service = connect(client, url, headers, lifecycle).await?;
            Ok(RunningServer {
                service,
                program: None,
            })
        }
    }
}

/// Ends a program whose handshake failed; returns `reason` with the last line of the program's
/// standard error, which tells more.
async fn describe_death(
    process: Program,
    said: Option<JoinHandle<Option<String>>>,
    reason: &str,
) -> String {
    drop(process);
    let said = match said {
        Some(said) => timeout(END_TIMEOUT, said).await,
        None => return reason.to_owned(),
    };
    match said {
        Ok(Ok(Some(line))) => format!("{reason}; its last words were: {line}"),
        _ => reason.to_owned(),
    }
}
