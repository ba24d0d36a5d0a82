//! The wire types of the session thread service.
//!
//! Tolerant in, strict out: what arrives may lack fields, hold `null`, or carry values that were never seen before,
//! and still becomes a value; what is sent has exactly the declared shape.
//! Here live shapes and their spelling only.
//! What they mean for a conversation is decided in `assent-conversation`; bytes and frames are the business of `assent-sse`.

mod approval;
mod content;
mod error_body;
mod event;
mod event_type;
mod id;
pub mod invariants;
mod json;
mod lenient;
mod message;
mod thread;
mod timestamp;

pub use approval::{ApprovalRequest, ApprovalStatus, RawApprovalRequest, StoredToolApproval};
pub use content::{ContentItem, Dialect, PostMessage};
pub use error_body::{ErrorBody, ErrorDetails, InvalidState, Issue};
pub use event::{Agent, SseEvent, SseEventMessage};
pub use event_type::{EVENT_TYPES, EventGroup, EventType, EventTypeInfo, Phase};
pub use id::{AgentId, BatchId, EventId, ExecutionId, MessageId, ThreadId};
pub use json::{FromJson, Json, Object, quoted, read, read_list};
pub use message::{Role, StoredMessage};
pub use thread::{CreateThread, RenameThread, SessionThread};
pub use timestamp::Timestamp;
