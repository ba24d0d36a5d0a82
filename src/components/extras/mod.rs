//! What not every page or person needs: files, what is allowed beforehand, the end of waiting, what
//! became of a tool run, and the ways to what waits elsewhere. Its code is loaded once it is needed.

mod beforehand;
mod deadline;
mod details;
mod drawn;
mod drop_hint;
mod grant_form;
mod grants;
mod lazy;
mod waiting;

pub(super) use beforehand::AllowedRun;
pub(super) use drawn::Extra;
#[cfg(feature = "split")]
pub use lazy::link_extras;
pub use lazy::set_assets;
pub(super) use lazy::{LazyExtra, are_extras_loaded};
