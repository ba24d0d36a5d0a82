//! Prepares the demo's real agent, which has a model: its folder for the service, a tool server for
//! files from npm, the documents that it knows, and the list of agents that the page shows.

use super::model::{CallMethod, Model};
use crate::error::Error;
use crate::process;
use crate::workspace::{MODEL_KEY_VARIABLE, Workspace};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

/// The id of the demo's real agent, and the name of its folder.
const AGENT_ID: &str = "desk";
/// The folder with the template of the agent's file, and with what it begins with.
const AGENT_SOURCE: &str = "xtask/demo";
/// The files that npm needs to install the tool server for files.
const NPM_FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];
/// The folder in which the tool server for files is installed; `e2e/servers/desk.js` starts it from
/// there, too.
const TOOLS_FOLDER: &str = "target/dev/tools";
/// The path of the program of the tool server for files, among the installed packages.
const FILES_SERVER: &str = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
/// Documents of this repository that the agent knows; those in `PAGES_FOLDER` are added.
const DOCUMENTS: [&str; 7] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "examples/README.md",
    "service/README.md",
];
const PAGES_FOLDER: &str = "docs";
/// The folder with copies of the documents that the agent knows; the agent's file names it.
const KNOWLEDGE_FOLDER: &str = "target/dev/knowledge";
/// The file with the list of agents that the demo page shows where there is no model.
const AGENT_LIST: &str = "public/demo/agents.json";

/// What the service and the page need to know of the real agent.
pub(super) struct RealAgent {
    /// The folder of agents, for the service's option `--agents`.
    pub(super) agents: PathBuf,
    /// The file with the list of agents for the page.
    pub(super) list: PathBuf,
    /// The folder whose files the agent reads and changes.
    pub(super) files: PathBuf,
}

/// Installs the tool server for files, and writes the agent's file, the list of agents for the
/// page, the files that the agent begins with, and the documents that it knows.
pub(super) fn prepare_agent(workspace: &Workspace, model: &Model) -> Result<RealAgent, Error> {
    let folder = workspace.path("target/dev");
    let server = install_files_server(workspace)?;
    let agent = RealAgent {
        agents: folder.join("agents"),
        list: folder.join("agents.json"),
        files: folder.join("files"),
    };
    copy_first_files(&workspace.path(AGENT_SOURCE).join("files"), &agent.files)?;
    copy_documents(&workspace.path(""), &workspace.path(KNOWLEDGE_FOLDER))?;
    let template = read(&workspace.path(AGENT_SOURCE).join("agent.toml"))?;
    let file = agent_file(&template, model, &server, &agent.files)?;
    write(&agent.agents.join(AGENT_ID).join("agent.toml"), &file)?;
    let list = list_with_agent(&read(&workspace.path(AGENT_LIST))?, model, &agent.files)?;
    write(&agent.list, &list)?;
    Ok(agent)
}

/// Installs the tool server for files from npm, unless it is there, and returns the path of its
/// program.
pub(crate) fn install_files_server(workspace: &Workspace) -> Result<PathBuf, Error> {
    let folder = workspace.path(TOOLS_FOLDER);
    let program = folder.join(FILES_SERVER);
    let changed = copy_changed(&workspace.path(AGENT_SOURCE), &folder)?;
    if changed || !program.exists() {
        let mut npm = workspace.command("npm");
        npm.current_dir(folder);
        process::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    }
    Ok(program)
}

/// Copies the files that npm needs into the folder `to`; returns true if one was missing there or
/// had another content.
fn copy_changed(from: &Path, to: &Path) -> Result<bool, Error> {
    let mut changed = false;
    for name in NPM_FILES {
        let wanted = read(&from.join(name))?;
        let place = to.join(name);
        if fs::read_to_string(&place).is_ok_and(|known| known == wanted) {
            continue;
        }
        write(&place, &wanted)?;
        changed = true;
    }
    Ok(changed)
}

/// Copies the files that the agent begins with into the folder that it works in, unless that folder
/// exists already.
fn copy_first_files(from: &Path, to: &Path) -> Result<(), Error> {
    if to.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(from).map_err(Error::of_file(from))? {
        let path = entry.map_err(Error::of_file(from))?.path();
        if let Some(name) = path.file_name() {
            write(&to.join(name), &read(&path)?)?;
        }
    }
    Ok(())
}

/// Copies the documents that the agent knows into the folder `to`, under their paths in the
/// repository. Earlier copies are removed first, so that no document stays that is gone from the
/// repository.
fn copy_documents(root: &Path, to: &Path) -> Result<(), Error> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(Error::of_file(to))?;
    }
    for name in DOCUMENTS {
        write(&to.join(name), &read(&root.join(name))?)?;
    }
    copy_pages(&root.join(PAGES_FOLDER), &to.join(PAGES_FOLDER))
}

/// Copies the Markdown files in the folder `from` and in the folders below it into the folder `to`.
fn copy_pages(from: &Path, to: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(from).map_err(Error::of_file(from))? {
        let entry = entry.map_err(Error::of_file(from))?;
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(Error::of_file(&path))?.is_dir() {
            copy_pages(&path, &place)?;
        } else if path.extension().is_some_and(|it| it == "md") {
            write(&place, &read(&path)?)?;
        }
    }
    Ok(())
}

