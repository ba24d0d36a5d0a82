//! What a page may change about the look at run time, as signals.

use assent_i18n::Texts;

use super::{AnswerSettings, Watched};

/// What a page may change about the look at run time. Cloning it clones handles.
#[derive(Clone)]
pub struct Settings {
    /// The texts and the language.
    pub texts: Watched<Texts>,
    /// How much of the agent's activity is shown.
    pub activity: Watched<ActivityLevel>,
    /// Where the list of conversations is.
    pub threads: Watched<ThreadsPlacement>,
    /// What an answer does to the scroll position.
    pub scroll: Watched<ScrollMode>,
    /// The heading; `None`: the table's text.
    pub heading: Watched<Option<String>>,
    /// The placeholder of the message box; `None`: the table's text.
    pub placeholder: Watched<Option<String>>,
    /// The greeting of an empty conversation; `None`: the table's text.
    pub greeting: Watched<Option<String>>,
    /// What an empty conversation offers to begin with; none is blank.
    pub suggestions: Watched<Vec<String>>,
    /// Whether the page takes files; without that none can be attached.
    pub can_attach: Watched<bool>,
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
            texts: Watched::new(Texts::default()),
            activity: Watched::new(ActivityLevel::default()),
            threads: Watched::new(ThreadsPlacement::default()),
            scroll: Watched::new(ScrollMode::default()),
            heading: Watched::new(None),
            placeholder: Watched::new(None),
            greeting: Watched::new(None),
            suggestions: Watched::new(Vec::new()),
            can_attach: Watched::new(false),
            answers: AnswerSettings::default(),
        }
    }
}
