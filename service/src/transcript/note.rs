//! Notes of a transcript: what an agent did with a turn besides answering and calling tools. They
//! are the state of its work, so that it goes on after a decision or a restart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::transcript::knowledge::Passage;

/// A note about an agent's work in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum Note {
    /// The memories of the user were looked up.
    Memories {
        /// The memories that were found, each behind the number by which it can be forgotten; empty
        /// if none was.
        texts: Vec<String>,
    },
    /// The kind of the user's request was decided.
    Route {
        /// The kind of the request.
        way: RequestKind,
    },
    /// The abilities of the agent, for a request about them.
    Abilities {
        /// The abilities, a line each.
        lines: Vec<String>,
    },
    /// One search in a folder of knowledge.
    Passages {
        /// The id of the folder.
        source: String,
        /// The query of the search.
        query: String,
        /// The passages that were found.
        passages: Vec<Passage>,
    },
    /// All searches before the answer are made.
    Consulted,
    /// The plan; without steps where none could be made.
    Plan {
        /// The steps of the plan; empty if none could be made.
        steps: Vec<PlanStep>,
    },
    /// A step of the plan begins.
    Step {
        /// The number of the step, counted from 1.
        number: usize,
        /// The number of all steps of the plan.
        of: usize,
        /// The task of the step.
        task: String,
    },
    /// The plan and its results were reviewed.
    Review {
        /// The steps that the plan lacked; empty if it lacked none.
        more: Vec<PlanStep>,
    },
    /// The plan was carried out, or none was made.
    PlanEnded {
        /// The number of steps of the plan; 0 if none was made.
        steps: usize,
    },
    /// It was decided which colleagues are asked, if any fits.
    Colleagues {
        /// The task of each colleague that is asked; empty if none fits.
        tasks: Vec<ColleagueTask>,
    },
    /// A colleague is done with its task.
    Reply {
        /// The id of the colleague's run, [`ColleagueTask::run`].
        run: String,
        /// The colleague's name.
        name: String,
        /// The colleague's words; `None` if the colleague failed.
        text: Option<String>,
    },
    /// All colleagues are done.
    Replied {
        /// The part of the answer that is still to be said.
        rest: AnswerRest,
    },
    /// The agent has brought its colleagues' answers together in one of its own.
    JointlyAnswered,
    /// The model was asked a question that is no part of the conversation, such as what kind of
    /// request this is.
    Inquiry {
        /// The number of tokens of the question and its answer.
        tokens: u64,
    },
    /// What a server of models gave with the calls of its next answer, and wants to have back:
    /// signatures and thoughts. They are shown to nobody.
    Kept {
        /// The model and its address: these fields are sent to nobody else.
        endpoint: String,
        /// The fields that came with each call, by [`Call::id`](super::Call::id).
        calls: BTreeMap<String, Map<String, Value>>,
        /// The fields that came with the answer that has the calls.
        answer: Map<String, Value>,
    },
    /// The answer was checked.
    Reflection {
        /// The correction; `None` if none is needed.
        advice: Option<String>,
    },
    /// The oldest part of the conversation was summed up. The entries stay, and the model reads the
    /// text instead of them.
    Summary {
        /// The number of entries at the beginning of the transcript that the text stands for.
        entries: usize,
        /// The text of the summary.
        text: String,
        /// The number of tokens that making the summary took.
        tokens: u64,
    },
}

/// The kind of a request of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestKind {
    /// The request is answered at once.
    Simple,
    /// The request needs a plan.
    Complex,
    /// The request is about what the agent can do.
    Capabilities,
    /// The request is answered from the folders of knowledge.
    KnowledgeBase,
    /// The request needs tools.
    ToolUsage,
    /// The request needs colleagues.
    Collaboration,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    /// The task of the step.
    pub task: String,
    /// The query with which the folders of knowledge are searched before the step; empty if nothing
    /// is to be looked up.
    #[serde(default)]
    pub search: String,
}

/// The task of a colleague.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColleagueTask {
    /// The id of the colleague's run, which names its transcript.
    pub run: String,
    /// The id of the colleague.
    pub agent: String,
    /// The task, as the colleague is told it.
    pub task: String,
}

/// The rest of the answer that is to be said after the colleagues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerRest {
    /// An answer of the agent that brings those of its colleagues together.
    Joint,
    /// Nothing: one colleague answered for all.
    Nothing,
    /// Everything: no colleague answered.
    Everything,
}
