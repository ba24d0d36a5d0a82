//! The task that writes an answer: it outlives the connection that asked for it.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use assent_protocol::EventType;
use futures_util::FutureExt as _;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument as _;

use crate::{
    Error,
    agents::{Agent, Answer as _, Ending, Turn, TurnInput},
    answers::cancellation::Cancellation,
    answers::current_agents::HeldAgent,
    answers::decisions::{notify_decisions, outcome},
    answers::event_log::{DELETED, RunLog},
    answers::rates::AnswerSlot,
    answers::titles::Titles,
    answers::unstored_end::{UnstoredEnd, store_later},
    answers::writer::{AnswerWriter, Resources},
    error::INTERNAL_ERROR_MESSAGE,
    rules::content::UserContent,
    sentence::Sentence,
    store::{AcceptedPost, OwnedRun, Store},
    telemetry::metrics::RunEnd,
    telemetry::spans,
};

const SHUTTING_DOWN: &str = "The service is being stopped; this answer was interrupted.";

/// The answers that are being written, each by a task of its own.
#[derive(Debug)]
pub struct Runs {
    resources: Resources,
    tasks: TaskTracker,
    titles: Arc<Titles>,
    stop: CancellationToken,
    /// The answers being written, by the id of their request.
    running: Arc<Answers>,
    /// The number of answers whose end could not be stored yet.
    unstored: Arc<AtomicUsize>,
}

type Answers = Mutex<HashMap<String, RunningAnswer>>;

/// An answer being written, and what ends it.
#[derive(Debug)]
struct RunningAnswer {
    run: OwnedRun,
    /// Ends the answer when its thread is deleted, or another replica goes on with it.
    lost: CancellationToken,
    /// Ends the answer when the user does not want it any more.
    cancellation: Cancellation,
}

impl Runs {
    /// Creates an empty collection of runs, which share `resources`.
    #[must_use]
    pub fn new(resources: Resources) -> Self {
        let (store, metrics) = (resources.store.clone(), resources.metrics.clone());
        Self {
            titles: Arc::new(Titles::new(store, metrics)),
            resources,
            tasks: TaskTracker::default(),
            stop: CancellationToken::default(),
            running: Arc::default(),
            unstored: Arc::default(),
        }
    }

    /// Starts the task in which `agent` writes the answer of a post. Its log is open on return.
    pub(crate) fn start(&self, agent: HeldAgent, slot: AnswerSlot, job: Job) {
        let run = job.accepted.run.clone();
        let resources = self.resources.clone();
        let (store, metrics) = (resources.store.clone(), resources.metrics.clone());
        let mut answer = AnswerWriter::new(resources, &job.accepted, agent.profile().clone());
        let lost = CancellationToken::new();
        let entry = RunningAnswer {
            run: run.clone(),
            lost: lost.clone(),
            cancellation: answer.cancellation(),
        };
        let running = Arc::clone(&self.running);
        lock(&running).insert(run.id.clone(), entry);
        let stop = self.stop.clone();
        let titles = Arc::clone(&self.titles);
        let unstored = Arc::clone(&self.unstored);
        let span = spans::agent_span(agent.profile(), &run.thread.id);
        let asked = job.accepted.answered.iter();
        spans::record_decisions(&span, asked.map(|it| (it.asked_in.as_str(), it.waited)));
        let answer_span = span.clone();
        let writing = async move {
            // Until the end of this task the thread is taken, and a slot of its user.
            let _ticket = Arc::clone(&job.accepted.ticket);
            let _slot = slot;
            let ended = write_answer(&store, &*agent, job, &mut answer, &stop, &lost).await;
            metrics.run_ended(&agent.profile().id, ended.end);
            spans::record_run_end(&answer_span, ended.end);
            if let Err(unstored_end) = ended.stored {
                unstored.fetch_add(1, Ordering::AcqRel);
                // Nobody is told what is in no log: readers come back for it.
                answer.log().break_off();
                if !store_later(&store, &mut answer, &unstored_end, &stop, &lost).await {
                    answer.log().break_off();
                }
                unstored.fetch_sub(1, Ordering::AcqRel);
            }
            answer.log().close();
            lock(&running).remove(&run.id);
            if ended.end == RunEnd::Done && agent.makes_titles() {
                titles.make(agent, run.thread);
            }
        };
        self.tasks.spawn(writing.instrument(span));
    }

