//! Agent files: `agent.toml` says who an agent is and lists its scenarios, each a TOML file beside it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{
    Profile,
    matcher::words,
    scenario::{Scenario, ScenarioAgent},
    steps::{Ask, Step},
};
use crate::{Error, Result};

/// `agent.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentFile {
    agent: Profile,
    /// Agents that may speak in its answers.
    #[serde(default)]
    colleagues: Vec<Profile>,
    /// File names without `.toml`, in the order in which help lists them.
    scenarios: Vec<String>,
    /// What is done where no scenario matches.
    fallback: Vec<Step>,
}

/// A scenario's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    /// What it shows, as half a sentence.
    title: String,
    /// What a message has to say; the first one is shown in help.
    phrases: Vec<String>,
    steps: Vec<Step>,
}

/// Gives the text of `<agent>/<file>`.
pub(super) type Read<'a> = &'a dyn Fn(&str, &str) -> Result<String>;

/// Reads an agent and checks that every step can be done.
pub(super) fn load(id: &str, read: Read<'_>) -> Result<ScenarioAgent> {
    let agent: AgentFile = parse(id, "agent.toml", read)?;
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
    check(&agent.fallback, &agent.colleagues).map_err(|reason| fault(id, "agent.toml", &reason))?;
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

fn parse<T: for<'de> Deserialize<'de>>(id: &str, file: &str, read: Read<'_>) -> Result<T> {
    toml::from_str(&read(id, file)?).map_err(|error| fault(id, file, &error.to_string()))
}

fn fault(id: &str, file: &str, reason: &str) -> Error {
    Error::AgentFile {
        file: format!("{id}/{file}"),
        reason: reason.to_owned(),
    }
}

fn check(steps: &[Step], colleagues: &[Profile]) -> Result<(), String> {
    for step in steps {
        match step {
            Step::Say { by: Some(id), .. } if !colleagues.iter().any(|c| c.id == *id) => {
                return Err(format!("{id:?} speaks but is not among the colleagues"));
            }
            Step::Say { pace, .. } if !(pace.is_finite() && *pace >= 0.0) => {
                return Err("pace must be 0 or a positive number".to_owned());
            }
            Step::Ask(Ask { batches, on, .. }) => {
                if batches.is_empty() || batches.iter().any(|batch| batch.tools.is_empty()) {
                    return Err("a step ask needs batches, each with at least one tool".to_owned());
                }
                on.all()
                    .into_iter()
                    .try_for_each(|branch| check(branch, colleagues))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads agents from sub-folders of `folder`.
pub(super) fn in_folder(folder: &Path) -> impl Fn(&str, &str) -> Result<String> {
    move |id, file| {
        let path = folder.join(id).join(file);
        fs::read_to_string(&path).map_err(|source| Error::File { path, source })
    }
}

/// The sub-folders of `folder` that hold an `agent.toml`, by name.
pub(super) fn folders(folder: &Path) -> Result<Vec<String>> {
    let unreadable = |source| Error::File {
        path: PathBuf::from(folder),
        source,
    };
    let mut ids = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.path().join("agent.toml").is_file() {
            ids.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    ids.sort();
    Ok(ids)
}
