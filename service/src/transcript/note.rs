//! Notes of a transcript: what an agent did with a turn besides answering and calling tools. They
//! are the state of its work, so that it goes on after a decision or a restart.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::transcript::knowledge::Passage;

/// One note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum Note {
    /// The memories of this user were looked up; none where there is nothing.
    Memories {
        /// The memories, each behind the number by which it can be forgotten.
        texts: Vec<String>,
    },
    /// The kind of this request was decided.
    Route {
        /// The kind.
        way: Way,
    },
    /// The abilities of the agent, for a request about them.
    Abilities {
        /// The abilities, a line each.
        lines: Vec<String>,
    },
    /// One search in a folder of knowledge.
    Passages {
        /// The folder.
        source: String,
        /// The query.
        query: String,
        /// The passages that were found.
        passages: Vec<Passage>,
    },
    /// All searches before the answer are made.
    Consulted,
    /// The plan; without steps where none could be made.
    Plan {
        /// The steps.
        steps: Vec<PlanStep>,
    },
    /// A step of the plan begins.
    Step {
        /// Its number, counted from 1.
        number: usize,
        /// The number of all steps.
        of: usize,
        /// The task.
        task: String,
    },
    /// The plan and its results were reviewed.
    Review {
        /// Steps that the plan lacked.
        more: Vec<PlanStep>,
    },
    /// The plan is carried out.
    PlanEnded {
        /// The number of its steps.
        steps: usize,
    },
    /// Colleagues are asked; none where nobody fits.
    Colleagues {
        /// The task of each of them.
        tasks: Vec<Task>,
    },
    /// A colleague is done.
    Reply {
        /// [`Task::run`].
        run: String,
        /// The colleague's name.
        name: String,
        /// The words; `None` if the colleague failed.
        text: Option<String>,
    },
    /// All colleagues are done.
    Replied {
        /// The part of the answer that is left.
        rest: Rest,
    },
    /// The joint answer is given.
    JointlyAnswered,
    /// The model was asked something beside the conversation, such as what kind of request this is.
    Inquiry {
        /// The tokens that it took, question and answer.
        tokens: u64,
    },
    /// What a server of models gave with the calls of its next answer, and wants to have back:
    /// signatures and thoughts. Nobody is shown it.
    Kept {
        /// The model and its address: nobody else is sent it.
        endpoint: String,
        /// Fields of each call, by [`Call::id`](super::Call::id).
        calls: BTreeMap<String, Map<String, Value>>,
        /// Fields of the answer.
        answer: Map<String, Value>,
    },
    /// The answer was checked.
    Reflection {
        /// The correction, if one is needed.
        advice: Option<String>,
    },
    /// The oldest part of the conversation was summed up. The entries stay, and the model reads the
    /// text instead of them.
    Summary {
        /// The number of entries at the beginning of the transcript that the text stands for.
        entries: usize,
        /// The text.
        text: String,
        /// The tokens that it took.
        tokens: u64,
    },
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// It is answered at once.
    Simple,
    /// It needs a plan.
    Complex,
    /// It is about what the agent can do.
    Capabilities,
    /// It is answered from the folders of knowledge.
    KnowledgeBase,
    /// It needs tools.
    ToolUsage,
    /// It needs colleagues.
    Collaboration,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    /// The task.
    pub task: String,
    /// The query for the folders of knowledge before it; may be empty.
    #[serde(default)]
    pub search: String,
}

/// The task of a colleague.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The id of the colleague's run, which names its transcript.
    pub run: String,
    /// The colleague.
    pub agent: String,
    /// The task.
    pub task: String,
}

/// The rest that is to be said after the colleagues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rest {
    /// A joint answer.
    Joint,
    /// Nothing: one colleague answered for all.
    Nothing,
    /// Everything: no colleague answered.
    Everything,
}
