//! The table `[[knowledge]]` of an agent file: a folder whose files the agent searches.

use std::path::Path;

use serde::Deserialize;

use super::model::{append_path, bearer};
use crate::{
    agents::model::knowledge::{KnowledgeFolder, embeddings::Embeddings},
    settings::fault::{AtPlace as _, Fault},
    settings::secret::SecretSource,
    transcript::knowledge::Shelf,
};

/// Largest number of passages of one search that an agent file may ask for.
const MAX_PASSAGES: usize = 50;

/// A folder of knowledge, as the agent file gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnowledgeConfig {
    id: String,
    /// The path of the folder, which is beside the agent file unless it begins with `/`.
    folder: String,
    /// Most passages that one search gives.
    #[serde(default = "default_top")]
    top: usize,
    embeddings: Option<EmbeddingsConfig>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EmbeddingsConfig {
    /// The address of the server, without `/embeddings` at its end.
    base_url: String,
    name: String,
    api_key: Option<SecretSource>,
}

fn default_top() -> usize {
    6
}

impl KnowledgeConfig {
    /// Makes the folder of knowledge; `agent` is the agent's id, and `folder` the folder of the
    /// agent file.
    pub(super) fn open(&self, agent: &str, folder: &Path) -> Result<KnowledgeFolder, Fault> {
        if self.id.trim().is_empty() {
            return Err("it is empty").at("id");
        }
        if !(1..=MAX_PASSAGES).contains(&self.top) {
            return Err(format!("it is a number from 1 to {MAX_PASSAGES}")).at("top");
        }
        let place = folder.join(&self.folder);
        if !place.is_dir() {
            return Err(format!("{:?} is no folder", self.folder)).at("folder");
        }
        let embeddings = self.embeddings.as_ref().map(|file| file.open(folder));
        let embeddings = embeddings.transpose().at("embeddings")?;
        let shelf = Shelf {
            agent: agent.to_owned(),
            source: self.id.clone(),
        };
        Ok(KnowledgeFolder::new(shelf, place, self.top, embeddings))
    }
}

impl EmbeddingsConfig {
    fn open(&self, folder: &Path) -> Result<Embeddings, Fault> {
        let url = append_path(&self.base_url, "/embeddings").at("base_url")?;
        let key = self.api_key.as_ref().map(|source| bearer(source, folder));
        let key = key.transpose().at("api_key")?.map(|(header, _)| header);
        Ok(Embeddings::new(url, self.name.clone(), key)?)
    }
}
