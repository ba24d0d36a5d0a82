//! The card that the person asked for because it waits (extension `inbox`), wherever it is.

use assent_conversation::ThreadId;
use leptos::{
    html::Div,
    prelude::*,
    task::{spawn_local, tick},
};

use super::{focus::focus_tool, stage::Stage};
use crate::{
    components::{effect::on_load, focus::focused_element},
    store::Store,
};

/// The conversation whose card gets the focus as soon as it is drawn, because the person asked for
/// what waits there. It is in the context of all components.
#[derive(Clone, Copy)]
pub(in crate::components) struct WantedCard(StoredValue<Option<ThreadId>>);

impl WantedCard {
    pub(in crate::components) fn new() -> Self {
        Self(StoredValue::new(None))
    }

    /// Notes that the person asked for what waits in this conversation.
    pub(in crate::components) fn want(self, thread: ThreadId) {
        self.0.set_value(Some(thread));
    }
}

/// Moves the focus to the card in `part` once it is drawn, if the person asked for what waits in
/// its conversation and is not writing there already.
pub(super) fn focus_if_wanted(part: NodeRef<Div>, stage: Memo<Stage>) {
    let Some(WantedCard(wanted)) = use_context::<WantedCard>() else {
        return;
    };
    let threads = expect_context::<Store>().threads;
    on_load(part, move |part| {
        let open = threads.with_untracked(|it| it.open.clone());
        if open.is_none() || wanted.get_value() != open || !stage.get_untracked().is_deciding() {
            return;
        }
        wanted.set_value(None);
        spawn_local(async move {
            tick().await;
            let is_free =
                focused_element(&part).is_none_or(|it| it.matches("[part=input]") != Ok(true));
            if let Ok(Some(tool)) = part.query_selector(".tool")
                && is_free
            {
                focus_tool(&tool);
            }
        });
    });
}
