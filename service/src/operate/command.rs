//! Commands of the program instead of serving: they look at agents, at the audit, and at grants.
//! The service may be running on the same database meanwhile.

use std::{
    io::{Write as _, stdout},
    path::Path,
};

use clap::Subcommand;
use serde::Serialize;

use crate::{
    Error, Result,
    agents::Agents,
    operate::address::{DatabaseAddress, FileAddress},
    rules::{audit::ChainHead, policy::check_grant},
    store::{self, Copied, DeletedCounts, OwnedGrant, Storage, Store},
};

/// A command of the program instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// List what each agent may do, with each tool's decision, or say what is wrong with a file.
    CheckAgents {
        /// The user that tool servers with `forward_user` are told.
        #[arg(long, value_name = "ID")]
        user: Option<String>,
    },
    /// Show or check the record of decisions about tools.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// List, give and revoke grants: what a user need not be asked about any more.
    #[command(subcommand)]
    Grants(GrantsCommand),
    /// Show or delete all that is stored of a user.
    #[command(subcommand)]
    Users(UsersCommand),
    /// Bring the tables of the database up to date, as each start of the service does.
    Migrate,
    /// Copy everything from a SQLite file into a PostgreSQL database that is empty. No service may use
    /// either.
    Copy {
        /// The SQLite file; the files that users sent are beside it.
        #[arg(long, value_name = "FILE")]
        from: DatabaseAddress,
        /// The PostgreSQL database.
        #[arg(long, value_name = "URL")]
        to: DatabaseAddress,
        /// Place that the files of users are copied to, as the service gets it with --uploads.
        #[arg(long, value_name = "DIR|URL")]
        uploads: Option<FileAddress>,
    },
}

/// A command about a user.
#[derive(Clone, Debug, Subcommand)]
pub enum UsersCommand {
    /// Print conversations, files, what agents keep, grants and tokens as JSON, a line each.
    Export {
        /// The user's id.
        id: String,
    },
    /// Delete all of that. The record of decisions stays: it holds hashes, and no texts.
    Delete {
        /// The user's id.
        id: String,
    },
}

/// A command about the audit.
#[derive(Clone, Debug, Subcommand)]
pub enum AuditCommand {
    /// Print all lines as JSON, a line each, and then the checkpoints.
    Export,
    /// Check that no line was changed or is missing, and print the number of lines and the last
    /// hash.
    Check {
        /// A hash that was printed before, or the first 12 characters of it: its line has to be
        /// there still.
        #[arg(long, value_name = "HASH")]
        has: Option<String>,
    },
}

/// A command about grants.
#[derive(Clone, Debug, Subcommand)]
pub enum GrantsCommand {
    /// Print all grants, revoked ones included.
    List,
    /// Let a tool, as it is defined now, run for a user without a question where one would be asked
    /// by default. Rules that ask or deny stay above it.
    Add {
        /// The user's id.
        #[arg(long)]
        user: String,
        /// The agent's id.
        #[arg(long)]
        agent: String,
        /// The tool as SERVER/TOOL; the agent has to have listed it to a user before.
        #[arg(long)]
        tool: String,
        /// Conditions on arguments as JSON, as in a rule's `when`.
        #[arg(long, value_name = "JSON", default_value = "{}")]
        when: String,
    },
    /// Take a grant back.
    Revoke {
        /// The grant's id.
        id: String,
    },
}

impl CliCommand {
    /// Runs the command, and prints its outcome.
    ///
    /// # Errors
    ///
    /// A sentence; [`Error::Audit`] if the audit is not whole.
    pub async fn run(self, storage: &Storage, agents: Option<&Path>) -> Result<()> {
        let lines = match self {
            Self::CheckAgents { user } => {
                let agents = Agents::load(agents)?;
                let checked = agents.check(user.as_deref()).await;
                agents.close().await;
                print(&checked.lines)?;
                return match checked.faults {
                    0 => Ok(()),
                    faults => Err(Error::Checked(faults)),
                };
            }
            Self::Audit(command) => {
                let store = Store::attach(storage).await?;
                let done = command.run(&store).await;
                store.close().await;
                return done;
            }
            Self::Grants(command) => {
                let store = Store::attach(storage).await?;
                let lines = command.lines(&store, agents).await;
                store.close().await;
                lines?
            }
            Self::Users(command) => {
                let store = Store::attach(storage).await?;
                let done = command.run(&store).await;
                store.close().await;
                return done;
            }
            Self::Migrate => {
                Store::migrate(storage).await?;
                let database = &storage.database;
                vec![format!("the tables of {database} are up to date")]
            }
            Self::Copy { from, to, uploads } => {
                let from = Storage::from(from.database("--from")?);
                let mut to = Storage::from(to.database("--to")?);
                if let Some(uploads) = uploads {
                    to.uploads = uploads.place()?;
                }
                let Copied {
                    rows,
                    files,
                    missing,
                } = store::copy(&from, &to).await?;
                vec![format!(
                    "copied: {rows} rows and {files} files; {missing} files were missing"
                )]
            }
        };
        print(&lines)
    }
}

