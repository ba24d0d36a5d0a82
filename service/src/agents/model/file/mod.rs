//! The agent file of an agent with a model: who it is, its instructions, and a table for each of its
//! parts.

mod knowledge;
mod model;
mod server;

use std::path::Path;

use serde::Deserialize;

use super::{
    ModelAgent,
    colleagues::{ColleagueConfig, Colleagues},
    core::limits::Limits,
    knowledge::KnowledgeFolders,
    mcp::ToolServer,
    memory::MemoryConfig,
    orchestration::file::OrchestrationConfig,
    provider::client::Model,
    request::wire::ToolMode,
    title::TitlesConfig,
    tools::{offer::ChosenTools, own::OWN},
};
use crate::{
    profile::Profile,
    rules::policy::PolicyConfig,
    settings::fault::{AtPlace as _, Fault, describe_parse_error},
};
use knowledge::KnowledgeConfig;
use model::ModelConfig;
use server::{NewDefinitions, ServerConfig};

/// `agent.toml` of an agent with a model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelAgentFile {
    agent: Profile,
    /// The system prompt of the model: a text, or a file beside this one.
    #[serde(default)]
    instructions: Instructions,
    model: ModelConfig,
    /// Models that stand in for the one of `[model]`, whose `fallback` names them.
    #[serde(default)]
    models: Vec<ModelConfig>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    mcp: Vec<ServerConfig>,
    #[serde(default)]
    policy: PolicyConfig,
    #[serde(default)]
    titles: TitlesConfig,
    #[serde(default)]
    knowledge: Vec<KnowledgeConfig>,
    #[serde(default)]
    colleague: Vec<ColleagueConfig>,
    #[serde(default)]
    orchestration: OrchestrationConfig,
    memory: Option<MemoryConfig>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Instructions {
    Text(String),
    File { file: String },
}

impl Default for Instructions {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl ModelAgentFile {
    /// Reads the text of an agent file.
    ///
    /// # Errors
    ///
    /// The fault, with its line.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| describe_parse_error(text, &error))
    }

    /// Makes the agent with this id; `folder` is the folder of its file.
    ///
    /// # Errors
    ///
    /// The fault, with its place.
    pub(super) fn agent(mut self, id: &str, folder: &Path) -> Result<ModelAgent, Fault> {
        let instructions = match &self.instructions {
            Instructions::Text(text) => text.clone(),
            Instructions::File { file } => std::fs::read_to_string(folder.join(file))
                .map_err(|error| format!("{file}: {error}"))
                .at("instructions")?,
        };
        self.limits.check().at("limits")?;
        // A search in the operator's own folders changes nothing; a rule may still forbid it.
        self.policy.trust_read_only.push(OWN.to_owned());
        let ids = self.mcp.iter().map(|server| server.id.as_str());
        let ids: Vec<&str> = ids.chain([OWN]).collect();
        let policy = self.policy.compile(&ids).at("policy")?;
        let model = self.models(id, folder)?;
        let pinned = self
            .mcp
            .iter()
            .filter(|server| server.definitions == NewDefinitions::Pinned)
            .map(|server| server.id.clone())
            .collect();
        let mut chosen = ChosenTools::default();
        for (at, server) in self.mcp.iter().enumerate() {
            if let Some(patterns) = &server.tools {
                let choosing = chosen.choose(&server.id, patterns);
                choosing.at("tools").at(at).at("mcp")?;
            }
        }
        let mut servers: Vec<ToolServer> = Vec::new();
        for (at, server) in self.mcp.iter().enumerate() {
            if servers.iter().any(|other| other.id() == server.id) {
                let fault = format!("{:?} is there twice", server.id);
                return Err(fault).at("id").at(at).at("mcp");
            }
            if server.id == OWN {
                let fault = format!("{OWN:?} is the name of the agent's own tools");
                return Err(fault).at("id").at(at).at("mcp");
            }
            servers.push(server.open(folder, &self.limits).at(at).at("mcp")?);
        }
        let abilities = self
            .orchestration
            .abilities(
                !self.knowledge.is_empty(),
                !self.colleague.is_empty(),
                self.memory.is_some(),
            )
            .at("orchestration")?;
        let mut knowledge = KnowledgeFolders::default();
        for (at, source) in self.knowledge.iter().enumerate() {
            knowledge
                .0
                .push(source.open(id, folder).at(at).at("knowledge")?);
        }
        Ok(ModelAgent {
            profile: Profile {
                id: id.to_owned(),
                ..self.agent
            },
            instructions,
            model,
            sums_up: self.model.context_tokens.is_some(),
            limits: self.limits,
            policy,
            titles: self.titles,
            servers,
            pinned,
            chosen,
            abilities,
            knowledge,
            colleagues: Colleagues::new(self.colleague),
            memory: self.memory,
        })
    }

    /// Makes the agent's model: the one of `[model]`, and those that it falls back to, in their
    /// order. `id` is the agent's.
    fn models(&self, id: &str, folder: &Path) -> Result<Model, Fault> {
        if self.model.id.is_some() {
            return Err("only [[models]] have one").at("id").at("model");
        }
        if self.model.tools == ToolMode::None && !self.mcp.is_empty() {
            let fault = "a model without tools has no use for the servers of [[mcp]]";
            return Err(fault).at("tools").at("model");
        }
        for (at, model) in self.models.iter().enumerate() {
            let fault = match &model.id {
                None => "it needs an id",
                Some(id) if !self.model.fallback.contains(id) => {
                    "fallback of [model] does not name it"
                }
                Some(_) if !model.fallback.is_empty() => "only [model] has fallback",
                Some(_) => continue,
            };
            return Err(fault).at(at).at("models");
        }
        let main = self.model.open(folder).at("model")?;
        let mut fallback = Vec::new();
        for (place, other) in self.model.fallback.iter().enumerate() {
            let mut models = self.models.iter().enumerate();
            let found = models.find(|(_, model)| model.id.as_ref() == Some(other));
            let (at, model) = found
                .ok_or_else(|| format!("{other:?} is none of [[models]]"))
                .at(place)
                .at("fallback")
                .at("model")?;
            fallback.push(model.open(folder).at(at).at("models")?);
        }
        Ok(Model::new(id, main, fallback))
    }
}
