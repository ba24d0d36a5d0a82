//! What a page may change about the look at run time, as signals.

use assent_i18n::Texts;

use leptos::prelude::*;

use super::AnswerSettings;

/// What a page may change about the look at run time. The signals belong to the owner under which they
/// were made, the one of the instance.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The texts and the language.
    pub texts: RwSignal<Texts>,
    /// How much of the agent's activity is shown.
    pub activity: RwSignal<ActivityLevel>,
    /// Where the list of conversations is.
    pub threads: RwSignal<ThreadsPlacement>,
    /// What an answer does to the scroll position.
    pub scroll: RwSignal<ScrollMode>,
    /// The heading; `None`: the table's text.
    pub heading: RwSignal<Option<String>>,
    /// The placeholder of the message box; `None`: the table's text.
    pub placeholder: RwSignal<Option<String>>,
    /// The greeting of an empty conversation; `None`: the table's text.
    pub greeting: RwSignal<Option<String>>,
    /// What an empty conversation offers to begin with; none is blank.
    pub suggestions: RwSignal<Vec<String>>,
    /// Whether the page takes files; without that none can be attached.
    pub can_attach: RwSignal<bool>,
    /// What answers are drawn with.
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
    /// The end is followed while the reader is there.
    Bottom,
    /// Nothing.
    None,
}

/// Attribute `threads`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadsPlacement {
    /// Beside the transcript where there is room, else behind the button.
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
