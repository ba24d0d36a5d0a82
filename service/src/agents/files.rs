//! Agent files: `agent.toml` says who an agent is, and either has a model or lists scenarios, each a
//! TOML file beside it.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;

use super::{
    agent::{Agent, MAX_PACE},
    model,
    scenario::{
        Scenario, ScenarioAgent,
        matcher::words,
        scenario_steps::{AskStep, ScenarioStep},
    },
};
use crate::{
    Error, Result,
    profile::Profile,
    rules::policy::ServiceRules,
    settings::{
        fault::{AtPlace as _, describe_parse_error},
        similar::similar,
    },
};

/// The file that says who an agent is.
pub(super) const AGENT_FILE: &str = "agent.toml";

/// The file beside the agents' folders that has the rules of the whole service: what none of the
/// agents may do.
const SERVICE_FILE: &str = "policy.toml";

/// `agent.toml` of an agent that plays scenarios.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentFile {
    agent: Profile,
    /// Profiles of the colleagues that may speak in the agent's answers.
    #[serde(default)]
    colleagues: Vec<Profile>,
    /// Names of the scenarios' files without `.toml`, in the order in which help lists them.
    scenarios: Vec<String>,
    /// Steps that are done for a message that matches no scenario.
    fallback: Vec<ScenarioStep>,
}

/// The file of one scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    /// The subject of the scenario, as half a sentence.
    title: String,
    /// Phrases that choose the scenario: a message has to hold one of them. Help shows the first
    /// one.
    phrases: Vec<String>,
    steps: Vec<ScenarioStep>,
}

/// A function that returns the text of a file; it is given the id of an agent and the file's name.
pub(super) type ReadFile<'a> = &'a dyn Fn(&str, &str) -> Result<String>;

/// Reads an agent from its sub-folder: one with a model if its file has a table `[model]`, else one
/// of scenarios.
pub(super) fn load_from(folder: &Path, id: &str, service: &ServiceRules) -> Result<Arc<dyn Agent>> {
    let read = folder_reader(folder);
    let text = read(id, AGENT_FILE)?;
    let fault = |reason: String| self::fault(id, AGENT_FILE, &reason);
    if !has_model(&text).map_err(fault)? {
        return Ok(Arc::new(load(id, &read)?));
    }
    let agent = model::load(id, &text, &folder.join(id), service);
    Ok(Arc::new(agent.map_err(fault)?))
}

/// Returns true if `text` is the file of an agent with a model, false if it is that of an agent of
/// scenarios.
fn has_model(text: &str) -> std::result::Result<bool, String> {
    let file = toml::from_str::<toml::Table>(text);
    let file = file.map_err(|error| describe_parse_error(text, &error))?;
    if file.contains_key("model") || file.contains_key("scenarios") {
        return Ok(file.contains_key("model"));
    }
    let misspelt = file
        .keys()
        .find(|key| similar(key, ["model"].into_iter()).is_some());
    match misspelt {
        Some(key) => Err("there is no such table; did you mean [model]?")
            .at(key.as_str())
            .map_err(|fault| fault.say(text)),
        None if file.contains_key("agent") => {
            Err("it has neither a table [model] nor a list of scenarios".to_owned())
        }
        None => Ok(false),
    }
}

/// Reads the rules of the whole service from `policy.toml`; there are none without such a file.
pub(super) fn service_rules(folder: &Path) -> Result<ServiceRules> {
    let path = folder.join(SERVICE_FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Default::default()),
        Err(source) => return Err(Error::File { path, source }),
    };
    ServiceRules::read(&text).map_err(|reason| Error::AgentFile {
        file: SERVICE_FILE.to_owned(),
        reason,
    })
}

