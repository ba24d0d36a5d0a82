//! The steps of an agent file, in TOML as a person writes them and in JSON as they are remembered.

use std::fmt;

use assent_protocol::EventType;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor},
};

use crate::transcript::Effect;

/// One step of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ScenarioStep {
    /// Says text in chunks of a few words.
    Say {
        text: String,
        /// Number of repetitions; `{n}` in a text that is repeated is the number of the repetition.
        #[serde(default = "default_repeat")]
        repeat: usize,
        /// Id of the colleague who says the text; `None`: the agent itself does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Factor on the pause after each chunk; 1 is the usual pause.
        #[serde(default = "default_pace")]
        pace: f64,
    },
    /// Sends a notification.
    Notify {
        event: Notification,
        /// The text of the notification; `None`: the default text of its type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Asks for approval. What follows the step happens after the decision and the branch for it.
    Ask(AskStep),
    /// Waits for this many milliseconds, at the service's pace.
    Wait { ms: u64 },
    /// Ends the answer with an `ERROR` event.
    Fail { reason: String },
    /// Breaks the connection; the answer goes on.
    Cut {},
}

/// Calls that need approval, and what happens after the decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskStep {
    /// True if all batches are asked for in one event.
    #[serde(default)]
    pub(crate) together: bool,
    pub(crate) batches: Vec<ScenarioBatch>,
    /// The steps after the decision, by what was decided.
    #[serde(default)]
    pub(crate) on: ScenarioBranches,
}

/// The steps that are played after a decision, for each way in which it can turn out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioBranches {
    /// The steps if all calls were approved.
    #[serde(default)]
    pub(crate) approved: Vec<ScenarioStep>,
    /// The steps if all calls were denied.
    #[serde(default)]
    pub(crate) denied: Vec<ScenarioStep>,
    /// The steps if all calls were stopped.
    #[serde(default)]
    pub(crate) aborted: Vec<ScenarioStep>,
    /// The steps in any other case.
    #[serde(default)]
    pub(crate) mixed: Vec<ScenarioStep>,
}

impl ScenarioBranches {
    pub(crate) fn all(&self) -> [&Vec<ScenarioStep>; 4] {
        [&self.approved, &self.denied, &self.aborted, &self.mixed]
    }
}

/// Calls that are decided about together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioBatch {
    pub(crate) tools: Vec<ScenarioTool>,
}

/// A call of a tool that a person is asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScenarioTool {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) provider: String,
    pub(crate) category: String,
    /// The effect of the call, as the person is told it; `None`: the person is told none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) effect: Option<Effect>,
    #[serde(default)]
    pub(crate) arguments: ScenarioArguments,
}

/// The arguments of a call: names and values in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ScenarioArguments(pub(crate) Vec<(String, String)>);

/// The type of a notification, which a file gives by its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Notification(pub(crate) EventType);

/// Longest value of an argument, in bytes.
const MAX_VALUE_BYTES: usize = 1024 * 1024;

/// The value of an argument in a file: a text as it is, or a text and how often it is repeated.
#[derive(Deserialize)]
#[serde(untagged)]
enum ArgumentValue {
    Plain(String),
    Repeated { text: String, repeat: usize },
}

fn default_repeat() -> usize {
    1
}

fn default_pace() -> f64 {
    1.0
}

impl<'de> Deserialize<'de> for Notification {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        match EventType::from(name.as_str()) {
            known @ EventType::Notification(_) => Ok(Self(known)),
            _ => Err(de::Error::custom(format!(
                "{name:?} is not the type of a notification"
            ))),
        }
    }
}

impl Serialize for ScenarioArguments {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for ScenarioArguments {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = ScenarioArguments;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a table of argument names and values")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<ScenarioArguments, A::Error> {
                let mut arguments = Vec::new();
                while let Some((name, value)) = map.next_entry()? {
                    let value = match value {
                        ArgumentValue::Plain(text) => text,
                        ArgumentValue::Repeated { text, repeat } => {
                            if text.len().saturating_mul(repeat) > MAX_VALUE_BYTES {
                                let fault =
                                    format!("a value is longer than {MAX_VALUE_BYTES} bytes");
                                return Err(de::Error::custom(fault));
                            }
                            text.repeat(repeat)
                        }
                    };
                    arguments.push((name, value));
                }
                Ok(ScenarioArguments(arguments))
            }
        }
        from.deserialize_map(InOrder)
    }
}
