//! The shell of a run: carries out what the core in `core/` says, and reports what came of it.
//!
//! - [`turn`] – the state of one turn.
//! - [`speech`] – the text of the answer, as the reader sees it.
//! - [`request`] – a request to the model, and its answer as it comes.
//! - [`compaction`] – old turns, summed up for the model.
//! - [`batch`] – how far the calls of an answer have come, for the reader.
//! - [`mod@tools`] – the tools of a turn: listed, offered, accepted.
//! - [`calls`] – calls of them: claimed, run, and their results stored.
//! - [`made_images`] – the images of results, kept for the reader.
//! - [`measure`] – what the run tells the operator's counters.
//! - [`question`] – what a person is asked, and what the decisions mean.

mod batch;
mod calls;
mod compaction;
mod made_images;
mod measure;
mod question;
mod request;
pub(super) mod speech;
mod tools;
pub(super) mod turn;

use assent_protocol::notification;
use jiff::Timestamp;

use std::{collections::BTreeMap, time::Duration};

use tokio::time::{Instant, timeout_at};

use super::{
    ModelAgent,
    colleagues::WaitingTask,
    core::{
        judge::{JudgedCall, JudgingContext, denying_ruling, judge, judge_again},
        next::{Command, RunInput, RunOutput, RunState},
    },
    orchestration::{AdvanceOutcome, advance, leave_unchecked},
    provider::{
        completion::{Completion, WantedCall},
        ending::ReplyEnd,
    },
    request::{
        documents::Documents,
        estimate,
        images::{self, LoadedImages},
        wire::Request,
    },
};
use crate::{
    Result,
    agents::agent::{Answer, DecidedQuestion, Ending, Turn as Asked, TurnInput},
    generate::new_id,
    rules::{approval::Approval, audit::DecisionSource, content::UserContent, policy::Grants},
    sentence::Sentence,
    transcript::{Item, Note},
};
use calls::run_tools;
use compaction::sum_up;
use measure::Meter;
use question::{as_decided, call_verdict, question};
use request::ask_model;
use speech::Speech;
use tools::{list_tools, renew_tools};
use turn::TurnState;

/// Text for the model about a call of an answer that was cut.
const CUT_RESULT: &str = "This did not run: the answer was cut before the call was whole. \
    Make it again, with shorter arguments.";

/// What came of a command of the core.
enum Progress {
    /// The event that the command brought; the run goes on.
    Event(RunInput),
    /// The turn is over.
    End(Ending),
}

impl ModelAgent {
    /// Answers one turn.
    pub(super) async fn take_turn(&self, asked: Asked, answer: &mut dyn Answer) -> Result<Ending> {
        let mut turn = self.begin(&asked, answer).await?;
        let resumed = asked.resumed && !turn.run.transcript.run_entries().is_empty();
        if resumed {
            turn.say_again().await?;
        }
        let event = match asked.input {
            TurnInput::Message(content) if !resumed => RunInput::Message(content),
            TurnInput::Message(_) => self.resume_input(&turn),
            TurnInput::Decided(decided) => match WaitingTask::read(&decided.memory) {
                Some(waiting) => {
                    let (colleagues, limits) = (&self.colleagues, &self.limits);
                    let answered = colleagues.pass_on_decision(waiting, decided, limits, &mut turn);
                    match answered.await? {
                        Some(ending) => return Ok(ending),
                        None => RunInput::Noted,
                    }
                }
                None => self.decision_input(decided, resumed, &turn),
            },
        };
        let ended = self.run_to_end(&mut turn, event).await;
        turn.speech.answer.journal().reserve(0);
        ended
    }

