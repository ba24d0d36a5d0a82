//! The limits of one turn, and what it has used of them.

use std::time::Duration;

use serde::Deserialize;

use crate::{
    rules::arguments::same_arguments,
    sentence::Sentence,
    settings::fault::{AtPlace as _, Fault},
    transcript::{Call, CallEnd, Item, Note},
};

/// Largest number of reads at the same time that an agent file may allow.
const MAX_PARALLEL_READS: usize = 64;

/// The limits of one turn: `[limits]` of an agent file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::agents::model) struct Limits {
    /// Most answers of the model in one turn.
    pub(in crate::agents::model) steps: usize,
    /// Most calls of tools in one turn.
    pub(in crate::agents::model) tool_calls: usize,
    /// Most reads that run at the same time.
    pub(in crate::agents::model) parallel: usize,
    /// Most calls of one tool with the same arguments in one turn.
    pub(in crate::agents::model) same_call: usize,
    /// Seconds that a turn may work, without the time that a person takes to decide.
    pub(in crate::agents::model) seconds: u64,
    /// Seconds that one call may take.
    pub(in crate::agents::model) tool_seconds: u64,
    /// Most bytes of one result that the model is given.
    pub(in crate::agents::model) tool_result_bytes: usize,
    /// The number of times that a request may be passed on from colleague to colleague.
    pub(in crate::agents::model) depth: usize,
    /// Most tokens of requests and answers in one turn.
    pub(in crate::agents::model) tokens: u64,
    /// Most tokens of requests and answers of one user on one day (UTC), with all agents together;
    /// `None`: there is no such limit.
    pub(in crate::agents::model) user_tokens_per_day: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 12,
            tool_calls: 24,
            parallel: 4,
            same_call: 2,
            seconds: 300,
            tool_seconds: 60,
            tool_result_bytes: 32 * 1024,
            depth: 2,
            tokens: 200_000,
            user_tokens_per_day: None,
        }
    }
}

/// The use that a turn has made of its limits so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) struct TurnUsage {
    pub(in crate::agents::model) steps: usize,
    pub(in crate::agents::model) tool_calls: usize,
    pub(in crate::agents::model) tokens: u64,
    /// Tokens that the user has used today, this turn included.
    pub(in crate::agents::model) tokens_today: u64,
    /// Tokens that are reserved for other requests of the user, which are under way.
    pub(in crate::agents::model) tokens_reserved: u64,
}

impl TurnUsage {
    /// Returns the answers, calls and tokens that these entries of a turn have used; `tokens_today`
    /// is what the turn's user has used today.
    pub(in crate::agents::model) fn of(turn: &[Item], tokens_today: u64) -> Self {
        let mut used = Self {
            tokens_today,
            ..Self::default()
        };
        for item in turn {
            match item {
                Item::Model { calls, tokens, .. } => {
                    used.steps += 1;
                    used.tool_calls += calls.len();
                    used.tokens += tokens;
                }
                Item::Note(Note::Inquiry { tokens }) => used.tokens += tokens,
                _ => {}
            }
        }
        used
    }
}

/// Returns how often a call of the same tool with the same arguments began in these entries of a
/// turn, whatever came of it.
pub(in crate::agents::model) fn count_same_calls(turn: &[Item], call: &Call) -> usize {
    let began = |end| matches!(end, CallEnd::Succeeded | CallEnd::Failed | CallEnd::Unknown);
    let ran = |id: &str| {
        turn.iter()
            .any(|item| matches!(item, Item::Result(it) if it.call == id && began(it.end)))
    };
    let calls = turn.iter().filter_map(|item| match item {
        Item::Model { calls, .. } => Some(calls),
        _ => None,
    });
    calls
        .flatten()
        .filter(|other| is_same(other, call) && ran(&other.id))
        .count()
}

/// Returns true if both calls are of the same tool with the same arguments.
pub(in crate::agents::model) fn is_same(one: &Call, other: &Call) -> bool {
    one.tool == other.tool && same_arguments(&one.arguments, &other.arguments)
}

impl Limits {
    /// Checks that a run can work with these limits.
    ///
    /// # Errors
    ///
    /// The fault, with its place.
    pub(in crate::agents::model) fn check(&self) -> Result<(), Fault> {
        if (1..=MAX_PARALLEL_READS).contains(&self.parallel) {
            return Ok(());
        }
        Err(format!("it is a number from 1 to {MAX_PARALLEL_READS}")).at("parallel")
    }

    /// Returns the sentence for the reader about a limit of calls, answers or tokens that `used`
    /// reaches; `None` if it reaches none.
    pub(in crate::agents::model) fn reached(&self, used: TurnUsage) -> Option<Sentence> {
        if used.tool_calls > self.tool_calls {
            return Some(Sentence::ToolUses(self.tool_calls));
        }
        if used.steps >= self.steps {
            return Some(Sentence::Steps(self.steps));
        }
        self.tokens_reached(used)
    }

    /// Returns the sentence for the reader about a limit of tokens, of the turn or of the user's
    /// day, that `used` reaches; `None` if it reaches none.
    pub(in crate::agents::model) fn tokens_reached(&self, used: TurnUsage) -> Option<Sentence> {
        if used.tokens >= self.tokens {
            return Some(Sentence::Tokens {
                used: used.tokens,
                limit: self.tokens,
            });
        }
        let per_day = self.user_tokens_per_day?;
        if used.tokens_today >= per_day {
            return Some(Sentence::TokensOfDay(per_day));
        }
        let is_reserved = used.tokens_today + used.tokens_reserved >= per_day;
        is_reserved.then_some(Sentence::TokensReserved(per_day))
    }

    /// Returns the sentence that tells the reader that the turn worked for as long as it may.
    pub(in crate::agents::model) fn time_limit_sentence(&self) -> Sentence {
        Sentence::Seconds(self.seconds)
    }

    /// Returns the beginning of a text: at most as many bytes as a result may have that the model
    /// is given (`tool_result_bytes`).
    pub(in crate::agents::model) fn cut_result(&self, text: &str) -> String {
        let end = text.floor_char_boundary(self.tool_result_bytes);
        text.get(..end).unwrap_or_default().to_owned()
    }

    pub(in crate::agents::model) fn tool_timeout(&self) -> Duration {
        Duration::from_secs(self.tool_seconds)
    }
}
