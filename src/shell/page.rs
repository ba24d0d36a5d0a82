//! What the shell says to the page around the widget, and what it asks. How that is done is the business of `embed`.

use assent_conversation::{Claim, PageEvent};

/// The page around the widget. Nothing may be borrowed while it is called, because its code may call back.
pub trait Page {
    /// Asks whether this answer may be posted.
    fn allows(&self, answer: &Claim) -> bool;
    /// Tells what happened.
    fn tell(&self, event: &PageEvent);
}
