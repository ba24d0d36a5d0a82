//! The agents of the service at the moment: they can be replaced while answers are being written,
//! which end with the agents that they began with.

use std::{
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};

use crate::agents::{Agent, Agents};

/// The present agents, and those that are still used although they were replaced.
#[derive(Debug)]
pub(crate) struct CurrentAgents {
    present: RwLock<Arc<Generation>>,
    /// Waits for the users of agents that were replaced.
    retiring: TaskTracker,
}

#[derive(Debug)]
struct Generation {
    agents: Agents,
    users: TaskTracker,
}

impl Generation {
    fn new(agents: Agents) -> Arc<Self> {
        Arc::new(Self {
            agents,
            users: TaskTracker::new(),
        })
    }
}

/// The agents of one moment: what they run is not ended as long as this is held.
#[derive(Debug)]
pub struct HeldAgents {
    generation: Arc<Generation>,
    _user: TaskTrackerToken,
}

impl HeldAgents {
    /// The agent with this id, held as all of them are.
    #[must_use]
    pub fn into_agent(self, id: &str) -> Option<HeldAgent> {
        let agent = self.get(id)?;
        Some(HeldAgent {
            agent,
            _agents: self,
        })
    }
}

/// An agent that is in use: what it runs is not ended as long as this is held.
pub struct HeldAgent {
    agent: Arc<dyn Agent>,
    _agents: HeldAgents,
}

impl Deref for HeldAgent {
    type Target = dyn Agent;

    fn deref(&self) -> &Self::Target {
        self.agent.as_ref()
    }
}

impl Deref for HeldAgents {
    type Target = Agents;

    fn deref(&self) -> &Agents {
        &self.generation.agents
    }
}

impl CurrentAgents {
    pub(crate) fn new(agents: Agents) -> Self {
        Self {
            present: RwLock::new(Generation::new(agents)),
            retiring: TaskTracker::new(),
        }
    }

    /// Returns the present agents.
    pub(crate) fn hold(&self) -> HeldAgents {
        // Counted under the lock: whoever replaces them afterwards waits for this user.
        let present = self.present.read().unwrap_or_else(PoisonError::into_inner);
        HeldAgents {
            generation: Arc::clone(&present),
            _user: present.users.token(),
        }
    }

    /// Replaces the agents. What the former ones run is ended when nobody uses them any more.
    pub(crate) fn replace(&self, agents: Agents) {
        let next = Generation::new(agents);
        let former = {
            let mut present = self.present.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *present, next)
        };
        former.users.close();
        self.retiring.spawn(async move {
            former.users.wait().await;
            former.agents.close().await;
        });
    }

    /// Ends what all agents run, once nobody uses those that were replaced.
    pub(crate) async fn close(&self) {
        self.retiring.close();
        self.retiring.wait().await;
        self.hold().close().await;
    }
}
