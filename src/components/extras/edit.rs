//! The arguments of a tool run that a person may change before approving (extension
//! `edited-arguments`): a text field for each, what the tool does not take, and the difference.

use assent_conversation::{
    EditableArgument, Intent, SchemaFault, argument_changes, edited_json, schema_fault,
};
use assent_i18n::Texts;
use leptos::{
    html::{Button, Textarea},
    prelude::*,
    web_sys::{Event, KeyboardEvent, MouseEvent},
};

use super::difference::Difference;
use crate::components::{
    approval::state::CardState,
    attribute::attribute,
    dispatch::Dispatch,
    effect::{effect, memo},
    escape_invisible::escape_invisible,
    focus::focus,
    icons,
    ids::new_id,
    listener::boxed_listener,
    show::Show,
    strings::{self, cut_to},
};

/// Longest name of an argument in a button or a label, in characters.
const MAX_NAME_CHARACTERS: usize = 60;

/// The arguments of the tool run with this index that a person may change.
#[component]
pub(super) fn EditArguments(card: CardState, index: usize) -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let CardState { view, guard, .. } = card;
    // It may come later than the rest of the card, and move what is below.
    guard.note_change();
    let run = view.with_untracked(|view| view.batch.tools.get(index).cloned())?;
    let batch = view.with_untracked(|view| view.batch.id.clone());
    let changed = argument_changes(&run);
    let text_of = |argument: &EditableArgument| {
        let change = changed.iter().find(|(name, ..)| *name == argument.name);
        let text = change.map_or(&argument.proposed, |(_, _, now)| now);
        RwSignal::new(text.clone())
    };
    let editable = EditableArgument::of(&run).into_iter();
    let fields: Vec<Field> = editable
        .map(|argument| Field {
            text: text_of(&argument),
            argument: StoredValue::new(argument),
        })
        .collect();
    let all = fields.clone();
    let changed = Callback::new(move |()| {
        let edits = all.iter().map(|field| {
            let name = field.argument.with_value(|it| it.name.clone());
            (name, field.text.get_untracked())
        });
        let edited = edited_json(&run.arguments, &edits.collect::<Vec<_>>());
        let is_valid = all.iter().all(|field| field.fault().is_none());
        dispatch.send(Intent::EditArguments(
            batch.clone(),
            run.version,
            edited,
            is_valid,
        ));
    });
    let editors: Vec<_> = fields
        .into_iter()
        .map(|field| view! { <FieldEditor field card changed/> })
        .collect();
    Some(view! { <div class="edits">{editors}</div> })
}

/// An argument that may be changed, with what it is now.
#[derive(Clone, Copy)]
struct Field {
    argument: StoredValue<EditableArgument>,
    text: RwSignal<String>,
}

impl Field {
    /// Returns true if the value is another one than that of the request, reactive.
    fn is_changed(self) -> bool {
        let text = self.text;
        self.argument
            .with_value(|argument| text.with(|text| *text != argument.proposed))
    }

    /// Returns what is wrong with a changed value, reactive.
    fn fault(self) -> Option<SchemaFault> {
        let text = self.text;
        let fault = self
            .argument
            .with_value(|argument| text.with(|text| schema_fault(&argument.schema, text)));
        fault.filter(|_| self.is_changed())
    }
}

