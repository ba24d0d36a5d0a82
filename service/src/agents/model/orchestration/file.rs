//! The table `[orchestration]` of an agent file: what the agent does besides answering and calling
//! tools.

use serde::Deserialize;

use super::next_stage::{Abilities, ReflectMode};

/// `[orchestration]` of an agent file: the work of an agent besides answering and calling tools;
/// none, unless it is configured.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::agents::model) struct OrchestrationConfig {
    route: Option<RouteMode>,
    plan: bool,
    review: bool,
    reflect: ReflectMode,
}

/// What decides which kind of request a message is, such as one for a plan or for colleagues.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RouteMode {
    /// The model decides which kind a message is.
    Model,
}

impl OrchestrationConfig {
    /// Returns what the agent can do; `knowledge`, `colleagues` and `memories` say whether its file
    /// has these tables. An error says what is missing in the file.
    pub(in crate::agents::model) fn abilities(
        self,
        knowledge: bool,
        colleagues: bool,
        memories: bool,
    ) -> Result<Abilities, String> {
        let route = self.route.is_some();
        let missing = |what: &str, needs: &str| Err(format!("{what} needs {needs}"));
        match () {
            () if self.plan && !route => missing("plan", "route = \"model\""),
            () if self.review && !self.plan => missing("review", "plan = true"),
            () if colleagues && !route => missing("[[colleague]]", "route = \"model\""),
            () => Ok(Abilities {
                memories,
                route,
                knowledge,
                plan: self.plan,
                review: self.review,
                colleagues,
                reflect: self.reflect,
            }),
        }
    }
}