/// Returns the text of the agent's file: the template with the model, and with the tool server
/// `server` for the folder `files`. It names the variable with the model's key, not the key.
fn agent_file(template: &str, model: &Model, server: &Path, files: &Path) -> Result<String, Error> {
    let wrong = |error: &dyn std::fmt::Display| Error::Wrong(format!("{AGENT_SOURCE}: {error}"));
    let mut agent: Table = template.parse().map_err(|error| wrong(&error))?;
    let mut table = Table::new();
    table.insert("base_url".into(), model.base_url.as_str().into());
    table.insert("name".into(), model.name.as_str().into());
    if model.calls == CallMethod::Schema {
        table.insert("tools".into(), "schema".into());
    }
    if model.has_key {
        let variable = Table::from_iter([("env".to_owned(), MODEL_KEY_VARIABLE.into())]);
        table.insert("api_key".into(), variable.into());
    }
    agent.insert("model".into(), table.into());
    let command = [
        "node".into(),
        server.to_string_lossy(),
        files.to_string_lossy(),
    ];
    let command: Vec<toml::Value> = command.iter().map(|word| word.as_ref().into()).collect();
    let mut mcp = Table::new();
    mcp.insert("id".into(), "files".into());
    mcp.insert("command".into(), command.into());
    agent.insert("mcp".into(), vec![toml::Value::from(mcp)].into());
    toml::to_string(&agent).map_err(|error| wrong(&error))
}

/// The list of the agents that a person can choose from on the demo page.
#[derive(Deserialize, Serialize)]
struct AgentList {
    agents: Vec<ListedAgent>,
    /// What the page says about how to get an agent with a model; empty where there is one.
    note: String,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct ListedAgent {
    id: String,
    name: String,
    about: String,
}

/// Returns `list`, the page's list of agents as JSON, with the real agent as the first one.
fn list_with_agent(list: &str, model: &Model, files: &Path) -> Result<String, Error> {
    let wrong = |error| Error::Wrong(format!("{AGENT_LIST}: {error}"));
    let mut list: AgentList = serde_json::from_str(list).map_err(wrong)?;
    let agent = ListedAgent {
        id: AGENT_ID.to_owned(),
        name: format!("Larkspur desk, with {}", model.name),
        about: format!(
            "A real agent: the model answers from {}. It knows the documents of this project, and reads and writes the files in {}; it asks you before it changes one.",
            model.base_url,
            files.display()
        ),
    };
    list.agents.insert(0, agent);
    list.note.clear();
    serde_json::to_string(&list).map_err(wrong)
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::of_file(path))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::of_file(folder))?;
    }
    fs::write(path, text).map_err(Error::of_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(calls: CallMethod, has_key: bool) -> Model {
        Model {
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            name: "qwen \"3\"".to_owned(),
            calls,
            has_key,
        }
    }

    fn file(model: &Model) -> Table {
        let template = read(
            &Workspace::locate()
                .unwrap()
                .path(AGENT_SOURCE)
                .join("agent.toml"),
        );
        let (server, files) = (Path::new("the/server.js"), Path::new("the/files"));
        let text = agent_file(&template.unwrap(), model, server, files).unwrap();
        text.parse().unwrap()
    }

    #[test]
    fn the_agent_has_the_model_and_the_files_and_its_writes_are_asked_about() {
        let agent = file(&model(CallMethod::Native, false));
        assert_eq!(agent["model"]["name"].as_str(), Some("qwen \"3\""));
        assert!(!agent["model"].as_table().unwrap().contains_key("api_key"));
        let command = agent["mcp"][0]["command"].as_array().unwrap();
        assert_eq!(command.last().unwrap().as_str(), Some("the/files"));
        // Without a rule and a default everything that is not read alone is asked about.
        assert_eq!(agent["policy"].as_table().unwrap().len(), 1);
        assert!(agent["policy"]["trust_read_only"].is_array());
    }

    #[test]
    fn a_key_is_named_by_its_variable_and_a_model_without_tools_gets_a_form() {
        let agent = file(&model(CallMethod::Schema, true));
        assert_eq!(
            agent["model"]["api_key"]["env"].as_str(),
            Some(MODEL_KEY_VARIABLE)
        );
        assert_eq!(agent["model"]["tools"].as_str(), Some("schema"));
    }

    #[test]
    fn the_agent_knows_the_documents_as_they_are_now() {
        let workspace = Workspace::locate().unwrap();
        let to = std::env::temp_dir().join(format!("assent-knowledge-{}", std::process::id()));
        write(&to.join("docs/GONE.md"), "It was renamed.").unwrap();
        copy_documents(&workspace.path(""), &to).unwrap();
        for name in DOCUMENTS
            .iter()
            .chain(&["docs/AGENTS.md", "docs/proxy/README.md"])
        {
            let copied = read(&to.join(name)).unwrap();
            assert_eq!(copied, read(&workspace.path(name)).unwrap());
        }
        assert!(!to.join("docs/GONE.md").exists());
        assert!(!to.join("docs/screenshot.png").exists());
        fs::remove_dir_all(to).unwrap();
        let agent = file(&model(CallMethod::Native, false));
        let folder = agent["knowledge"][0]["folder"].as_str().unwrap();
        // From `target/dev/agents/desk`, where the agent file lies.
        let named = folder.strip_prefix("../../").unwrap();
        assert_eq!(
            Path::new("target/dev").join(named),
            Path::new(KNOWLEDGE_FOLDER)
        );
    }

    #[test]
    fn the_page_names_the_real_agent_first_and_the_others_after_it() {
        let list = read(&Workspace::locate().unwrap().path(AGENT_LIST)).unwrap();
        let before: AgentList = serde_json::from_str(&list).unwrap();
        assert!(!before.note.is_empty());
        let model = model(CallMethod::Native, true);
        let after = list_with_agent(&list, &model, Path::new("the/files")).unwrap();
        let after: AgentList = serde_json::from_str(&after).unwrap();
        assert_eq!(after.agents[0].id, AGENT_ID);
        assert!(after.agents[0].name.contains("qwen"));
        assert_eq!(after.agents[1..], before.agents[..]);
        assert_eq!(after.note, "");
    }
}