    /// Ends the answers of a thread that was deleted.
    pub fn thread_deleted(&self, thread_id: &str) {
        let running = lock(&self.running);
        let in_thread = running.values().filter(|it| it.run.thread.id == thread_id);
        in_thread.for_each(|it| it.lost.cancel());
    }

    /// Returns the runs that are being written.
    #[must_use]
    pub fn running(&self) -> Vec<OwnedRun> {
        let running = lock(&self.running);
        running.values().map(|it| it.run.clone()).collect()
    }

    /// Ends an answer whose thread is deleted, or that another replica goes on with.
    pub fn lose(&self, run: &str) {
        let running = lock(&self.running);
        running.get(run).inspect(|it| it.lost.cancel());
    }

    /// Ends an answer that its user does not want any more, once no tool of it runs.
    pub fn cancel_run(&self, run: &str) {
        let running = lock(&self.running);
        running.get(run).inspect(|it| it.cancellation.cancel());
    }

    /// Ends the answer that this process writes in a thread, once no tool of it runs; returns false
    /// if there is none.
    #[must_use]
    pub fn cancel(&self, thread_id: &str) -> bool {
        let running = lock(&self.running);
        let mut in_thread = running.values().filter(|it| it.run.thread.id == thread_id);
        let found = in_thread.next();
        found.inspect(|it| it.cancellation.cancel()).is_some()
    }

    /// Waits until no answer is being written, for `grace` at most. Answers that are not complete
    /// then are interrupted, and stored with a note that says so.
    pub async fn finish(&self, grace: Duration) {
        self.tasks.close();
        if tokio::time::timeout(grace, self.tasks.wait())
            .await
            .is_err()
        {
            self.stop.cancel();
            self.tasks.wait().await;
        }
        self.titles.end().await;
    }

    /// Returns the number of answers being written.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the number of titles that are being made.
    #[must_use]
    pub fn title_count(&self) -> usize {
        self.titles.count()
    }

    /// Returns the number of answers that ended and whose end is not stored yet.
    #[must_use]
    pub fn unstored_count(&self) -> usize {
        self.unstored.load(Ordering::Acquire)
    }
}

fn lock(answers: &Answers) -> MutexGuard<'_, HashMap<String, RunningAnswer>> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a run is started with, besides the agent: the accepted post that it answers, with its user
/// and thread.
pub(crate) struct Job {
    pub(crate) content: UserContent,
    pub(crate) accepted: AcceptedPost,
    /// True if a crash interrupted the answer, and it goes on now.
    pub(crate) resumed: bool,
}

/// The way in which a run ended, and whether the end of its answer is stored.
struct RunOutcome {
    end: RunEnd,
    /// `Ok` if the end of the answer is stored, its thread is deleted, or another replica has it.
    stored: Result<(), UnstoredEnd>,
}

