//! What not every page or person needs: files, queued messages, contributions of several agents, what
//! is allowed beforehand, the end of waiting, what became of a tool run, and the ways to what waits elsewhere. Its code is loaded
//! once it is needed.

mod beforehand;
mod contributions;
mod deadline;
mod details;
mod difference;
mod drawn;
mod drop_hint;
mod edit;
mod grant_form;
mod grants;
mod inbox;
mod lazy;
mod queue;
mod waiting;

pub(super) use beforehand::AllowedRun;
pub(super) use drawn::Extra;
#[cfg(feature = "split")]
pub use lazy::link_extras;
pub use lazy::set_assets;
pub(super) use lazy::{LazyExtra, are_extras_loaded};
