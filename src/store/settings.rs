//! The settings of presentation that a page may change at run time, as signals.

use assent_i18n::Texts;

use leptos::prelude::*;

use super::AnswerSettings;

/// The settings of presentation that a page may change at run time. The signals belong to the owner
/// under which they were made, the one of the instance.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The texts and the language.
    pub texts: RwSignal<Texts>,
    /// The level of detail of the agent's activity.
    pub activity: RwSignal<ActivityLevel>,
    /// The placement of the list of conversations.
    pub threads: RwSignal<ThreadsPlacement>,
    /// The effect of an answer on the scroll position.
    pub scroll: RwSignal<ScrollMode>,
    /// The heading; `None`: the table's text.
    pub heading: RwSignal<Option<String>>,
    /// The placeholder of the message box; `None`: the table's text.
    pub placeholder: RwSignal<Option<String>>,
    /// The greeting of an empty conversation; `None`: the table's text.
    pub greeting: RwSignal<Option<String>>,
    /// The suggestions of an empty conversation; none is blank.
    pub suggestions: RwSignal<Vec<String>>,
    /// True if the page takes files; otherwise none can be attached.
    pub can_attach: RwSignal<bool>,
    /// Settings for drawing answers.
    pub answers: AnswerSettings,
}

/// Attribute `activity`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActivityLevel {
    /// One line with the current step, expandable.
    #[default]
    Brief,
    /// All steps.
    Full,
    /// Nothing.
    Off,
}

/// Attribute `scroll`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScrollMode {
    /// The question goes to the top and stays there, the answer grows below it.
    #[default]
    AnswerTop,
    /// The end is followed while the user is there.
    Bottom,
    /// Nothing.
    None,
}

/// Attribute `threads`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadsPlacement {
    /// Beside the transcript if there is room, else behind the button.
    #[default]
    Auto,
    /// Beside the transcript.
    Side,
    /// Nowhere.
    Hidden,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            texts: RwSignal::new(Texts::default()),
            activity: RwSignal::new(ActivityLevel::default()),
            threads: RwSignal::new(ThreadsPlacement::default()),
            scroll: RwSignal::new(ScrollMode::default()),
            heading: RwSignal::new(None),
            placeholder: RwSignal::new(None),
            greeting: RwSignal::new(None),
            suggestions: RwSignal::new(Vec::new()),
            can_attach: RwSignal::new(false),
            answers: AnswerSettings::default(),
        }
    }
}
