//! The audit: one line for each decision about a tool, with who or what made it. Each line holds
//! the hash of the line before, so that a line that was changed, added or left out is found.
//!
//! SQLite has one chain of lines. With PostgreSQL each transaction that is open beside others extends
//! a chain of its own, since one chain would have all replicas wait for each other. Checkpoints, a
//! chain again, hold the heads of these chains: whoever keeps the hash of one finds later whether a
//! line before it is missing.
//!
//! Pure: the store appends the lines and reads them. A line has hashes and names, and never the
//! arguments themselves.

mod check;

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
    /// A person allowed such calls beforehand, with the decision about this one.
    Granted,
    /// What a person had allowed beforehand ended: with its time (`timeout`), or because a person took
    /// it back or deleted its thread.
    Ended,
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
    /// The call, as it was asked about.
    pub call: Call,
    /// The arguments that a person approved in place of those of the call; `None` if nothing was changed.
    pub edited: Option<String>,
    /// The effect of the call, by which it may be made once more or not.
    pub effect: Effect,
    /// The decision.
    pub decision: Decision,
    /// The source of the decision.
    pub source: DecisionSource,
    /// The rule, the limit or the grant by name; may be empty.
    pub rule: String,
    /// The version of the agent's policy by which the call was judged; empty where there is none.
    pub policy: String,
}

/// The last line of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainHead {
    /// The chain; the empty name is that of the chain of a database that has only one.
    pub chain: String,
    /// The number of the line; 0 for a chain without lines.
    pub ordinal: i64,
    /// The hash of the line; empty for a chain without lines.
    pub hash: String,
}

/// One line of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuditLine {
    /// The chain of the line; empty in a database that has only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub chain: String,
    /// The number of the line within its chain, from 1 on without gaps.
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
    /// SHA-256 of the exact arguments that a person approved in place of these; empty if nothing was
    /// changed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub edited_hash: String,
    /// The decision.
    pub decision: Decision,
    /// The source of the decision.
    pub source: DecisionSource,
    /// The rule, the limit or the grant by name; may be empty.
    pub rule: String,
    /// The version of the agent's policy by which the call was judged; empty where there is none, and
    /// in lines of before there were versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub policy: String,
    /// The hash of the line before it in its chain; empty for the first line.
    pub previous: String,
    /// SHA-256 of all other fields of the line.
    pub hash: String,
}

/// The heads of chains at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Checkpoint {
    /// The number of the checkpoint, from 1 on without gaps.
    pub ordinal: i64,
    /// The time of the checkpoint.
    pub at: String,
    /// The heads of the chains that had grown.
    pub heads: Vec<ChainHead>,
    /// The hash of the checkpoint before; empty for the first one.
    pub previous: String,
    /// SHA-256 of all other fields.
    pub hash: String,
}

/// The whole audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// All lines, those of a chain after each other and in their order.
    pub lines: Vec<AuditLine>,
    /// All checkpoints, oldest first.
    pub checkpoints: Vec<Checkpoint>,
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
    /// Makes the line after the last one of a chain.
    #[must_use]
    pub fn after(last: &ChainHead, at: String, place: &AuditedThread, entry: AuditEntry) -> Self {
        let mut line = Self {
            chain: last.chain.clone(),
            ordinal: last.ordinal + 1,
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
            edited_hash: entry.edited.as_deref().map_or_else(String::new, hash),
            decision: entry.decision,
            source: entry.source,
            rule: entry.rule,
            policy: entry.policy,
            previous: last.hash.clone(),
            hash: String::new(),
        };
        line.hash = line.own_hash();
        line
    }

    /// Returns the head of a chain that ends with this line.
    #[must_use]
    pub fn head(&self) -> ChainHead {
        ChainHead {
            chain: self.chain.clone(),
            ordinal: self.ordinal,
            hash: self.hash.clone(),
        }
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
        // A line without what came later has the hash that it had before there was that.
        let later = (self.policy.as_str(), self.edited_hash.as_str());
        match (self.chain.as_str(), later) {
            ("", ("", "")) => hash_of(&fields),
            (chain, ("", "")) => hash_of(&(chain, fields)),
            (chain, later) => hash_of(&(chain, later, fields)),
        }
    }
}

impl Checkpoint {
    /// Makes the checkpoint after the last one, whose number and hash are `previous`; `None` makes
    /// the first one.
    #[must_use]
    pub fn after(previous: Option<(i64, String)>, at: String, heads: Vec<ChainHead>) -> Self {
        let (last, previous) = previous.unwrap_or_default();
        let mut checkpoint = Self {
            ordinal: last + 1,
            at,
            heads,
            previous,
            hash: String::new(),
        };
        checkpoint.hash = checkpoint.own_hash();
        checkpoint
    }

    /// Returns the hash of the other fields, which the field `hash` has to be equal to.
    fn own_hash(&self) -> String {
        hash_of(&(self.ordinal, &self.at, &self.heads, &self.previous))
    }
}

fn hash_of(fields: &impl Serialize) -> String {
    // Texts and numbers can always be written.
    hash(&serde_json::to_string(fields).unwrap_or_default())
}

/// Returns the SHA-256 of a text in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
