//! Orchestration: what an agent does with a request besides answering it and calling tools. All of
//! it is off unless the agent file asks for it.
//!
//! - [`stage`] – what comes next, as a pure function of the transcript.
//! - [`questions`] – the questions to the model beside the conversation, and their answers.
//! - `consult`, `plan`, `collaborate`, `reflect` – the stages, carried out.
//! - `file` – the table of the agent file.

mod collaborate;
mod consult;
pub(super) mod file;
mod plan;
mod questions;
mod reflect;
mod stage;

use assent_protocol::{EventType, notification};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

pub(super) use self::{questions::Choice, stage::Abilities};
use self::{
    questions::{Inquiry, RouteAnswer, route, routed},
    stage::Stage,
};
use super::{
    ModelAgent,
    provider::{model_error::ModelError, object::ObjectRequest},
    request::estimate,
    run::turn::Turn,
    tools::own::OWN,
};
use crate::{
    Result,
    agents::agent::Ending,
    transcript::{Note, Way},
};

impl ModelAgent {
    /// Does what the turn needs until the model is to be asked, which is `None`, or until the turn
    /// is over.
    pub(super) async fn advance(&self, turn: &mut Turn<'_>) -> Result<Option<Ending>> {
        loop {
            let stage = stage::next(&self.abilities, turn.entries());
            let idle = matches!(stage, Stage::Answer | Stage::Done | Stage::Reflect { .. });
            if !idle && Instant::now() >= turn.deadline {
                return Ok(Some(self.out_of_time(turn).await?));
            }
            if asks_model(&stage)
                && let Some(sentence) = turn.out_of_tokens()
            {
                return Ok(Some(self.end(&sentence, turn).await?));
            }
            match stage {
                Stage::Answer => return Ok(None),
                Stage::Done => return Ok(Some(Ending::Done)),
                Stage::Recall => self.recall(turn).await?,
                Stage::Route => self.route(turn).await?,
                Stage::Consult => self.consult(turn).await?,
                Stage::Plan => self.plan(turn).await?,
                Stage::Step { number, of, step } => {
                    self.begin_step(number, of, step, turn).await?;
                }
                Stage::Review => self.review(turn).await?,
                Stage::EndPlan { steps } => self.end_plan(steps, turn).await?,
                Stage::Choose => self.choose_colleagues(turn).await?,
                Stage::Ask { task, first } => {
                    if let Some(ending) = self.delegate(task, first, turn).await? {
                        return Ok(Some(ending));
                    }
                }
                Stage::Join(rest) => self.join(rest, turn).await?,
                Stage::EndJoint => self.end_joint(turn).await?,
                Stage::Reflect { stopped } => self.reflect(stopped, turn).await?,
            }
        }
    }

    /// Decides what kind of request this is: the model does, where there is a choice.
    async fn route(&self, turn: &mut Turn<'_>) -> Result<()> {
        let tools = turn.tools.iter().any(|it| it.tool.server != OWN);
        let possible = possible(&self.abilities, tools);
        let way = match possible.as_slice() {
            [only] => Some(*only),
            // The rule that needs no model: there is one thing to do with any request.
            [
                _,
                only @ (Way::KnowledgeBase | Way::ToolUsage),
                Way::Capabilities,
            ] => Some(*only),
            _ => {
                let inquiry = route(&possible, &self.colleagues.choices());
                let answer: Option<RouteAnswer> = self.inquire(&inquiry, turn).await?;
                answer.and_then(|answer| routed(&answer, &possible))
            }
        };
        let known = way.is_some();
        let way = way.unwrap_or(Way::Simple);
        let detail = if known {
            ""
        } else {
            "nothing else was decided"
        };
        turn.speech.notify(event_of(way), detail).await;
        turn.note(Note::Route { way }).await?;
        if way == Way::Capabilities {
            let lines = self.capabilities(turn);
            turn.note(Note::Abilities { lines }).await?;
        }
        Ok(())
    }

