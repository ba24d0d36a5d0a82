//! What decides on links and images in answers: the page's policies, and the hosts that the user
//! allowed.

use assent_conversation::ConversationKey;
use js_sys::{Function, Set};

use leptos::prelude::*;

/// What decides on links and images in answers: the page's policies, and the hosts that the user
/// allowed.
#[derive(Clone, Copy)]
pub struct AnswerSettings {
    /// The page's functions that decide on the addresses of links and images.
    pub policies: RwSignal<Policies>,
    allowed: RwSignal<(Option<ConversationKey>, Set)>,
}

/// The page's functions that decide on an address in an answer, `(url: URL) => boolean`; `None` if
/// the widget's default rule decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies {
    /// The function that returns whether a link may lead to an address.
    pub link: Option<Function>,
    /// The function that returns whether an image may be loaded from an address without asking the
    /// user.
    pub image: Option<Function>,
}

impl AnswerSettings {
    /// Returns the hosts whose images the user allowed in this conversation; the renderer adds to
    /// the set. It is forgotten when another conversation is shown.
    #[must_use]
    pub fn allowed_hosts(&self, conversation: ConversationKey) -> Set {
        let known = self.allowed.with_untracked(|(of, hosts)| {
            let is_same = *of == Some(conversation);
            is_same.then(|| hosts.clone())
        });
        known.unwrap_or_else(|| {
            let hosts = Set::default();
            let of = (Some(conversation), hosts.clone());
            self.allowed.update(|it| *it = of);
            hosts
        })
    }
}

impl Default for AnswerSettings {
    fn default() -> Self {
        Self {
            policies: RwSignal::new(Policies::default()),
            allowed: RwSignal::new((None, Set::default())),
        }
    }
}
