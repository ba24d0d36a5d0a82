//! The progress of the calls of the model's last answer, for the reader.

use assent_protocol::notification;

use super::Speech;
use crate::{
    agents::model::core::next::Command,
    transcript::{Call, Item},
};

/// The calls of the model's last answer, and how many of them have ended.
#[derive(Debug, PartialEq, Eq)]
struct BatchProgress<'a> {
    tools: Vec<&'a str>,
    /// The number of calls that have a result.
    ended: usize,
}

impl<'a> BatchProgress<'a> {
    /// Returns the calls of the model's last answer; `None` if it has none.
    fn of(turn: &'a [Item]) -> Option<Self> {
        let at = turn
            .iter()
            .rposition(|item| matches!(item, Item::Model { .. }))?;
        let (Item::Model { calls, .. }, rest) = turn.get(at..)?.split_first()? else {
            return None;
        };
        let ended = |id: &str| {
            rest.iter()
                .any(|item| matches!(item, Item::Result(result) if result.call == id))
        };
        (!calls.is_empty()).then(|| Self {
            tools: calls.iter().map(|call| call.tool.as_str()).collect(),
            ended: calls.iter().filter(|call| ended(&call.id)).count(),
        })
    }
}

/// Sends events about the calls of the model's last reply in `turn`: that they begin, if `begins`,
/// which is true right after the reply; and that all have ended, if `next` asks the model again or
/// ends the turn. Without calls nothing is sent.
pub(super) async fn report(begins: bool, next: &Command, turn: &[Item], speech: &mut Speech<'_>) {
    let Some(batch) = BatchProgress::of(turn) else {
        return;
    };
    if begins {
        let event = notification::PLAN_ORCHESTRATION_TOOL_USAGE_INITIATED;
        speech.notify(event, &batch.tools.join(", ")).await;
    }
    if let Command::AskModel { .. } | Command::End(_) = next
        && batch.ended == batch.tools.len()
    {
        let event = notification::PLAN_ORCHESTRATION_TOOL_USAGE_COMPLETED;
        speech.notify(event, "").await;
    }
}

/// Returns what the reader is told when a call begins while `running` calls of the same answer run:
/// its number among all of them and its tool, such as `2 of 3: notes/read`.
pub(super) fn progress_text(call: &Call, running: usize, turn: &[Item]) -> String {
    let (ended, all) =
        BatchProgress::of(turn).map_or((0, 0), |batch| (batch.ended, batch.tools.len()));
    format!("{} of {all}: {}", ended + running + 1, call.tool)
}

#[cfg(test)]
mod tests {
    use super::BatchProgress;
    use crate::transcript::{Call, CallEnd, CallResult, Item};

    #[test]
    fn only_the_calls_of_the_last_answer_count() {
        let model = |ids: &[&str]| Item::Model {
            text: String::new(),
            calls: ids
                .iter()
                .map(|id| Call {
                    id: (*id).to_owned(),
                    tool: format!("notes/{id}"),
                    arguments: "{}".to_owned(),
                    definition: String::new(),
                })
                .collect(),
            tokens: 0,
        };
        let result = |id: &str| {
            Item::Result(CallResult {
                call: id.to_owned(),
                end: CallEnd::Denied,
                text: String::new(),
            })
        };
        let turn = [model(&["a"]), result("a"), model(&["b", "c"]), result("c")];
        let batch = BatchProgress::of(&turn).unwrap();
        assert_eq!(batch.tools, ["notes/b", "notes/c"]);
        assert_eq!(batch.ended, 1);
        assert_eq!(BatchProgress::of(&[model(&["a"]), model(&[])]), None);
        assert_eq!(BatchProgress::of(&[]), None);
    }
}
