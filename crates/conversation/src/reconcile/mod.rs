//! Merges the stored messages and the local ones into one transcript.
//!
//! The stored messages are authoritative for order, text and decisions; this page knows more about
//! activity, about requests for approval as they were streamed, and about messages that could not
//! be sent. A pure function: `step` handles where a load comes from and what follows from it.

mod approvals;
mod contributions;
mod duplicates;
mod paired;
mod pairing;

use assent_protocol::{BatchId, Role, StoredMessage, ToolImage};

use crate::attachment::{self, without_file_lines};
use crate::{Author, CachedRequest, Message, MessageKey, MessageStatus, Millis, Stream, UploadId};

/// The outcome of a merge of stored and local messages.
pub(crate) struct MergeResult {
    /// The transcript, oldest first.
    pub(crate) messages: Vec<Message>,
    /// The local messages that the merge changed.
    pub(crate) touched: Vec<MessageKey>,
    /// The batches that are stored as pending.
    pub(crate) pending: Vec<BatchId>,
}

/// The messages and the batch of the stream under way, which a merge does not change; empty without
/// a stream.
#[derive(Default)]
pub(crate) struct LiveParts {
    /// The messages that the stream posted and writes.
    pub(crate) messages: Vec<MessageKey>,
    /// The batch that the stream answers; `None` if it answers a message.
    pub(crate) batch: Option<BatchId>,
}

impl LiveParts {
    /// Returns the messages and the batch of this stream.
    pub(crate) fn of(stream: &Stream) -> Self {
        Self {
            messages: stream.messages(),
            batch: stream.posted.batch().cloned(),
        }
    }
}

/// Merges `local` with `stored`, both oldest first; `cached` are the thread's cached requests.
/// `next_key` makes the keys of new messages.
pub(crate) fn merge(
    mut local: Vec<Message>,
    mut stored: Vec<StoredMessage>,
    live: &LiveParts,
    cached: &[CachedRequest],
    mut next_key: impl FnMut() -> MessageKey,
) -> MergeResult {
    if local.is_empty() {
        return first_transcript(stored, live, cached, next_key);
    }
    leave_out_known_images(&local, &mut stored);
    pairing::skip_running_turn(&local, &mut stored, &live.messages);
    let (partners, contributions) = pairing::find_partners(&local, &stored, &live.messages);
    let (absorbed, mut touched) =
        contributions::update_contributions(&mut local, &stored, contributions);
    let pending = approvals::pending_batches(&stored);
    let twice = duplicates::find_duplicates(&local, &partners, &stored, &live.messages);
    let once = local.into_iter().zip(partners).zip(twice);
    let once = once.filter(|(_, is_twice)| !is_twice).map(|(it, _)| it);
    let (places, last) = group_by_place(once, stored.len());
    let mut messages = Vec::with_capacity(stored.len());
    for (at, (stored, place)) in stored.into_iter().zip(places).enumerate() {
        messages.extend(place.before);
        match place.paired {
            Some(local) => {
                let before = local.clone();
                let merged = update_message(local, stored, live, cached, &mut next_key);
                if merged != before {
                    touched.push(merged.key);
                }
                messages.push(merged);
            }
            None if is_blank(&stored) || absorbed.contains(&at) => {}
            None => {
                let message = empty_message(next_key());
                messages.push(update_message(message, stored, live, cached, &mut next_key));
            }
        }
        messages.extend(place.after);
    }
    messages.extend(last);
    MergeResult {
        messages,
        touched,
        pending,
    }
}

/// Removes those images from the stored messages that steps of activities on this page show
/// already: the first stored message of an answer has the images of all its agents.
fn leave_out_known_images(local: &[Message], stored: &mut [StoredMessage]) {
    let known: Vec<&ToolImage> = local.iter().flat_map(|it| it.activity.images()).collect();
    for stored in stored {
        stored.tool_images.retain(|image| !known.contains(&image));
    }
}

/// Makes the transcript of a thread that is opened: there may be thousands of messages, and no
/// local ones to merge them with. Browsers optimise such a loop, and that takes longer the larger
/// the function is.
#[inline(never)]
fn first_transcript(
    stored: Vec<StoredMessage>,
    live: &LiveParts,
    cached: &[CachedRequest],
    mut next_key: impl FnMut() -> MessageKey,
) -> MergeResult {
    let pending = approvals::pending_batches(&stored);
    // At once: a list that grows by doubling is moved each time, and takes twice the memory.
    let mut messages = Vec::with_capacity(stored.len());
    let visible = stored.into_iter().filter(|stored| !is_blank(stored));
    messages.extend(visible.map(|stored| {
        let message = empty_message(next_key());
        update_message(message, stored, live, cached, &mut next_key)
    }));
    MergeResult {
        messages,
        touched: Vec::new(),
        pending,
    }
}

