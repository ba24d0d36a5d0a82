//! Whether the audit is whole: what was changed, added or left out since it was written.

use std::collections::HashMap;

use super::{Audit, AuditLine, ChainHead, Checkpoint};

/// The least number of digits of a hash that names a line.
const MIN_HASH_DIGITS: usize = 12;

impl Audit {
    /// Returns the first fault of the audit, `None` if there is none. `has` is a hash that a line or
    /// a checkpoint has to have, or the beginning of one.
    #[must_use]
    pub fn fault(&self, has: Option<&str>) -> Option<String> {
        let chains = self.lines.chunk_by(|one, next| one.chain == next.chain);
        chains
            .map(fault_of_chain)
            .chain([self.fault_of_checkpoints()])
            .find_map(|fault| fault)
            .or_else(|| self.fault_of_hash(has?))
    }

    /// Returns the heads of the chains that have grown since the last checkpoint that has them.
    #[must_use]
    pub fn heads_without_checkpoint(&self) -> Vec<ChainHead> {
        let mut covered: HashMap<&str, i64> = HashMap::new();
        for head in self.checkpoints.iter().flat_map(|it| &it.heads) {
            covered.insert(&head.chain, head.ordinal);
        }
        let chains = self.lines.chunk_by(|one, next| one.chain == next.chain);
        chains
            .filter_map(|chain| chain.last())
            .filter(|line| covered.get(line.chain.as_str()) != Some(&line.ordinal))
            .map(AuditLine::head)
            .collect()
    }

    fn fault_of_checkpoints(&self) -> Option<String> {
        let place = |line: &AuditLine| (line.chain.clone(), line.ordinal);
        let hashes: HashMap<(String, i64), &str> = self
            .lines
            .iter()
            .map(|line| (place(line), line.hash.as_str()))
            .collect();
        let mut previous = "";
        for (expected, checkpoint) in (1..).zip(&self.checkpoints) {
            let Checkpoint { ordinal, hash, .. } = checkpoint;
            if *ordinal != expected {
                return Some(format!(
                    "checkpoint {expected} is missing: {ordinal} follows"
                ));
            }
            if checkpoint.previous != previous {
                return Some(format!(
                    "checkpoint {ordinal} does not follow the one before it"
                ));
            }
            if *hash != checkpoint.own_hash() {
                return Some(format!("checkpoint {ordinal} was changed"));
            }
            for head in &checkpoint.heads {
                let there = hashes.get(&(head.chain.clone(), head.ordinal));
                if there != Some(&head.hash.as_str()) {
                    let line = name(&head.chain, head.ordinal);
                    return Some(format!("{line} is missing, which checkpoint {ordinal} has"));
                }
            }
            previous = hash;
        }
        None
    }

    fn fault_of_hash(&self, has: &str) -> Option<String> {
        if has.len() < MIN_HASH_DIGITS {
            return Some(format!(
                "{has:?} names no line: give at least {MIN_HASH_DIGITS} characters of a hash"
            ));
        }
        let lines = self.lines.iter().map(|line| &line.hash);
        let checkpoints = self.checkpoints.iter().map(|checkpoint| &checkpoint.hash);
        let found = lines.chain(checkpoints).any(|hash| hash.starts_with(has));
        (!found).then(|| format!("the line with the hash {has} is missing"))
    }
}

fn fault_of_chain(lines: &[AuditLine]) -> Option<String> {
    let mut previous = "";
    for (expected, line) in (1..).zip(lines) {
        let AuditLine { chain, ordinal, .. } = line;
        if *ordinal != expected {
            let missing = name(chain, expected);
            return Some(format!("{missing} is missing: {ordinal} follows"));
        }
        let named = name(chain, *ordinal);
        if line.previous != previous {
            return Some(format!("{named} does not follow the one before it"));
        }
        if line.hash != line.own_hash() {
            return Some(format!("{named} was changed"));
        }
        previous = &line.hash;
    }
    None
}

