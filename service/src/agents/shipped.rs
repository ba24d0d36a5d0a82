//! The agents that come with the program: their files are part of it.

use crate::{Error, Result};

macro_rules! shipped {
    ($($agent:literal: $($file:literal)+;)+) => {
        /// Ids of the agents whose files are part of the program.
        pub(super) const IDS: &[&str] = &[$($agent),+];

        /// The shipped files: id of the agent, name of the file, and its text.
        const FILES: &[(&str, &str, &str)] = &[$($(
            ($agent, $file, include_str!(concat!("../../agents/", $agent, "/", $file))),
        )+)+];
    };
}

shipped! {
    "demo":
        "agent.toml" "approve-again.toml" "approve-one.toml" "approve-three.toml" "approve-twice.toml" "approve-typed.toml"
        "collaborate.toml" "cut.toml" "deceptive.toml" "fail-at-once.toml" "fail.toml"
        "hello.toml" "help.toml" "long-answer.toml" "markdown.toml" "plan.toml"
        "research.toml" "rich-answer.toml" "side-by-side.toml" "slow.toml" "trouble.toml" "two-batches-together.toml" "two-batches.toml" "unicode.toml" "unsafe.toml";
    "travel":
        "agent.toml" "book.toml" "cancel.toml" "help.toml" "trip.toml";
}

/// Returns the text of the file `file` of the shipped agent `agent`.
pub(super) fn file(agent: &str, file: &str) -> Result<String> {
    FILES
        .iter()
        .find(|(a, f, _)| *a == agent && *f == file)
        .map(|(.., text)| (*text).to_owned())
        .ok_or_else(|| Error::AgentFile {
            file: format!("{agent}/{file}"),
            reason: "it is listed but not shipped".to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::{FILES, IDS};

    /// Every file of the folder is compiled in, and every scenario is listed by its agent.
    #[test]
    fn the_folder_and_the_program_hold_the_same_files() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
        let mut on_disk = BTreeSet::new();
        for agent in fs::read_dir(root).unwrap() {
            let agent = agent.unwrap();
            for file in fs::read_dir(agent.path()).unwrap() {
                let name = file.unwrap().file_name();
                on_disk.insert(format!(
                    "{}/{}",
                    agent.file_name().display(),
                    name.display()
                ));
            }
        }
        let compiled: BTreeSet<_> = FILES.iter().map(|(a, f, _)| format!("{a}/{f}")).collect();
        assert_eq!(on_disk, compiled);
        for id in IDS {
            let agent = super::super::files::load(id, &super::file).unwrap();
            let listed = agent.phrases().count();
            let files = FILES.iter().filter(|(a, ..)| a == id).count();
            assert_eq!(
                listed + 1,
                files,
                "{id}: a scenario is not listed in agent.toml"
            );
        }
    }
}
