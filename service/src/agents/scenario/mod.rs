//! The agent that plays scenarios from files: the user's text chooses the scenario.

use std::time::Duration;

use assent_protocol::{ApprovalRequest, ApprovalStatus, notification};
use serde::{Deserialize, Serialize};

pub(super) mod matcher;
mod placeholders;
pub(super) mod scenario_steps;

use self::{
    placeholders::{Values, fill},
    scenario_steps::{AskStep, ScenarioBranches, ScenarioStep},
};
use super::agent::{Agent, Answer, AnswerFuture, DecidedQuestion, Ending, Turn, TurnInput};
use crate::{
    Result,
    generate::new_id,
    profile::Profile,
    rules::{approval::Question, policy::ToldEffect},
};

/// Pause after each chunk at pace 1.
const CHUNK_PAUSE: Duration = Duration::from_millis(25);

/// The least number of characters of a chunk, which ends with the word that reaches it; the last
/// may be shorter.
const CHUNK_LENGTH: usize = 12;

/// An agent that plays scenarios, which its files describe.
#[derive(Debug)]
pub struct ScenarioAgent {
    profile: Profile,
    colleagues: Vec<Profile>,
    scenarios: Vec<Scenario>,
    fallback: Vec<ScenarioStep>,
    /// The list of all scenarios, which takes the place of `{scenarios}` in texts.
    list: String,
}

/// One scenario: the phrases that choose it, and the steps that are then played.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) title: String,
    pub(super) phrases: Vec<String>,
    pub(super) words: Vec<Vec<String>>,
    pub(super) steps: Vec<ScenarioStep>,
}

/// The memory that is kept with a question, so that a decision continues the scenario of the
/// question, whatever the files say by then.
#[derive(Serialize, Deserialize)]
struct ScenarioMemory {
    on: ScenarioBranches,
    then: Vec<ScenarioStep>,
    values: Values,
}

impl ScenarioAgent {
    pub(super) fn new(
        profile: Profile,
        colleagues: Vec<Profile>,
        scenarios: Vec<Scenario>,
        fallback: Vec<ScenarioStep>,
    ) -> Self {
        let lines = scenarios.iter().map(|scenario| {
            let phrase = scenario.phrases.first().map_or("", String::as_str);
            format!("- `{phrase}` – {}", scenario.title)
        });
        let list = lines.collect::<Vec<_>>().join("\n");
        Self {
            profile,
            colleagues,
            scenarios,
            fallback,
            list,
        }
    }

    /// Returns the first phrase of each scenario.
    #[cfg(test)]
    pub(super) fn phrases(&self) -> impl Iterator<Item = &str> {
        self.scenarios
            .iter()
            .filter_map(|scenario| scenario.phrases.first().map(String::as_str))
    }

    async fn take_turn(&self, input: TurnInput, answer: &mut dyn Answer) -> Result<Ending> {
        match input {
            TurnInput::Message(content) => {
                let words = self.scenarios.iter().map(|s| s.words.as_slice());
                let found = matcher::best(&content.text, words);
                let scenario = found.and_then(|index| self.scenarios.get(index));
                let steps = scenario.map_or(&self.fallback, |scenario| &scenario.steps);
                self.play(steps, Values::of(&content), answer).await
            }
            TurnInput::Decided(decided) => self.continue_after_decision(&decided, answer).await,
        }
    }

    async fn continue_after_decision(
        &self,
        decided: &DecidedQuestion,
        answer: &mut dyn Answer,
    ) -> Result<Ending> {
        if decided.open > 0 {
            let text = match decided.open {
                1 => "Noted. One more action waits for your decision.".to_owned(),
                open => format!("Noted. {open} more actions wait for your decision."),
            };
            self.say(&text, None, 1.0, answer).await?;
            return Ok(Ending::Done);
        }
        let ScenarioMemory {
            on,
            then,
            mut values,
        } = serde_json::from_str(&decided.memory)?;
        values.set_decision(decided);
        self.run_tools(decided, answer).await;
        let all = |status| decided.approvals.iter().all(|a| a.status == status);
        let branch = if all(ApprovalStatus::Approved) {
            on.approved
        } else if all(ApprovalStatus::Denied) {
            on.denied
        } else if all(ApprovalStatus::Aborted) {
            on.aborted
        } else {
            on.mixed
        };
        let steps: Vec<ScenarioStep> = branch.into_iter().chain(then).collect();
        self.play(&steps, values, answer).await
    }

