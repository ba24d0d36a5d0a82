//! Check of the stored data after a kill against what the client saw before it.

use assent_service::sentence::INTERRUPTED;

use crate::{client::Seen, script::Stored};

/// The state of the last post of a thread after a kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostOutcome {
    /// It never reached the store, and may be sent again.
    Unstored,
    /// Its answer was cut off and says so; `true` if a part of its text was kept.
    Cut(bool),
    /// It is stored to its end.
    Whole,
}

/// Compares the stored messages with the posted ones.
///
/// Answers that came to their end are there word for word. The last post is there once or not at
/// all; if the client saw any of its answer, it is there. Its answer is what it would have been, or
/// the beginning of that with a note at the end, and no shorter than what the client saw completed.
pub fn outcome(whole: &[Vec<Stored>], saw: &[Seen], stored: &[Stored]) -> PostOutcome {
    let mut rest = stored;
    let mut outcome = PostOutcome::Whole;
    for (turn, seen) in whole.iter().zip(saw) {
        assert_eq!(outcome, PostOutcome::Whole, "only the last post is cut");
        let same = turn.iter().zip(rest).take_while(|(a, b)| a == b).count();
        let (complete, after) = rest.split_at(same);
        let (ours, after) = if seen.ended {
            (PostOutcome::Whole, after)
        } else {
            unfinished(turn, complete, after)
        };
        match ours {
            PostOutcome::Whole => assert_eq!(complete, turn, "{stored:#?}"),
            PostOutcome::Unstored => {
                assert_eq!(seen.status, None, "accepted and not stored: {stored:#?}");
            }
            PostOutcome::Cut(_) => {
                assert!(
                    !seen.has("TOOL_EXECUTION_APPROVAL_REQUEST"),
                    "it asked: {stored:#?}"
                );
            }
        }
        if turn[0].role == "user" && ours != PostOutcome::Unstored {
            assert!(!complete.is_empty(), "an answer to nothing: {stored:#?}");
        }
        let said: Vec<_> = complete.iter().filter(|m| m.role == "assistant").collect();
        for (at, text) in seen.texts("AGENT_RESPONSE_COMPLETE").iter().enumerate() {
            assert!(
                said.len() > at,
                "completed and not stored: {text:?} in {stored:#?}"
            );
            assert_eq!(said[at].content, *text);
        }
        outcome = ours;
        rest = after;
    }
    assert!(rest.is_empty(), "stored too much: {rest:#?} of {stored:#?}");
    outcome
}

/// Returns the state of an answer whose end the client did not see, and the messages stored after
/// it.
fn unfinished<'a>(
    turn: &[Stored],
    complete: &[Stored],
    after: &'a [Stored],
) -> (PostOutcome, &'a [Stored]) {
    let Some((cut, after)) = after.split_first() else {
        if complete.is_empty() {
            return (PostOutcome::Unstored, after);
        }
        return (PostOutcome::Whole, after);
    };
    let words = cut.content.strip_suffix(INTERRUPTED);
    let words = words.unwrap_or_else(|| panic!("neither whole nor marked as cut: {cut:#?}"));
    let words = words.trim_end();
    assert_eq!(
        (cut.role.as_str(), cut.tools.len()),
        ("assistant", 0),
        "{cut:#?}"
    );
    if !words.is_empty() {
        let next = &turn[complete.len()];
        assert!(
            next.content.starts_with(words),
            "not what was said: {cut:#?}"
        );
        assert_eq!(next.handle, cut.handle);
    }
    (PostOutcome::Cut(!words.is_empty()), after)
}
