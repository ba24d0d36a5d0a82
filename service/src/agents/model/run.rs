//! The shell of a run: asks the model, runs tools, and hands the person's decisions on.

use std::time::Duration;

use assent_protocol::{ApprovalRequest, ApprovalStatus, EventType};
use futures_util::future::join_all;
use tokio::time::{Instant, timeout_at};

use super::{
    ModelAgent,
    client::{ModelError, Sent},
    completion::{Completion, Piece},
    policy::Effect,
    servers::{Outcome, Server},
    step::{Command, Event, Run},
    tools::{Judged, Tool, judge, judge_again, shown},
    wire,
};
use crate::{
    Result,
    agents::agent::{Answer, Ending, Input},
    approval::{Approval, Question, Verdict},
    generate::new_id,
    transcript::{Call, CallEnd, CallResult, Transcript, UNKNOWN_OUTCOME},
};

/// The category that a request for approval names for all tools of servers.
const CATEGORY: &str = "MCP";

impl ModelAgent {
    pub(super) async fn take_turn(&self, input: Input, answer: &mut dyn Answer) -> Result<Ending> {
        let deadline = Instant::now() + Duration::from_secs(self.limits.seconds);
        let mut speech = Speech::new(answer);
        let tools = self.tools(&mut speech).await?;
        let transcript = speech.answer.journal().read().await?;
        let event = self.first_event(input, &transcript, &tools);
        let mut run = Run::new(transcript, self.limits);
        let mut commands = run.step(event);
        loop {
            let Some(last) = commands.pop() else {
                return Ok(Ending::Failed("The agent stopped.".to_owned()));
            };
            for command in commands {
                if let Command::Record(items) = command {
                    speech.answer.journal().append(&items).await?;
                }
            }
            let event = match last {
                // Only what has to be waited for is the last command.
                Command::Record(_) => return Ok(Ending::Done),
                Command::AskModel { with_tools } => {
                    let offered = if with_tools { tools.as_slice() } else { &[] };
                    let asked = self.ask_model(&run, &tools, offered, &mut speech);
                    match timeout_at(deadline, asked).await {
                        Ok(completed) => match completed? {
                            Ok(completion) => self.answered(completion, &tools),
                            Err(error) => return Ok(Ending::Failed(error.to_string())),
                        },
                        Err(_) => return self.out_of_time(&mut speech).await,
                    }
                }
                Command::RunTool(..) if Instant::now() >= deadline => {
                    return self.out_of_time(&mut speech).await;
                }
                Command::RunTool(call, effect) => {
                    Event::Ran(self.run_tool(&call, effect, &mut speech).await?)
                }
                Command::AskPerson(calls) => {
                    let required = "NOTIFICATION_TOOL_EXECUTION_APPROVAL_REQUIRED";
                    speech.notify(required, "").await;
                    return Ok(Ending::Asked {
                        question: question(&calls),
                        together: false,
                    });
                }
                Command::End(sentence) => {
                    if let Some(sentence) = sentence {
                        speech.paragraph(&sentence).await?;
                    }
                    return Ok(Ending::Done);
                }
                Command::Fail(reason) => return Ok(Ending::Failed(reason)),
            };
            commands = run.step(event);
        }
    }

    fn first_event(&self, input: Input, transcript: &Transcript, tools: &[Tool]) -> Event {
        match input {
            Input::Message(content) => Event::Message(content.stored_text()),
            Input::Decided(outcome) => {
                let open = transcript.open_calls().into_iter().map(|call| Judged {
                    ruling: judge_again(&call, tools, &self.policy),
                    call,
                });
                Event::Decided {
                    decisions: outcome.approvals.iter().filter_map(decision).collect(),
                    feedback: outcome.feedback.text,
                    open: open.collect(),
                }
            }
        }
    }

    /// Lists the tools of all servers; those of a server that cannot be used are left out, and the
    /// reader is told so.
    async fn tools(&self, speech: &mut Speech<'_>) -> Result<Vec<Tool>> {
        let mut tools = Vec::new();
        for listed in join_all(self.servers.iter().map(Server::tools)).await {
            match listed {
                Ok(listed) => tools.extend(listed),
                Err(fault) => speech.paragraph(&format!("*{fault}*")).await?,
            }
        }
        Ok(tools)
    }

    /// Asks the model, and lets the reader see its text as it comes.
    async fn ask_model(
        &self,
        run: &Run,
        tools: &[Tool],
        offered: &[Tool],
        speech: &mut Speech<'_>,
    ) -> Result<std::result::Result<Completion, ModelError>> {
        let messages = wire::messages(
            &self.instructions,
            &run.transcript,
            tools,
            self.request_tokens,
        );
        let functions = wire::functions(offered);
        speech.new_paragraph();
        speech
            .notify("NOTIFICATION_AGENT_THINKING_STARTED", "")
            .await;
        let mut attempt = 0;
        let mut reply = loop {
            match self.model.send(&messages, &functions, attempt).await {
                Ok(Sent::Begun(reply)) => break reply,
                Ok(Sent::RetryAfter(delay)) => speech.answer.pause(delay).await,
                Err(error) => return Ok(Err(error)),
            }
            attempt += 1;
        };
        let mut thinking = true;
        loop {
            let piece = match reply.next().await {
                Ok(piece) => piece,
                Err(error) => return Ok(Err(error)),
            };
            if thinking && matches!(piece, Some(Piece::Text(_)) | None) {
                speech
                    .notify("NOTIFICATION_AGENT_THINKING_COMPLETE", "")
                    .await;
                thinking = false;
            }
            match piece {
                Some(Piece::Text(text)) => speech.say(&text).await?,
                Some(_) => {}
                None => return Ok(Ok(reply.into_completion())),
            }
        }
    }

