//! The sentences of the service in answers. A reader sees them in English; the extension `words`
//! names each by a key, with its values, so that a page can show them in another language.

use assent_protocol::{Values, Words};

/// The paragraph at the end of an answer that the user stopped.
pub const STOPPED: &str = "*This answer was stopped.*";

/// The paragraph at the end of an answer that the service could not finish.
pub const INTERRUPTED: &str =
    "*This answer was interrupted because the service stopped. Ask again to get a whole one.*";

/// A sentence of the service in an answer, a paragraph of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// The user stopped the answer.
    Stopped,
    /// The service stopped before the answer was complete.
    Interrupted,
    /// A problem of the service left the answer unfinished, and it is ended now.
    Abandoned,
    /// The answer failed, for this reason.
    Failed(String),
    /// The answer goes on after an interruption.
    GoesOn,
    /// An answer ended, and nobody knows whether these tools of it ran.
    UnknownOutcomes(Vec<String>),
    /// Nobody knows whether this tool ran; the answer goes on.
    UnknownOutcome(String),
    /// The answer reached this limit of uses of tools.
    ToolUses(usize),
    /// The answer reached this limit of steps.
    Steps(usize),
    /// The answer reached the limit of tokens of one answer.
    Tokens {
        /// The tokens that the answer used.
        used: u64,
        /// The limit of tokens of one answer.
        limit: u64,
    },
    /// The user has used up this limit of tokens of one day.
    TokensOfDay(u64),
    /// Other answers of the user may use up the rest of this limit of tokens of one day.
    TokensReserved(u64),
    /// The answer reached this limit of time, in seconds.
    Seconds(u64),
    /// The answer reached the greatest length that the model's server gives.
    Length,
    /// The model's server kept the rest of the answer back.
    Filtered,
    /// The model's server ended the answer without saying so.
    Unfinished,
    /// The model reads old turns as a summary from now on.
    SummedUp,
    /// A colleague gave no answer.
    NoReply {
        /// The colleague's name.
        agent: String,
        /// The reason, without a full stop.
        reason: String,
    },
    /// The tool server with this id cannot be used.
    ToolServer(String),
    /// The tool server with this id still starts, and the answer does not wait for it.
    ToolServerStarting(String),
}

impl Sentence {
    /// Returns the sentence as a paragraph: English, Markdown.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Stopped => STOPPED.to_owned(),
            Self::Interrupted => INTERRUPTED.to_owned(),
            Self::Abandoned => {
                "*This answer was interrupted by a problem of the service. Ask again \
                                to get a whole one.*"
                    .to_owned()
            }
            Self::Failed(reason) => format!("*The answer failed: {reason}*"),
            Self::GoesOn => {
                "*The service was stopped in between; this answer goes on by itself.*".to_owned()
            }
            Self::UnknownOutcomes(tools) => format!(
                "*It is not known whether `{}` ran. Check before you ask for it again.*",
                tools.join("`, `")
            ),
            Self::UnknownOutcome(tool) => format!("*It is not known whether `{tool}` ran.*"),
            Self::ToolUses(limit) => format!(
                "*I stopped before more than {limit} uses of tools, which is the limit of one \
                 answer.*"
            ),
            Self::Steps(limit) => {
                format!("*I stopped after {limit} steps, which is the limit of one answer.*")
            }
            Self::Tokens { used, limit } => {
                format!("*I stopped after {used} tokens; the limit of one answer is {limit}.*")
            }
            Self::TokensOfDay(limit) => format!(
                "*I stopped: the {limit} tokens that you may use on one day are used up. Ask again \
                 tomorrow.*"
            ),
            Self::TokensReserved(limit) => format!(
                "*I stopped: your other answers that are being written may use up the {limit} \
                 tokens of this day. Ask again when they have ended.*"
            ),
            Self::Seconds(limit) => {
                format!("*I stopped after {limit} seconds, the limit of one answer.*")
            }
            Self::Length => {
                "*The answer ends here: it reached the greatest length of an answer.*".to_owned()
            }
            Self::Filtered => {
                "*The answer ends here: the model's server kept the rest back.*".to_owned()
            }
            Self::Unfinished => {
                "*The answer may not be whole: the model's server ended it without saying so.*"
                    .to_owned()
            }
            Self::SummedUp => "*This conversation has become long: of its oldest part the model \
                               reads a summary from now on. You still see all of it.*"
                .to_owned(),
            Self::NoReply { agent, reason } => format!("*{agent} could not answer: {reason}.*"),
            Self::ToolServer(server) => {
                format!("*The tool server {server} cannot be used at the moment.*")
            }
            Self::ToolServerStarting(server) => format!(
                "*The tool server {server} is still starting. This answer goes on without it.*"
            ),
        }
    }

    /// Returns the sentence as a page is told of it: key, values and English text.
    #[must_use]
    pub fn words(&self) -> Words {
        let (key, values) = self.key();
        let values = values.into_iter();
        Words {
            key: format!("service.{key}"),
            values: Values(values.map(|(name, it)| (name.to_owned(), it)).collect()),
            text: self.text(),
        }
    }

    /// Returns the sentence's key, and the values of the text of that key in
    /// `crates/i18n/locales/en.toml`.
    fn key(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let limit = |limit: &dyn ToString| vec![("limit", limit.to_string())];
        match self {
            Self::Stopped => ("stopped", Vec::new()),
            Self::Interrupted => ("interrupted", Vec::new()),
            Self::Abandoned => ("abandoned", Vec::new()),
            Self::Failed(reason) => ("failed", vec![("reason", reason.clone())]),
            Self::GoesOn => ("goesOn", Vec::new()),
            Self::UnknownOutcomes(tools) => ("unknownOutcomes", vec![("tools", tools.join(", "))]),
            Self::UnknownOutcome(tool) => ("unknownOutcome", vec![("tool", tool.clone())]),
            Self::ToolUses(most) => ("toolUses", limit(most)),
            Self::Steps(most) => ("steps", limit(most)),
            Self::Tokens { used, limit } => (
                "tokens",
                vec![("used", used.to_string()), ("limit", limit.to_string())],
            ),
            Self::TokensOfDay(most) => ("tokensOfDay", limit(most)),
            Self::TokensReserved(most) => ("tokensReserved", limit(most)),
            Self::Seconds(most) => ("seconds", limit(most)),
            Self::Length => ("length", Vec::new()),
            Self::Filtered => ("filtered", Vec::new()),
            Self::Unfinished => ("unfinished", Vec::new()),
            Self::SummedUp => ("summedUp", Vec::new()),
            Self::NoReply { agent, reason } => (
                "noReply",
                vec![("agent", agent.clone()), ("reason", reason.clone())],
            ),
            Self::ToolServer(server) => ("toolServer", vec![("server", server.clone())]),
            Self::ToolServerStarting(server) => {
                ("toolServerStarting", vec![("server", server.clone())])
            }
        }
    }
}

