//! Settings for drawing answers, besides their text.

use assent_conversation::ConversationKey;
use js_sys::{Function, Set};

use leptos::prelude::*;

/// Settings for drawing answers, besides their text.
#[derive(Clone, Copy)]
pub struct AnswerSettings {
    /// The page's address policies.
    pub policies: RwSignal<Policies>,
    allowed: RwSignal<(Option<ConversationKey>, Set)>,
}

/// The page's address policies, `(url: URL) => boolean`; `None`: the default rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies {
    /// The policy that returns whether a link may lead to an address.
    pub link: Option<Function>,
    /// The policy that returns whether an image may be loaded from an address without asking.
    pub image: Option<Function>,
}

impl AnswerSettings {
    /// Returns the hosts whose images the user allowed in this conversation. The set is forgotten
    /// when another conversation is shown.
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