    fn capabilities(&self, turn: &Turn<'_>) -> Vec<String> {
        let tools = turn.tools.iter();
        let tools = tools.map(|it| format!("Tool {}: {}", it.tool.id(), it.tool.description));
        let folders = self.knowledge.iter();
        let folders = folders.map(|source| format!("Folder of knowledge: {}", source.id()));
        let colleagues = self.colleagues.choices().into_iter();
        let colleagues = colleagues.map(|c| format!("Colleague {}: {}", c.agent, c.when));
        let plan = self
            .abilities
            .plan
            .then(|| "Plans of several steps".to_owned());
        tools.chain(folders).chain(colleagues).chain(plan).collect()
    }

    /// Puts a question to the model beside the conversation; `None` if it has no answer in time. The
    /// tokens that it took are noted.
    async fn inquire<T: DeserializeOwned>(
        &self,
        inquiry: &Inquiry,
        turn: &mut Turn<'_>,
    ) -> Result<Option<T>> {
        let mut messages = turn.conversation(self);
        add_task(&mut messages, &inquiry.task);
        let request = ObjectRequest {
            messages: &messages,
            name: inquiry.name,
            schema: &inquiry.schema,
        };
        let asked = estimate::estimated_tokens_of(&messages);
        if self.reserve(asked, turn).await?.is_some() {
            return Ok(None);
        }
        let name = inquiry.name;
        let (value, usage) = match timeout_at(turn.deadline, self.model.object(&request)).await {
            Ok(Ok(object)) => (Some(object.value), object.usage),
            Ok(Err(error)) => {
                tracing::warn!(agent = self.profile.id, name, %error, "a question has no answer");
                if error != ModelError::Unreadable {
                    return Ok(None);
                }
                (None, None)
            }
            Err(_) => return Ok(None),
        };
        if let Some(usage) = usage {
            turn.meter.tokens(usage);
        }
        let tokens = usage.map_or(asked, |usage| usage.input + usage.output);
        turn.note(Note::Inquiry { tokens }).await?;
        Ok(value)
    }
}

/// Returns true if a stage begins with a request to the model without which it is nothing.
fn asks_model(stage: &Stage) -> bool {
    matches!(
        stage,
        Stage::Answer | Stage::Route | Stage::Consult | Stage::Plan | Stage::Review | Stage::Choose
    )
}

/// Adds what the model is asked to the end of a conversation, in which the sides take turns.
fn add_task(messages: &mut Vec<Value>, task: &str) {
    match messages.last_mut() {
        Some(last) if last.get("role").is_some_and(|role| role == "user") => {
            let said = last.get("content").and_then(Value::as_str);
            *last = user(&format!("{}\n\n{task}", said.unwrap_or_default()));
        }
        _ => messages.push(user(task)),
    }
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

/// Returns the kinds of request that make a difference to an agent.
fn possible(abilities: &Abilities, tools: bool) -> Vec<Way> {
    let any = abilities.knowledge || tools || abilities.plan || abilities.colleagues;
    [
        (Way::Simple, true),
        (Way::KnowledgeBase, abilities.knowledge),
        (Way::ToolUsage, tools),
        (Way::Complex, abilities.plan),
        (Way::Collaboration, abilities.colleagues),
        (Way::Capabilities, any),
    ]
    .into_iter()
    .filter_map(|(way, can)| can.then_some(way))
    .collect()
}

fn event_of(way: Way) -> EventType {
    match way {
        Way::Simple => notification::REQUEST_ORCHESTRATION_SIMPLE,
        Way::Complex => notification::REQUEST_ORCHESTRATION_COMPLEX,
        Way::Capabilities => notification::REQUEST_ORCHESTRATION_CAPABILITIES,
        Way::KnowledgeBase => notification::REQUEST_ORCHESTRATION_KNOWLEDGE_BASE,
        Way::ToolUsage => notification::REQUEST_ORCHESTRATION_TOOL_USAGE,
        Way::Collaboration => notification::REQUEST_ORCHESTRATION_COLLABORATION,
    }
}

#[cfg(test)]
mod tests {
    use super::{Abilities, Way, possible};

    #[test]
    fn requests_are_told_apart_by_what_the_agent_can_do() {
        assert_eq!(possible(&Abilities::default(), false), [Way::Simple]);
        let knowledge = Abilities {
            knowledge: true,
            ..Abilities::default()
        };
        assert_eq!(
            possible(&knowledge, false),
            [Way::Simple, Way::KnowledgeBase, Way::Capabilities]
        );
        assert_eq!(possible(&knowledge, true).len(), 4);
    }
}
