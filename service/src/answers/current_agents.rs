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
    /// The tasks that end replaced agents: each waits until nobody holds its agents any more.
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

/// The agents that were present at one moment. What they run, such as tool servers, is not ended
/// while this value exists.
#[derive(Debug)]
pub struct HeldAgents {
    generation: Arc<Generation>,
    _user: TaskTrackerToken,
}

impl HeldAgents {
    /// Returns the agent with this id; while it exists, nothing is ended that any of these agents
    /// runs. `None` if there is no such agent.
    #[must_use]
    pub fn into_agent(self, id: &str) -> Option<HeldAgent> {
        let agent = self.get(id)?;
        Some(HeldAgent {
            agent,
            _agents: self,
        })
    }
}

/// An agent that is in use. What it runs, such as tool servers, is not ended while this value
/// exists.
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

    /// Returns the present agents; what they run is not ended while the returned value exists.
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