/// The local messages that belong to one stored message of the transcript, by where they stand.
#[derive(Default)]
struct TranscriptPlace {
    /// The local messages that are not stored, and stand before this stored message.
    before: Vec<Message>,
    /// The local message that is this stored message; `None` if this page has none.
    paired: Option<Message>,
    /// The messages of agents that are not stored, and answer this stored message.
    after: Vec<Message>,
}

/// Returns a place for each of the `count` stored messages, and the local messages after the last
/// of them. `local` are the local messages, each with the index of its stored partner.
fn group_by_place(
    local: impl Iterator<Item = (Message, Option<usize>)>,
    count: usize,
) -> (Vec<TranscriptPlace>, Vec<Message>) {
    let mut places = Vec::new();
    places.resize_with(count, TranscriptPlace::default);
    let mut last = Vec::new();
    let mut previous = None;
    for (message, partner) in local {
        let answered = previous.filter(|_| last.is_empty() && is_answer(&message));
        match (
            partner,
            partner.or(answered).and_then(|at| places.get_mut(at)),
        ) {
            (Some(_), Some(place)) => {
                place.before.append(&mut last);
                place.paired = Some(message);
                previous = partner;
            }
            (None, Some(place)) => place.after.push(message),
            (_, None) => last.push(message),
        }
    }
    (places, last)
}

/// Returns true for a message of an agent that is not being written. It stays behind the message
/// before it, whatever else came after that one.
fn is_answer(message: &Message) -> bool {
    message.author != Author::You && message.status != MessageStatus::Streaming
}

/// Returns a message without content, to be filled from a stored message that this page did not
/// have.
fn empty_message(key: MessageKey) -> Message {
    Message {
        status: MessageStatus::Complete,
        time: None,
        ..Message::new_streaming(key, Millis::default())
    }
}

fn is_blank(stored: &StoredMessage) -> bool {
    stored.content.trim().is_empty()
        && stored.tool_execution_human_approval_request.is_empty()
        && stored.files.is_empty()
        && stored.tool_images.is_empty()
}

#[inline(never)]
fn update_message(
    mut message: Message,
    stored: StoredMessage,
    live: &LiveParts,
    cached: &[CachedRequest],
    next_key: &mut dyn FnMut() -> MessageKey,
) -> Message {
    let local_name = message.author.agent_name();
    message.author = match stored.role {
        Role::User => Author::You,
        Role::Assistant if !local_name.is_empty() => message.author,
        Role::Assistant => Author::Agent(stored.handle.clone().unwrap_or_default()),
        Role::Other(role) => Author::Agent(role),
    };
    if let Some(handle) = stored.handle.filter(|handle| !handle.is_empty()) {
        message.handle = handle;
    }
    // What was sent without text here has none, whatever stands for its files there.
    let has_no_text = message.has_only_files();
    if message.author == Author::You {
        message.handle.clear();
        // Files that are chosen here are counted from the other end.
        let next_upload = || UploadId(u32::MAX - next_key().0);
        attachment::add_stored(&mut message.files, stored.files, next_upload);
    } else {
        // The service may attribute the user's message to an agent; only a user sends files.
        message.files.clear();
    }
    approvals::update_batches(
        &mut message.approvals,
        &stored.tool_execution_human_approval_request,
        live.batch.as_ref(),
        cached,
    );
    if !stored.id.as_str().is_empty() {
        message.id = Some(stored.id);
    }
    // The service may store the reason of a failed answer as text; here it is shown as a failure
    // already.
    let failed =
        matches!(message.status, MessageStatus::Failed(_)) && message.author != Author::You;
    if !failed && !has_no_text && !stored.content.trim().is_empty() {
        message.text = if message.files.is_empty() {
            stored.content
        } else {
            without_file_lines(&message.files, &stored.content)
        };
        message.words = stored.words;
    }
    message.time = stored.timestamp.epoch_millis().map(Millis).or(message.time);
    if message.author != Author::You {
        let at = message.time.unwrap_or_default();
        message.activity.add_images(stored.tool_images, at);
    }
    message.status = match message.status {
        _ if message.author == Author::You => MessageStatus::Sent,
        failed @ MessageStatus::Failed(_) => failed,
        _ => MessageStatus::Complete,
    };
    message
}
