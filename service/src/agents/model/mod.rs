//! The agent with a model: any server of chat completions, tools by the Model Context Protocol, and
//! a policy that says which of them a person is asked about.
//!
//! - [`mod@core`] – the run as a pure core: what to do after each thing that happened.
//! - [`run`] – carries it out.
//! - [`request`] – requests: the transcript, what of it has room, files.
//! - [`provider`] – servers of models: connections, answers, and habits.
//! - [`mcp`] – tool servers; [`tools`] – their tools and those of the agent itself.
//! - [`orchestration`] – routing, plans, reviews, reflection.
//! - [`knowledge`], [`memory`], [`colleagues`] – folders that it searches, what it keeps of a person,
//!   and other agents that it asks.
//! - [`title`] – the title of a conversation.
//! - [`mod@file`] – the agent file, what is wrong with it, and the keys that it names.

mod colleagues;
mod core;
mod file;
mod knowledge;
mod mcp;
mod memory;
mod orchestration;
mod provider;
mod request;
mod run;
mod title;
mod tools;

use std::{collections::BTreeSet, path::Path};

use self::core::limits::Limits;
use assent_protocol::StoredMessage;
use colleagues::Colleagues;
use file::ModelAgentFile;
use futures_util::future::{BoxFuture, join_all};
use knowledge::KnowledgeFolders;
use mcp::ToolServer;
use memory::MemoryConfig;
use orchestration::Abilities;
use provider::client::Model;
use title::{TitlesConfig, make_title};
use tokio::time::Instant;
use tools::{
    offer::{ChosenTools, too_many_warning},
    offered::OfferedTool,
    own::OwnTools,
};

use super::{
    Agents, CheckReport,
    agent::{Agent, Answer, AnswerFuture, Turn},
};
use crate::{
    profile::Profile,
    rules::{
        arguments::Arguments,
        policy::{Policy, ServiceRules, Tool},
    },
    store::{StateScope, ThreadKey},
    telemetry::metrics::Metrics,
    transcript::Call,
};

/// An agent with a model behind it.
#[derive(Debug)]
pub(super) struct ModelAgent {
    profile: Profile,
    instructions: String,
    model: Model,
    /// True if the model sums up old turns before there is no room for them: its agent file says
    /// how many tokens it reads.
    sums_up: bool,
    limits: Limits,
    policy: Policy,
    titles: TitlesConfig,
    servers: Vec<ToolServer>,
    /// Ids of the tool servers of whose tools a person is asked about until their definitions are
    /// accepted.
    pinned: BTreeSet<String>,
    chosen: ChosenTools,
    abilities: Abilities,
    knowledge: KnowledgeFolders,
    colleagues: Colleagues,
    memory: Option<MemoryConfig>,
}

/// Reads an agent file with a table `[model]`; the rules of the service come before those of the
/// file.
///
/// # Errors
///
/// The fault, with the line where there is one.
pub(super) fn load(
    id: &str,
    text: &str,
    folder: &Path,
    service: &ServiceRules,
) -> Result<ModelAgent, String> {
    let file = ModelAgentFile::parse(text)?;
    let mut agent = file.agent(id, folder).map_err(|fault| fault.say(text))?;
    let policy = agent.policy.with_service_rules(service);
    agent.policy = policy.with_version(text, service);
    Ok(agent)
}

impl ModelAgent {
    fn own_tools(&self) -> OwnTools<'_> {
        OwnTools {
            agent: &self.profile.id,
            knowledge: &self.knowledge,
            memory: self.memory,
            limits: &self.limits,
        }
    }

    /// Returns the line that says how calls of a tool are decided, or why the tool is left out.
    fn describe_decision(&self, offered: &OfferedTool) -> String {
        let id = offered.tool.id();
        match &offered.parameters {
            Ok(_) => format!("{id}: {}", self.policy.describe(&offered.tool)),
            Err(why) => format!("{id}: left out, {why}"),
        }
    }
}

