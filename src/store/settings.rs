//! The settings of presentation that a page may change at run time, as signals.

use assent_i18n::Texts;

use leptos::prelude::*;

use super::AnswerSettings;

/// The settings of presentation that a page may change at run time. The signals belong to the
/// reactive owner under which they were made, the one of the widget.
#[derive(Clone, Copy)]
pub struct Settings {
    /// True if what waits for the user is shown instead of a conversation (attribute `view`). It never
    /// changes.
    pub shows_approvals: bool,
    /// The language, and the texts that the page gives in place of the widget's own.
    pub texts: RwSignal<Texts>,
    /// The level of detail at which the agent's activity is shown.
    pub activity: RwSignal<ActivityLevel>,
    /// Where the list of conversations is, if anywhere.
    pub threads: RwSignal<ThreadsPlacement>,
    /// What an answer does to the scroll position of the transcript.
    pub scroll: RwSignal<ScrollMode>,
    /// The page's heading of the widget; `None` if the widget's own text is shown.
    pub heading: RwSignal<Option<String>>,
    /// The page's placeholder of the message box; `None` if the widget's own text is shown.
    pub placeholder: RwSignal<Option<String>>,
    /// The page's greeting of an empty conversation; `None` if the widget's own text is shown.
    pub greeting: RwSignal<Option<String>>,
    /// The page's suggestions for a first message in an empty conversation, none of which is blank.
    pub suggestions: RwSignal<Vec<String>>,
    /// True if the page has a function for uploads; otherwise no file can be attached.
    pub can_attach: RwSignal<bool>,
    /// True if the menu offers to ask for the browser's permission to notify.
    pub asks_permission: RwSignal<bool>,
    /// What decides on links and images in answers.
    pub answers: AnswerSettings,
}

/// The value of the attribute `activity`: how much is shown of what agents do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActivityLevel {
    /// One line with the current step is shown, which opens to all steps.
    #[default]
    Brief,
    /// All steps are shown.
    Full,
    /// No activity is shown.
    Off,
}

/// The value of the attribute `scroll`: what an answer does to the scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScrollMode {
    /// The user's message goes to the top and stays there; the answer grows below it.
    #[default]
    AnswerTop,
    /// While the user is at the end of the transcript, it scrolls on to the end as an answer grows.
    Bottom,
    /// An answer does not move the transcript.
    None,
}

/// The value of the attribute `threads`: where the list of conversations is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadsPlacement {
    /// The list is beside the transcript if there is room, and else opens over it by a button.
    #[default]
    Auto,
    /// The list is beside the transcript.
    Side,
    /// There is no list.
    Hidden,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shows_approvals: false,
            texts: RwSignal::new(Texts::default()),
            activity: RwSignal::new(ActivityLevel::default()),
            threads: RwSignal::new(ThreadsPlacement::default()),
            scroll: RwSignal::new(ScrollMode::default()),
            heading: RwSignal::new(None),
            placeholder: RwSignal::new(None),
            greeting: RwSignal::new(None),
            suggestions: RwSignal::new(Vec::new()),
            can_attach: RwSignal::new(false),
            asks_permission: RwSignal::new(false),
            answers: AnswerSettings::default(),
        }
    }
}
