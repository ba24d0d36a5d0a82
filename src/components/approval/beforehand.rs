//! The button and the form with which a person approves a call and allows such calls beforehand
//! (extension `grants`): for how long, and with which values.

use assent_conversation::{Intent, ToolRun, Verdict, quote};
use assent_i18n::Text;
use leptos::{
    html::{Button, Div},
    prelude::*,
    web_sys::{MouseEvent, js_sys::Date},
};

use super::{focus::focus_next, state::CardState};
use crate::components::{
    attribute::attribute,
    dispatch::Dispatch,
    effect::memo,
    escape_invisible::escape_invisible,
    focus::focus,
    icons,
    ids::new_id,
    listener::boxed_listener,
    show::Show,
    strings::{self, cut_to},
};

/// Longest name of an argument in the form, in characters.
const MAX_NAME_CHARACTERS: usize = 60;

/// A time for which calls can be allowed: in one conversation, or for hours in all of them.
#[derive(Clone, Copy)]
struct Period {
    hours: Option<u64>,
    text: Text,
}

const PERIODS: [Period; 4] = [
    Period {
        hours: None,
        text: strings::IN_THIS_CONVERSATION,
    },
    Period {
        hours: Some(1),
        text: strings::FOR_ONE_HOUR,
    },
    Period {
        hours: Some(8),
        text: strings::FOR_EIGHT_HOURS,
    },
    Period {
        hours: Some(7 * 24),
        text: strings::FOR_SEVEN_DAYS,
    },
];

impl Period {
    fn is_offered(self, run: &ToolRun) -> bool {
        let has = |scope: &str| run.grant_scopes.iter().any(|it| it == scope);
        match self.hours {
            None => has("thread"),
            Some(hours) => {
                let max = run.grant_max_seconds;
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

/// The button that opens the form for the tool run with this index, and the form. `warnings` is the
/// element with the warnings to check, `described` the ids of the elements that describe an approval.
/// While `is_refused` is true, nothing can be approved.
#[component]
pub(super) fn AllowBeforehand(
    card: CardState,
    index: usize,
    warnings: NodeRef<Div>,
    is_refused: Memo<bool>,
    described: String,
) -> impl IntoView {
    let texts = strings::texts();
    let CardState {
        view,
        is_single,
        is_streaming,
        guard,
        ..
    } = card;
    let button = NodeRef::<Button>::new();
    let is_open = RwSignal::new(false);
    let is_off = memo(move || is_refused.get() || (is_single.get() && is_streaming.get()));
    let is_chosen = move || {
        let choice = view.with(|view| view.batch.tools.get(index).and_then(|tool| tool.choice));
        choice == Some(Verdict::ApproveBeforehand)
    };
    let pressed = move || (!is_single.get()).then(|| is_chosen().to_string());
    let toggle = move |event: MouseEvent| {
        if !is_off.get_untracked() && !guard.holds(&event) {
            guard.note_change();
            is_open.set(!is_open.get_untracked());
        }
    };
    view! {
        <button
            node_ref=button
            type="button"
            class="choice beforehand-button"
            {..attribute("aria-pressed", pressed)}
            {..attribute("aria-expanded", move || is_open.get().to_string())}
            aria-describedby=described
            prop:disabled=move || is_off.get()
            on:click=boxed_listener(toggle)
        >
            {icons::check()}
            <span>{texts.get(strings::APPROVE_BEFOREHAND)}</span>
        </button>
        <Show when=move || is_open.get() && !is_off.get()>
            <Form card index warnings is_open button/>
        </Show>
    }
}

/// The form: for how long, and with which values. Whoever sends it approves the call.
#[component]
fn Form(
    card: CardState,
    index: usize,
    warnings: NodeRef<Div>,
    is_open: RwSignal<bool>,
    button: NodeRef<Button>,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let CardState {
        view,
        is_single,
        guard,
        ..
    } = card;
    let (batch, version, periods, names) = view.with_untracked(|view| {
        let run = view.batch.tools.get(index)?;
        let offered = PERIODS.into_iter().filter(|period| period.is_offered(run));
        let names = run.arguments.iter().map(|(name, _)| name.clone());
        let names: Vec<String> = names.collect();
        let periods: Vec<Period> = offered.collect();
        Some((view.batch.id.clone(), run.version, periods, names))
    })?;
    let period = RwSignal::new(0_usize);
    // What looks like something else may not become any value.
    let is_fixed = warnings
        .get_untracked()
        .is_some_and(|warnings| warnings.has_child_nodes());
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
                <span dir="auto">{texts.fill(strings::ONLY_WITH_SAME, &[("argument", &name)])}</span>
            </label>
        }
        .into_any()
    };
    let radios: Vec<_> = periods.iter().enumerate().map(radio).collect();
    let checkboxes: Vec<_> = arguments.iter().map(checkbox).collect();
    let allow = move |event: MouseEvent| {
        let chosen = periods.get(period.get_untracked());
        let Some(chosen) = chosen.filter(|_| !guard.holds(&event)) else {
            return;
        };
        let same = arguments
            .iter()
            .filter(|(_, is_same)| is_same.get_untracked());
        let grant = chosen.grant(same.map(|(name, _)| name.clone()));
        dispatch.send(Intent::AllowBeforehand(batch.clone(), version, grant));
        if is_single.get_untracked() {
            focus_next(&event);
            let verdict = Verdict::ApproveBeforehand;
            dispatch.send(Intent::Answer(batch.clone(), version, verdict));
        } else {
            let verdict = Verdict::ApproveBeforehand;
            dispatch.send(Intent::Decide(batch.clone(), version, verdict));
            button.get_untracked().iter().for_each(|it| focus(it));
            is_open.set(false);
        }
    };
    Some(view! {
        <div class="beforehand" role="group" aria-label=texts.get(strings::ALLOWED_CALLS)>
            <div class="beforehand-choices" role="radiogroup" aria-label=texts.get(strings::HOW_LONG)>
                {radios}
            </div>
            <div class="beforehand-choices">{checkboxes}</div>
            <p class="decisions-hint">{texts.get(strings::BEFOREHAND_HINT)}</p>
            <button type="button" class="button primary" on:click=boxed_listener(allow)>
                {texts.get(strings::APPROVE_AND_ALLOW)}
            </button>
        </div>
    })
}
