//! The audit: one line for each decision about a tool, with who or what made it. Each line holds
//! the hash of the line before, so that a line that was changed, added or left out is found.
//!
//! Pure: the store appends the lines and reads them. A line has hashes and names, and never the
//! arguments themselves.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::transcript::{Call, Effect};

/// Longest name of a tool in a line, in characters: a model may call what does not exist.
const MAX_TOOL_NAME_CHARACTERS: usize = 160;

/// A decision about a call of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The call may run without anybody being asked.
    Allowed,
    /// A person is asked about the call.
    Asked,
    /// The call does not run.
    Refused,
    /// A person approved the call.
    Approved,
    /// A person denied the call.
    Denied,
    /// A person stopped all calls of the batch before the call ran.
    Aborted,
    /// The call was started and its outcome is not known; it is not made again.
    Unknown,
}

/// The source of a decision: who or what decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionSource {
    /// A person decided.
    Person,
    /// A rule of the policy, or the form of the call.
    Rule,
    /// A grant that a person has.
    Grant,
    /// A limit of the agent.
    Limit,
    /// The tool gave no answer, or not in time.
    Timeout,
    /// The service ended while the tool ran.
    Crash,
}

/// A decision that is to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The call.
    pub call: Call,
    /// The effect of the call, by which it may be made once more or not.
    pub effect: Effect,
    /// The decision.
    pub decision: Decision,
    /// The source of the decision.
    pub source: DecisionSource,
    /// The rule, the limit or the grant by name; may be empty.
    pub rule: String,
}

/// One line of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuditLine {
    /// The number of the line, from 1 on without gaps.
    pub ordinal: i64,
    /// The time of the decision.
    pub at: String,
    /// The id of the user whose conversation it is.
    pub user_id: String,
    /// The agent's id.
    pub agent_id: String,
    /// The thread's id.
    pub thread_id: String,
    /// The id of the call (`toolExecutionId`).
    pub execution_id: String,
    /// The tool as `server/tool`.
    pub tool: String,
    /// SHA-256 of the exact arguments.
    pub arguments_hash: String,
    /// The decision.
    pub decision: Decision,
    /// The source of the decision.
    pub source: DecisionSource,
    /// The rule, the limit or the grant by name; may be empty.
    pub rule: String,
    /// The hash of the line before; empty for the first line.
    pub previous: String,
    /// SHA-256 of all other fields of the line.
    pub hash: String,
}

/// The thread that a decision belongs to, with its user and its agent.
#[derive(Clone, Debug)]
pub struct AuditedThread {
    /// The user's id.
    pub user_id: String,
    /// The agent's id.
    pub agent_id: String,
    /// The thread's id.
    pub thread_id: String,
}

impl AuditLine {
    /// Makes the line after the last one, whose number and hash are `previous`; `None` makes the
    /// first line.
    #[must_use]
    pub fn after(
        previous: Option<(i64, String)>,
        at: String,
        place: &AuditedThread,
        entry: AuditEntry,
    ) -> Self {
        let (last, previous) = previous.unwrap_or_default();
        let mut line = Self {
            ordinal: last + 1,
            at,
            user_id: place.user_id.clone(),
            agent_id: place.agent_id.clone(),
            thread_id: place.thread_id.clone(),
            execution_id: entry.call.id,
            tool: entry
                .call
                .tool
                .chars()
                .take(MAX_TOOL_NAME_CHARACTERS)
                .collect(),
            arguments_hash: hash(&entry.call.arguments),
            decision: entry.decision,
            source: entry.source,
            rule: entry.rule,
            previous,
            hash: String::new(),
        };
        line.hash = line.own_hash();
        line
    }

    /// Returns the hash of the line's other fields, which its field `hash` has to be equal to.
    fn own_hash(&self) -> String {
        let fields = (
            self.ordinal,
            &self.at,
            (&self.user_id, &self.agent_id, &self.thread_id),
            (&self.execution_id, &self.tool, &self.arguments_hash),
            (self.decision, self.source, &self.rule),
            &self.previous,
        );
        // Texts and numbers can always be written.
        hash(&serde_json::to_string(&fields).unwrap_or_default())
    }
}

/// The least number of digits of a hash that names a line.
const MIN_HASH_DIGITS: usize = 12;

/// Returns the first fault of the whole audit, `None` if there is none. `last` is a hash that one
/// of the lines has to have, or the beginning of one.
#[must_use]
pub fn fault(lines: &[AuditLine], last: Option<&str>) -> Option<String> {
    let mut previous = "";
    for (expected, line) in (1..).zip(lines) {
        let ordinal = line.ordinal;
        if ordinal != expected {
            return Some(format!("line {expected} is missing: {ordinal} follows"));
        }
        if line.previous != previous {
            return Some(format!("line {ordinal} does not follow the one before it"));
        }
        if line.hash != line.own_hash() {
            return Some(format!("line {ordinal} was changed"));
        }
        previous = &line.hash;
    }
    let last = last?;
    if last.len() < MIN_HASH_DIGITS {
        return Some(format!(
            "{last:?} names no line: give at least {MIN_HASH_DIGITS} characters of a hash"
        ));
    }
    let found = lines.iter().any(|line| line.hash.starts_with(last));
    (!found).then(|| format!("the line with the hash {last} is missing"))
}

/// Returns the SHA-256 of a text in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{AuditEntry, AuditLine, AuditedThread, Decision, DecisionSource, fault};
    use crate::transcript::{Call, Effect};

    fn chain(length: usize) -> Vec<AuditLine> {
        let place = AuditedThread {
            user_id: "ada".to_owned(),
            agent_id: "desk".to_owned(),
            thread_id: "thread".to_owned(),
        };
        let mut lines: Vec<AuditLine> = Vec::new();
        for at in 0..length {
            let previous = lines.last().map(|line| (line.ordinal, line.hash.clone()));
            let entry = AuditEntry {
                call: Call {
                    id: format!("run {at}"),
                    tool: "files/write".to_owned(),
                    arguments: "{\"path\":\"secret plan\"}".to_owned(),
                    definition: String::new(),
                },
                effect: Effect::Write,
                decision: Decision::Asked,
                source: DecisionSource::Rule,
                rule: "default".to_owned(),
            };
            lines.push(AuditLine::after(previous, "2026".to_owned(), &place, entry));
        }
        lines
    }

    #[test]
    fn a_whole_chain_has_no_fault_and_tells_no_arguments() {
        let lines = chain(3);
        assert_eq!(fault(&lines, None), None);
        assert_eq!(fault(&lines, Some(&lines[1].hash)), None);
        assert_eq!(fault(&lines, Some(&lines[1].hash[..12])), None);
        let short = fault(&lines, Some(&lines[1].hash[..11])).unwrap();
        assert!(short.contains("at least 12 characters"), "{short}");
        let text = serde_json::to_string(&lines).unwrap();
        assert!(!text.contains("secret plan"), "{text}");
        assert_eq!(fault(&[], None), None);
    }

    type Tamper = fn(&mut Vec<AuditLine>);

    #[test]
    fn each_kind_of_tampering_is_found() {
        let known = chain(4).last().unwrap().hash.clone();
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
            let mut lines = chain(4);
            tamper(&mut lines);
            let fault = fault(&lines, Some(&known)).unwrap_or_default();
            assert!(fault.contains(found), "{fault} / {found}");
        }
        let mut lines = chain(4);
        lines[1].rule = "auto".to_owned();
        lines[1].hash = lines[1].own_hash();
        assert_eq!(
            fault(&lines, None).unwrap(),
            "line 3 does not follow the one before it"
        );
    }
}
