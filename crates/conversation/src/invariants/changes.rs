//! Checks that every visible difference after a step is named by a change, so that a view that
//! draws only those is up to date.

use std::collections::BTreeMap;

use crate::{
    Change, Conversation, ConversationKey, Message, MessageKey, RequestVersion, State, ToolRun,
};

use super::ensure;

/// Checks that `changes` name all that differs between `before` and `after`. With `typing` the
/// draft is left out: the view in which it was typed knows it.
///
/// # Errors
///
/// A description of the first difference that no change names.
pub fn check_changes(
    before: &State,
    after: &State,
    changes: &[Change],
    typing: bool,
) -> Result<(), String> {
    let named = |change: &Change| changes.contains(change);
    ensure(
        before.threads == after.threads || named(&Change::Threads),
        "a change names the thread list",
    )?;
    ensure(
        before.notice == after.notice || named(&Change::Notice),
        "a change names the notice",
    )?;
    ensure(
        before.undecided_by_thread() == after.undecided_by_thread() || named(&Change::Waiting),
        "a change names what waits for approval",
    )?;
    ensure(
        (before.is_online, before.can_cancel) == (after.is_online, after.can_cancel)
            || named(&Change::Composer(after.open)),
        "a change names the composer where the network, or an offer, comes or goes",
    )?;
    ensure(
        before.unstored_drafts == after.unstored_drafts || named(&Change::Composer(after.open)),
        "a change names the composer whose draft is not stored",
    )?;
    ensure(
        before.open == after.open || named(&Change::Opened),
        "a change names what is opened",
    )?;
    let requests = drawn_requests(before);
    for (version, request) in self::drawn_requests(after) {
        ensure(
            version != RequestVersion::default(),
            "a request has a version",
        )?;
        ensure(
            requests.get(&version).is_none_or(|it| *it == request),
            "another request has another version",
        )?;
    }
    for was in &before.conversations {
        if let Some(is) = after.conversation(was.key) {
            check_conversation(was.key, was, is, changes, typing)?;
        }
    }
    Ok(())
}

/// Returns what is drawn of each request, by its version.
fn drawn_requests(state: &State) -> BTreeMap<RequestVersion, impl PartialEq> {
    let messages = state.conversations.iter().flat_map(|it| &it.messages);
    let batches = messages.flat_map(|message| &message.approvals);
    let tools = batches.flat_map(|batch| &batch.tools);
    let request = |run: &ToolRun| {
        let run = run.clone();
        let origin = [run.tool, run.name, run.provider, run.category];
        (
            run.execution,
            origin,
            run.arguments,
            run.request,
            run.provenance,
            (run.reason, run.definition_changed, run.known),
            (run.effect, run.effect_source),
            (run.definition, run.accepted_definition),
        )
    };
    tools.map(|tool| (tool.version, request(tool))).collect()
}

fn check_conversation(
    key: ConversationKey,
    was: &Conversation,
    is: &Conversation,
    changes: &[Change],
    typing: bool,
) -> Result<(), String> {
    let named = |change: &Change| changes.contains(change);
    ensure(
        (was.composer_state() == is.composer_state()
            && stream_flags(was) == stream_flags(is)
            && was.is_asking == is.is_asking
            && was.queued == is.queued
            && was.files == is.files)
            || named(&Change::Composer(key)),
        "a change names the composer",
    )?;
    ensure(
        typing || was.draft == is.draft || named(&Change::Draft(key)),
        "a change names the draft",
    )?;
    let same_order = was
        .messages
        .iter()
        .map(|m| m.key)
        .eq(is.messages.iter().map(|m| m.key));
    ensure(
        (same_order && was.load == is.load) || named(&Change::Transcript(key)),
        "a change names the transcript",
    )?;
    let old: BTreeMap<MessageKey, &Message> = was.messages.iter().map(|m| (m.key, m)).collect();
    for message in &is.messages {
        // The key of a post is not drawn.
        let drawn = |it: &Message| Message {
            post_key: None,
            ..it.clone()
        };
        let mut old = old.get(&message.key).into_iter();
        let same = old.all(|old| *old == message || drawn(old) == drawn(message));
        ensure(
            same || named(&Change::Message(key, message.key)),
            "a change names the message",
        )?;
    }
    Ok(())
}

fn stream_flags(conversation: &Conversation) -> Option<[bool; 2]> {
    let stream = conversation.stream();
    stream.map(|stream| [stream.is_stalled, stream.is_stopping])
}
