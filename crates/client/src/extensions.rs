//! The service's extensions, which it names in a header of its responses. Nothing is tried, and
//! nothing is asked for.

use std::cell::Cell;

use web_sys::Response;

/// The response header with the names, separated by commas.
const NAMES: &str = "assent-extensions";
/// The name of the one that ends answers early.
const CANCEL: &str = "cancel";

/// The extensions that the last response named, as far as they change what the widget does.
#[derive(Default)]
pub(super) struct Extensions {
    can_cancel: Cell<bool>,
    is_new: Cell<bool>,
}

impl Extensions {
    /// Takes the names from a response. A failure may be of a server in front of the service, which
    /// knows nothing of them.
    pub(super) fn note(&self, response: &Response) {
        if response.ok() {
            let names = response.headers().get(NAMES).ok().flatten();
            let mut names = names.iter().flat_map(|names| names.split(','));
            let can_cancel = names.any(|name| name.trim() == CANCEL);
            if self.can_cancel.replace(can_cancel) != can_cancel {
                self.is_new.set(true);
            }
        }
    }

    /// Returns true if the service offers to end answers early; `None` if that is no news.
    pub(super) fn news(&self) -> Option<bool> {
        self.is_new.take().then(|| self.can_cancel.get())
    }
}
