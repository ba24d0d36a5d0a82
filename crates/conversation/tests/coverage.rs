//! Checks that the sequences of `sequences.rs` get everywhere: they check nothing that they never
//! reach.
#![allow(missing_docs, reason = "tests are named by what they show")]

use assent_conversation::invariants::watch_sequence;
use assent_conversation::{
    AnswerSummary, ApprovalBatch, ApprovalStatus, Attachment, AttachmentState, BatchCompleteness,
    BatchPhase, Command, ComposerState, Contribution, ContributionState, Conversation,
    DeliveryStatus, FailureKind, Feedback, LoadState, MessageStatus, PageEvent, PostedContent,
    State, Stream, ToolRun, UnconfirmedReason, Verdict,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The number of sequences. They are the same ones each time.
const SEQUENCES: usize = 3_000;

const ACCEPTS: Option<Verdict> = Some(Verdict::ApproveDefinition);
const UNKNOWN: MessageStatus = MessageStatus::Unconfirmed {
    checking: false,
    failure: None,
};

/// A place to reach: a state, and the commands that led out of it.
type Place = fn(&State, &[Command]) -> bool;

const PLACES: [(&str, Place); 70] = [
    ("the latest messages before all", |s, _| {
        conversation(s, |it| {
            it.load == LoadState::Loading && it.messages.iter().any(|message| message.id.is_some())
        })
    }),
    ("no network", |s, _| !s.is_online),
    ("a stream of another tab", |s, _| {
        follows(s, |it| !it.is_accepted())
    }),
    ("one of which something came", |s, _| {
        follows(s, |it| it.is_accepted() && it.speakers.len() == 1)
    }),
    ("one that answered what was to be decided", |s, _| {
        follows(s, |it| {
            it.is_accepted() && matches!(it.posted, PostedContent::Approval { .. })
        })
    }),
    ("an answer that is followed", |_, commands| {
        command(commands, |it| matches!(it, Command::Follow { .. }))
    }),
    ("one of which something came", |s, _| {
        is_elsewhere(s, |it| it.speakers.len() == 1)
    }),
    ("one that asks for approval", |s, _| {
        is_elsewhere(s, |it| !it.asked.is_empty())
    }),
    ("one that is late", |s, _| {
        conversation(s, |it| {
            let mut late = it.late_streams();
            late.any(|it| matches!(it.posted, PostedContent::Elsewhere { .. }))
        })
    }),
    ("a quiet stream", |s, _| {
        conversation(s, |it| it.stream().is_some_and(|it| it.is_stalled))
    }),
    ("a late stream", |s, _| {
        conversation(s, |it| it.late_streams().next().is_some())
    }),
    ("one beside the stream of the next message", |s, _| {
        conversation(s, |it| {
            it.late_streams().next().is_some() && it.stream().is_some()
        })
    }),
    ("a post with a key", |_, commands| {
        command(commands, |it| {
            matches!(it, Command::Post { key: Some(_), .. })
        })
    }),
    ("one that a page before left", |_, commands| {
        command(commands, |it| match it {
            Command::Post { key: Some(key), .. } => key.starts_with("left"),
            _ => false,
        })
    }),
    ("an outcome given up", |s, _| {
        conversation(s, |it| it.messages.iter().any(|it| it.status == UNKNOWN))
    }),
    ("deciding", |s, _| batch(s, ApprovalBatch::is_deciding)),
    ("two batches", |s, _| {
        conversation(s, |it| it.pending_batches().len() > 1)
    }),
    ("three tools", |s, _| batch(s, |it| it.tools.len() > 2)),
    ("stopping", |s, _| batch(s, |it| feedback(it).is_some())),
    ("stopping with words", |s, _| {
        batch(s, |it| feedback(it).is_some_and(|it| !it.text.is_empty()))
    }),
    ("begun and left", |s, _| {
        batch(s, |it| !it.draft.text.is_empty() && it.is_deciding())
    }),
    ("refused", |s, _| failed(s, FailureKind::Rejected)),
    ("withheld", |s, _| failed(s, FailureKind::Withheld)),
    ("not delivered", |s, _| failed(s, FailureKind::NotDelivered)),
    ("other tab", |s, _| failed(s, FailureKind::OtherTab)),
    ("sent", |s, _| delivery(s, DeliveryStatus::Sent)),
    ("checking lost", |s, _| {
        delivery(s, DeliveryStatus::Checking(UnconfirmedReason::Lost))
    }),
    ("checking other tab", |s, _| {
        delivery(s, DeliveryStatus::Checking(UnconfirmedReason::OtherTab))
    }),
    ("unknown lost", |s, _| {
        delivery(s, DeliveryStatus::Unknown(UnconfirmedReason::Lost))
    }),
    ("unknown other tab", |s, _| {
        delivery(s, DeliveryStatus::Unknown(UnconfirmedReason::OtherTab))
    }),
    ("answered here", |s, _| {
        batch(s, |it| !it.is_pending() && !it.elsewhere)
    }),
    ("answered elsewhere", |s, _| batch(s, |it| it.elsewhere)),
    ("unanswerable", |s, _| {
        batch(s, |it| it.phase == BatchPhase::Unanswerable)
    }),
    ("unanswerable in part", |s, _| {
        batch(s, |it| {
            let mut tools = it.tools.iter();
            it.phase == BatchPhase::Unanswerable && tools.any(|tool| tool.request.is_some())
        })
    }),
    ("read for more runs", |s, _| {
        batch(s, |it| {
            it.completeness == BatchCompleteness::PossiblyIncomplete { checking: true }
        })
    }),
    ("never read for more runs", |s, _| {
        batch(s, |it| {
            it.completeness == BatchCompleteness::PossiblyIncomplete { checking: false }
        })
    }),
    ("decided in part", |s, _| {
        batch(s, |it| {
            let mut tools = it.tools.iter();
            it.is_pending() && tools.any(|tool| tool.status != ApprovalStatus::Pending)
        })
    }),
    ("folded", |s, _| {
        tool(s, |it| it.request.is_some() && !it.can_be_approved())
    }),
    ("opened", |s, _| tool(s, |it| !it.opened.is_empty())),
    ("opened and approved", |s, _| {
        tool(s, |it| !it.opened.is_empty() && it.choice.is_some())
    }),
    ("a file on its way", |s, _| {
        file(s, |it| matches!(it, AttachmentState::Uploading(_)))
    }),
    ("a file there", |s, _| {
        file(s, |it| matches!(it, AttachmentState::Uploaded(_)))
    }),
    ("a file failed", |s, _| {
        file(s, |it| matches!(it, AttachmentState::Failed(_)))
    }),
    ("a file of the draft there", |s, _| {
        conversation(s, |it| {
            !it.files.is_empty() && Attachment::all_uploaded(&it.files)
        })
    }),
    ("files that wait for a decision", |s, _| {
        conversation(s, |it| it.queued.iter().any(|it| !it.files.is_empty()))
    }),
    ("files sent", |s, _| {
        conversation(s, |it| it.messages.iter().any(|it| !it.files.is_empty()))
    }),
    ("a file cancelled", |_, c| {
        command(c, |it| matches!(it, Command::CancelUpload(_)))
    }),
    ("a file posted", |_, c| {
        command(c, |it| match it {
            Command::Post { content, .. } => content.len() > 2,
            _ => false,
        })
    }),
    ("asking", |s, _| conversation(s, |it| it.is_asking)),
    ("waiting", |s, _| conversation(s, is_waiting)),
    ("waiting while it is answered", |s, _| {
        conversation(s, |it| is_waiting(it) && it.stream().is_some())
    }),
    ("awaited elsewhere", |s, _| {
        conversation(s, |it| {
            it.composer_state() == ComposerState::AwaitingElsewhere
        })
    }),
    ("stale", |s, _| conversation(s, |it| it.stale)),
    ("cached", |s, _| !s.cached_requests.is_empty()),
    ("waits behind", |s, _| {
        let open = s.open_conversation().and_then(Conversation::thread_id);
        s.undecided_by_thread()
            .iter()
            .any(|(thread, _)| Some(thread) != open)
    }),
    ("keeps", |_, c| {
        command(c, |it| matches!(it, Command::KeepRequests(_)))
    }),
    ("forgets", |_, c| {
        command(c, |it| matches!(it, Command::ForgetRequests(_)))
    }),
    ("told of a request", |_, c| {
        command(c, |it| {
            matches!(it, Command::NotifyPage(PageEvent::ApprovalRequested { .. }))
        })
    }),
    ("told of an answer", |_, c| {
        command(c, |it| {
            matches!(it, Command::NotifyPage(PageEvent::ApprovalAnswered(_)))
        })
    }),
    ("posts verdicts", |_, c| {
        posts(c, |it| it.decisions.iter().all(|it| it.status != ABORTED))
    }),
    ("posts both verdicts", |_, c| {
        posts(c, |it| {
            let status = |status| it.decisions.iter().any(|it| it.status == status);
            status(ApprovalStatus::Approved) && status(ApprovalStatus::Denied)
        })
    }),
    ("accepts a definition", |s, _| {
        tool(s, |it| {
            it.status == ApprovalStatus::Approved && it.choice == ACCEPTS
        })
    }),
    ("allows calls beforehand", |s, _| {
        tool(s, |it| {
            it.status == ApprovalStatus::Approved && it.choice == Some(Verdict::ApproveBeforehand)
        })
    }),
    ("chooses what is covered", |s, _| {
        tool(s, |it| it.choice == Some(Verdict::ApproveCovered))
    }),
    ("sends what was chosen because it is covered", |s, _| {
        tool(s, |it| {
            it.status == ApprovalStatus::Approved && it.choice == Some(Verdict::ApproveCovered)
        })
    }),
    ("contributes", |s, _| {
        contributes(s, |it| it.state == ContributionState::Writing)
    }),
    ("contributed", |s, _| {
        contributes(s, |it| it.state == ContributionState::Whole)
    }),
    ("contributed short", |s, _| {
        contributes(s, |it| it.state == ContributionState::Short)
    }),
    ("two contributed to an answer", |s, _| {
        conversation(s, |it| {
            let mut messages = it.messages.iter();
            messages.any(|it| it.contributions.len() > 1 && !it.text.is_empty())
        })
    }),
    ("posts a stop with words", |_, c| {
        posts(c, |it| it.feedback.is_some())
    }),
];

const ABORTED: ApprovalStatus = ApprovalStatus::Aborted;

fn conversation(state: &State, is: fn(&Conversation) -> bool) -> bool {
    state.conversations.iter().any(is)
}

fn follows(state: &State, is: fn(&Stream) -> bool) -> bool {
    let mut streams = state.conversations.iter().filter_map(|it| it.stream());
    streams.any(|stream| stream.followed.is_some() && is(stream))
}

fn batches(state: &State) -> impl Iterator<Item = &ApprovalBatch> {
    let messages = state.conversations.iter().flat_map(|it| &it.messages);
    messages.flat_map(|message| &message.approvals)
}

fn batch(state: &State, is: fn(&ApprovalBatch) -> bool) -> bool {
    batches(state).any(is)
}

fn tool(state: &State, is: fn(&ToolRun) -> bool) -> bool {
    batches(state).flat_map(|batch| &batch.tools).any(is)
}

fn contributes(state: &State, is: fn(&Contribution) -> bool) -> bool {
    let messages = state.conversations.iter().flat_map(|it| &it.messages);
    let mut contributions = messages.flat_map(|it| &it.contributions);
    contributions.any(is)
}

fn feedback(batch: &ApprovalBatch) -> Option<&Feedback> {
    match &batch.phase {
        BatchPhase::Deciding { feedback, .. } => feedback.as_ref(),
        _ => None,
    }
}

fn file(state: &State, is: fn(&AttachmentState) -> bool) -> bool {
    let mut files = batches(state).filter_map(feedback).flat_map(|it| &it.files);
    files.any(|file| is(&file.state))
}

fn failed(state: &State, kind: FailureKind) -> bool {
    batches(state).any(|batch| match &batch.phase {
        BatchPhase::Deciding { failure, .. } => failure.as_ref().is_some_and(|it| it.kind == kind),
        _ => false,
    })
}

fn delivery(state: &State, is: DeliveryStatus) -> bool {
    batches(state).any(|batch| match &batch.phase {
        BatchPhase::Submitting { delivery, .. } => *delivery == is,
        _ => false,
    })
}

fn is_waiting(conversation: &Conversation) -> bool {
    !conversation.queued.is_empty()
}

/// Returns true if what is written elsewhere is followed, in a stream for which `is` returns true.
fn is_elsewhere(state: &State, is: fn(&Stream) -> bool) -> bool {
    let streams = state.conversations.iter().filter_map(Conversation::stream);
    let mut elsewhere = streams.filter(|it| matches!(it.posted, PostedContent::Elsewhere { .. }));
    elsewhere.any(is)
}

fn command(commands: &[Command], is: fn(&Command) -> bool) -> bool {
    commands.iter().any(is)
}

fn posts(commands: &[Command], is: fn(&AnswerSummary) -> bool) -> bool {
    commands.iter().any(|command| match command {
        Command::Post { summary, .. } => summary.as_ref().is_some_and(is),
        _ => false,
    })
}

#[test]
fn the_sequences_get_everywhere() {
    let mut runner = TestRunner::deterministic();
    let mut counts = [0_usize; PLACES.len()];
    let sequence = vec(any::<u8>(), 0..400);
    for _ in 0..SEQUENCES {
        let bytes = sequence.new_tree(&mut runner).map(|tree| tree.current());
        let mut seen = [false; PLACES.len()];
        let held = watch_sequence(&bytes.unwrap_or_default(), &mut |state, output| {
            for ((_, is), seen) in PLACES.iter().zip(&mut seen) {
                *seen = *seen || is(state, &output.commands);
            }
        });
        assert_eq!(held, Ok(()));
        for (count, seen) in counts.iter_mut().zip(seen) {
            *count += usize::from(seen);
        }
    }
    let each = PLACES.iter().zip(counts);
    for ((name, _), count) in each.clone() {
        println!("{count:>6} {name}");
    }
    let never: Vec<_> = each
        .filter(|(_, count)| *count == 0)
        .map(|((name, _), _)| name)
        .collect();
    assert_eq!(never, [&""; 0]);
}
