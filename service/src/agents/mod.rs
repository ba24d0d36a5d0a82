//! Who answers: one trait, the agents behind it, and which of them this service has.
//!
//! Agents know nothing of connections, HTTP or the database; they write to an [`Answer`].

mod echo;
mod files;
mod matcher;
mod place;
mod scenario;
mod shipped;
mod steps;

use std::{collections::BTreeMap, path::Path, pin::Pin, sync::Arc};

use assent_protocol::{AgentId, StoredMessage};
use serde::{Deserialize, Serialize};

use crate::{Result, answer::Answer, approval::Approval, content::UserContent, store::Question};

pub use echo::Echo;
pub use scenario::ScenarioAgent;

/// Who an agent is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// `<agent_id>`.
    #[serde(default)]
    pub id: String,
    /// Display name.
    pub name: String,
    /// Name with a leading `@`.
    pub handle: String,
    /// `<build_id>`.
    pub build_id: String,
    /// Kind of build.
    pub build_type: String,
}

impl Profile {
    /// The shape in which an event carries it.
    #[must_use]
    pub fn in_event(&self) -> assent_protocol::Agent {
        assent_protocol::Agent {
            name: self.name.clone(),
            id: AgentId::from(self.id.as_str()),
            build_id: Some(self.build_id.clone()),
            build_type: self.build_type.clone(),
            handle: self.handle.clone(),
        }
    }
}

/// What an agent is to answer.
#[derive(Clone, Debug)]
pub struct Turn {
    /// All stored messages of the thread, the one to answer included.
    pub conversation: Vec<StoredMessage>,
    /// What is new.
    pub input: Input,
}

/// What is new in a turn.
#[derive(Clone, Debug)]
pub enum Input {
    /// The user said something.
    Message(UserContent),
    /// The user decided about tools that the agent asked for.
    Decided(Outcome),
}

/// Decisions about a question of the agent.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All tools of the question with their present status.
    pub approvals: Vec<Approval>,
    /// How many of them still wait for a decision, in other batches; the turn may end without a word then.
    pub open: usize,
    /// What the user said with it and with earlier decisions about the same question; files only of messages that
    /// stopped everything (specification, Batch rules, 4).
    pub feedback: UserContent,
    /// What the agent gave with the question.
    pub memory: String,
}

/// How a turn ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All was said.
    Done,
    /// A person has to decide first; the thread waits until then.
    Asked {
        /// The tools, and what to hand back with the decision.
        question: Question,
        /// Whether all batches are asked for in one event.
        together: bool,
    },
    /// It did not work, for a reason that the user is told.
    Failed(String),
}

/// The future of [`Agent::answer`].
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Ending>> + Send + 'a>>;

/// Somebody who answers.
pub trait Agent: Send + Sync {
    /// Who it is.
    fn profile(&self) -> &Profile;

    /// Answers one turn. It may be dropped at any await: the service is stopped or the thread deleted.
    ///
    /// # Errors
    ///
    /// What [`Answer`] returns is passed on; a failure of the agent itself is [`Ending::Failed`].
    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut Answer) -> Answering<'a>;
}

/// The agents of this service.
#[derive(Clone, Default)]
pub struct Agents(BTreeMap<String, Arc<dyn Agent>>);

impl Agents {
    /// The shipped agents, and those in sub-folders of `folder`, which replace shipped ones of the same id.
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
            for id in files::folders(folder)? {
                agents.add(Arc::new(files::load(&id, &files::in_folder(folder))?));
            }
        }
        Ok(agents)
    }

    /// Adds an agent or replaces the one with its id.
    pub fn add(&mut self, agent: Arc<dyn Agent>) {
        self.0.insert(agent.profile().id.clone(), agent);
    }

    /// The agent with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Arc<dyn Agent>> {
        self.0.get(id).cloned()
    }

    /// All ids in alphabetical order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
