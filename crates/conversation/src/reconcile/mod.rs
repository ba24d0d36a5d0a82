//! What the service stored and what this page saw, as one transcript.
//!
//! The stored messages are the truth about order, text and decisions; this page knows more about activity, about
//! requests for approval as they were streamed, and about what could not be sent.
//! A pure function: where a reading comes from and what it settles is the business of `step`.

mod approvals;
mod contributions;
mod pairing;
mod twice;

use assent_protocol::{BatchId, Role, StoredMessage};

use crate::{
    Activity, Author, KeptRequest, Message, MessageKey, MessageStatus, Millis, Posted, Stream,
};

/// The outcome of a merge.
pub(crate) struct Merged {
    /// The transcript, oldest first.
    pub(crate) messages: Vec<Message>,
    /// Messages that were there before and look different now.
    pub(crate) touched: Vec<MessageKey>,
    /// Batches that the service stored as undecided.
    pub(crate) pending: Vec<BatchId>,
}

/// What a running stream is about: it stays as it is.
#[derive(Default)]
pub(crate) struct Live {
    /// What it posted and writes.
    pub(crate) messages: Vec<MessageKey>,
    /// The batch that it answers.
    pub(crate) batch: Option<BatchId>,
}

impl Live {
    /// Of this stream.
    pub(crate) fn of(stream: &Stream) -> Self {
        Self {
            messages: stream.messages().collect(),
            batch: match &stream.posted {
                Posted::Message(_) => None,
                Posted::Approval { batch, .. } => Some(batch.clone()),
            },
        }
    }
}

/// Merges `local` with `stored`, both oldest first; `kept` are the thread's requests that outlived a page. `next_key`
/// names the messages that were not here before.
pub(crate) fn merge(
    mut local: Vec<Message>,
    mut stored: Vec<StoredMessage>,
    live: &Live,
    kept: &[KeptRequest],
    mut next_key: impl FnMut() -> MessageKey,
) -> Merged {
    if local.is_empty() {
        return read_first(stored, live, kept, next_key);
    }
    pairing::leave_out_the_running_turn(&local, &mut stored, &live.messages);
    let (partners, contributions) = pairing::partners(&local, &stored, &live.messages);
    let (absorbed, mut touched) = contributions::take_stored(&mut local, &stored, contributions);
    let pending = stored.iter().flat_map(approvals::pending).collect();
    let twice = twice::told_twice(&local, &partners, &stored, &live.messages);
    let once = local.into_iter().zip(partners).zip(twice);
    let once = once.filter(|(_, is_twice)| !is_twice).map(|(it, _)| it);
    let (places, last) = place(once, stored.len());
    let mut messages = Vec::with_capacity(stored.len());
    for (at, (stored, place)) in stored.into_iter().zip(places).enumerate() {
        messages.extend(place.before);
        match place.paired {
            Some(local) => {
                let before = local.clone();
                let merged = take_stored(local, stored, live, kept);
                if merged != before {
                    touched.push(merged.key);
                }
                messages.push(merged);
            }
            None if is_blank(&stored) || absorbed.contains(&at) => {}
            None => messages.push(take_stored(unseen(next_key()), stored, live, kept)),
        }
        messages.extend(place.after);
    }
    messages.extend(last);
    Merged {
        messages,
        touched,
        pending,
    }
}

/// A thread that is opened: there may be thousands of messages, and nothing to compare them with. Browsers optimise what
/// runs so often, and that takes them the longer, the more there is in a function.
#[inline(never)]
fn read_first(
    stored: Vec<StoredMessage>,
    live: &Live,
    kept: &[KeptRequest],
    mut next_key: impl FnMut() -> MessageKey,
) -> Merged {
    let pending = stored.iter().flat_map(approvals::pending).collect();
    let told = stored.into_iter().filter(|stored| !is_blank(stored));
    let messages = told.map(|stored| take_stored(unseen(next_key()), stored, live, kept));
    Merged {
        messages: messages.collect(),
        touched: Vec::new(),
        pending,
    }
}

/// Local messages that go where one stored message is.
#[derive(Default)]
struct Place {
    /// Those that are not stored, in front of the next one that is.
    before: Vec<Message>,
    /// The one that is the same message.
    paired: Option<Message>,
    /// What agents said that is not stored, behind the message that it answers.
    after: Vec<Message>,
}

/// A place for each of the `count` stored messages, and the local ones after which nothing stored follows. `local` are
/// messages and their partners.
fn place(
    local: impl Iterator<Item = (Message, Option<usize>)>,
    count: usize,
) -> (Vec<Place>, Vec<Message>) {
    let mut places = Vec::new();
    places.resize_with(count, Place::default);
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

/// True for what belongs to the message in front of it, whatever else came after that. A running stream is always last.
fn is_answer(message: &Message) -> bool {
    message.author != Author::You && message.status != MessageStatus::Streaming
}

/// A message that only the service knows so far.
fn unseen(key: MessageKey) -> Message {
    Message {
        key,
        id: None,
        author: Author::Agent(String::new()),
        handle: String::new(),
        text: String::new(),
        files: Vec::new(),
        status: MessageStatus::Complete,
        time: None,
        older: 0,
        followed: false,
        activity: Activity::default(),
        contributions: Vec::new(),
        approvals: Vec::new(),
    }
}

fn is_blank(stored: &StoredMessage) -> bool {
    stored.content.trim().is_empty() && stored.tool_execution_human_approval_request.is_empty()
}

#[inline(never)]
fn take_stored(
    mut message: Message,
    stored: StoredMessage,
    live: &Live,
    kept: &[KeptRequest],
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
    if message.author == Author::You {
        message.handle.clear();
    } else {
        // The service may give what was the person's to an agent; only a person sends files.
        message.files.clear();
    }
    approvals::take_stored(
        &mut message.approvals,
        &stored.tool_execution_human_approval_request,
        live.batch.as_ref(),
        kept,
    );
    if !stored.id.as_str().is_empty() {
        message.id = Some(stored.id);
    }
    // Of an answer that failed the service may store the reason as text; here it is shown as a failure already.
    let failed =
        matches!(message.status, MessageStatus::Failed(_)) && message.author != Author::You;
    // Of a message of files alone it may store what stands for them.
    if !failed && !message.is_wordless() && !stored.content.trim().is_empty() {
        message.text = stored.content;
    }
    message.time = stored.timestamp.epoch_millis().map(Millis).or(message.time);
    message.status = match message.status {
        _ if message.author == Author::You => MessageStatus::Sent,
        failed @ MessageStatus::Failed(_) => failed,
        _ => MessageStatus::Complete,
    };
    message
}
