//! The run as a pure core: what to do after each thing that happened.
//!
//! - [`next`] – the state of a run, and what is next in it; [`queue`] – which of its calls run at the
//!   same time.
//! - [`judge`] – what the policy says of a call.
//! - [`limits`] – what a turn may use.
//! - [`compaction`] – the summary of old turns, for which a long conversation has no room any more.

pub(super) mod compaction;
pub(super) mod judge;
pub(super) mod limits;
pub(super) mod next;
pub(super) mod queue;