/// Reads an agent of scenarios and checks that every step can be done.
pub(super) fn load(id: &str, read: ReadFile<'_>) -> Result<ScenarioAgent> {
    let agent: AgentFile = parse(id, AGENT_FILE, read)?;
    let mut scenarios = Vec::new();
    for name in &agent.scenarios {
        let file = format!("{name}.toml");
        let scenario: ScenarioFile = parse(id, &file, read)?;
        if scenario
            .phrases
            .iter()
            .all(|phrase| words(phrase).is_empty())
        {
            return Err(fault(id, &file, "phrases holds no word"));
        }
        check(&scenario.steps, &agent.colleagues).map_err(|reason| fault(id, &file, &reason))?;
        scenarios.push(Scenario {
            title: scenario.title,
            words: scenario
                .phrases
                .iter()
                .map(|phrase| words(phrase))
                .collect(),
            phrases: scenario.phrases,
            steps: scenario.steps,
        });
    }
    check(&agent.fallback, &agent.colleagues).map_err(|reason| fault(id, AGENT_FILE, &reason))?;
    let profile = Profile {
        id: id.to_owned(),
        ..agent.agent
    };
    Ok(ScenarioAgent::new(
        profile,
        agent.colleagues,
        scenarios,
        agent.fallback,
    ))
}

fn parse<T: for<'de> Deserialize<'de>>(id: &str, file: &str, read: ReadFile<'_>) -> Result<T> {
    toml::from_str(&read(id, file)?).map_err(|error| fault(id, file, &error.to_string()))
}

pub(super) fn fault(id: &str, file: &str, reason: &str) -> Error {
    Error::AgentFile {
        file: format!("{id}/{file}"),
        reason: reason.to_owned(),
    }
}

/// Longest text of one step or value, in bytes, repetitions included.
const MAX_TEXT_BYTES: usize = 1024 * 1024;

/// Longest pause of one step, in milliseconds.
const MAX_WAIT_MS: u64 = 60 * 60 * 1000;

fn check(steps: &[ScenarioStep], colleagues: &[Profile]) -> Result<(), String> {
    steps.iter().try_for_each(|step| match step {
        ScenarioStep::Say {
            text,
            repeat,
            by,
            pace,
        } => {
            if text.len().saturating_mul(*repeat) > MAX_TEXT_BYTES {
                return Err(format!("a text is longer than {MAX_TEXT_BYTES} bytes"));
            }
            if !(0.0..=MAX_PACE).contains(pace) {
                return Err("pace must be a number from 0 to 1000".to_owned());
            }
            match by {
                Some(id) if !colleagues.iter().any(|colleague| colleague.id == *id) => {
                    Err(format!("{id:?} speaks but is not among the colleagues"))
                }
                _ => Ok(()),
            }
        }
        ScenarioStep::Wait { ms } if *ms > MAX_WAIT_MS => {
            Err(format!("a wait is longer than {MAX_WAIT_MS} ms"))
        }
        ScenarioStep::Ask(AskStep { batches, on, .. }) => {
            if batches.is_empty() || batches.iter().any(|batch| batch.tools.is_empty()) {
                return Err("a step ask needs batches, each with at least one tool".to_owned());
            }
            on.all()
                .into_iter()
                .try_for_each(|branch| check(branch, colleagues))
        }
        ScenarioStep::Notify { .. }
        | ScenarioStep::Wait { .. }
        | ScenarioStep::Fail { .. }
        | ScenarioStep::Cut {} => Ok(()),
    })
}

/// Returns a function that reads the files of agents from sub-folders of `folder`.
pub(super) fn folder_reader(folder: &Path) -> impl Fn(&str, &str) -> Result<String> {
    move |id, file| {
        let path = folder.join(id).join(file);
        fs::read_to_string(&path).map_err(|source| Error::File { path, source })
    }
}