    /// Pretends to run the approved tools: their events are sent, and nothing else happens.
    async fn run_tools(&self, decided: &DecidedQuestion, answer: &mut dyn Answer) {
        let approved = |status: &ApprovalStatus| *status == ApprovalStatus::Approved;
        for tool in decided.approvals.iter().filter(|a| approved(&a.status)) {
            let name = &tool.request.tool_name;
            let initiated = notification::TOOL_EXECUTION_INITIATED;
            answer.notify(initiated, &format!("Starting {name}")).await;
            answer.pause(Duration::from_millis(400)).await;
            let running = notification::TOOL_EXECUTION_IN_PROGRESS;
            answer.notify(running, &format!("Running {name}")).await;
            answer.pause(Duration::from_millis(600)).await;
        }
    }

    async fn play(
        &self,
        steps: &[ScenarioStep],
        values: Values,
        answer: &mut dyn Answer,
    ) -> Result<Ending> {
        let mut rest = steps.iter();
        while let Some(step) = rest.next() {
            match step {
                ScenarioStep::Say {
                    text,
                    repeat,
                    by,
                    pace,
                } => {
                    let by = by
                        .as_ref()
                        .and_then(|id| self.colleagues.iter().find(|c| c.id == *id));
                    for n in 1..=*repeat {
                        let n = (*repeat > 1).then_some(n);
                        let text = fill(text, &values, &self.list, n);
                        self.say(&text, by, *pace, answer).await?;
                    }
                    answer.end_colleague().await?;
                }
                ScenarioStep::Notify { event, text } => {
                    let default = event.0.info().map_or("", |info| info.text);
                    let text = fill(
                        text.as_deref().unwrap_or(default),
                        &values,
                        &self.list,
                        None,
                    );
                    answer.notify(event.0.clone(), &text).await;
                }
                ScenarioStep::Wait { ms } => answer.pause(Duration::from_millis(*ms)).await,
                ScenarioStep::Fail { reason } => return Ok(Ending::Failed(reason.clone())),
                ScenarioStep::Cut {} => answer.break_connection(),
                ScenarioStep::Ask(ask) => {
                    let required = notification::TOOL_EXECUTION_APPROVAL_REQUIRED;
                    let text = required.info().map_or("", |info| info.text);
                    answer.notify(required.clone(), text).await;
                    let memory = ScenarioMemory {
                        on: ask.on.clone(),
                        then: rest.cloned().collect(),
                        values,
                    };
                    return Ok(Ending::Asked {
                        question: question(ask, serde_json::to_string(&memory)?),
                        together: ask.together,
                    });
                }
            }
        }
        Ok(Ending::Done)
    }

    async fn say(
        &self,
        text: &str,
        by: Option<&Profile>,
        pace: f64,
        answer: &mut dyn Answer,
    ) -> Result<()> {
        for chunk in chunks(text) {
            answer.say(by, chunk).await?;
            answer.pause(CHUNK_PAUSE.mul_f64(pace)).await;
        }
        Ok(())
    }
}

impl Agent for ScenarioAgent {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(self.take_turn(turn.input, answer))
    }
}

fn question(ask: &AskStep, memory: String) -> Question {
    let memory_id = new_id();
    let mut requests = Vec::new();
    for batch in &ask.batches {
        let batch_id = new_id();
        requests.extend(batch.tools.iter().map(|tool| {
            let mut request = ApprovalRequest {
                tool_id: tool.id.clone(),
                tool_name: tool.name.clone(),
                tool_provider: tool.provider.clone(),
                tool_category: tool.category.clone(),
                tool_execution_id: new_id().as_str().into(),
                tool_execution_batch_id: batch_id.as_str().into(),
                tool_memory_id: memory_id.clone(),
                tool_arguments: tool.arguments.0.clone(),
                ..ApprovalRequest::default()
            };
            if let Some(effect) = tool.effect {
                ToldEffect::by_policy(effect).write(&mut request);
            }
            request
        }));
    }
    Question {
        memory_id,
        requests,
        memory,
    }
}

/// Cuts a text into chunks of a few words, and text without spaces (a script that has none) between
/// characters.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut length = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            length += 1;
            let word_ends = c.is_whitespace() && length >= CHUNK_LENGTH;
            (word_ends || length >= 2 * CHUNK_LENGTH).then_some(at + c.len_utf8())
        });
        let (chunk, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::chunks;

    #[test]
    fn chunks_are_a_few_words_and_lose_nothing() {
        let text = "The quick brown fox jumps over the lazy dog. \
                    漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 end";
        let parts: Vec<_> = chunks(text).collect();
        assert_eq!(parts.concat(), text);
        assert_eq!(parts[0], "The quick brown ");
        assert!(parts.iter().all(|part| part.chars().count() <= 24));
        assert_eq!(chunks("").count(), 0);
    }
}