impl Agent for ModelAgent {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(self.take_turn(turn, answer))
    }

    fn refusal(&self, call: &Call) -> Option<String> {
        let arguments = Arguments::parse(&call.arguments).ok()?;
        self.policy.refusal(&call.tool, &arguments.to_map())
    }

    fn resolve_colleagues(&self, agents: &Agents) -> Result<(), String> {
        self.colleagues.resolve(&self.profile.id, agents)
    }

    fn check<'a>(&'a self, user: Option<&'a str>) -> BoxFuture<'a, CheckReport> {
        Box::pin(async move {
            let mut checked = CheckReport {
                lines: self.model.describe(),
                ..CheckReport::default()
            };
            let listed = self.servers.iter().map(|server| async move {
                if user.is_none() && server.needs_user() {
                    return Err("its tools are listed for a user: give --user ID".to_owned());
                }
                let thread = ThreadKey {
                    user_id: user.unwrap_or_default().to_owned(),
                    id: String::new(),
                };
                let begun = Instant::now();
                let listed = server.lease(&thread).await?.checked_tools().await?;
                Ok((listed, begun.elapsed()))
            });
            let mut tools = self.own_tools().list();
            let mut about_servers = Vec::new();
            let mut all_listed = true;
            for (server, listed) in self.servers.iter().zip(join_all(listed).await) {
                match listed {
                    Ok((listed, time)) => {
                        let id = server.id();
                        about_servers.push(format!(
                            "tool server {id}: it was ready after {} s of {} s (start_seconds)",
                            time.as_secs(),
                            server.start_timeout().as_secs(),
                        ));
                        let left_out = listed.left_out.iter();
                        let lines = left_out.map(|what| format!("tool server {id}: {what}"));
                        about_servers.extend(lines);
                        tools.extend(listed.tools);
                    }
                    Err(fault) => {
                        all_listed = false;
                        checked.fault(format!("tool server {}: {fault}", server.id()));
                    }
                }
            }
            let ids: Vec<String> = tools.iter().map(Tool::id).collect();
            tools.retain(|tool| self.chosen.has(tool));
            let tools: Vec<OfferedTool> = tools.into_iter().map(OfferedTool::from).collect();
            let decisions = tools.iter().map(|tool| self.describe_decision(tool));
            checked.lines.extend(decisions);
            checked.lines.extend(about_servers);
            checked.lines.extend(too_many_warning(&tools, &self.policy));
            checked.lines.extend(self.policy.path_glob_faults());
            // A tool of a server that did not answer is not known to be missing.
            if all_listed {
                for rule in self.policy.idle_rule_faults(&ids) {
                    checked.fault(rule);
                }
                checked.idle_rules = Some(self.policy.idle_service_rule_faults(&ids).collect());
            }
            for source in &self.knowledge.0 {
                match source.check().await {
                    Ok(line) => checked.lines.push(line),
                    Err(fault) => checked.fault(fault),
                }
            }
            checked
        })
    }

    fn make_title<'a>(
        &'a self,
        conversation: &'a [StoredMessage],
        metrics: &'a Metrics,
    ) -> BoxFuture<'a, (Option<String>, u64)> {
        let (agent, model) = (&self.profile.id, &self.model);
        Box::pin(make_title(agent, model, conversation, metrics))
    }

    fn makes_titles(&self) -> bool {
        self.titles.enabled
    }

    fn servers(&self) -> Vec<(String, usize)> {
        let servers = self.servers.iter();
        servers
            .map(|server| (server.id().to_owned(), server.connected_sessions()))
            .collect()
    }

    fn thread_deleted<'a>(&'a self, thread_id: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let servers = self.servers.iter();
            join_all(servers.map(|server| server.thread_deleted(thread_id))).await;
        })
    }

    fn resumes(&self) -> bool {
        true
    }

    fn state_scope(&self) -> Option<StateScope> {
        self.servers
            .iter()
            .filter_map(ToolServer::state_scope)
            .min()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            join_all(self.servers.iter().map(ToolServer::close)).await;
        })
    }
}
