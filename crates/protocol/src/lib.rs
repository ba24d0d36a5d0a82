//! The wire types of the session thread service.
//!
//! Input is read leniently and output is strict: incoming data may lack fields, hold `null`, or
//! carry unknown values, and still becomes a value; outgoing data has exactly the declared shape.
//! This crate has shapes and their spelling only. `assent-conversation` interprets them;
//! `assent-sse` decodes bytes and frames.

mod approval;
mod content;
mod error_body;
mod event;
mod event_type;
mod execution;
mod grant;
mod id;
#[cfg(feature = "invariants")]
pub mod invariants;
mod json;
mod message;
#[cfg(feature = "openapi")]
pub mod openapi;
mod raw_approval;
mod thread;
mod timestamp;
mod tool_image;
mod user;
mod waiting;
mod wire_type;
mod words;

pub use approval::{ApprovalRequest, ApprovalStatus, StoredToolApproval};
pub use content::{ContentItem, Dialect, PostMessage};
pub use error_body::{
    BadPost, ErrorBody, ErrorDetails, Failure, InvalidState, Issue, RejectedForm, RejectedMix,
};
pub use event::{Agent, SseEvent, SseEventMessage};
pub use event_type::{EVENT_TYPES, EventGroup, EventPhase, EventType, EventTypeInfo, notification};
pub use execution::{ExecutionStep, ToolExecution};
pub use grant::{Grant, GrantConditions};
pub use id::{AgentId, BatchId, EventId, ExecutionId, MessageId, ThreadId};
pub use json::{FromJson, Json, Object, quote, read};
pub use message::{Role, StoredFile, StoredMessage};
pub use raw_approval::RawApprovalRequest;
pub use thread::{CreateThread, RenameThread, SessionThread};
pub use timestamp::Timestamp;
pub use tool_image::ToolImage;
pub use user::{MAX_USER_ID_BYTES, is_user_id};
pub use waiting::{WaitingBatch, WaitingTool, read_waiting};
pub use words::{Values, Words};
