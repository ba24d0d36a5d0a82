//! Agents: one trait, the agents behind it, and the set of agents of this service.
//!
//! They know nothing of connections, HTTP or the database; they write to an [`Answer`].

mod agent;
mod checked;
mod echo;
mod files;
mod model;
mod scenario;
mod shipped;

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{Arc, Weak},
};

use futures_util::future::join_all;

use crate::Result;

pub(crate) use agent::MAX_PACE;
pub use agent::{
    Agent, Answer, AnswerFuture, DecidedQuestion, Document, Ending, Files, Journal, StepDetails,
    Turn, TurnInput, UserFile,
};
pub use checked::CheckReport;
pub use echo::Echo;
pub use scenario::ScenarioAgent;

/// The agents of this service.
#[derive(Clone, Default)]
pub struct Agents(BTreeMap<String, Arc<dyn Agent>>);

impl fmt::Debug for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Agents {
    /// Returns the shipped agents and those in sub-folders of `folder`, which replace shipped ones
    /// of the same id. `policy.toml` in `folder` denies tools to all agents of that folder.
    ///
    /// # Errors
    ///
    /// [`crate::Error::File`] or [`crate::Error::AgentFile`].
    pub fn load(folder: Option<&Path>) -> Result<Self> {
        let mut agents = Self::default();
        agents.add(Arc::new(Echo::default()));
        for id in shipped::IDS {
            agents.add(Arc::new(files::load(id, &shipped::file)?));
        }
        if let Some(folder) = folder {
            let rules = files::service_rules(folder)?;
            for id in files::folders(folder)? {
                agents.add(files::load_from(folder, &id, &rules)?);
            }
        }
        for (id, agent) in &agents.0 {
            agent
                .resolve_colleagues(&agents)
                .map_err(|fault| files::fault(id, files::AGENT_FILE, &fault))?;
        }
        Ok(agents)
    }

    /// Adds an agent or replaces the one with its id.
    pub fn add(&mut self, agent: Arc<dyn Agent>) {
        self.0.insert(agent.profile().id.clone(), agent);
    }

    /// Returns the agent with this id; `None` if there is none.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Arc<dyn Agent>> {
        self.0.get(id).cloned()
    }

    /// Returns a weak handle to the agent with this id; `None` if there is none.
    pub(crate) fn shared(&self, id: &str) -> Option<Weak<dyn Agent>> {
        self.0.get(id).map(Arc::downgrade)
    }

    /// Returns what each agent may do: a line with its id, then a line for each tool and its
    /// decision, and for each fault. `user` is the id that tool servers are told which want to know
    /// the user.
    pub async fn check(&self, user: Option<&str>) -> CheckReport {
        let mut checked = CheckReport::default();
        for (id, agent) in &self.0 {
            let heading = format!("{id} ({})", agent.profile().name);
            checked.add(heading, agent.check(user).await);
        }
        checked.with_idle_rules()
    }

    /// Returns the tool servers of all agents: the agent's id, the server's id, and the number of
    /// connected sessions.
    pub fn servers(&self) -> Vec<(String, String, usize)> {
        let mut servers = Vec::new();
        for (id, agent) in &self.0 {
            let of_agent = agent.servers().into_iter();
            servers.extend(of_agent.map(|(server, connected)| (id.clone(), server, connected)));
        }
        servers
    }

    /// Ends what the agents keep running for a thread that was deleted.
    pub async fn thread_deleted(&self, thread_id: &str) {
        let agents = self.0.values();
        join_all(agents.map(|agent| agent.thread_deleted(thread_id))).await;
    }

    /// Ends all that the agents keep running, such as tool servers.
    pub async fn close(&self) {
        join_all(self.0.values().map(|agent| agent.close())).await;
    }

    /// Returns the ids of all agents in alphabetical order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
