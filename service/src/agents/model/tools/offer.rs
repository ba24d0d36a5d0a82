//! The tools that a model is offered: those of each server that the agent file chooses, without
//! those that a rule always denies.

use std::collections::BTreeMap;

use globset::{Glob, GlobMatcher};

use crate::{
    agents::model::tools::offered::OfferedTool,
    rules::policy::{Policy, Tool},
    settings::fault::{AtPlace as _, Fault},
};

/// Most functions that OpenAI and others take in one request.
const MOST_FUNCTIONS: usize = 128;

/// The patterns of the tools that an agent file chooses, by the ids of the servers; of other
/// servers all tools are chosen.
#[derive(Debug, Default)]
pub(in crate::agents::model) struct ChosenTools(BTreeMap<String, Vec<GlobMatcher>>);

impl ChosenTools {
    /// Chooses the tools of a server whose names these patterns match.
    ///
    /// # Errors
    ///
    /// The fault of a pattern, with its place.
    pub(in crate::agents::model) fn choose(
        &mut self,
        server: &str,
        patterns: &[String],
    ) -> Result<(), Fault> {
        let compile = |(at, pattern): (usize, &String)| {
            let glob = Glob::new(pattern).map_err(|error| error.to_string());
            glob.map(|glob| glob.compile_matcher()).at(at)
        };
        let compiled: Result<_, Fault> = patterns.iter().enumerate().map(compile).collect();
        self.0.insert(server.to_owned(), compiled?);
        Ok(())
    }

    /// Returns true if the file chooses a tool.
    pub(in crate::agents::model) fn has(&self, tool: &Tool) -> bool {
        let chosen = self.0.get(&tool.server);
        chosen.is_none_or(|chosen| chosen.iter().any(|it| it.is_match(&tool.name)))
    }

    /// Returns the tools that are chosen, as the model is offered them; those that a rule always
    /// denies are marked as left out.
    pub(in crate::agents::model) fn offer(
        &self,
        tools: Vec<Tool>,
        policy: &Policy,
    ) -> impl Iterator<Item = OfferedTool> {
        let chosen = tools.into_iter().filter(|tool| self.has(tool));
        chosen.map(|tool| {
            let is_denied = policy.always_denies(&tool);
            let mut offered = OfferedTool::from(tool);
            if is_denied {
                offered.parameters = Err("a rule always denies it".to_owned());
            }
            offered
        })
    }
}

/// Returns a warning where more tools are offered than many servers take.
pub(in crate::agents::model) fn too_many_warning(
    tools: &[OfferedTool],
    policy: &Policy,
) -> Option<String> {
    let offered = |it: &&OfferedTool| it.parameters.is_ok() && !policy.always_denies(&it.tool);
    let count = tools.iter().filter(offered).count();
    (count > MOST_FUNCTIONS).then(|| {
        format!(
            "{count} tools are offered, and many servers of models take {MOST_FUNCTIONS} at most: \
             choose some with tools of [[mcp]]"
        )
    })
}