    fn answered(&self, completion: Completion, tools: &[Tool]) -> Event {
        if let Some(usage) = completion.usage {
            let (input, output) = (usage.input, usage.output);
            tracing::debug!(agent = self.profile.id, input, output, "a model answered");
        }
        let calls = completion.calls.iter();
        Event::Answered {
            calls: calls
                .map(|wanted| judge(wanted, new_id(), tools, &self.policy))
                .collect(),
            text: completion.text,
        }
    }

    /// Runs a tool at most once: it is claimed before, and its result is stored after.
    async fn run_tool(
        &self,
        call: &Call,
        effect: Effect,
        speech: &mut Speech<'_>,
    ) -> Result<CallResult> {
        let (end, text) = if speech.answer.journal().claim(call).await? {
            let initiated = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
            speech.notify(initiated, &call.tool).await;
            self.call(call).await
        } else {
            (CallEnd::Unknown, UNKNOWN_OUTCOME.to_owned())
        };
        let (end, text) = match end {
            CallEnd::Unknown if effect != Effect::Write => (
                CallEnd::Failed,
                "There was no answer. It may be tried again.".to_owned(),
            ),
            _ => (end, text),
        };
        let result = CallResult {
            call: call.id.clone(),
            end,
            text,
        };
        speech.answer.journal().finish(&result).await?;
        if end == CallEnd::Unknown {
            let sentence = format!("*It is not known whether `{}` ran.*", call.tool);
            speech.paragraph(&sentence).await?;
        }
        Ok(result)
    }

    async fn call(&self, call: &Call) -> Outcome {
        let (id, tool) = call.tool.split_once('/').unwrap_or_default();
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        match self.servers.iter().find(|server| server.id == id) {
            Some(server) => server.call(tool, arguments).await,
            None => (CallEnd::Failed, "There is no such tool.".to_owned()),
        }
    }

    async fn out_of_time(&self, speech: &mut Speech<'_>) -> Result<Ending> {
        let seconds = self.limits.seconds;
        let sentence = format!("*I stopped after {seconds} seconds, the limit of one answer.*");
        speech.paragraph(&sentence).await?;
        Ok(Ending::Done)
    }
}

/// The answer of one run, whose parts are paragraphs of one text.
struct Speech<'a> {
    answer: &'a mut dyn Answer,
    /// True if something was said.
    spoken: bool,
    /// True if the next text begins a paragraph.
    breaks: bool,
}

impl<'a> Speech<'a> {
    fn new(answer: &'a mut dyn Answer) -> Self {
        Self {
            answer,
            spoken: false,
            breaks: false,
        }
    }

    fn new_paragraph(&mut self) {
        self.breaks = self.spoken;
    }

    async fn say(&mut self, text: &str) -> Result<()> {
        if self.breaks {
            self.answer.say(None, "\n\n").await?;
        }
        self.breaks = false;
        self.spoken = true;
        self.answer.say(None, text).await
    }

    /// Says a text as a paragraph of its own.
    async fn paragraph(&mut self, text: &str) -> Result<()> {
        self.new_paragraph();
        self.say(text).await
    }

    async fn notify(&mut self, event: &str, detail: &str) {
        let event = EventType::from(event);
        let default = event.info().map_or("", |info| info.text);
        let text = if detail.is_empty() {
            default.to_owned()
        } else {
            format!("{default}: {detail}")
        };
        self.answer.notify(event, &text).await;
    }
}

fn decision(approval: &Approval) -> Option<(String, Verdict)> {
    let verdict = match approval.status {
        ApprovalStatus::Approved => Verdict::Approved,
        ApprovalStatus::Denied => Verdict::Denied,
        ApprovalStatus::Aborted => Verdict::Aborted,
        ApprovalStatus::Pending | ApprovalStatus::Other(_) => return None,
    };
    Some((approval.execution_id().to_owned(), verdict))
}

/// Returns the question about calls: one batch, whose decision begins the next run.
fn question(calls: &[Call]) -> Question {
    let memory_id = new_id();
    let batch_id = new_id();
    let request = |call: &Call| {
        let (server, tool) = call.tool.split_once('/').unwrap_or_default();
        ApprovalRequest {
            tool_id: call.tool.clone(),
            tool_name: tool.to_owned(),
            tool_provider: server.to_owned(),
            tool_category: CATEGORY.to_owned(),
            tool_execution_id: call.id.as_str().into(),
            tool_execution_batch_id: batch_id.as_str().into(),
            tool_memory_id: memory_id.clone(),
            tool_arguments: shown(&call.arguments),
            approval_result: ApprovalStatus::Pending,
        }
    };
    Question {
        requests: calls.iter().map(request).collect(),
        memory_id,
        // The transcript knows the rest.
        memory: String::new(),
    }
}