/// Returns the names of the sub-folders of `folder` that hold an `agent.toml`, sorted. The log
/// names those that hold none: nothing else says that an agent is not there.
pub(super) fn folders(folder: &Path) -> Result<Vec<String>> {
    let unreadable = |source| Error::File {
        path: PathBuf::from(folder),
        source,
    };
    let mut ids = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let (entry, name) = entry
            .map(|entry| {
                (
                    entry.path(),
                    entry.file_name().to_string_lossy().into_owned(),
                )
            })
            .map_err(unreadable)?;
        if entry.join(AGENT_FILE).is_file() {
            ids.push(name);
        } else if entry.is_dir() && !name.starts_with('.') {
            match find_misspelt_agent_file(&entry) {
                Some(file) => {
                    let reason = format!("it has to be called {AGENT_FILE}");
                    return Err(fault(&name, &file, &reason));
                }
                None => tracing::warn!("{} has no {AGENT_FILE}: no agent", entry.display()),
            }
        }
    }
    if ids.is_empty() && folder.join(AGENT_FILE).is_file() {
        return Err(Error::AgentFile {
            file: folder.join(AGENT_FILE).display().to_string(),
            reason: "it stands in the folder that --agents names, which is the one around the \
                     agents' folders: give the folder above it"
                .to_owned(),
        });
    }
    ids.sort();
    Ok(ids)
}

/// Returns the name of a file in `folder` that differs from `agent.toml` in the case of letters;
/// `None` if there is none.
fn find_misspelt_agent_file(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?;
    let mut names = names.filter_map(|entry| Some(entry.ok()?.file_name()));
    let name = names.find(|name| name.eq_ignore_ascii_case(AGENT_FILE))?;
    Some(name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::load;

    /// Returns the fault found in an agent whose one scenario has these steps.
    fn fault(steps: &str) -> Option<String> {
        let agent = "scenarios = [\"one\"]\nfallback = []\n[agent]\nname = \"A\"\n\
                     handle = \"@a\"\nbuild_id = \"1\"\nbuild_type = \"T\"\n";
        let scenario = format!("title = \"t\"\nphrases = [\"p\"]\nsteps = [{steps}]");
        let read = |_: &str, file: &str| {
            let text = if file == "agent.toml" {
                agent
            } else {
                &scenario
            };
            Ok(text.to_owned())
        };
        load("a", &read).err().map(|error| error.to_string())
    }

    #[test]
    fn steps_that_cannot_be_done_are_refused_with_their_fault() {
        let tool = "{ id = \"i\", name = \"n\", provider = \"p\", category = \"c\", \
                    arguments = { a = { text = \"xx\", repeat = 999999999 } } }";
        for (steps, expected) in [
            ("{ do = \"dance\" }".to_owned(), "unknown variant"),
            ("{ do = \"cut\", now = true }".to_owned(), "unknown field"),
            (
                "{ do = \"say\", text = \"x\", by = \"b\" }".to_owned(),
                "not among the colleagues",
            ),
            (
                "{ do = \"say\", text = \"x\", pace = -1 }".to_owned(),
                "pace must be",
            ),
            (
                "{ do = \"say\", text = \"xx\", repeat = 999999 }".to_owned(),
                "longer than 1048576",
            ),
            (
                "{ do = \"wait\", ms = 3600001 }".to_owned(),
                "a wait is longer",
            ),
            (
                "{ do = \"notify\", event = \"ERROR\" }".to_owned(),
                "not the type of a notification",
            ),
            ("{ do = \"ask\", batches = [] }".to_owned(), "needs batches"),
            (
                "{ do = \"ask\", batches = [{ tools = [] }] }".to_owned(),
                "at least one tool",
            ),
            (
                format!("{{ do = \"ask\", batches = [{{ tools = [{tool}] }}] }}"),
                "longer than",
            ),
        ] {
            let fault = fault(&steps).unwrap_or_default();
            assert!(
                fault.contains("a/one.toml") && fault.contains(expected),
                "{steps}: {fault}"
            );
        }
        assert_eq!(
            fault("{ do = \"say\", text = \"x\" }, { do = \"cut\" }"),
            None
        );
    }
}