fn print(lines: &[String]) -> Result<()> {
    let mut lines = lines.iter();
    let printed = lines.try_for_each(|line| writeln!(stdout(), "{line}"));
    printed.map_err(Error::Runtime)
}

impl UsersCommand {
    async fn run(self, store: &Store) -> Result<()> {
        match self {
            Self::Export { id } => {
                let told = store.export_user(&id, |line| print(&[line.to_string()]));
                told.await
            }
            Self::Delete { id } => {
                let DeletedCounts {
                    threads,
                    files,
                    memories,
                    grants,
                } = store.delete_user(&id).await?;
                print(&[format!(
                    "deleted: {threads} conversations, {files} files, {memories} sentences that \
                     agents kept, {grants} grants"
                )])
            }
        }
    }
}

fn as_json<T: Serialize>(values: &[T]) -> Result<Vec<String>> {
    let texts = values.iter().map(serde_json::to_string);
    Ok(texts.collect::<std::result::Result<_, _>>()?)
}

impl AuditCommand {
    async fn run(self, store: &Store) -> Result<()> {
        match self {
            Self::Export => {
                let mut last = ChainHead::default();
                loop {
                    let lines = store.audit_after(&last).await?;
                    let Some(line) = lines.last() else {
                        return print(&as_json(&store.checkpoints().await?)?);
                    };
                    last = line.head();
                    print(&as_json(&lines)?)?;
                }
            }
            Self::Check { has } => {
                let audit = store.audit().await?;
                if let Some(fault) = audit.fault(has.as_deref()) {
                    return Err(Error::Audit(fault));
                }
                // Of several chains one hash says all, once a checkpoint has their heads.
                let heads = audit.heads_without_checkpoint();
                let last = if !store.is_shared() {
                    audit.lines.last().map(|line| line.hash.clone())
                } else if heads.is_empty() {
                    audit.checkpoints.last().map(|last| last.hash.clone())
                } else {
                    Some(store.append_checkpoint(&heads).await?.hash)
                };
                let (lines, last) = (audit.lines.len(), last.as_deref().unwrap_or("none"));
                print(&[format!("{lines} lines; the last hash is {last}")])
            }
        }
    }
}

impl GrantsCommand {
    async fn lines(self, store: &Store, folder: Option<&Path>) -> Result<Vec<String>> {
        match self {
            Self::List => Ok(store.grants().await?.iter().map(line).collect()),
            Self::Add {
                user,
                agent,
                tool,
                when,
            } => {
                check_grant(&when).map_err(|fault| Error::Grant(format!("--when: {fault}")))?;
                let id = store.grant(&user, &agent, &tool, &when).await?;
                let id = id.map_or_else(|| Err(unlisted_tool_error(&agent, &tool, folder)), Ok)?;
                Ok(vec![id])
            }
            Self::Revoke { id } => {
                let revoked = store.revoke_grant(&id).await?;
                let none = || Error::Grant(format!("no grant {id} is in effect"));
                revoked.then(Vec::new).ok_or_else(none)
            }
        }
    }
}

/// Returns the error for a grant of a tool that no conversation has recorded. The folder of agents
/// tells a misspelt agent from one that was not spoken with yet; grants are given without it, too.
fn unlisted_tool_error(agent: &str, tool: &str, folder: Option<&Path>) -> Error {
    match folder.map(|folder| Agents::load(Some(folder))).transpose() {
        Err(error) => return error,
        Ok(Some(agents)) if agents.get(agent).is_none() => {
            let known: Vec<_> = agents.ids().collect();
            let known = known.join(", ");
            return Error::Grant(format!("there is no agent {agent:?}, but {known}"));
        }
        Ok(_) => (),
    }
    Error::Grant(format!(
        "the agent {agent:?} has no pinned tool {tool:?} that it has listed yet. A tool is listed \
         by the first message of a conversation with the agent; check-agents prints the names"
    ))
}

fn line(grant: &OwnedGrant) -> String {
    let state = match &grant.revoked_at {
        Some(at) => format!("ended {at}"),
        None => match &grant.until {
            Some(until) => format!("until {until}"),
            None => "in effect".to_owned(),
        },
    };
    let place = match &grant.thread_id {
        Some(thread) => format!(" in {thread}"),
        None => String::new(),
    };
    let OwnedGrant {
        id,
        user_id,
        agent_id,
        tool,
        arguments,
        granted_at,
        uses,
        ..
    } = grant;
    format!(
        "{id} {user_id:?} {agent_id}: {tool} {arguments}{place}, given {granted_at}, {state}, used {uses} times"
    )
}
