//! What `deploy/` and the documents about it start is what the program takes.

use std::{fs, path::PathBuf};

use assent_service::operate::config::Options;
use clap::Parser as _;

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(path: &str) -> String {
    let path = repository().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Fails unless the program takes these arguments.
fn assert_taken(arguments: &[String], place: &str) {
    let program = ["assent-service".to_owned()];
    let taken = Options::try_parse_from(program.iter().chain(arguments));
    if let Err(error) = taken {
        panic!("{place}: {arguments:?}: {error}");
    }
}

/// Returns the lists of arguments in a file of YAML: those that follow `args:` or `command:`, in a
/// line or one on each.
fn lists_of_arguments(yaml: &str) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for line in yaml.lines() {
        let line = line.trim();
        if let Some(list) = line
            .strip_prefix("args:")
            .or_else(|| line.strip_prefix("command:"))
        {
            let list = list.trim().trim_matches(['[', ']']);
            let items = list.split(',').map(|item| item.trim().trim_matches('"'));
            let items = items.filter(|item| !item.is_empty()).map(str::to_owned);
            lists.push(items.collect());
            open = list.is_empty();
        } else if let Some(item) = line.strip_prefix("- ").filter(|_| open) {
            lists.last_mut().unwrap().push(item.to_owned());
        } else if !line.starts_with('#') {
            open = false;
        }
    }
    lists
}

#[test]
fn compose_and_kubernetes_give_options_that_there_are() {
    for (path, lists) in [
        ("deploy/compose.yaml", 2),
        ("deploy/kubernetes/assent.yaml", 1),
        ("deploy/kubernetes/migrate.yaml", 1),
    ] {
        let found = lists_of_arguments(&read(path));
        assert_eq!(found.len(), lists, "{path}: {found:?}");
        for arguments in found {
            assert!(!arguments.is_empty(), "{path}");
            assert_taken(&arguments, path);
        }
    }
}

#[test]
fn the_image_gives_options_that_there_are() {
    let image = read("deploy/Dockerfile");
    let command = image.lines().find_map(|line| line.strip_prefix("CMD "));
    let arguments: Vec<String> = serde_json::from_str(command.unwrap()).unwrap();
    assert_taken(&arguments, "deploy/Dockerfile");
}

#[test]
fn units_of_systemd_give_options_that_there_are() {
    for path in [
        "deploy/systemd/assent@.service",
        "docs/production/assent.service",
    ] {
        let unit = read(path).replace("\\\n", " ");
        let start = unit
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart="));
        let start = start.unwrap().replace("%i", "8787").replace("%d", "/run");
        let arguments: Vec<String> = start.split_whitespace().map(str::to_owned).collect();
        assert!(arguments.len() > 4, "{path}: {arguments:?}");
        assert_taken(&arguments[1..], path);
    }
}

#[test]
fn the_guide_names_options_that_there_are() {
    let guide = read("docs/DEPLOY.md");
    let commands = guide
        .split('`')
        .filter_map(|text| text.strip_prefix("assent-service "));
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for command in commands {
        let arguments: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        assert_taken(&arguments, command);
    }
}
