//! What not every page or person needs: files, and what is allowed beforehand. Its code is loaded
//! once it is needed.

mod deadline;
mod drawn;
mod grant_form;
mod grants;
mod lazy;

pub(super) use drawn::Extra;
pub(super) use grant_form::GrantQuestion;
#[cfg(feature = "split")]
pub use lazy::link_extras;
pub use lazy::set_assets;
pub(super) use lazy::{LazyExtra, are_extras_loaded};
