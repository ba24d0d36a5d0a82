//! A type for each kind of identifier, so that an agent's id can never be used for a thread.

use serde::{Deserialize, Serialize};

use crate::{FromJson, Json};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// Returns the identifier as the service spells it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl FromJson for $name {
            fn from_json(json: Json<'_>) -> Option<Self> {
                json.text().map(Self)
            }
        }
    };
}

id!(
    /// `<agent_id>`: the agent that the user talks to.
    AgentId
);
id!(
    /// `<thread_id>`: one conversation.
    ThreadId
);
id!(
    /// `<message_id>` of a stored message.
    MessageId
);
id!(
    /// `eventId` of a streamed event; events with the same one are the same event.
    EventId
);
id!(
    /// `toolExecutionId`: one tool run that waits for a decision.
    ExecutionId
);
id!(
    /// `toolExecutionBatchId`: the tool runs that must be answered in one post (specification,
    /// Batch rules).
    BatchId
);
