//! The functional core: the state of conversations, and its transitions.
//!
//! [`step`] takes every event as one closed [`Input`], changes the [`State`], and returns what to
//! draw ([`Change`]) and what to do ([`Command`]). It is total and deterministic: the time is part
//! of the input, nothing here reads a clock, draws a random number, touches a DOM or waits. The
//! cases that shaped it are numbered in `EDGE_CASES.md`, and the tests carry those numbers.

mod activity;
mod approval;
mod attachment;
mod cached_request;
mod change;
mod command;
mod contribution;
mod conversation;
mod failure;
mod history;
mod id_set;
mod inbox;
mod input;
#[cfg(feature = "invariants")]
pub mod invariants;
mod key;
mod message;
mod outbox;
mod output;
mod page;
mod page_event;
mod position;
mod reconcile;
mod recording;
mod request;
mod state;
mod step;
mod stream;
mod thread_list;
mod threads;
mod unsent;

// Types that the views need without knowing the protocol.
pub use assent_protocol::{
    ApprovalStatus, BatchId, ContentItem, EventGroup, ExecutionId, ExecutionStep, Grant, Json,
    ThreadId, ToolExecution, ToolImage, WaitingBatch, Words, quote, read,
};

pub use activity::{Activity, ActivityStep, StepState};
pub use approval::{
    AnswerSummary, ApprovalBatch, ArgumentChanges, BatchAnswer, BatchCompleteness, BatchPhase,
    Decision, DeliveryStatus, EditableArgument, Feedback, GrantOffer, Obstacle, Provenance,
    SchemaFault, ToolRun, UnanswerableReason, UnconfirmedReason, Verdict, argument_changes,
    edited_json, schema_fault,
};
pub use attachment::{Attachment, AttachmentState, FileRef};
pub use cached_request::CachedRequest;
pub use change::{Announcement, Change};
pub use command::Command;
pub use contribution::{Collaboration, Contribution, ContributionState};
pub use conversation::{ComposerState, Conversation, LoadState, QueuedMessage, ThreadBinding};
pub use failure::{Failure, FailureKind};
pub use id_set::IdSet;
pub use inbox::Inbox;
pub use input::{Input, Intent, StreamEnd, WithheldReason};
pub use key::{
    ConversationKey, LoadId, MessageKey, Millis, RequestId, RequestVersion, StreamId, UploadId,
};
pub use message::{Author, Interruption, Message, MessageStatus};
pub use output::Output;
pub use page_event::PageEvent;
pub use position::ReadingPosition;
pub use recording::{RecordedEnd, RecordedFrame, Recording};
pub use request::{AwaitedEvent, PageRequest};
pub use state::{Notice, NoticeSubject, State};
pub use step::step;
pub use stream::{PostedContent, Speaker, Stream, StreamPhase};
pub use thread_list::{RowState, ThreadList, ThreadRow};
pub use unsent::{Draft, PostStatus, UnsentMessage, UploadedFile};