    /// Makes the state of the turn, before the first request to the model.
    async fn begin<'a>(&self, asked: &Asked, answer: &'a mut dyn Answer) -> Result<TurnState<'a>> {
        let deadline = Instant::now() + Duration::from_secs(self.limits.seconds);
        let meter = Meter::new(answer.metrics(), &self.profile.id, &asked.input);
        let mut speech = Speech::new(answer);
        if asked.resumed {
            speech.sentence(&Sentence::GoesOn).await?;
        }
        let (servers, tools, standing) = list_tools(self, asked, &mut speech).await?;
        let transcript = speech.answer.journal().stored().transcript().await?;
        Ok(TurnState {
            speech,
            meter,
            thread: asked.thread.clone(),
            servers,
            tools,
            grants: Grants::new(standing.grants),
            run: RunState::new(transcript, self.limits, standing.tokens_today),
            documents: Documents::new(),
            stays_whole: false,
            deadline,
        })
    }

    /// Asks the model and runs tools until the turn is over.
    async fn run_to_end(&self, turn: &mut TurnState<'_>, mut event: RunInput) -> Result<Ending> {
        loop {
            let begins = matches!(event, RunInput::Answered { .. });
            let reports = !matches!(event, RunInput::Message(_) | RunInput::Noted);
            let RunOutput { record, command } = turn.run.step(event);
            turn.record(&record).await?;
            if reports {
                let entries = turn.run.transcript.turn_entries();
                batch::report(begins, &command, entries, &mut turn.speech).await;
            }
            event = match self.carry_out(command, turn).await? {
                Progress::Event(event) => event,
                Progress::End(ending) => return Ok(ending),
            };
        }
    }

    /// Carries out a command of the core.
    async fn carry_out(&self, command: Command, turn: &mut TurnState<'_>) -> Result<Progress> {
        Ok(match command {
            Command::AskModel { .. } if !turn.read_documents().await? => {
                Progress::End(self.end_out_of_time(turn).await?)
            }
            Command::AskModel { with_tools } => {
                sum_up(self, turn).await?;
                match advance(self, turn).await? {
                    AdvanceOutcome::ToModel => self.next_answer(with_tools, turn).await?,
                    AdvanceOutcome::Limit(sentence) => {
                        Progress::End(self.end(&sentence, turn).await?)
                    }
                    AdvanceOutcome::End(ending) => Progress::End(ending),
                }
            }
            Command::RunTools(calls) => match run_tools(self, calls, turn).await? {
                Some(last) => Progress::Event(RunInput::Ran(last)),
                None => Progress::End(self.end_out_of_time(turn).await?),
            },
            Command::AskPerson(asked) => {
                let required = notification::TOOL_EXECUTION_APPROVAL_REQUIRED;
                turn.speech.notify(required, "").await;
                let is_colleague = turn.speech.answer.delegation_depth() > 0;
                let colleague = is_colleague.then_some(self.profile.name.as_str());
                Progress::End(Ending::Asked {
                    question: question(&asked, colleague, Timestamp::now()),
                    together: false,
                })
            }
            Command::End(None) => match advance(self, turn).await? {
                AdvanceOutcome::ToModel => Progress::Event(RunInput::Noted),
                AdvanceOutcome::Limit(sentence) => Progress::End(self.end(&sentence, turn).await?),
                AdvanceOutcome::End(ending) => Progress::End(ending),
            },
            Command::End(Some(sentence)) => Progress::End(self.end(&sentence, turn).await?),
            Command::Fail(reason) => Progress::End(Ending::Failed(reason)),
        })
    }

    /// Asks the model for its next answer; the reader sees the text as it comes.
    async fn next_answer(&self, with_tools: bool, turn: &mut TurnState<'_>) -> Result<Progress> {
        renew_tools(self, turn).await?;
        let loaded = if self.model.sees_images() {
            let loading =
                images::load_with_permits(&turn.run.transcript, turn.speech.answer.files());
            match timeout_at(turn.deadline, loading).await {
                Ok(loaded) => loaded?,
                Err(_) => return Ok(Progress::End(self.end_out_of_time(turn).await?)),
            }
        } else {
            LoadedImages::default()
        };
        let asked = estimate::estimated_tokens(&turn.run.transcript, &turn.documents, "");
        if let Some(sentence) = turn.reserve(asked, self.model.dialect()).await? {
            return Ok(Progress::End(self.end(&sentence, turn).await?));
        }
        let request = Request {
            instructions: &self.instructions,
            transcript: &turn.run.transcript,
            tools: &turn.tools,
            with_tools,
            images: &loaded.images,
            documents: &turn.documents,
        };
        // From here on something is recorded of this answer, whatever comes of it: a model has to
        // find an answer after each question. The words of a colleague are recorded as its reply.
        if turn.speech.answer.delegation_depth() == 0 {
            turn.speech.answer.journal().keep_partial_text("", 0);
        }
        let answer = ask_model(&self.model, &request, &turn.meter, &mut turn.speech);
        match timeout_at(turn.deadline, answer).await {
            Ok(completed) => Ok(match completed? {
                Ok(completion) => {
                    // A turn may take minutes: meanwhile a grant may be taken back, and other
                    // turns of the user take tokens.
                    let journal = turn.speech.answer.journal();
                    let standing = journal.stored().standing(&[]).await?;
                    turn.grants = Grants::new(standing.grants);
                    turn.run.renew_tokens(standing.tokens_today);
                    let end = completion.end.unwrap_or_default();
                    if completion.calls.is_empty() {
                        let says_nothing = completion.text.trim().is_empty();
                        let failed = end.empty_reply_sentence(completion.thought);
                        if let Some(why) = failed.filter(|_| says_nothing) {
                            return Ok(Progress::End(Ending::Failed(why.to_owned())));
                        }
                        if let Some(sentence) = end.sentence() {
                            turn.speech.sentence(&sentence).await?;
                        }
                    }
                    let (event, kept) = self.judge_answer(completion, turn);
                    if let Some(note) = kept {
                        turn.note(note).await?;
                    }
                    Progress::Event(event)
                }
                Err(error) => Progress::End(Ending::Failed(error.to_string())),
            }),
            Err(_) => {
                // The user is charged with the tokens that the request took until then.
                turn.note(Note::Inquiry { tokens: asked }).await?;
                Ok(Progress::End(self.end_out_of_time(turn).await?))
            }
        }
    }

    /// Returns the event with which the run goes on after an interruption. The calls without a
    /// result belong to it if an answer of the model is recorded.
    fn resume_input(&self, turn: &TurnState<'_>) -> RunInput {
        let transcript = &turn.run.transcript;
        let answered = |item: &Item| matches!(item, Item::Model { .. });
        // Before the first answer the open calls are those of an earlier message, which are over.
        let open = if transcript.run_entries().iter().any(answered) {
            self.judge_open_calls(&[], turn)
        } else {
            Vec::new()
        };
        RunInput::Resumed {
            decisions: Vec::new(),
            feedback: UserContent::default(),
            open,
        }
    }

    fn decision_input(
        &self,
        decided: DecidedQuestion,
        resumed: bool,
        turn: &TurnState<'_>,
    ) -> RunInput {
        let decisions = decided.approvals.iter().filter_map(call_verdict).collect();
        let feedback = decided.feedback;
        let open = self.judge_open_calls(&decided.approvals, turn);
        if resumed {
            RunInput::Resumed {
                decisions,
                feedback,
                open,
            }
        } else {
            RunInput::Decided {
                decisions,
                feedback,
                open,
            }
        }
    }

    /// Returns the calls that have no result, as a person changed them, judged again.
    fn judge_open_calls(&self, decided: &[Approval], turn: &TurnState<'_>) -> Vec<JudgedCall> {
        let rules = self.judging_context(turn);
        let judged = |call| {
            let call = as_decided(call, decided);
            JudgedCall {
                ruling: judge_again(&call, &rules),
                call,
                policy: self.policy.version().to_owned(),
            }
        };
        let open = turn.run.transcript.open_calls().into_iter();
        open.map(judged).collect()
    }

    fn judging_context<'a>(&'a self, turn: &'a TurnState<'_>) -> JudgingContext<'a> {
        JudgingContext {
            tools: &turn.tools,
            policy: &self.policy,
            grants: &turn.grants,
        }
    }

    /// Judges the calls of an answer of the model. Returns the event that the core is told, and a
    /// note of what the server wants to have back with the calls; `None` if it wants nothing.
    fn judge_answer(
        &self,
        completion: Completion,
        turn: &TurnState<'_>,
    ) -> (RunInput, Option<Note>) {
        let tokens = completion.usage.map_or_else(
            || {
                let transcript = &turn.run.transcript;
                estimate::estimated_tokens(transcript, &turn.documents, &completion.text)
            },
            |usage| usage.input + usage.output,
        );
        tracing::debug!(agent = self.profile.id, tokens, "a model answered");
        let rules = self.judging_context(turn);
        let cut = completion.end.is_some_and(|end| end != ReplyEnd::Whole);
        let judged = |wanted: &WantedCall| {
            let mut judged = judge(wanted, new_id(), &rules);
            // What is left of it may be JSON again, of other arguments.
            if cut && wanted.is_cut() {
                judged.ruling = denying_ruling(DecisionSource::Limit, "answer cut", CUT_RESULT);
            }
            judged
        };
        let calls: Vec<JudgedCall> = completion.calls.iter().map(judged).collect();
        let ids = calls.iter().map(|judged| judged.call.id.clone());
        let wanted = completion.calls.iter().map(|wanted| wanted.kept.clone());
        let kept: BTreeMap<_, _> = ids.zip(wanted).collect();
        let is_any = !completion.kept.is_empty() || kept.values().any(|it| !it.is_empty());
        let note = (is_any && !kept.is_empty()).then_some(Note::Kept {
            endpoint: completion.endpoint,
            calls: kept,
            answer: completion.kept,
        });
        let event = RunInput::Answered {
            calls,
            text: completion.text,
            tokens,
        };
        (event, note)
    }

    /// Ends the turn at a limit, and tells the reader the sentence about it.
    async fn end(&self, sentence: &Sentence, turn: &mut TurnState<'_>) -> Result<Ending> {
        turn.speech.sentence(sentence).await?;
        leave_unchecked(&self.abilities, turn).await;
        Ok(Ending::Done)
    }

    async fn end_out_of_time(&self, turn: &mut TurnState<'_>) -> Result<Ending> {
        self.end(&self.limits.time_limit_sentence(), turn).await
    }
}