/// The button that opens the text field of one argument, the field, and the difference. `changed` is
/// called with each change.
#[component]
fn FieldEditor(field: Field, card: CardState, changed: Callback<()>) -> impl IntoView {
    let guard = card.guard;
    let texts = strings::texts();
    let name = field.argument.with_value(|it| it.name.clone());
    let label = cut_to(&escape_invisible(&name), MAX_NAME_CHARACTERS);
    let is_changed = memo(move || field.is_changed());
    let fault = memo(move || field.fault().map(|fault| fault_sentence(texts, &fault)));
    let is_open = RwSignal::new(false);
    let button = NodeRef::<Button>::new();
    let input = NodeRef::<Textarea>::new();
    let close = move || {
        guard.note_change();
        is_open.set(false);
        button.get_untracked().iter().for_each(|it| focus(it));
    };
    let toggle = move |event: MouseEvent| {
        if guard.holds(&event) {
            return;
        }
        if is_open.get_untracked() {
            close();
        } else {
            guard.note_change();
            is_open.set(true);
        }
    };
    // Each time that it is opened.
    effect(move || input.get().iter().for_each(|input| focus(input)));
    let write = move |event: Event| {
        field.text.set(event_target_value(&event));
        changed.run(());
    };
    let leave = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !event.is_composing() {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    };
    let undo = move |_: MouseEvent| {
        let proposed = field.argument.with_value(|it| it.proposed.clone());
        if let Some(input) = input.get_untracked() {
            input.set_value(&proposed);
            focus(&input);
        }
        field.text.set(proposed);
        changed.run(());
    };
    let changes = Signal::derive(move || {
        let argument = field.argument.get_value();
        vec![(argument.name, argument.proposed, field.text.get())]
    });
    let why = new_id();
    let describing = why.clone();
    let named = label.clone();
    view! {
        <button
            node_ref=button
            type="button"
            class="link-button edit"
            {..attribute("aria-expanded", move || is_open.get().to_string())}
            on:click=boxed_listener(toggle)
        >
            {icons::pencil()}
            <span dir="auto">{texts.fill(strings::extra::EDIT_ARGUMENT, &[("argument", &label)])}</span>
        </button>
        <Show when=move || is_open.get()>
            <div class="edit-field">
                <label class="feedback-label">
                    <span dir="auto">{named.clone()}</span>
                    <textarea
                        class="feedback-input"
                        {..attribute("rows", "3")}
                        dir="auto"
                        {..attribute("translate", "no")}
                        {..attribute("spellcheck", "false")}
                        {..attribute("aria-invalid", move || fault.with(Option::is_some).to_string())}
                        aria-describedby=describing.clone()
                        node_ref=input
                        prop:value=field.text.get_untracked()
                        on:input=boxed_listener(write)
                        on:keydown=boxed_listener(leave)
                    ></textarea>
                </label>
                <div class="buttons">
                    <Show when=move || is_changed.get()>
                        <button type="button" class="button" on:click=boxed_listener(undo)>
                            {texts.get(strings::extra::UNDO_CHANGE)}
                        </button>
                    </Show>
                    <button
                        type="button"
                        class="button"
                        on:click=boxed_listener(move |_: MouseEvent| close())
                    >
                        {texts.get(strings::extra::CLOSE)}
                    </button>
                </div>
            </div>
        </Show>
        <p class="edit-fault" role="status" id=why>
            {move || fault.get()}
        </p>
        <Show when=move || is_changed.get()>
            <Difference changes/>
        </Show>
    }
}

/// Returns the sentence about a value that a tool does not take.
fn fault_sentence(texts: Texts, fault: &SchemaFault) -> String {
    let text = |text| texts.get(text).to_owned();
    let bound = |text, bound: &str| texts.fill(text, &[("bound", bound)]);
    match fault {
        SchemaFault::NoNumber => text(strings::extra::NEEDS_NUMBER),
        SchemaFault::NoWholeNumber => text(strings::extra::NEEDS_WHOLE_NUMBER),
        SchemaFault::NoJson => text(strings::extra::NEEDS_JSON),
        SchemaFault::NotListed(values) => {
            let values = escape_invisible(&values.join(texts.get(strings::BETWEEN)));
            let values = cut_to(&values, strings::MAX_SENTENCE_CHARACTERS);
            texts.fill(strings::extra::NEEDS_ONE_OF, &[("values", &values)])
        }
        SchemaFault::TooShort(least) => {
            bound(strings::extra::TOO_SHORT, &texts.format_number(*least))
        }
        SchemaFault::TooLong(most) => bound(strings::extra::TOO_LONG, &texts.format_number(*most)),
        SchemaFault::TooSmall(least) => bound(strings::extra::TOO_SMALL, least),
        SchemaFault::TooLarge(most) => bound(strings::extra::TOO_LARGE, most),
    }
}