/// Returns a text that ended early, with a sentence that says so as its last paragraph.
pub(crate) fn with_sentence(text: &str, sentence: &Sentence) -> String {
    let text = text.trim_end();
    let gap = if text.is_empty() { "" } else { "\n\n" };
    format!("{text}{gap}{}", sentence.text())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Sentence;

    const TABLE: &str = include_str!("../../crates/i18n/locales/en.toml");

    fn all() -> Vec<Sentence> {
        let tool = |name: &str| name.to_owned();
        vec![
            Sentence::Stopped,
            Sentence::Interrupted,
            Sentence::Abandoned,
            Sentence::Failed("it broke".to_owned()),
            Sentence::GoesOn,
            Sentence::UnknownOutcomes(vec![tool("a/b"), tool("c/d")]),
            Sentence::UnknownOutcome(tool("a/b")),
            Sentence::ToolUses(24),
            Sentence::Steps(12),
            Sentence::Tokens {
                used: 210,
                limit: 200,
            },
            Sentence::TokensOfDay(1000),
            Sentence::TokensReserved(1000),
            Sentence::Seconds(300),
            Sentence::Length,
            Sentence::Filtered,
            Sentence::Unfinished,
            Sentence::SummedUp,
            Sentence::NoReply {
                agent: "Ann".to_owned(),
                reason: "it said nothing".to_owned(),
            },
            Sentence::ToolServer("crm".to_owned()),
            Sentence::ToolServerStarting("crm".to_owned()),
        ]
    }

    #[test]
    fn each_text_is_that_of_its_key_in_the_table_with_its_values() {
        let table: toml::Table = TABLE.parse().unwrap();
        let table = table["service"].as_table().unwrap();
        for sentence in all() {
            let words = sentence.words();
            let mut text = table[&words.key].as_str().unwrap().to_owned();
            for (name, value) in &words.values.0 {
                let name = format!("{{{name}}}");
                assert!(text.contains(&name), "{}: {name}", words.key);
                text = text.replace(&name, value);
            }
            assert_eq!(words.text.replace('`', ""), format!("*{text}*"));
        }
        let known: BTreeSet<String> = all().iter().map(|it| it.words().key).collect();
        assert_eq!(known, table.keys().cloned().collect());
    }
}
