//! Colleagues: other agents of this service that are asked in an answer. Each works in a run of its
//! own with its own model, tools and policy; what it asks a person stands in the answer of the agent
//! that asked it.

mod answer;

use std::sync::{OnceLock, Weak};

use serde::{Deserialize, Serialize};
use tracing::Instrument as _;

use self::answer::ColleagueAnswer;
use super::{core::limits::Limits, orchestration::Choice, run::turn::TurnState};
use crate::{
    Result,
    agents::{
        Agents,
        agent::{self, Agent, DecidedQuestion, Ending, TurnInput},
    },
    rules::content::UserContent,
    sentence::Sentence,
    telemetry::spans,
    transcript::{ColleagueTask, Note},
};

/// One colleague in an agent file: the table `[[colleague]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColleagueConfig {
    /// The colleague's id.
    agent: String,
    /// The subjects that the colleague is asked about, as the model is told them.
    when: String,
}

/// The colleagues of an agent.
#[derive(Debug, Default)]
pub(super) struct Colleagues {
    named: Vec<ColleagueConfig>,
    /// The agents that `named` names, in its order, once all agents are loaded. The handles are
    /// weak, since two agents may be colleagues of each other.
    met: OnceLock<Vec<Weak<dyn Agent>>>,
}

/// What is kept of a colleague's task while the colleague waits for a person.
#[derive(Serialize, Deserialize)]
pub(super) struct WaitingTask {
    task: ColleagueTask,
    /// What the colleague said before it asked the person.
    said: String,
    /// The memory that the colleague gave with its question.
    memory: String,
}

impl WaitingTask {
    /// Reads the memory of a question; `None` if the question is the agent's own.
    pub(super) fn read(memory: &str) -> Option<Self> {
        serde_json::from_str(memory).ok()
    }
}

impl Colleagues {
    /// Makes the list of colleagues that an agent file names; they are looked up later.
    pub(super) fn new(named: Vec<ColleagueConfig>) -> Self {
        Self {
            named,
            met: OnceLock::new(),
        }
    }

    /// Looks the colleagues up among `agents`; `own` is the id of this agent, which is no colleague
    /// of itself.
    ///
    /// # Errors
    ///
    /// A sentence that names a colleague which is not there.
    pub(super) fn resolve(&self, own: &str, agents: &Agents) -> std::result::Result<(), String> {
        let mut met = Vec::new();
        for named in &self.named {
            let id = &named.agent;
            let agent = agents.shared(id).filter(|_| id != own);
            let agent =
                agent.ok_or_else(|| format!("colleague: there is no other agent {id:?}"))?;
            met.push(agent);
        }
        // Agents meet once.
        self.met.set(met).ok();
        Ok(())
    }

    /// Returns the colleagues as the model is told of them.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let choice = |named: &ColleagueConfig| Choice {
            agent: named.agent.clone(),
            when: named.when.clone(),
        };
        self.named.iter().map(choice).collect()
    }

    fn get(&self, id: &str) -> Option<std::sync::Arc<dyn Agent>> {
        let at = self.named.iter().position(|named| named.agent == id)?;
        self.met.get()?.get(at)?.upgrade()
    }

    /// Gives a colleague its task. Returns an ending if a person has to decide first, otherwise
    /// `None`.
    pub(super) async fn ask(
        &self,
        task: ColleagueTask,
        limits: &Limits,
        turn: &mut TurnState<'_>,
    ) -> Result<Option<Ending>> {
        let input = TurnInput::Message(UserContent {
            text: task.task.clone(),
            ..UserContent::default()
        });
        self.take_turn(task, input, String::new(), limits, turn)
            .await
    }

    /// Hands a decision on to the colleague that waited for it. Returns an ending if a person has
    /// to decide again, otherwise `None`.
    pub(super) async fn pass_on_decision(
        &self,
        waiting: WaitingTask,
        decided: DecidedQuestion,
        limits: &Limits,
        turn: &mut TurnState<'_>,
    ) -> Result<Option<Ending>> {
        let input = TurnInput::Decided(DecidedQuestion {
            memory: waiting.memory,
            ..decided
        });
        self.take_turn(waiting.task, input, waiting.said, limits, turn)
            .await
    }

    async fn take_turn(
        &self,
        task: ColleagueTask,
        input: TurnInput,
        before: String,
        limits: &Limits,
        turn: &mut TurnState<'_>,
    ) -> Result<Option<Ending>> {
        let Some(colleague) = self.get(&task.agent) else {
            no_reply(&task, &task.agent, "it is not there any more", turn).await?;
            return Ok(None);
        };
        let profile = colleague.profile();
        let given = agent::Turn {
            thread: turn.thread.clone(),
            conversation: Vec::new(),
            input,
            resumed: false,
        };
        let mut answer = ColleagueAnswer::new(turn.speech.answer, profile, &task.run);
        let span = spans::agent_span(profile, &turn.thread.id);
        let answering = colleague.answer(given, &mut answer);
        let ending = answering.instrument(span).await?;
        let said = answer.end().await?;
        turn.speech.begin_anew();
        let gap = if before.is_empty() || said.is_empty() {
            ""
        } else {
            "\n\n"
        };
        let said = format!("{before}{gap}{said}");
        match ending {
            Ending::Asked {
                mut question,
                together,
            } => {
                let waiting = WaitingTask {
                    task,
                    said,
                    memory: question.memory,
                };
                question.memory = serde_json::to_string(&waiting)?;
                return Ok(Some(Ending::Asked { question, together }));
            }
            Ending::Failed(reason) => {
                no_reply(&task, &profile.name, &reason, turn).await?;
            }
            Ending::Done if said.trim().is_empty() => {
                no_reply(&task, &profile.name, "it said nothing", turn).await?;
            }
            Ending::Done => {
                turn.note(Note::Reply {
                    run: task.run,
                    name: profile.name.clone(),
                    text: Some(limits.cut_result(&said)),
                })
                .await?;
            }
        }
        Ok(None)
    }
}

/// Adds a note to the transcript that a colleague gave no answer, and tells the reader so, with the
/// reason.
pub(super) async fn no_reply(
    task: &ColleagueTask,
    name: &str,
    reason: &str,
    turn: &mut TurnState<'_>,
) -> Result<()> {
    let sentence = Sentence::NoReply {
        agent: name.to_owned(),
        reason: reason.trim_end_matches('.').to_owned(),
    };
    turn.speech.sentence(&sentence).await?;
    turn.note(Note::Reply {
        run: task.run.clone(),
        name: name.to_owned(),
        text: None,
    })
    .await
}