/// Writes an answer to its end.
async fn write_answer(
    store: &Store,
    agent: &dyn Agent,
    job: Job,
    answer: &mut AnswerWriter,
    stop: &CancellationToken,
    lost: &CancellationToken,
) -> RunOutcome {
    let cancellation = answer.cancellation();
    let log = answer.log().clone();
    let work = AssertUnwindSafe(run_agent(store, agent, job, answer)).catch_unwind();
    let ended = tokio::select! {
        ended = work => ended.unwrap_or(Err(StopReason::Service(Error::Panicked))),
        () = stop.cancelled() => Err(StopReason::Shutdown),
        () = lost.cancelled() => Err(StopReason::Lost),
        () = log.lost() => Err(StopReason::Lost),
        () = log.stuck() => Err(StopReason::Service(Error::NotReady)),
        () = cancellation.cancelled() => match answer.stop(&Sentence::Stopped).await {
            Ok(()) => Ok(RunEnd::Cancelled),
            Err(error) => Err(StopReason::Service(error)),
        },
    };
    let (end, note, reason) = match ended {
        Ok(end) => {
            return RunOutcome {
                end,
                stored: Ok(()),
            };
        }
        Err(StopReason::Shutdown) => (
            RunEnd::Stopped,
            Some(Sentence::Interrupted),
            SHUTTING_DOWN.to_owned(),
        ),
        Err(StopReason::Agent(reason)) => (
            RunEnd::Failed,
            Some(Sentence::Failed(reason.clone())),
            reason,
        ),
        Err(StopReason::Lost | StopReason::Service(Error::NotFound(_) | Error::TakenOver)) => {
            // If it cannot be asked, whoever comes back finds it out.
            let thread = log.thread();
            if store.has_thread(thread).await.unwrap_or(true) {
                return taken_over(&log);
            }
            answer.tell_deleted(DELETED).await;
            return RunOutcome {
                end: RunEnd::Deleted,
                stored: Ok(()),
            };
        }
        Err(StopReason::Service(full @ Error::ThreadFull { .. })) => {
            let reason = full.to_string();
            (
                RunEnd::Failed,
                Some(Sentence::Failed(reason.clone())),
                reason,
            )
        }
        Err(StopReason::Service(error)) => {
            tracing::error!(%error, "an answer failed");
            (
                RunEnd::Internal,
                Some(Sentence::Failed(INTERNAL_ERROR_MESSAGE.to_owned())),
                INTERNAL_ERROR_MESSAGE.to_owned(),
            )
        }
    };
    let stored = match answer.fail(note.as_ref(), &reason).await {
        Ok(()) => Ok(()),
        Err(Error::NotFound(_)) => {
            answer.tell_deleted(DELETED).await;
            Ok(())
        }
        Err(Error::TakenOver) => return taken_over(&log),
        Err(error) => {
            tracing::error!(%error, "the end of an answer could not be stored yet");
            Err(UnstoredEnd { note, reason })
        }
    };
    RunOutcome { end, stored }
}

/// Leaves an answer to the replica that goes on with it: its readers find it there.
fn taken_over(log: &RunLog) -> RunOutcome {
    tracing::warn!("another replica goes on with an answer");
    log.break_off();
    RunOutcome {
        end: RunEnd::TakenOver,
        stored: Ok(()),
    }
}

/// The reason why an answer did not come to its end.
enum StopReason {
    /// It is not this process's any more.
    Lost,
    Agent(String),
    Service(Error),
    Shutdown,
}

impl From<Error> for StopReason {
    fn from(error: Error) -> Self {
        Self::Service(error)
    }
}

async fn run_agent(
    store: &Store,
    agent: &dyn Agent,
    job: Job,
    answer: &mut AnswerWriter,
) -> Result<RunEnd, StopReason> {
    answer
        .emit(EventType::ConnectionEstablished, "", None)
        .await;
    answer
        .emit(EventType::MessageReceived, &job.content.text, None)
        .await;
    let thread = job.accepted.run.thread.clone();
    let mut inputs = Vec::new();
    if job.accepted.answered.is_empty() {
        inputs.push(TurnInput::Message(job.content));
    } else {
        for answered in &job.accepted.answered {
            for _ in &answered.decisions {
                answer.metrics().approval_decided(answered.waited);
            }
        }
        notify_decisions(answer, &job.accepted.answered).await;
        let outcomes = job.accepted.answered.into_iter();
        inputs.extend(outcomes.map(|answered| TurnInput::Decided(outcome(answered))));
    }
    let mut left = inputs.len();
    let mut end = RunEnd::Done;
    for input in inputs {
        left -= 1;
        let conversation = store.latest_messages(&thread).await?;
        // The thread was deleted before its deletion could end this run.
        if conversation.is_empty() {
            return Err(StopReason::Service(Error::NotFound(DELETED)));
        }
        let turn = Turn {
            thread: thread.clone(),
            conversation,
            input,
            resumed: job.resumed,
        };
        match agent.answer(turn, answer).await? {
            Ending::Done => {
                answer.complete(left == 0).await?;
                end = RunEnd::Done;
            }
            Ending::Asked { question, together } => {
                spans::record_question(question.requests.len());
                answer.ask(&question, together, left == 0).await?;
                end = RunEnd::Asked;
            }
            Ending::Failed(reason) if left == 0 => return Err(StopReason::Agent(reason)),
            // The other questions were decided too: the agent has to get their decisions.
            Ending::Failed(reason) => {
                answer.add_sentence(&Sentence::Failed(reason)).await?;
                answer.complete(false).await?;
            }
        }
    }
    Ok(end)
}
