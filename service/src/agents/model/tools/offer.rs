//! The tools that a model is offered: those of each server that its file chooses, without those that
//! a rule always denies.

use globset::{Glob, GlobMatcher};

use crate::{
    agents::model::{ModelAgent, tools::offered::OfferedTool},
    rules::policy::Tool,
    settings::fault::{At as _, Fault},
};

/// Most functions that OpenAI and others take in one request.
const MOST_FUNCTIONS: usize = 128;

/// Patterns of the names of a server's tools.
pub(in crate::agents::model) type Chosen = Vec<GlobMatcher>;

/// Compiles patterns of names.
///
/// # Errors
///
/// The fault, with its place.
pub(in crate::agents::model) fn choose(patterns: &[String]) -> Result<Chosen, Fault> {
    let compile = |(at, pattern): (usize, &String)| {
        let glob = Glob::new(pattern).map_err(|error| error.to_string());
        glob.map(|glob| glob.compile_matcher()).at(at)
    };
    patterns.iter().enumerate().map(compile).collect()
}

impl ModelAgent {
    /// Returns true if the file chooses a tool.
    pub(in crate::agents::model) fn chooses(&self, tool: &Tool) -> bool {
        let chosen = self.chosen.get(&tool.server);
        chosen.is_none_or(|chosen| chosen.iter().any(|it| it.is_match(&tool.name)))
    }

    /// Leaves out the tools that are not chosen, and offers none that a rule always denies.
    pub(in crate::agents::model) fn offer(
        &self,
        tools: Vec<Tool>,
    ) -> impl Iterator<Item = OfferedTool> {
        let chosen = tools.into_iter().filter(|tool| self.chooses(tool));
        chosen.map(|tool| {
            let is_denied = self.policy.always_denies(&tool);
            let mut offered = OfferedTool::from(tool);
            if is_denied {
                offered.parameters = Err("a rule always denies it".to_owned());
            }
            offered
        })
    }

    /// Returns a warning where more tools are offered than many servers take.
    pub(in crate::agents::model) fn too_many(&self, tools: &[OfferedTool]) -> Option<String> {
        let offered =
            |it: &&OfferedTool| it.parameters.is_ok() && !self.policy.always_denies(&it.tool);
        let count = tools.iter().filter(offered).count();
        (count > MOST_FUNCTIONS).then(|| {
            format!(
                "{count} tools are offered, and many servers of models take {MOST_FUNCTIONS} at \
                 most: choose some with tools of [[mcp]]"
            )
        })
    }
}
