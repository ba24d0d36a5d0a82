//! A service whose agent has a model: the model is a server of the test, the tools are those of the
//! example `notes`.

use std::sync::Arc;

use assent_service::{AppState, Settings, agents::Agents, app, store::Store};
use serde_json::{Value, json};

use super::{
    Folder, Service, example,
    model::{Model, Reply},
    settings,
};

/// A service with one agent, `desk`, and its notes.
pub struct Desk {
    pub service: Service,
    pub model: Model,
}

pub const POLICY: &str = "[policy]\ntrust_read_only = [\"notes\"]\n";

impl Desk {
    pub async fn new(replies: Vec<Reply>) -> Self {
        Self::with(replies, POLICY).await
    }

    /// An agent file with `more` at its end.
    pub async fn with(replies: Vec<Reply>, more: &str) -> Self {
        Self::with_settings(replies, more, settings()).await
    }

    pub async fn with_settings(replies: Vec<Reply>, more: &str, settings: Settings) -> Self {
        Self::in_folder(Folder::new(), replies, more, settings).await
    }

    pub async fn in_folder(
        folder: Arc<Folder>,
        replies: Vec<Reply>,
        more: &str,
        settings: Settings,
    ) -> Self {
        let model = Model::new(replies).await;
        write_agent(&folder, &model, more);
        let store = Store::open(&folder.storage()).await.unwrap();
        let agents = Agents::load(Some(&folder.0.join("agents"))).unwrap();
        let state = AppState::new(store, agents, settings);
        let service = Service {
            app: app(state.clone()),
            state,
            folder,
        };
        Self { service, model }
    }

    /// Changes the agent file, and reads the agents anew.
    pub fn change(&self, from: &str, to: &str) {
        let agents = self.service.folder.0.join("agents");
        let file = agents.join("desk/agent.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, text.replace(from, to)).unwrap();
        let agents = Agents::load(Some(&agents)).unwrap();
        self.service.state.replace_agents(agents);
    }

    /// Ends the service, and starts another one on its database and its agents.
    pub async fn restarted(self) -> Self {
        let Self { service, model } = self;
        let Service {
            state,
            app: _,
            folder,
        } = service;
        state.store().close().await;
        drop(state);
        let store = Store::open(&folder.storage()).await.unwrap();
        let agents = Agents::load(Some(&folder.0.join("agents"))).unwrap();
        let state = AppState::new(store, agents, settings());
        let app = app(state.clone());
        let service = Service { state, app, folder };
        Self { service, model }
    }

    pub fn notes(&self) -> String {
        std::fs::read_to_string(self.service.folder.0.join("notes.txt")).unwrap_or_default()
    }

    /// Returns the tokens that the user has used.
    pub async fn tokens(&self) -> i64 {
        let mut database = self.service.folder.connect().await;
        let used = "SELECT COALESCE(SUM(tokens), 0) FROM token_use";
        let used = database.number(used).await;
        database.close().await;
        used
    }

    /// Returns the results of tools that the model was given in its last request.
    pub fn results(&self) -> Vec<String> {
        let last = self.model.requests().pop().unwrap();
        let messages = last["messages"].as_array().unwrap().clone();
        let results = messages.iter().filter(|m| m["role"] == "tool");
        results
            .map(|m| m["content"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Writes the agent's folder into `agents`.
pub fn write_agent(folder: &Folder, model: &Model, more: &str) {
    let desk = folder.0.join("agents/desk");
    std::fs::create_dir_all(&desk).unwrap();
    super::key_file(&desk.join("key"), "canary-key\n");
    let file = format!(
        "instructions = \"You keep notes.\"\n\
         [agent]\nname = \"Desk\"\nhandle = \"@desk\"\nbuild_id = \"1\"\nbuild_type = \"TEST\"\n\
         [model]\nbase_url = \"{}\"\nname = \"small\"\napi_key = {{ file = \"key\" }}\n\
         [[mcp]]\nid = \"notes\"\ncommand = [{:?}, \"../../notes.txt\"]\nenv = {{ LANG = \"C\" }}\n\
         {more}",
        model.url,
        example("notes"),
    );
    std::fs::write(desk.join("agent.toml"), file).unwrap();
}

/// A call that adds a note.
pub fn add(note: &str) -> (&'static str, Value) {
    ("notes__add", json!({ "text": note }))
}