/// Names a line for a person.
fn name(chain: &str, ordinal: i64) -> String {
    match chain {
        "" => format!("line {ordinal}"),
        chain => format!("line {ordinal} of the chain {chain}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AuditEntry, AuditedThread, Decision, DecisionSource};
    use super::{Audit, AuditLine, ChainHead, Checkpoint};
    use crate::transcript::{Call, Effect};

    fn chain(name: &str, length: usize) -> Vec<AuditLine> {
        let place = AuditedThread {
            user_id: "ada".to_owned(),
            agent_id: "desk".to_owned(),
            thread_id: "thread".to_owned(),
        };
        let mut head = ChainHead {
            chain: name.to_owned(),
            ..ChainHead::default()
        };
        let mut lines: Vec<AuditLine> = Vec::new();
        for at in 0..length {
            let entry = AuditEntry {
                call: Call {
                    id: format!("run {at}"),
                    tool: "files/write".to_owned(),
                    arguments: "{\"path\":\"secret plan\"}".to_owned(),
                    definition: String::new(),
                },
                edited: None,
                effect: Effect::Write,
                decision: Decision::Asked,
                source: DecisionSource::Rule,
                rule: "default".to_owned(),
                policy: String::new(),
            };
            let line = AuditLine::after(&head, "2026".to_owned(), &place, entry);
            head = line.head();
            lines.push(line);
        }
        lines
    }

    fn single(lines: Vec<AuditLine>) -> Audit {
        Audit {
            lines,
            checkpoints: Vec::new(),
        }
    }

    /// An audit of two chains, whose first lines are in a checkpoint and whose last ones in the next.
    fn of_two_chains() -> Audit {
        let (one, two) = (chain("a/0", 3), chain("b/0", 2));
        let first = Checkpoint::after(None, "2026".to_owned(), vec![one[1].head(), two[0].head()]);
        let previous = Some((first.ordinal, first.hash.clone()));
        let heads = vec![one[2].head(), two[1].head()];
        let second = Checkpoint::after(previous, "2026".to_owned(), heads);
        Audit {
            lines: one.into_iter().chain(two).collect(),
            checkpoints: vec![first, second],
        }
    }

    #[test]
    fn a_whole_chain_has_no_fault_and_tells_no_arguments() {
        let audit = single(chain("", 3));
        let hash = &audit.lines[1].hash;
        assert_eq!(audit.fault(None), None);
        assert_eq!(audit.fault(Some(hash)), None);
        assert_eq!(audit.fault(Some(&hash[..12])), None);
        let short = audit.fault(Some(&hash[..11])).unwrap();
        assert!(short.contains("at least 12 characters"), "{short}");
        let text = serde_json::to_string(&audit.lines).unwrap();
        assert!(!text.contains("secret plan"), "{text}");
        assert_eq!(single(Vec::new()).fault(None), None);
    }

    #[test]
    fn the_hash_of_a_line_without_a_chain_is_what_it_was_before_there_were_chains() {
        let line = chain("", 1).pop().unwrap();
        assert_eq!(
            line.hash,
            "fd707fb889c27dee8ce00be407744e7eb7915508f7bb04849bd4e7855c421cf9"
        );
    }

    #[test]
    fn the_version_of_the_policy_is_part_of_the_hash_where_a_line_has_one() {
        for name in ["", "a/0"] {
            let mut lines = chain(name, 2);
            let before = lines[0].hash.clone();
            let text = serde_json::to_string(&lines[0]).unwrap();
            assert!(!text.contains("policy"), "{text}");
            lines[0].policy = "bca8c78ca736".to_owned();
            assert!(
                single(lines.clone())
                    .fault(None)
                    .unwrap()
                    .ends_with("was changed")
            );
            lines[0].hash = lines[0].own_hash();
            assert_ne!(lines[0].hash, before);
            lines.truncate(1);
            assert_eq!(single(lines.clone()).fault(None), None);
            let text = serde_json::to_string(&lines[0]).unwrap();
            assert_eq!(serde_json::from_str::<AuditLine>(&text).unwrap(), lines[0]);
            lines[0].policy.clear();
            assert!(single(lines).fault(None).is_some(), "it was left out");
        }
    }

    type Tamper = fn(&mut Vec<AuditLine>);

    #[test]
    fn each_kind_of_tampering_is_found() {
        let known = chain("", 4).last().unwrap().hash.clone();
        let tampers: [(Tamper, &str); 7] = [
            (|l| l[1].decision = Decision::Approved, "line 2 was changed"),
            (
                |l| l[1].source = DecisionSource::Person,
                "line 2 was changed",
            ),
            (|l| l[2].user_id = "eve".to_owned(), "line 3 was changed"),
            (
                |l| l[2].arguments_hash = String::new(),
                "line 3 was changed",
            ),
            (|l| drop(l.remove(1)), "line 2 is missing"),
            (|l| l.swap(1, 2), "line 2 is missing"),
            (|l| drop(l.pop()), "is missing"),
        ];
        for (tamper, found) in tampers {
            let mut lines = chain("", 4);
            tamper(&mut lines);
            let fault = single(lines).fault(Some(&known)).unwrap_or_default();
            assert!(fault.contains(found), "{fault} / {found}");
        }
        let mut lines = chain("", 4);
        lines[1].rule = "auto".to_owned();
        lines[1].hash = lines[1].own_hash();
        assert_eq!(
            single(lines).fault(None).unwrap(),
            "line 3 does not follow the one before it"
        );
    }

    #[test]
    fn chains_beside_each_other_are_whole_and_checkpoints_cover_them() {
        let mut audit = of_two_chains();
        let last = audit.checkpoints[1].hash.clone();
        assert_eq!(audit.fault(Some(&last)), None);
        assert_eq!(audit.heads_without_checkpoint(), []);
        let later = chain("c/0", 2);
        let head = later[1].head();
        audit.lines.extend(later);
        assert_eq!(audit.heads_without_checkpoint(), [head]);
        audit.checkpoints.pop();
        assert_eq!(audit.heads_without_checkpoint().len(), 3);
    }

    type TamperAll = fn(&mut Audit);

    #[test]
    fn tampering_with_chains_and_checkpoints_is_found() {
        let known = of_two_chains().checkpoints[1].hash.clone();
        let tampers: [(TamperAll, &str); 7] = [
            (
                |a| a.lines.retain(|line| line.chain != "b/0"),
                "line 1 of the chain b/0 is missing, which checkpoint 1 has",
            ),
            (
                |a| drop(a.lines.pop()),
                "line 2 of the chain b/0 is missing, which checkpoint 2 has",
            ),
            (
                |a| a.lines[0].chain = "b/0".to_owned(),
                "line 1 of the chain b/0 was changed",
            ),
            (
                |a| drop(a.checkpoints.remove(0)),
                "checkpoint 1 is missing: 2 follows",
            ),
            (|a| drop(a.checkpoints.pop()), "is missing"),
            (
                |a| a.checkpoints[0].heads.clear(),
                "checkpoint 1 was changed",
            ),
            (
                |a| {
                    a.checkpoints[0].heads.clear();
                    a.checkpoints[0].hash = a.checkpoints[0].own_hash();
                },
                "checkpoint 2 does not follow the one before it",
            ),
        ];
        for (tamper, found) in tampers {
            let mut audit = of_two_chains();
            tamper(&mut audit);
            let fault = audit.fault(Some(&known)).unwrap_or_default();
            assert!(fault.contains(found), "{fault} / {found}");
        }
    }
}
