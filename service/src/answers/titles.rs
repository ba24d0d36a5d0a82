//! Titles that agents make of conversations that no person has named, after an answer and beside
//! everything else: neither the stream nor the thread waits for one.

use std::time::Duration;

use assent_characters::is_invisible;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

use crate::{
    Result,
    answers::current_agents::HeldAgent,
    store::{Store, ThreadKey},
    telemetry::metrics::Metrics,
    telemetry::spans,
};

/// The time that an agent has for a title.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Longest title, in characters.
const MAX_TITLE_CHARACTERS: usize = 60;

/// The tasks in which agents make titles.
#[derive(Debug)]
pub(crate) struct Titles {
    store: Store,
    metrics: Metrics,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Titles {
    pub(crate) fn new(store: Store, metrics: Metrics) -> Self {
        Self {
            store,
            metrics,
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Lets an agent make the title of a thread that has none yet. Where that fails, the next
    /// answer is another chance.
    pub(crate) fn make(&self, agent: HeldAgent, thread: ThreadKey) {
        let (store, metrics, stop) = (self.store.clone(), self.metrics.clone(), self.stop.clone());
        let span = spans::title_span(agent.profile(), &thread.id);
        let making = async move {
            let made = tokio::select! {
                made = make(&store, &metrics, &agent, &thread) => made,
                () = stop.cancelled() => return,
            };
            if let Err(error) = made {
                tracing::warn!(%error, "a title was not stored");
            }
        };
        self.tasks.spawn(making.instrument(span));
    }

    /// Returns the number of titles that are being made.
    pub(crate) fn count(&self) -> usize {
        self.tasks.len()
    }

    /// Ends the making of all titles, which are not stored, and waits until no task is left.
    pub(crate) async fn end(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

async fn make(
    store: &Store,
    metrics: &Metrics,
    agent: &HeldAgent,
    thread: &ThreadKey,
) -> Result<()> {
    if !store.wants_title(thread).await? {
        return Ok(());
    }
    let conversation = store.latest_messages(thread).await?;
    let made = tokio::time::timeout(TIMEOUT, agent.make_title(&conversation, metrics)).await;
    let (title, tokens) = made.unwrap_or_default();
    store.spend(thread, tokens).await?;
    match title.as_deref().and_then(clean_title) {
        Some(title) => store.set_title(thread, &title).await,
        None => Ok(()),
    }
}

/// Returns a title as one short line without marks around it, and without characters that are not
/// seen; `None` if nothing is left of it.
fn clean_title(title: &str) -> Option<String> {
    let seen = title.chars().map(|letter| match letter {
        letter if letter.is_control() => ' ',
        letter => letter,
    });
    let seen: String = seen.filter(|letter| !is_invisible(*letter)).collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.trim_matches(|letter| " \"'`*_#“”„«»".contains(letter));
    let line = line.trim_end_matches(['.', ':', ',']).trim();
    if line.is_empty() {
        return None;
    }
    if line.chars().count() <= MAX_TITLE_CHARACTERS {
        return Some(line.to_owned());
    }
    let cut: String = line.chars().take(MAX_TITLE_CHARACTERS - 1).collect();
    let cut = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    Some(format!("{cut}…"))
}

#[cfg(test)]
mod tests {
    use super::clean_title;

    #[test]
    fn a_title_is_one_short_line_of_what_is_seen() {
        for (title, expected) in [
            ("Milk for Ada", Some("Milk for Ada")),
            ("  \"Milk\nfor\tAda.\"  ", Some("Milk for Ada")),
            ("## **Milk**", Some("Milk")),
            ("Milk\u{202e}\u{200b} for\u{7} Ada", Some("Milk for Ada")),
            ("\u{200b}\n", None),
            ("***", None),
            ("", None),
        ] {
            assert_eq!(clean_title(title).as_deref(), expected, "{title:?}");
        }
        let long = clean_title(&"wonderful ".repeat(20)).unwrap();
        assert_eq!(long, "wonderful wonderful wonderful wonderful wonderful…");
        assert_eq!(clean_title(&"é".repeat(80)).unwrap().chars().count(), 60);
    }
}
