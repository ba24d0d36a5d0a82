//! The form with which a person approves a call and allows such calls beforehand (extension
//! `grants`): for how long, and with which values.

use assent_conversation::{GrantOffer, quote};
use assent_i18n::Text;
use leptos::{
    prelude::*,
    web_sys::{MouseEvent, js_sys::Date},
};

use crate::components::{
    escape_invisible::escape_invisible,
    ids::new_id,
    listener::boxed_listener,
    strings::{self, cut_to},
};

/// Longest name of an argument in the form, in characters.
const MAX_NAME_CHARACTERS: usize = 60;

/// What the form asks about, and who is told.
pub(super) struct GrantQuestion {
    /// What the service lets be allowed.
    pub(super) offer: GrantOffer,
    /// The names of the call's arguments.
    pub(super) names: Vec<String>,
    /// True if all values must stay the same: what looks like something else may not become any
    /// value.
    pub(super) is_fixed: bool,
    /// Is called with the click that approves, and the JSON of `grant` in the answer.
    pub(super) answer: Callback<(MouseEvent, String)>,
}

/// A time for which calls can be allowed: in one conversation, or for hours in all of them.
#[derive(Clone, Copy)]
struct Period {
    hours: Option<u64>,
    text: Text,
}

const PERIODS: [Period; 4] = [
    Period {
        hours: None,
        text: strings::extra::IN_THIS_CONVERSATION,
    },
    Period {
        hours: Some(1),
        text: strings::extra::FOR_ONE_HOUR,
    },
    Period {
        hours: Some(8),
        text: strings::extra::FOR_EIGHT_HOURS,
    },
    Period {
        hours: Some(7 * 24),
        text: strings::extra::FOR_SEVEN_DAYS,
    },
];

impl Period {
    fn is_offered(self, offer: &GrantOffer) -> bool {
        let has = |scope: &str| offer.scopes.iter().any(|it| it == scope);
        match self.hours {
            None => has("thread"),
            Some(hours) => {
                let max = offer.max_seconds;
                has("agent") && max.is_none_or(|max| hours * 3600 <= max)
            }
        }
    }

    /// Returns the JSON of `grant` in the answer, for calls whose arguments with these names have the
    /// same values.
    fn grant(self, same: impl Iterator<Item = String>) -> String {
        let mut grant = String::from("{\"scope\":");
        match self.hours {
            None => grant.push_str("\"thread\""),
            Some(hours) => {
                grant.push_str("\"agent\",\"until\":");
                let end = Date::now() + (hours * 3_600_000) as f64;
                let end = Date::new(&end.into()).to_iso_string();
                grant.push_str(&quote(&String::from(end)));
            }
        }
        grant.push_str(",\"when\":{");
        for (place, name) in same.enumerate() {
            let pointer = ["/", &name.replace('~', "~0").replace('/', "~1")].concat();
            grant.push_str(if place == 0 { "" } else { "," });
            grant.push_str(&[&quote(&pointer), ":\"same\""].concat());
        }
        grant.push_str("}}");
        grant
    }
}

/// The form: for how long, and with which values. Whoever sends it approves the call.
#[component]
pub(super) fn GrantForm(question: GrantQuestion) -> impl IntoView {
    let texts = strings::texts();
    let GrantQuestion {
        offer,
        names,
        is_fixed,
        answer,
    } = question;
    let offered = PERIODS.into_iter().filter(|it| it.is_offered(&offer));
    let periods: Vec<Period> = offered.collect();
    let period = RwSignal::new(0_usize);
    let arguments: Vec<_> = names
        .into_iter()
        .map(|it| (it, RwSignal::new(true)))
        .collect();
    let group = new_id();
    let radio = |(place, offered): (usize, &Period)| {
        view! {
            <label>
                <input
                    type="radio"
                    name=group.clone()
                    prop:checked=move || period.get() == place
                    on:change=boxed_listener(move |_: leptos::web_sys::Event| period.set(place))
                />
                <span>{texts.get(offered.text)}</span>
            </label>
        }
        .into_any()
    };
    let checkbox = |(name, is_same): &(String, RwSignal<bool>)| {
        let is_same = *is_same;
        let name = cut_to(&escape_invisible(name), MAX_NAME_CHARACTERS);
        let change = move |_: leptos::web_sys::Event| is_same.set(!is_same.get_untracked());
        view! {
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || is_same.get()
                    prop:disabled=is_fixed
                    on:change=boxed_listener(change)
                />
                <span dir="auto">{texts.fill(strings::extra::ONLY_WITH_SAME, &[("argument", &name)])}</span>
            </label>
        }
        .into_any()
    };
    let radios: Vec<_> = periods.iter().enumerate().map(radio).collect();
    let checkboxes: Vec<_> = arguments.iter().map(checkbox).collect();
    let allow = move |event: MouseEvent| {
        let Some(chosen) = periods.get(period.get_untracked()) else {
            return;
        };
        let same = arguments
            .iter()
            .filter(|(_, is_same)| is_same.get_untracked());
        answer.run((event, chosen.grant(same.map(|(name, _)| name.clone()))));
    };
    view! {
        <div class="beforehand" role="group" aria-label=texts.get(strings::extra::ALLOWED_CALLS)>
            <div class="beforehand-choices" role="radiogroup" aria-label=texts.get(strings::extra::HOW_LONG)>
                {radios}
            </div>
            <div class="beforehand-choices">{checkboxes}</div>
            <p class="decisions-hint">{texts.get(strings::extra::BEFOREHAND_HINT)}</p>
            <button type="button" class="button primary" on:click=boxed_listener(allow)>
                {texts.get(strings::extra::APPROVE_AND_ALLOW)}
            </button>
        </div>
    }
}
