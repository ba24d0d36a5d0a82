//! What is learned of a server from what it refuses: a table of symptoms, and the habit that each
//! is a sign of.

use std::fmt;

use serde_json::Value;

use super::habits::{Habits, NoToolsMethod, ReturnedThoughts};

/// A habit of a server that was learned from a refusal or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) enum Lesson {
    /// The server does not know this parameter, which is left out.
    Omit(&'static str),
    /// The parameter that limits the tokens of an answer has this name.
    MaxTokensName(&'static str),
    /// The `tool_choice` that the agent file asks for is not sent.
    NoToolChoice,
    /// Where no tool may be called, requests tell earlier calls in words.
    Words,
    /// Thoughts that came with calls are sent back in this way.
    Thoughts(ReturnedThoughts),
    /// The server wants each call that it is told to have a signature.
    SignedCalls,
    /// The model's thoughts come first, up to a lone `</think>`.
    ThinksFirst,
    /// The messages of person and model have to alternate.
    Alternate,
    /// A message of the model has to stand between results of tools and a message of the person.
    AnswerAfterResults,
    /// The server knows no role `system`.
    NoSystem,
    /// The server refuses the function with this name.
    Function(String),
    /// One answer is not forced into a schema, as the refusal may be about that schema alone.
    NoSchemaOnce,
}

/// What a request must have sent for a row of the table of symptoms to be about it.
enum SentPart {
    /// The request has this parameter, which the service adds.
    Parameter(&'static str),
    /// The request has a `tool_choice` that is `none`.
    ChoiceNone,
    /// The request has a `tool_choice` that is not `none`: the one of the agent file.
    ChoiceOfFile,
    /// The messages of the request have calls.
    Calls,
    /// The messages of the request have thoughts.
    Thoughts,
    /// The request has messages.
    Messages,
}

/// A row of the table: where a request has `sent`, and the refusal has one of each group of words
/// in `says` (in lower case), `lesson` is learned.
struct Symptom {
    sent: SentPart,
    says: &'static [&'static [&'static str]],
    lesson: Lesson,
}

/// Words with which servers say that they do not know something.
const UNSUPPORTED_PHRASES: &[&str] = &[
    "not permitted",
    "extra_forbidden",
    "unsupported",
    "not supported",
    "not support",
    "n't support",
    "not enabled",
    "unrecognized",
    "unknown",
    "unexpected",
    "unavailable",
    "not allowed",
    "cannot find field",
    "only available",
    "only be",
];

const SYMPTOMS: [Symptom; 17] = [
    Symptom {
        sent: SentPart::Parameter("stream_options"),
        says: &[&["stream_options", "include_usage", "stream options"]],
        lesson: Lesson::Omit("stream_options"),
    },
    Symptom {
        sent: SentPart::Parameter("max_tokens"),
        says: &[&["max_completion_tokens"]],
        lesson: Lesson::MaxTokensName("max_completion_tokens"),
    },
    Symptom {
        sent: SentPart::Parameter("max_tokens"),
        says: &[&["max_tokens"], UNSUPPORTED_PHRASES],
        lesson: Lesson::MaxTokensName("max_completion_tokens"),
    },
    Symptom {
        sent: SentPart::Parameter("max_completion_tokens"),
        says: &[&["max_completion_tokens"], UNSUPPORTED_PHRASES],
        lesson: Lesson::MaxTokensName("max_tokens"),
    },
    Symptom {
        sent: SentPart::Parameter("response_format"),
        says: &[&["response_format", "json_schema"], UNSUPPORTED_PHRASES],
        lesson: Lesson::Omit("response_format"),
    },
    Symptom {
        sent: SentPart::Parameter("parallel_tool_calls"),
        says: &[&["parallel_tool_calls", "parallel tool calls"]],
        lesson: Lesson::Omit("parallel_tool_calls"),
    },
    Symptom {
        sent: SentPart::ChoiceOfFile,
        says: &[&["tool_choice", "tool choice"]],
        lesson: Lesson::NoToolChoice,
    },
    Symptom {
        sent: SentPart::ChoiceNone,
        says: &[&["tool_choice", "tool choice"]],
        lesson: Lesson::Words,
    },
    Symptom {
        sent: SentPart::Calls,
        says: &[&[
            "`tools=`",
            "toolconfig",
            "must define tools",
            "tools= param",
        ]],
        lesson: Lesson::Words,
    },
    Symptom {
        sent: SentPart::Calls,
        says: &[&["missing"], &["reasoning_content"]],
        lesson: Lesson::Thoughts(ReturnedThoughts::Always),
    },
    Symptom {
        sent: SentPart::Calls,
        says: &[&["missing"], &["thought_signature"]],
        lesson: Lesson::SignedCalls,
    },
    Symptom {
        sent: SentPart::Thoughts,
        says: &[&["reasoning_content"], UNSUPPORTED_PHRASES],
        lesson: Lesson::Thoughts(ReturnedThoughts::Never),
    },
    Symptom {
        sent: SentPart::Messages,
        says: &[&["role"], &["alternate"]],
        lesson: Lesson::Alternate,
    },
    Symptom {
        sent: SentPart::Calls,
        says: &[&["role 'user' after role 'tool'", "role user after role tool"]],
        lesson: Lesson::AnswerAfterResults,
    },
    Symptom {
        sent: SentPart::Messages,
        says: &[
            &["system role", "role 'system'", "system message"],
            UNSUPPORTED_PHRASES,
        ],
        lesson: Lesson::NoSystem,
    },
    Symptom {
        sent: SentPart::Messages,
        says: &[&["roles are supported, got system"]],
        lesson: Lesson::NoSystem,
    },
    Symptom {
        sent: SentPart::Messages,
        says: &[&["developer instruction"], UNSUPPORTED_PHRASES],
        lesson: Lesson::NoSystem,
    },
];

/// HTTP statuses with which servers refuse a request because of its form.
const REFUSAL_STATUSES: [u16; 4] = [400, 404, 422, 501];

/// Returns what a refusal of the request `sent` teaches, if anything: `text` is all that the server
/// said, and `status` its HTTP status, or `None` if an answer had begun.
pub(in crate::agents::model) fn learn(
    status: Option<u16>,
    text: &str,
    sent: &Value,
    habits: &Habits,
) -> Option<Lesson> {
    if status.is_some_and(|status| status < 500 && !REFUSAL_STATUSES.contains(&status)) {
        return None;
    }
    let said = text.to_lowercase();
    let known = SYMPTOMS.iter().find(|symptom| {
        let has_one = |words: &&[&str]| words.iter().any(|word| said.contains(word));
        symptom.sent.is_in(sent)
            && symptom.says.iter().all(has_one)
            && symptom.lesson.is_new(habits)
    });
    if let Some(symptom) = known {
        return Some(symptom.lesson.clone());
    }
    if let Some(name) = refused_function(&said, sent) {
        return Some(Lesson::Function(name));
    }
    let schema = matches!(status, Some(400 | 422 | 501))
        && sent.get("response_format").is_some()
        && habits.takes("response_format");
    schema.then_some(Lesson::NoSchemaOnce)
}

/// Returns the name of the function whose schema or name is refused: the refusal quotes the name,
/// or says its place in the list.
fn refused_function(said: &str, sent: &Value) -> Option<String> {
    let about = ["schema", "parameters", "function", "properties"];
    if !about.iter().any(|word| said.contains(word)) {
        return None;
    }
    let tools = sent.get("tools")?.as_array()?;
    let names = || {
        let names = tools.iter().map(|tool| tool.pointer("/function/name"));
        names.map(|name| name.and_then(Value::as_str).unwrap_or_default())
    };
    let quoted = |name: &&str| {
        let name = name.to_lowercase();
        ["'", "\"", "`"]
            .iter()
            .any(|mark| said.contains(&format!("{mark}{name}{mark}")))
    };
    if let Some(name) = names().find(quoted) {
        return Some(name.to_owned());
    }
    let place = ["function_declarations[", "tools[", "tools.", "tools', "]
        .iter()
        .find_map(|before| {
            let (_, rest) = said.split_once(before)?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<usize>().ok()
        })?;
    names().nth(place).map(str::to_owned)
}

impl SentPart {
    fn is_in(&self, request: &Value) -> bool {
        let messages = || {
            let messages = request.get("messages").and_then(Value::as_array);
            messages.into_iter().flatten()
        };
        match self {
            Self::Parameter(name) => request.get(name).is_some(),
            Self::ChoiceNone => request.get("tool_choice").is_some_and(|it| it == "none"),
            Self::ChoiceOfFile => request.get("tool_choice").is_some_and(|it| it != "none"),
            Self::Calls => messages().any(|message| message.get("tool_calls").is_some()),
            Self::Thoughts => messages().any(|message| message.get("reasoning_content").is_some()),
            Self::Messages => messages().next().is_some(),
        }
    }
}

impl Lesson {
    /// Returns true if the lesson is remembered for later requests.
    pub(in crate::agents::model) fn lasts(&self) -> bool {
        *self != Self::NoSchemaOnce
    }

    /// Returns true if the lesson would change these habits.
    fn is_new(&self, habits: &Habits) -> bool {
        let mut changed = habits.clone();
        self.apply(&mut changed);
        changed != *habits
    }

    /// Changes habits as the lesson says.
    pub(in crate::agents::model) fn apply(&self, habits: &mut Habits) {
        match self {
            Self::Omit(name) => {
                habits.omit.insert((*name).to_owned());
            }
            Self::NoSchemaOnce => {
                habits.omit.insert("response_format".to_owned());
            }
            Self::MaxTokensName(name) => (*name).clone_into(&mut habits.max_tokens_name),
            Self::NoToolChoice => habits.tool_choice = None,
            Self::Words => habits.without_tools = NoToolsMethod::Words,
            Self::Thoughts(thoughts) => habits.thoughts = *thoughts,
            Self::SignedCalls => habits.signed_calls = true,
            Self::ThinksFirst => habits.thinks_first = true,
            Self::Alternate => habits.alternate = true,
            Self::AnswerAfterResults => habits.answer_after_results = true,
            Self::NoSystem => habits.no_system = true,
            Self::Function(name) => {
                habits.refused_functions.insert(name.clone());
            }
        }
    }
}

impl fmt::Display for Lesson {
    /// Writes what the service does because of the lesson, and the setting of an agent file that
    /// does the same where there is one.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Omit(name) => write!(to, "{name} is left out (omit = [{name:?}])"),
            Self::NoSchemaOnce => write!(to, "one answer was not forced into a schema"),
            Self::MaxTokensName(name) => {
                write!(
                    to,
                    "the limit is called {name} (max_tokens_name = {name:?})"
                )
            }
            Self::NoToolChoice => write!(to, "tool_choice is left out (remove tool_choice)"),
            Self::Words => write!(to, "calls are told in words where none may be made"),
            Self::Thoughts(ReturnedThoughts::Never) => {
                write!(to, "reasoning_content is not sent back")
            }
            Self::Thoughts(_) => write!(to, "reasoning_content is sent back with each call"),
            Self::SignedCalls => {
                write!(to, "calls of other models say that they have no signature")
            }
            Self::ThinksFirst => write!(to, "thoughts come first (thinks_first = true)"),
            Self::Alternate => write!(to, "person and model take turns"),
            Self::AnswerAfterResults => {
                write!(
                    to,
                    "the model speaks between results of tools and the person"
                )
            }
            Self::NoSystem => write!(to, "instructions are told as the person's"),
            Self::Function(name) => write!(to, "the function {name} is left out"),
        }
    }
}
