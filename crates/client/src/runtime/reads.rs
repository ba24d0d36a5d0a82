//! Read requests: retried by themselves while the page is visible and online, and aborted by the
//! next one of the same kind.

use std::cell::RefCell;
use std::rc::Rc;

use assent_conversation::{Command, ConversationKey, Input, Millis};
use web_sys::{AbortController, AbortSignal};

use super::inputs::InputQueue;
use crate::api::{Api, ReceivedList};
use crate::clock::sleep;
use crate::failure::wanted_pause;
use crate::presence::wait_until_present;

/// Delays of the retries of a read request, in milliseconds. After the last retry the read has
/// failed.
const RETRY_DELAYS: [Millis; 2] = [Millis(1000), Millis(3000)];

/// Maximum delay by the response header `Retry-After`, in milliseconds, for which a retry waits.
/// With a longer one the read has failed, which the user is shown.
const MAX_RETRY_DELAY: Millis = Millis(30_000);

/// The last read of the messages of each conversation, and of the list of threads (`None`), each
/// with the controller that aborts it.
#[derive(Default)]
pub(super) struct RunningReads(RefCell<Vec<(Option<ConversationKey>, AbortController)>>);

impl RunningReads {
    /// Carries out a read command. An older read of the same messages, or of the list, is aborted
    /// and delivers nothing.
    pub(super) fn carry_out_read(&self, api: &Rc<Api>, inputs: &Rc<InputQueue>, command: Command) {
        let Ok(abort) = AbortController::new() else {
            return;
        };
        let of = match &command {
            Command::LoadMessages { conversation, .. } => Some(*conversation),
            _ => None,
        };
        let signal = abort.signal();
        let mut reads = self.0.borrow_mut();
        match reads.iter_mut().find(|(known, _)| *known == of) {
            Some((_, last)) => std::mem::replace(last, abort).abort(),
            None => reads.push((of, abort)),
        }
        let api = api.clone();
        inputs.dispatch_result_of(async move { read_with_retries(&api, &command, &signal).await });
    }

    /// Aborts all reads.
    pub(super) fn abort_all(&self) {
        for (_, abort) in self.0.take() {
            abort.abort();
        }
    }
}

/// Sends a read request until it succeeds or has failed for good, and returns the result as an
/// input. `None`: the result is not wanted any more.
async fn read_with_retries(api: &Api, command: &Command, signal: &AbortSignal) -> Option<Input> {
    if let Command::LoadMessages { after, .. } = command {
        wait_for_retry(*after).await;
    }
    let mut waits = RETRY_DELAYS.iter();
    loop {
        let input = read_once(api, command, signal).await?;
        if signal.aborted() {
            return None;
        }
        let (Input::Threads(Err(failure))
        | Input::Messages {
            result: Err(failure),
            ..
        }) = &input
        else {
            return Some(input);
        };
        let wait = waits.next().filter(|_| failure.is_transient());
        let wanted = wanted_pause(failure);
        match wait {
            Some(wait) if wanted <= MAX_RETRY_DELAY.0 => {
                wait_for_retry(Millis(wait.0.max(wanted))).await;
            }
            _ => return Some(input),
        }
    }
}

async fn read_once(api: &Api, command: &Command, signal: &AbortSignal) -> Option<Input> {
    match command {
        Command::ListThreads { latest_first } => {
            let listed = api.list_threads(*latest_first, Some(signal)).await;
            Some(match listed {
                Ok(ReceivedList::Latest(threads)) => Input::LatestThreads(threads),
                Ok(ReceivedList::Whole(threads, _)) => Input::Threads(Ok(threads)),
                Err(failure) => Input::Threads(Err(failure)),
            })
        }
        &Command::LoadMessages {
            conversation,
            load,
            ref thread,
            latest_first,
            ..
        } => {
            let loaded = |result| Input::Messages {
                conversation,
                load,
                result,
            };
            Some(
                match api.list_messages(thread, latest_first, Some(signal)).await {
                    Ok(ReceivedList::Latest(stored)) => Input::LatestMessages {
                        conversation,
                        load,
                        stored,
                    },
                    Ok(ReceivedList::Whole(stored, after)) if !after.is_empty() => {
                        Input::MessagesWhileAnswering {
                            conversation,
                            load,
                            stored,
                            after,
                        }
                    }
                    Ok(ReceivedList::Whole(stored, _)) => loaded(Ok(stored)),
                    Err(failure) => loaded(Err(failure)),
                },
            )
        }
        _ => None,
    }
}

/// Waits for `time` and up to a half longer, so that not all pages come back at once; and then
/// until the page is visible and online.
async fn wait_for_retry(time: Millis) {
    if time.0 > 0 {
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "a few seconds"
        )]
        let more = (js_sys::Math::random() * time.0 as f64 / 2.0) as i64;
        sleep(Millis(time.0 + more)).await;
        wait_until_present().await;
    }
}
